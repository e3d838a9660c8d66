"""Checks of devices and of the DeviceClasses that select them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from dra_conform import cel
from dra_conform.kube.listing import listed
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, DeviceAttribute, DeviceClass
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.previews.slice_lint.published import (
    LintFinding,
    Located,
    PublishedManifests,
    PublishedPoolSlices,
)

_TYPES = ("int_", "bool_", "string", "version", "ints", "bools", "strings", "versions")


def check_devices(pools: Iterable[PublishedPoolSlices]) -> Iterator[LintFinding]:
    """Yield findings about the devices of all pools; attributes are compared within each driver."""
    types: dict[tuple[str, str], tuple[str, str]] = {}
    for pool in pools:
        for device in pool.devices():
            yield from _names(pool.driver, device)
            yield from _attribute_types(pool.driver, device, types)
        yield from _shared_capacity(pool)
        yield from _large_defaults(pool)


def _qualified(name: str, driver: str) -> str:
    return name if "/" in name else f"{driver}/{name}"


def _names(driver: str, device: Located[Device]) -> Iterator[LintFinding]:
    for field, names in (("attributes", device.item.attributes), ("capacity", device.item.capacity)):
        for name in names:
            if "/" not in name and f"{driver}/{name}" in names:
                yield device.part(name, field, name).error(
                    "DRA/selector/cel-on-attributes",
                    f"{name} and {driver}/{name} of device {device.item.name} are the same name, because "
                    "names without a domain belong to the driver, expected one of them",
                )


def _attribute_types(
    driver: str, device: Located[Device], types: dict[tuple[str, str], tuple[str, str]]
) -> Iterator[LintFinding]:
    """Compare attribute types with those of earlier devices in `types`, each with its first device."""
    for name, attribute in device.item.attributes.items():
        key = (driver, _qualified(name, driver))
        actual = _type_of(attribute)
        expected, first = types.setdefault(key, (actual, device.item.name))
        if actual != expected:
            yield device.part(attribute, "attributes", name).advice(
                "DRA/selector/cel-on-attributes",
                f"{name} of device {device.item.name} is of type {actual}, and of type {expected} on device "
                f"{first}, so a selector cannot be evaluated on both",
            )


def _type_of(attribute: DeviceAttribute) -> str:
    return next((kind.rstrip("_") for kind in _TYPES if attrgetter(kind)(attribute) is not None), "none")


def _shared_capacity(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Yield the capacities of shared devices that a request without capacity consumes in full."""
    complete: dict[str, list[Located[Device]]] = {}
    for device in pool.devices():
        if device.item.allow_multiple_allocations is True:
            for name, capacity in device.item.capacity.items():
                if capacity.request_policy is None or capacity.request_policy.default is None:
                    complete.setdefault(name, []).append(device)
    for name, devices in complete.items():
        names = listed([device.item.name for device in devices])
        yield (
            devices[0]
            .part(name, "capacity", name)
            .advice(
                "KEP-5075/default/no-policy-no-request-full-capacity",
                f"a claim without a request for {name} consumes all of it on {names}, so no other claim "
                "shares the device, expected requestPolicy.default",
            )
        )


def _large_defaults(pool: PublishedPoolSlices) -> Iterator[LintFinding]:
    """Yield the capacities of shared devices whose default no request can be allocated."""
    for device in pool.devices():
        for name, capacity in device.item.capacity.items():
            default = capacity.request_policy.default if capacity.request_policy else None
            if device.item.allow_multiple_allocations and default is not None and default > capacity.value:
                yield device.part(default, "capacity", name, "requestPolicy", "default").advice(
                    "KEP-5075/default/exceeding-remaining-refused",
                    f"a claim without a request for {name} consumes {default}, and device {device.item.name} "
                    f"has {capacity.value}, so the claim is never allocated the device",
                )


Devices = Sequence[tuple[str, Located[Device]]]
"""Driver and device."""


def check_classes(published: PublishedManifests, profile: Profile) -> Iterator[LintFinding]:
    """Yield DeviceClasses that match no published device, or whose selectors fail on a device."""
    devices = [(pool.driver, device) for pool in published.pools for device in pool.devices()]
    if devices:
        environment = cel.Environment.stored(AllocationSwitches.of(profile).selectors.expressions)
        for found in published.classes:
            yield from _device_class(found, devices, environment)


def _device_class(
    found: Located[DeviceClass], devices: Devices, environment: cel.Environment
) -> Iterator[LintFinding]:
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
