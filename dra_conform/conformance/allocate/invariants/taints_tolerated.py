"""The invariants of device taints: each taint is tolerated, and results have the tolerations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from dra_conform import cel
from dra_conform.conformance.allocate.case_objects import PublishedDevice
from dra_conform.conformance.allocate.invariants.violation import Violation, requires
from dra_conform.conformance.allocate.judged_answer import (
    AllocatedDevice,
    JudgedAnswer,
    without_shared_allocation,
)
from dra_conform.conformance.allocations.documents import canonical_json
from dra_conform.kube.resource import DeviceSelector, DeviceTaint, DeviceTaintRule, DeviceToleration
from dra_conform.kube.switches.allocation import AllocationSwitches

_PREVENT = frozenset({"NoSchedule", "NoExecute"})
EQUAL, EXISTS = "Equal", "Exists"


def taints_tolerated(answer: JudgedAnswer) -> Iterator[Violation]:
    """Each NoSchedule or NoExecute taint of a device is tolerated by its request or subrequest.

    DRA/taint/*, DRA/toleration/*, DRA/taint-rule/*. Other effects prevent nothing. A request with adminAccess
    is not exempt (DRA/taint/admin-access-not-exempt).
    """
    if not answer.switches.features.device_taints:
        return
    for allocated in answer.allocated_devices:
        if allocated.published is None or allocated.request is None:
            continue
        for taint, origin in _taints(answer, allocated.published):
            tolerated = any(
                _tolerates(toleration, taint, answer.switches) for toleration in allocated.request.tolerations
            )
            if taint.effect in _PREVENT and not tolerated:
                yield Violation(
                    _violated(allocated, taint, of_rule=bool(origin)),
                    f"{allocated.label}: device {allocated.key[2]} has the taint {taint.text}{origin}, "
                    f"which the request does not tolerate",
                )


def _violated(allocated: AllocatedDevice, taint: DeviceTaint, *, of_rule: bool) -> str:
    """Return the requirement that is violated by an allocated device with an untolerated taint."""
    tolerations = allocated.request.tolerations if allocated.request is not None else ()
    of_key = [toleration for toleration in tolerations if toleration.key == taint.key]
    if allocated.is_admin:
        return "DRA/taint/admin-access-not-exempt"
    if any(toleration.effect not in ("", taint.effect) for toleration in of_key):
        return "DRA/toleration/limited-to-effect"
    if of_key:
        return "DRA/toleration/key-and-value-equal"
    if tolerations and allocated.published is not None and len(allocated.published.device.taints) > 1:
        return "DRA/taint/every-taint-must-be-tolerated"
    if of_rule:
        return "DRA/taint-rule/adds-one-taint-to-matching-devices"
    execute = taint.effect == "NoExecute"
    return f"DRA/taint/{'noexecute-implies-noschedule' if execute else 'noschedule-blocks-allocation'}"


@requires("API/allocation/tolerations-valid")
def tolerations_copied(answer: JudgedAnswer) -> Iterator[str]:
    """A result has the tolerations of its request or subrequest, which eviction evaluates.

    The API reference defines the field in this way. With the gate off, and in 1.34, it may be absent.
    """
    switches = answer.switches
    for allocated in answer.allocated_devices:
        if allocated.request is None:
            continue
        copied = allocated.result.tolerations
        if not copied and not (switches.features.device_taints and switches.taints.tolerations_recorded):
            continue
        actual, expected = map(_normal, (copied, allocated.request.tolerations))
        if actual != expected:
            missing = [toleration for toleration in expected if toleration not in actual]
            surplus = [toleration for toleration in actual if toleration not in expected]
            named = {"missing": missing, "not expected": surplus}
            yield "; ".join(
                [
                    f"{allocated.label}: the result for device {allocated.key[2]} has different tolerations, "
                    f"expected those of the request",
                    *(f"{what}: {', '.join(map(_text, some))}" for what, some in named.items() if some),
                ]
            )


def _text(toleration: DeviceToleration) -> str:
    return canonical_json(msgspec.to_builtins(toleration))


def _normal(tolerations: Sequence[DeviceToleration]) -> list[DeviceToleration]:
    """Return the tolerations with their default operator, sorted."""
    return sorted(
        (
            msgspec.structs.replace(toleration, operator=toleration.operator or EQUAL)
            for toleration in tolerations
        ),
        key=repr,
    )


def _tolerates(toleration: DeviceToleration, taint: DeviceTaint, switches: AllocationSwitches) -> bool:
    if toleration.effect not in ("", taint.effect) or toleration.key not in ("", taint.key):
        return False
    if toleration.operator in ("", EQUAL):
        unlimited = not toleration.key and not toleration.value
        return toleration.value == taint.value or (
            unlimited and switches.taints.empty_toleration_tolerates_all
        )
    return toleration.operator == EXISTS


def _taints(answer: JudgedAnswer, published: PublishedDevice) -> Iterator[tuple[DeviceTaint, str]]:
    """Yield the taints of a device, each with its DeviceTaintRule in words if it has one."""
    yield from ((taint, "") for taint in published.device.taints)
    if answer.switches.features.device_taint_rules:
        for rule in answer.objects.taint_rules:
            if _selects(answer, rule, published):
                yield rule.spec.taint, f" of DeviceTaintRule {rule.metadata.name}"


def _selects(answer: JudgedAnswer, rule: DeviceTaintRule, published: PublishedDevice) -> bool:
    """Whether all criteria of a DeviceTaintRule match.

    A DeviceTaintRule without a selector matches no device. In some releases it matches every device.

    DRA/taint-rule/no-selector-matches-nothing, DRA/taint-rule/criteria-are-combined.
    """
    selector = rule.spec.device_selector
    if selector is None:
        return not answer.switches.taints.rules_need_selector
    criteria = zip((selector.driver, selector.pool, selector.device), published.key, strict=True)
    if any(wanted is not None and wanted != actual for wanted, actual in criteria):
        return False
    if not answer.switches.taints.rules_select_by_class:
        return True
    expressions = list(selector.selectors)
    if selector.device_class_name is not None:
        device_class = answer.objects.classes.get(selector.device_class_name)
        if device_class is None:
            return False
        expressions += device_class.spec.selectors
    return _match(answer, expressions, published)


def _match(answer: JudgedAnswer, selectors: Sequence[DeviceSelector], published: PublishedDevice) -> bool:
    """Whether CEL selectors select a device. A selector that fails with an error does not."""
    if not selectors:
        return True
    device = (
        published.device
        if answer.switches.taints.rules_see_sharing
        else without_shared_allocation(published.device)
    )
    try:
        view = cel.device_of(published.key[0], device)
        return all(
            answer.compiled(selector.cel.expression).evaluate(view) for selector in selectors if selector.cel
        )
    except (cel.CompileError, cel.EvaluationError):
        return False
