"""What a scenario needs of a driver: scenarios are declined without it, and devices numbered by it."""

from __future__ import annotations

from collections import Counter

from dra_conform.adapters.driver.claims import Devices, excluding_devices
from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.driver_process import DriverFailed
from dra_conform.adapters.driver.node import OTHER_CDI_DEVICE, DriverNode
from dra_conform.adapters.driver.shared_capacity import fitting
from dra_conform.adapters.node_replies import LacksFeature
from dra_conform.conformance.driver.actions import ChangeCDI, DriverQuestion, Prepare, Unprepare, WatchHealth
from dra_conform.conformance.driver.answer import DriverAnswer
from dra_conform.kube.json_values import Json
from dra_conform.kube.plugin_api import HEALTH_SERVICES

START_VARIANTS = ("shares", "compatibility-groups", "metadata")
"""The variants with which a driver is started if a scenario needs them."""
_DECLARED_VARIANTS = ("metadata", "without-devices", "fewer-devices", "other-groups")


class NeedDeclined(LacksFeature):
    """The driver file or the driver does not offer what the scenario needs."""

    def __init__(self, need: str, message: str) -> None:
        super().__init__(f"driver-{need}", message)


def require_of_file(driver: DriverFile, question: DriverQuestion) -> None:
    """Decline a scenario that needs what the driver file does not have; raises NeedDeclined."""
    offered = {
        "configuration": driver.configuration is not None,
        "rolling-update": driver.rolling is not None,
        "state-file": bool(driver.state),
        **{need: need in driver.variants for need in _DECLARED_VARIANTS},
    }
    for need in question.needs:
        if not offered.get(need, True):
            raise NeedDeclined(need, f"the driver file has no {need.replace('-', ' ')}")
    cannot_block = driver.folders == "built-in"
    if cannot_block and any(
        isinstance(action, ChangeCDI) and action.to != "lost" for action in question.actions
    ):
        raise NeedDeclined("cdi-folder", "the CDI folder of a driver with built-in folders stays writable")


def require_of_node(node: DriverNode) -> None:
    """Decline a scenario with a reboot that a driver cannot notice by the boot ID of the node."""
    if node.boot_id is not None and not node.boot_id.can_be_seen():
        raise NeedDeclined("boot-id", "the boot ID of a node can change only for root or in a user namespace")


def require_of_devices(
    driver: DriverFile, question: DriverQuestion, devices: Devices, services: tuple[str, ...]
) -> None:
    """Decline a scenario that needs other devices or services: raises NeedDeclined, or DriverFailed for
    devices that a variant of the driver file declares.
    """
    needs, count = question.needs, question.devices
    shared = [*map(is_shared, devices.definitions.values())]
    if len(devices) < count:
        raise NeedDeclined(
            "devices", f"the driver publishes {len(devices)} devices, expected at least {count}"
        )
    if "shares" in needs and not all(shared[:count]):
        _missing(driver, "shares", "the driver's devices cannot be shared")
    fit = min(map(fitting, [*devices.definitions.values()][:count]), default=0)
    if "shares" in needs and fit < _shared_allocations(question):
        message = f"{fit} shared allocations of a device fit, expected {_shared_allocations(question)}"
        raise NeedDeclined("shares", message)
    if "exclusive-devices" in needs and any(shared[:count]):
        raise NeedDeclined("exclusive-devices", "the driver's devices can be shared")
    with_service = Prepare | Unprepare | WatchHealth
    called = [action.service for action in question.actions if isinstance(action, with_service)]
    if "older-service" in needs:
        called.append("v1beta1.DRAPlugin")
    for service in filter(None, called):
        if service not in services:
            raise NeedDeclined("older-service", f"the driver does not offer {service}")
    if "health" in needs and not any(service in HEALTH_SERVICES for service in services):
        raise NeedDeclined("health", "the driver does not report health")


def answers_without_devices(question: DriverQuestion, answer: DriverAnswer) -> bool:
    """Whether the driver answered without devices for a ResourceClaim that has a published device.

    That is right for a driver that uses no CDI. It is not for one whose CDI devices a runtime finds.
    """
    if any(observation.cdi.keys() - {OTHER_CDI_DEVICE} for observation in answer.observations):
        return False
    with_device = {
        claim.name
        for claim in question.claims
        for result in claim.results
        if isinstance(result.device, int) and not result.pool and not result.driver
    }
    return any(
        not result.error and not result.devices and name in with_device
        for observation in answer.observations
        for call in observation.calls
        if call.call == "prepare"
        for name, result in call.claims.items()
    )


def ordered_by_needs(driver: DriverFile, question: DriverQuestion, devices: Devices) -> Devices:
    """Return the devices with those first that have the properties that the scenario needs.

    With compatibilityGroups, devices 1 and 2 are incompatible, and device 3 is compatible with device 1.
    Raises as `require_of_devices`.
    """
    needs = question.needs
    if "shares" in needs:
        devices = devices.with_first(is_shared)
    if "exclusive-devices" in needs:
        devices = devices.with_first(lambda raw: not is_shared(raw))
    if "compatibility-groups" in needs:
        excluding = excluding_devices(devices)
        if excluding is None:
            message = "no two devices exclude each other by compatibilityGroups"
            _missing(driver, "compatibility-groups", message)
        else:
            return excluding
    return devices


def _shared_allocations(question: DriverQuestion) -> int:
    """Return the most shared allocations of one device in a scenario."""
    shares = {
        (result.device, result.share) for claim in question.claims for result in claim.results if result.share
    }
    return max(Counter(device for device, _ in shares).values(), default=1)


def is_shared(device: Json) -> bool:
    """Return whether several ResourceClaims can be allocated a device."""
    return bool(device.get("allowMultipleAllocations"))


def _missing(driver: DriverFile, need: str, message: str) -> None:
    """Raise DriverFailed if a variant of the driver file is to offer the need, else NeedDeclined."""
    if need in driver.variants:
        raise DriverFailed(f"{message}, although the driver runs in its variant {need}")
    raise NeedDeclined(need, message)
