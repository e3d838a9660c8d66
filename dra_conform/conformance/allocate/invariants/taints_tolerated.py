"""The invariants of device taints: each taint is tolerated, and results have the tolerations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from dra_conform import cel
from dra_conform.conformance.allocate.judged_answer import Decided, not_shared
from dra_conform.conformance.allocate.judged_world import Placed
from dra_conform.conformance.allocate.rules import Rules
from dra_conform.kube.resource import DeviceSelector, DeviceTaint, DeviceTaintRule, DeviceToleration

_PREVENT = frozenset({"NoSchedule", "NoExecute"})
EQUAL, EXISTS = "Equal", "Exists"


def taints_tolerated(decided: Decided) -> Iterator[str]:
    """Each NoSchedule or NoExecute taint of a device is tolerated by its request or subrequest.

    DRA/taint/*, DRA/toleration/*, DRA/taint-rule/*. Other effects prevent nothing. A request with adminAccess
    is not exempt (DRA/taint/admin-access-not-exempt).
    """
    if not decided.rules.features.device_taints:
        return
    for taken in decided.taken:
        if taken.placed is None or taken.request is None:
            continue
        for taint, origin in _taints(decided, taken.placed):
            tolerated = any(_tolerates(one, taint, decided.rules) for one in taken.request.tolerations)
            if taint.effect in _PREVENT and not tolerated:
                yield (
                    f"{taken.label}: device {taken.key[2]} has the taint {_written(taint)}{origin}, "
                    f"which the request does not tolerate"
                )


def tolerations_copied(decided: Decided) -> Iterator[str]:
    """A result has the tolerations of its request or subrequest, which eviction evaluates.

    The API reference defines the field so. With the gate off, and in 1.34, it may be absent.
    """
    rules = decided.rules
    for taken in decided.taken:
        if taken.request is None:
            continue
        copied = taken.result.tolerations
        if not copied and not (rules.features.device_taints and rules.taints.tolerations_recorded):
            continue
        if _normal(copied) != _normal(taken.request.tolerations):
            yield (
                f"{taken.label}: the result for device {taken.key[2]} has different tolerations, "
                f"expected those of the request"
            )


def _normal(tolerations: Sequence[DeviceToleration]) -> list[DeviceToleration]:
    """Return the tolerations with their default operator, sorted."""
    return sorted(
        (msgspec.structs.replace(one, operator=one.operator or EQUAL) for one in tolerations), key=repr
    )


def _written(taint: DeviceTaint) -> str:
    return f"{taint.key}{'=' if taint.value else ''}{taint.value}:{taint.effect}"


def _tolerates(toleration: DeviceToleration, taint: DeviceTaint, rules: Rules) -> bool:
    if toleration.effect not in ("", taint.effect) or toleration.key not in ("", taint.key):
        return False
    if toleration.operator in ("", EQUAL):
        unlimited = not toleration.key and not toleration.value
        return toleration.value == taint.value or (unlimited and rules.taints.empty_toleration_tolerates_all)
    return toleration.operator == EXISTS


def _taints(decided: Decided, placed: Placed) -> Iterator[tuple[DeviceTaint, str]]:
    """Yield the taints of a device, each with its DeviceTaintRule in words if it has one."""
    yield from ((taint, "") for taint in placed.device.taints)
    if decided.rules.features.device_taint_rules:
        for rule in decided.world.taint_rules:
            if _selects(decided, rule, placed):
                yield rule.spec.taint, f" of DeviceTaintRule {rule.metadata.name}"


def _selects(decided: Decided, rule: DeviceTaintRule, placed: Placed) -> bool:
    """Whether all criteria of a DeviceTaintRule match.

    A rule without a selector matches no device. In some releases it matches each device.

    DRA/taint-rule/no-selector-matches-nothing, DRA/taint-rule/criteria-are-combined.
    """
    selector = rule.spec.device_selector
    if selector is None:
        return not decided.rules.taints.rules_need_selector
    named = zip((selector.driver, selector.pool, selector.device), placed.key, strict=True)
    if any(wanted is not None and wanted != actual for wanted, actual in named):
        return False
    if not decided.rules.taints.rules_select_by_class:
        return True
    expressions = list(selector.selectors)
    if selector.device_class_name is not None:
        device_class = decided.world.classes.get(selector.device_class_name)
        if device_class is None:
            return False
        expressions += device_class.spec.selectors
    return _match(decided, expressions, placed)


def _match(decided: Decided, selectors: Sequence[DeviceSelector], placed: Placed) -> bool:
    """Whether CEL selectors select a device. A selector that fails with an error does not."""
    if not selectors:
        return True
    device = placed.device if decided.rules.taints.rules_see_sharing else not_shared(placed.device)
    try:
        view = cel.device_of(placed.key[0], device)
        return all(decided.compiled(one.cel.expression).evaluate(view) for one in selectors if one.cel)
    except (cel.CompileError, cel.EvaluationError):
        return False
