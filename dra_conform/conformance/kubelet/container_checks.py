"""The checks of the devices of containers: one class for each Then step."""

from __future__ import annotations

from dra_conform.conformance.kubelet.answer import KubeletHistory, ObservedContainer
from dra_conform.conformance.steps.step import Params


class ContainerDevices(Params, frozen=True, kw_only=True):
    """A container gets the CDI devices of exactly these devices, each once."""

    pod: str
    container: str
    devices: tuple[str, ...] = ()

    def problem(self, history: KubeletHistory) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        if container.error:
            return f"container {self.container} cannot start: {container.error}"
        found = sorted([*(device.device for device in container.devices), *container.unknown])
        expected = sorted(self.devices)
        if found == expected:
            return ""
        wanted = ", ".join(expected) or "no devices"
        return f"container {self.container} gets {', '.join(found) or 'no devices'}, expected {wanted}"


class RepeatedDevice(Params, frozen=True, kw_only=True):
    """A container gets a device more than once."""

    pod: str
    container: str
    device: str

    def problem(self, history: KubeletHistory) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        count = sum(device.device == self.device for device in container.devices)
        return "" if count > 1 else f"container {self.container} gets device {self.device} {count} times"


class NoDevices(Params, frozen=True, kw_only=True):
    """A container gets no device: it starts without one, or it cannot start."""

    pod: str
    container: str

    def problem(self, history: KubeletHistory) -> str:
        container, missing = _container(history, self.pod, self.container)
        if container is None:
            return missing
        names = [*(device.device for device in container.devices), *container.unknown]
        return f"container {self.container} gets {', '.join(names)}, expected no devices" if names else ""


class CannotStart(Params, frozen=True, kw_only=True):
    """The kubelet has no devices for a container, which cannot start."""

    pod: str
    container: str

    def problem(self, history: KubeletHistory) -> str:
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

    def problem(self, history: KubeletHistory) -> str:
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


class HealthInStatus(Params, frozen=True, kw_only=True):
    """The container status has the health of a device; `message`, if given, is its message."""

    pod: str
    container: str
    device: str
    health: str
    message: str = ""

    def problem(self, history: KubeletHistory) -> str:
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


def _container(history: KubeletHistory, pod: str, name: str) -> tuple[ObservedContainer | None, str]:
    """Return a container of a pod, or None and the problem."""
    observed = history.now.pods.get(pod)
    container = observed.containers.get(name) if observed else None
    return container, "" if container else f"container {name} of pod {pod} is not on the node"
