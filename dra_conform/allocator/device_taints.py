"""Device taints, tolerations and DeviceTaintRules (DRA/taint/*, DRA/toleration/*)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from dra_conform import cel
from dra_conform.kube.resource import (
    Device,
    DeviceClass,
    DeviceSelector,
    DeviceTaint,
    DeviceTaintRule,
    DeviceTaintSelector,
    DeviceToleration,
    ResourceSlice,
)
from dra_conform.kube.switches.allocation import AllocationSwitches, TaintSwitches

_BLOCKING = frozenset({"NoSchedule", "NoExecute"})


def untolerated(
    device: Device, tolerations: Iterable[DeviceToleration], switches: TaintSwitches
) -> DeviceTaint | None:
    """Return the first taint that prevents allocation with these tolerations, None if there is none."""
    for taint in device.taints:
        blocks = switches.any_effect_blocks or taint.effect in _BLOCKING
        if blocks and not any(tolerates(toleration, taint, switches) for toleration in tolerations):
            return taint
    return None


def tolerates(toleration: DeviceToleration, taint: DeviceTaint, switches: TaintSwitches) -> bool:
    """Whether a toleration tolerates the taint; tolerationSeconds is ignored."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator in ("", "Equal"):
        empty = not toleration.key and not toleration.value
        return toleration.value == taint.value or (empty and switches.empty_toleration_tolerates_all)
    return toleration.operator == "Exists"


def with_rules(
    slices: Sequence[ResourceSlice],
    rules: Iterable[DeviceTaintRule],
    classes: Mapping[str, DeviceClass],
    switches: AllocationSwitches,
) -> Sequence[ResourceSlice]:
    """Return the slices with the taint of each DeviceTaintRule on its devices (DRA/taint-rule/*)."""
    live = [rule for rule in rules if _selects_at_all(rule, switches.taints)]
    if not live or not switches.features.device_taint_rules:
        return slices
    tainted = []
    for item in slices:
        devices = tuple(_tainted(device, item, live, classes, switches) for device in item.spec.devices)
        if any(new is not old for new, old in zip(devices, item.spec.devices, strict=True)):
            spec = msgspec.structs.replace(item.spec, devices=devices)
            item = msgspec.structs.replace(item, spec=spec)  # noqa: PLW2901 - the same slice with taints
        tainted.append(item)
    return tainted


def _selects_at_all(rule: DeviceTaintRule, switches: TaintSwitches) -> bool:
    return rule.spec.device_selector is not None or not switches.rules_need_selector


def _tainted(
    device: Device,
    item: ResourceSlice,
    rules: Iterable[DeviceTaintRule],
    classes: Mapping[str, DeviceClass],
    switches: AllocationSwitches,
) -> Device:
    more = tuple(
        rule.spec.taint
        for rule in rules
        if _selects(rule.spec.device_selector, device, item, classes, switches)
    )
    return msgspec.structs.replace(device, taints=(*device.taints, *more)) if more else device


def _selects(
    selector: DeviceTaintSelector | None,
    device: Device,
    item: ResourceSlice,
    classes: Mapping[str, DeviceClass],
    switches: AllocationSwitches,
) -> bool:
    if selector is None:
        return True
    wanted = (selector.driver, selector.pool, selector.device)
    identity = (item.spec.driver, item.spec.pool.name, device.name)
    if any(want is not None and want != have for want, have in zip(wanted, identity, strict=True)):
        return False
    if not switches.taints.rules_select_by_class:
        return True
    expressions = _expressions(selector, classes)
    return all(_is_true(expression, device, item.spec.driver, switches) for expression in expressions)


def _expressions(
    selector: DeviceTaintSelector, classes: Mapping[str, DeviceClass]
) -> Iterator[DeviceSelector | None]:
    """Yield the selectors of the DeviceClass and of the DeviceTaintRule.

    If the DeviceClass does not exist, yield None, which matches no device.
    """
    if selector.device_class_name is not None:
        device_class = classes.get(selector.device_class_name)
        if device_class is None:
            yield None
        else:
            yield from device_class.spec.selectors
    yield from selector.selectors


def _is_true(
    selector: DeviceSelector | None, device: Device, driver: str, switches: AllocationSwitches
) -> bool:
    """Whether a selector is true for the device; an evaluation error counts as false."""
    if selector is None or selector.cel is None:
        return False
    try:
        if not switches.taints.rules_see_sharing:
            device = msgspec.structs.replace(device, allow_multiple_allocations=None)
        environment = cel.Environment.stored(switches.selectors.expressions)
        program = cel.compile(selector.cel.expression, environment)
        return bool(program.evaluate(cel.device_of(driver, device)))
    except (cel.CompileError, cel.EvaluationError):
        return False
