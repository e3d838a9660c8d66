"""The observations of a driver, one for each action, and their form in the body of a `result`. Checks read
the observations up to a step."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dra_conform.conformance.checked_observations import ObservedAnswer, ObservedHistory

OWN = "own"
"""The placeholder in observations for the name of the driver under test, its pool and its node."""


class PreparedDevice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A device that the driver prepared. `device` is its number, or a name that is not published.

    `share` is the number of its share ID in the question, the ID if it is another one.
    """

    device: int | str
    pool: str = OWN
    requests: tuple[str, ...] = ()
    cdi: tuple[str, ...] = ()
    share: int | str = 0


class ClaimResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of a call for one ResourceClaim: an error, or devices (none for `unprepare`)."""

    error: str = ""
    devices: tuple[PreparedDevice, ...] = ()


class KubeletCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call of the kubelet for the ResourceClaims `asked`. `error`: the call failed for all of them.

    `missing`: claims without an entry in the answer. `unasked`: UIDs in the answer that are no claims of it.
    """

    call: Literal["prepare", "unprepare"]
    service: str
    asked: tuple[str, ...] = ()
    error: str = ""
    claims: dict[str, ClaimResult] = {}
    missing: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    seconds: float = 0.0


class PublishedPool(msgspec.Struct, frozen=True, omit_defaults=True):
    """The ResourceSlices of a pool.

    `foreign`: names that were not published at the start. `changed`: how many ResourceSlices of the pool were
    created, changed or deleted since the previous action. `groups`: the compatibilityGroups of devices by
    number, each with its counter set. `edited`: devices with an attribute or capacity of another client.
    """

    pool: str = OWN
    generation: int = 0
    slices: int = 0
    complete: bool = True
    devices: tuple[int, ...] = ()
    foreign: tuple[str, ...] = ()
    on_node: bool = True
    owned_by_node: bool = False
    changed: int = 0
    groups: dict[str, tuple[str, ...]] = {}
    edited: tuple[int | str, ...] = ()


class RegistrationInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to the latest `GetInfo`. `endpoint` is `own` for a socket of the driver."""

    type: str
    name: str
    endpoint: str
    services: tuple[str, ...]
    seconds: float = 0.0


class HealthWatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A watch of health, with the devices of each report.

    `longest_pause` is the time between two reports of a device, and `timeout` that in the first of them:
    those of the `latest` device, whose pause exceeds its timeout most. `end` is the gRPC status by which the
    driver ended the stream, empty if it did not. `ahead`: by how much the newest `last_updated_time` is later
    than the time of its report, 0 if it is not. `oldest`: the oldest `last_updated_time`, 0 if no report has
    one. Times are in seconds.
    """

    service: str
    end: str = ""
    reports: tuple[tuple[int | str, ...], ...] = ()
    longest_pause: float = 0.0
    timeout: int = 0
    ahead: int = 0
    oldest: int = 0
    latest: int | str = 0


class DeviceStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry in `status.devices` of a claim."""

    driver: str
    device: int | str


class DriverObservation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of the driver and its node after an action.

    `calls`: the calls of this action. `cdi`: the CDI devices that a runtime finds, each with a digest of
    its edits. `unreadable_cdi`: files in the CDI folder that runtimes reject, each with the reason.
    `cdi_of_claims`: the CDI devices whose name has the UID of a claim. `slice_writes`: the driver's writes
    of ResourceSlices since the previous action. `damaged_slices`: the ResourceSlices of another driver or
    another node that were changed or deleted. `process`: how the driver ended, empty while it runs.
    `registration_sockets` and `service_sockets`: the number of sockets that exist. `other_socket`: whether
    the registration socket of another plugin exists. `other_cdi_file`: whether the CDI spec of another vendor
    exists. `mounted_files`: the files in the driver's folder that CDI devices mount, and whether each exists.
    `left_files`: files that CDI devices mounted earlier and that still exist. `problem`: why the driver could
    not go on, such as that it did not register; the actions after it were not done.
    """

    calls: tuple[KubeletCall, ...] = ()
    cdi: dict[str, str] = {}
    unreadable_cdi: tuple[str, ...] = ()
    cdi_of_claims: dict[str, tuple[str, ...]] = {}
    pools: tuple[PublishedPool, ...] = ()
    slice_writes: int = 0
    damaged_slices: dict[str, Literal["changed", "deleted"]] = {}
    process: str = ""
    registration_sockets: int = 0
    service_sockets: int = 0
    other_socket: bool = True
    other_cdi_file: bool = True
    mounted_files: dict[str, bool] = {}
    left_files: tuple[str, ...] = ()
    registration: RegistrationInfo | None = None
    health: HealthWatch | None = None
    device_status: dict[str, tuple[DeviceStatus, ...]] = {}
    problem: str = ""


DriverAnswer: TypeAlias = ObservedAnswer[DriverObservation]


class DriverHistory(ObservedHistory[DriverObservation]):
    """The observations of the driver up to that of a step."""

    @property
    def before(self) -> DriverObservation:
        """The observation before this step."""
        return self.answer.observations[self.index - 1] if self.index else self.answer.start

    def calls(self, kind: str, claim: str) -> list[KubeletCall]:
        """Return the calls of this step for a claim."""
        return [call for call in self.now.calls if call.call == kind and claim in call.asked]

    def prepared(self, claim: str, *, earlier: bool = False) -> ClaimResult | None:
        """Return the newest answer with devices for a claim, with `earlier` that before this step."""
        end = self.index if earlier else self.index + 1
        for observation in reversed(self.answer.observations[:end]):
            for call in reversed(observation.calls):
                result = call.claims.get(claim)
                if call.call == "prepare" and result is not None and not result.error:
                    return result
        return None


def device_numbers(pools: tuple[PublishedPool, ...]) -> list[int]:
    """Return the sorted numbers of the published devices of all pools."""
    return sorted(number for pool in pools for number in pool.devices)
