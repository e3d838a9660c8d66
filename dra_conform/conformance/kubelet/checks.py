"""The checks of a kubelet's observations: one class for each Then step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dra_conform.conformance.kubelet.answer import (
    Cgroup,
    Container,
    DriverCall,
    KubeletAnswer,
    Observation,
    PodResult,
    Registration,
)
from dra_conform.conformance.steps.step import Params
from dra_conform.kube.quantity import NANO, Quantity

QUOTA_OF_A_CPU = 100_000
"""The CPU quota of a cgroup that can use one CPU, in microseconds of each period of 100 ms."""


@dataclass(frozen=True, slots=True)
class History:
    """The observations up to that of step `index`, from 0."""

    answer: KubeletAnswer
    index: int

    @property
    def now(self) -> Observation:
        """The observation of this step."""
        return self.answer.observations[self.index]

    def results(self, call: str, pod: str) -> list[PodResult]:
        """Return the results of this step for a pod."""
        return [result for result in self.now.results if (result.call, result.pod) == (call, pod)]

    def registrations(self, driver: str, instance: int) -> list[Registration]:
        """Return the registration statuses sent to an instance of a driver up to this step, oldest first."""
        observations = (self.answer.start, *self.answer.observations[: self.index + 1])
        return [
            registration
            for observation in observations
            for registration in observation.registrations
            if (registration.driver, registration.instance) == (driver, instance)
        ]


class Succeeds(Params, frozen=True, kw_only=True):
    """The kubelet prepares or unprepares a pod without an error, each time of the step."""

    pod: str
    call: Literal["prepare", "unprepare"] = "prepare"

    def problem(self, history: History) -> str:
        results = history.results(self.call, self.pod)
        if not results:
            return f"the kubelet does not {self.call} pod {self.pod} in this step"
        error = next((result.error for result in results if result.error), "")
        return f"the kubelet cannot {self.call} pod {self.pod}: {error}" if error else ""


class Fails(Params, frozen=True, kw_only=True):
    """Preparing or unpreparing a pod fails each time of the step, with an error that contains `names`."""

    pod: str
    call: Literal["prepare", "unprepare"] = "prepare"
    names: str = ""

    def problem(self, history: History) -> str:
        results = history.results(self.call, self.pod)
        if not results:
            return f"the kubelet does not {self.call} pod {self.pod} in this step"
        for result in results:
            if not result.error:
                return f"the kubelet can {self.call} pod {self.pod}, expected an error"
            if self.names not in result.error:
                return f"the error is {result.error!r}, expected one that names {self.names!r}"
        return ""


class EndsWithin(Params, frozen=True, kw_only=True):
    """Preparing or unpreparing a pod takes at most a number of seconds."""

    pod: str
    seconds: float
    call: Literal["prepare", "unprepare"] = "prepare"

    def problem(self, history: History) -> str:
        results = history.results(self.call, self.pod)
        if not results:
            return f"the kubelet does not {self.call} pod {self.pod} in this step"
        longest = max(result.seconds for result in results)
        return (
            f"the call took {longest:.1f} seconds, expected {self.seconds:g}"
            if longest > self.seconds
            else ""
        )


class Called(Params, frozen=True, kw_only=True):
    """A driver is called `times` times in the step for `call`, each time for exactly these claims.

    `service` and `instance`, if given, are those of each call.
    """

    driver: str
    call: Literal["prepare", "unprepare"]
    resource_claims: tuple[str, ...]
    times: int = 1
    service: str = ""
    instance: int = 0

    def problem(self, history: History) -> str:
        calls = [call for call in history.now.calls if (call.driver, call.call) == (self.driver, self.call)]
        expected = sorted(self.resource_claims)
        if len(calls) != self.times or any(sorted(call.claims) != expected for call in calls):
            wanted = f"{self.times} for {', '.join(expected)}"
            return f"calls to {self.call}: {_listed(calls)}, expected {wanted}"
        for call in calls:
            if self.service and call.service != self.service:
                return f"the service is {call.service}, expected {self.service}"
            if self.instance and call.instance != self.instance:
                return f"instance {call.instance} is called, expected instance {self.instance}"
        return ""


class NotCalled(Params, frozen=True, kw_only=True):
    """No driver, or not this driver, is called in the step, by default for any call."""

    driver: str = ""
    call: Literal["", "prepare", "unprepare"] = ""

    def problem(self, history: History) -> str:
        calls = [
            call
            for call in history.now.calls
            if self.driver in ("", call.driver) and self.call in ("", call.call)
        ]
        return f"the kubelet calls a driver: {_listed(calls)}" if calls else ""


class ContainerDevices(Params, frozen=True, kw_only=True):
    """A container gets the CDI devices of exactly these devices, each once."""

    pod: str
    container: str
    devices: tuple[str, ...] = ()

    def problem(self, history: History) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        if container.error:
            return f"container {self.container} cannot start: {container.error}"
        found = sorted([*(device.device for device in container.devices), *container.unknown])
        expected = sorted(self.devices)
        if found == expected:
            return ""
        return (
            f"container {self.container} gets {', '.join(found) or 'no devices'}, expected {_names(expected)}"
        )


class RepeatedDevice(Params, frozen=True, kw_only=True):
    """A container gets a device more than once."""

    pod: str
    container: str
    device: str

    def problem(self, history: History) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        count = sum(device.device == self.device for device in container.devices)
        return "" if count > 1 else f"container {self.container} gets device {self.device} {count} times"


class NoDevices(Params, frozen=True, kw_only=True):
    """A container gets no device: it starts without one, or it cannot start."""

    pod: str
    container: str

    def problem(self, history: History) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        names = [*(device.device for device in container.devices), *container.unknown]
        return f"container {self.container} gets {', '.join(names)}, expected no devices" if names else ""


class CannotStart(Params, frozen=True, kw_only=True):
    """The kubelet has no devices for a container, which cannot start."""

    pod: str
    container: str

    def problem(self, history: History) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        return "" if container.error else f"container {self.container} can start, expected an error"


class ClaimsInUse(Params, frozen=True, kw_only=True):
    """The PodResources API shows a claim of a container with exactly these devices.

    A device is `DRIVER/POOL/NAME`.
    """

    pod: str
    container: str
    resource_claim: str
    devices: tuple[str, ...]

    def problem(self, history: History) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        if container.claims is None:
            return f"the kubelet shows no claims of container {self.container}"
        shown = {
            claim.claim: sorted(f"{device.driver}/{device.pool}/{device.device}" for device in claim.devices)
            for claim in container.claims
        }
        expected = {self.resource_claim: sorted(self.devices)}
        if shown.items() >= expected.items():
            return ""
        return f"container {self.container} has {shown or 'no claims'}, expected {expected}"


class CgroupSettings(Params, frozen=True, kw_only=True):
    """The cgroup of a pod has these CPU shares and exactly these limits; an empty limit is not set."""

    pod: str
    shares: int
    cpu_limit: str = ""
    memory_limit: str = ""

    def problem(self, history: History) -> str:
        pod = history.now.pods.get(self.pod)
        if pod is None or pod.cgroup is None:
            return f"the kubelet has no settings for the cgroup of pod {self.pod}"
        quota = _quantity_in(self.cpu_limit, NANO // QUOTA_OF_A_CPU)
        expected = Cgroup(self.shares, quota, _quantity_in(self.memory_limit, NANO))
        if pod.cgroup == expected:
            return ""
        return f"the cgroup of pod {self.pod} has {_settings(pod.cgroup)}, expected {_settings(expected)}"


class MustUnprepare(Params, frozen=True, kw_only=True):
    """Whether a pod still needs to be unprepared, so that the kubelet does not remove it yet."""

    pod: str
    needed: bool = True

    def problem(self, history: History) -> str:
        pod = history.now.pods.get(self.pod)
        if pod is None:
            return f"pod {self.pod} is not on the node"
        if pod.must_unprepare == self.needed:
            return ""
        return (
            f"pod {self.pod} still needs to be unprepared, expected that it does not"
            if pod.must_unprepare
            else f"pod {self.pod} does not need to be unprepared, expected that it does"
        )


class Registered(Params, frozen=True, kw_only=True):
    """The latest registration status that an instance of a driver received is success."""

    driver: str
    instance: int = 1

    def problem(self, history: History) -> str:
        statuses = history.registrations(self.driver, self.instance)
        if not statuses:
            return f"driver {self.driver} has received no registration status"
        newest = statuses[-1]
        return "" if newest.registered else f"driver {self.driver} is rejected: {newest.error}"


class RegistrationRejected(Params, frozen=True, kw_only=True):
    """The latest registration status that an instance of a driver received is a rejection."""

    driver: str
    instance: int = 1

    def problem(self, history: History) -> str:
        statuses = history.registrations(self.driver, self.instance)
        if not statuses:
            return f"driver {self.driver} has received no registration status"
        return f"driver {self.driver} is registered, expected a rejection" if statuses[-1].registered else ""


class SlicesExist(Params, frozen=True, kw_only=True):
    """Whether ResourceSlices of a driver exist."""

    driver: str
    exist: bool = True

    def problem(self, history: History) -> str:
        names = history.now.slices.get(self.driver, ())
        if bool(names) == self.exist:
            return ""
        if names:
            return f"ResourceSlice {names[0]} of driver {self.driver} exists"
        return f"driver {self.driver} has no ResourceSlice"


class HealthInStatus(Params, frozen=True, kw_only=True):
    """The container status has the health of a device; `message`, if given, is its message."""

    pod: str
    container: str
    device: str
    health: str
    message: str = ""

    def problem(self, history: History) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        entries = [entry for entry in container.health if entry.device == self.device]
        if not entries:
            return f"the status of container {self.container} has no health of device {self.device}"
        for entry in entries:
            if entry.health != self.health:
                return f"device {self.device} is {entry.health}, expected {self.health}"
            if self.message and entry.message != self.message:
                return f"the message is {entry.message!r}, expected {self.message!r}"
        return ""


class MetricValue(Params, frozen=True, kw_only=True):
    """The samples of a metric with these labels add up to a value, for histograms in their counts."""

    metric: str
    labels: dict[str, str]
    value: float

    def problem(self, history: History) -> str:
        found = [
            sample.value
            for sample in history.now.metrics
            if sample.name == self.metric and sample.labels.items() >= self.labels.items()
        ]
        labels = ", ".join(f"{name}={value}" for name, value in self.labels.items())
        total = sum(found)
        if total == self.value:
            return ""
        return f"{self.metric}{{{labels}}} is {total:g}, expected {self.value:g}"


REJECTIONS = (Fails, RegistrationRejected, CannotStart)
"""Types of checks that pass if the kubelet rejects something."""


def _quantity_in(quantity: str, unit: int) -> int | None:
    """Return a quantity in units of `unit` nano, None for an empty string."""
    return Quantity.parse(quantity).nano // unit if quantity else None


def _settings(cgroup: Cgroup) -> str:
    quota = "no CPU quota" if cgroup.cpu_quota is None else f"a CPU quota of {cgroup.cpu_quota}"
    memory = "no memory limit" if cgroup.memory is None else f"a memory limit of {cgroup.memory}"
    return f"{cgroup.cpu_shares} CPU shares, {quota} and {memory}"


def _container(history: History, pod: str, name: str) -> tuple[Container | None, str]:
    """Return a container of a pod, or None and the problem."""
    observed = history.now.pods.get(pod)
    container = observed.containers.get(name) if observed else None
    return container, "" if container else f"container {name} of pod {pod} is not on the node"


def _listed(calls: Sequence[DriverCall]) -> str:
    words = (f"{call.driver} to {call.call} {', '.join(call.claims)}" for call in calls)
    return "; ".join(words) or "none"


def _names(names: Sequence[Any]) -> str:
    return ", ".join(names) or "no devices"
