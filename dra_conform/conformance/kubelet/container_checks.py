"""The checks of the devices of containers: one class for each Then step."""

from __future__ import annotations

from abc import abstractmethod

from dra_conform.conformance.kubelet.answer import KubeletHistory, ObservedContainer
from dra_conform.conformance.steps.step import Params


class _ContainerCheck(Params, frozen=True, kw_only=True):
    """The check of a container that is on the node."""

    pod: str
    container: str

    def problem(self, history: KubeletHistory) -> str:
        observed = history.now.pods.get(self.pod)
        found = observed.containers.get(self.container) if observed else None
        if found is None:
            return f"container {self.container} of pod {self.pod} is not on the node"
        return self.problem_of(found)

    @abstractmethod
    def problem_of(self, container: ObservedContainer) -> str:
        """Return what is wrong with the container, or ''."""


class ExactDevices(_ContainerCheck, frozen=True, kw_only=True):
    """A container gets the CDI devices of exactly these devices, each once."""

    devices: tuple[str, ...] = ()

    def problem_of(self, container: ObservedContainer) -> str:
        if container.error:
            return f"container {self.container} cannot start: {container.error}"
        found = sorted([*(device.device for device in container.devices), *container.unknown])
        expected = sorted(self.devices)
        if found == expected:
            return ""
        wanted = ", ".join(expected) or "no devices"
        return f"container {self.container} gets {', '.join(found) or 'no devices'}, expected {wanted}"


class RepeatedDevice(_ContainerCheck, frozen=True, kw_only=True):
    """A container gets a device more than once."""

    device: str

    def problem_of(self, container: ObservedContainer) -> str:
        count = sum(device.device == self.device for device in container.devices)
        return "" if count > 1 else f"container {self.container} gets device {self.device} {count} times"


class NoDevices(_ContainerCheck, frozen=True, kw_only=True):
    """A container gets no device: it starts without one, or it cannot start."""

    def problem_of(self, container: ObservedContainer) -> str:
        names = [*(device.device for device in container.devices), *container.unknown]
        return f"container {self.container} gets {', '.join(names)}, expected no devices" if names else ""


class ContainerCannotStart(_ContainerCheck, frozen=True, kw_only=True):
    """The kubelet has no devices for a container, which cannot start."""

    def problem_of(self, container: ObservedContainer) -> str:
        return "" if container.error else f"container {self.container} can start, expected an error"


class ClaimsInUse(_ContainerCheck, frozen=True, kw_only=True):
    """The PodResources API shows a claim of a container with exactly these devices.

    A device is `DRIVER/POOL/NAME`. `absent`: the API does not show the claim. Raises ValueError for both.
    """

    resource_claim: str
    devices: tuple[str, ...] = ()
    absent: bool = False

    def __post_init__(self) -> None:
        if self.absent == bool(self.devices):
            raise ValueError("has both or neither of `devices` and `absent`, expected one of them")

    def problem_of(self, container: ObservedContainer) -> str:
        if self.absent:
            claims = (claim.claim for claim in container.claims or ())
            return f"ResourceClaim {self.resource_claim} is shown" if self.resource_claim in claims else ""
        if container.claims is None:
            return f"the kubelet shows no claims of container {self.container}"
        shown = {claim.claim: sorted(map(str, claim.devices)) for claim in container.claims}
        expected = {self.resource_claim: sorted(self.devices)}
        if shown.items() >= expected.items():
            return ""
        return f"container {self.container} has {shown or 'no claims'}, expected {expected}"


class OwnCDIDevices(_ContainerCheck, frozen=True, kw_only=True):
    """The PodResources API shows each device of a claim of a container with its own CDI devices only."""

    resource_claim: str

    def problem_of(self, container: ObservedContainer) -> str:
        shown = next((one for one in container.claims or () if one.claim == self.resource_claim), None)
        if shown is None or not shown.devices:
            return f"no device of ResourceClaim {self.resource_claim} is shown"
        for device in map(str, shown.devices):
            names = shown.cdi.get(device, ())
            if set(names) != {device}:
                found = f"the CDI devices of {', '.join(names)}" if names else "no CDI device"
                return f"device {device} has {found}, expected its own"
        return ""


class HealthInStatus(_ContainerCheck, frozen=True, kw_only=True):
    """The container status has the health of a device; `message`, if given, is its message.

    `absent`: the status has no health of the device. Raises ValueError for both.
    """

    device: str
    health: str = ""
    message: str = ""
    absent: bool = False

    def __post_init__(self) -> None:
        if self.absent == bool(self.health or self.message):
            raise ValueError("has both or neither of `health` and `absent`, expected one of them")

    def problem_of(self, container: ObservedContainer) -> str:
        entries = [entry for entry in container.health if entry.device == self.device]
        if self.absent:
            return f"the status of container {self.container} has device {self.device}" if entries else ""
        if not entries:
            return f"the status of container {self.container} has no health of device {self.device}"
        for entry in entries:
            if entry.health != self.health:
                return f"device {self.device} is {entry.health}, expected {self.health}"
            if self.message and entry.message != self.message:
                return f"the message is {entry.message!r}, expected {self.message!r}"
        return ""
