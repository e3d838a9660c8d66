"""What is not built yet. Each place says so when, and only when, the answer depends on it."""

from __future__ import annotations

from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.constraints import LIST_TYPES, Attribute
from dra_conform.allocator.decision import Stop, Unsupported
from dra_conform.kube.resource import Device

ADMIN_ACCESS = "admin-access"
PARTITIONABLE_DEVICES = "partitionable-devices"
COMPATIBILITY_GROUPS = "compatibility-groups"
DEVICE_TAINTS = "device-taints"
LIST_ATTRIBUTES = "list-attributes"


def no_admin_access(subject: str) -> Stop:
    return Stop(Unsupported(ADMIN_ACCESS, f"{subject} asks for admin access"))


def is_special(device: Device, behaviour: Behaviour) -> bool:
    """Whether the device carries anything that `refuse_special` looks at."""
    return bool(
        (behaviour.device_taints and device.taints)
        or (behaviour.partitionable_devices and device.consumes_counters)
    )


def refuse_special(label: str, device: Device) -> None:
    """Stop at a special device that is about to be chosen: choosing it takes a feature that is not built."""
    for consumption in device.consumes_counters:
        if consumption.compatibility_groups:
            raise Stop(Unsupported(COMPATIBILITY_GROUPS, f"device {label} has compatibility groups"))
        raise Stop(
            Unsupported(
                PARTITIONABLE_DEVICES, f"device {label} consumes counters of {consumption.counter_set}"
            )
        )
    for taint in device.taints:
        if taint.effect in ("NoSchedule", "NoExecute"):
            raise Stop(Unsupported(DEVICE_TAINTS, f"device {label} has the taint {taint.key}:{taint.effect}"))


def refuse_list_attribute(label: str, name: str, value: Attribute) -> None:
    """Stop at a constraint over an attribute that is a list."""
    if value[0] in LIST_TYPES:
        raise Stop(Unsupported(LIST_ATTRIBUTES, f"attribute {name} of device {label} is a list ({value[0]})"))
