"""Checks of DeviceClasses on published devices: their selectors are evaluated on each device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform import cel
from dra_conform.controlplane.slice_lint.findings import Finding
from dra_conform.controlplane.slice_lint.published import Located, Published
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, DeviceClass
from dra_conform.kube.switches.allocation import AllocationSwitches

Devices = Sequence[tuple[str, Located[Device]]]
"""Driver and device."""


def check_classes(published: Published, profile: Profile) -> Iterator[Finding]:
    """Yield DeviceClasses that match no published device, or whose selectors fail on a device."""
    devices = [(pool.driver, device) for pool in published.pools for device in pool.devices()]
    if devices:
        environment = cel.Environment.stored(AllocationSwitches.of(profile).selectors.expressions)
        for found in published.classes:
            yield from _device_class(found, devices, environment)


def _device_class(
    found: Located[DeviceClass], devices: Devices, environment: cel.Environment
) -> Iterator[Finding]:
    remaining = devices
    for index, selector in enumerate(found.item.spec.selectors):
        if selector.cel is None:
            return
        at = found.part(selector, "spec", "selectors", index, "cel", "expression")
        try:
            program = cel.compile(selector.cel.expression, environment)
        except cel.CompileError:
            return  # the API server rejects the DeviceClass
        matched: list[tuple[str, Located[Device]]] = []
        errors: list[tuple[str, str]] = []
        for driver, device in remaining:
            try:
                if program.evaluate(cel.device_of(driver, device.item)):
                    matched.append((driver, device))
            except cel.EvaluationError as error:
                errors.append((f"{driver}/{device.item.name}", str(error)))
        if errors:
            device_name, message = errors[0]
            others = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
            yield at.error(
                "DRA/class/selects-by-attributes",
                f"the selector of DeviceClass {found.item.metadata.name} cannot be evaluated on device "
                f"{device_name}{others}, so requests that reach the device fail: {message}",
            )
            return
        remaining = matched
    if not remaining:
        yield found.part(found.item, "spec", "selectors").advice(
            "DRA/class/zero-or-more-devices",
            f"DeviceClass {found.item.metadata.name} matches none of the {len(devices)} published devices",
        )
