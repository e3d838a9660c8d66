"""The observations of a kubelet, one for each action, and their form in the body of a `result`. Checks read
the observations up to a step."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dra_conform.conformance.checked_observations import ObservedAnswer, ObservedHistory


class PodResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of preparing or unpreparing the ResourceClaims of a pod: an error, or nothing."""

    call: Literal["prepare", "unprepare"]
    pod: str
    error: str = ""
    seconds: float = 0.0


class DriverCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call of the kubelet to an instance of a driver, for ResourceClaims by name."""

    driver: str
    call: Literal["prepare", "unprepare"]
    claims: tuple[str, ...]
    service: str
    instance: int = 1


class Registration(msgspec.Struct, frozen=True, omit_defaults=True):
    """A registration status that the kubelet has sent to an instance of a driver."""

    driver: str
    registered: bool
    error: str = ""
    instance: int = 1


class ObservedDevice(msgspec.Struct, frozen=True, omit_defaults=True, order=True):
    """A device of a driver, as a string `DRIVER/POOL/NAME`."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


class ClaimInUse(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ResourceClaim as the PodResources API shows it for a container.

    `cdi`: by device, the devices whose CDI names the API shows with it, all as `DRIVER/POOL/NAME`.
    """

    claim: str
    devices: tuple[ObservedDevice, ...] = ()
    cdi: dict[str, tuple[str, ...]] = {}


class ObservedHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The health of a device in `allocatedResourcesStatus`. `resource`: such as `claim:c`.

    `device`: its name, or its resource ID if no driver has answered it.
    """

    resource: str
    device: str
    health: str
    message: str = ""


class ObservedContainer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The devices that a container would get. With an `error` the container cannot start.

    `devices`: the devices whose CDI names it gets, in order, each as often as it gets them. `unknown`: CDI
    names that no driver has answered. `claims`: None if the kubelet cannot say it.
    """

    error: str = ""
    devices: tuple[ObservedDevice, ...] = ()
    unknown: tuple[str, ...] = ()
    claims: tuple[ClaimInUse, ...] | None = None
    health: tuple[ObservedHealth, ...] = ()


class Cgroup(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of a pod's cgroup, None for one that is not set.

    `cpu_quota`: microseconds of each 100 ms. `memory`: bytes.
    """

    cpu_shares: int | None = None
    cpu_quota: int | None = None
    memory: int | None = None


class ObservedPod(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pod of the node. `must_unprepare`: the pod still needs to be unprepared before the kubelet removes
    it. `cgroup`: None if the kubelet cannot say it. `alone`: the claims by container that the PodResources
    API shows if it is asked for this pod alone, None if it does not show the pod."""

    containers: dict[str, ObservedContainer] = {}
    must_unprepare: bool = False
    cgroup: Cgroup | None = None
    alone: dict[str, tuple[ClaimInUse, ...]] | None = None


class Sample(msgspec.Struct, frozen=True, omit_defaults=True):
    """A metric with its labels and value; for a histogram, the number of observations."""

    name: str
    labels: dict[str, str]
    value: float


class KubeletObservation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of the kubelet and its node after an action.

    `results`, `calls` and `registrations` are those of this action, in order. `slices`: the ResourceSlices
    that exist, by driver. `problem`: why the kubelet could not go on; the actions after it were not done.
    """

    results: tuple[PodResult, ...] = ()
    calls: tuple[DriverCall, ...] = ()
    registrations: tuple[Registration, ...] = ()
    pods: dict[str, ObservedPod] = {}
    slices: dict[str, tuple[str, ...]] = {}
    metrics: tuple[Sample, ...] = ()
    problem: str = ""


KubeletAnswer: TypeAlias = ObservedAnswer[KubeletObservation]


class KubeletHistory(ObservedHistory[KubeletObservation]):
    """The observations of the kubelet up to that of a step."""

    def results(self, call: str, pod: str) -> list[PodResult]:
        """Return the results of this step for a pod."""
        return [result for result in self.now.results if (result.call, result.pod) == (call, pod)]

    def registrations(self, driver: str, instance: int) -> list[Registration]:
        """Return the registration statuses sent to an instance of a driver in this step, oldest first.

        Those from before the first step belong to it.
        """
        observations = (self.now,) if self.index else (self.answer.start, self.now)
        return [
            registration
            for observation in observations
            for registration in observation.registrations
            if (registration.driver, registration.instance) == (driver, instance)
        ]
