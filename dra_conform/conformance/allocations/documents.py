"""Expected and actual results of a ResourceClaim as documents that can be compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from dra_conform.conformance.allocations.checks import ExpectedResult
from dra_conform.kube.json_values import Json
from dra_conform.kube.own_fields import OWN_FIELDS
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.scalars import Number


def expected_result(expected: ExpectedResult) -> Json:
    """Return one expected result with only the compared fields."""
    shown: dict[str, Json] = {
        name: getattr(expected, name)
        for name in ("request", "driver", "pool", "device")
        if getattr(expected, name) is not None
    }
    amounts = expected.consumed if expected.consumed is not None else expected.consumes
    if amounts is not None:
        shown["consumedCapacity"] = dict(amounts)
    if expected.share is not None:
        shown["shareID"] = "a UID" if expected.share else None
    if expected.admin is not None:
        shown["adminAccess"] = expected.admin or None
    if expected.groups is not None:
        shown["compatibilityGroups"] = {name: list(groups) for name, groups in expected.groups.items()}
    if expected.binding is not None:
        shown["bindingConditions"] = list(expected.binding)
    if expected.failure is not None:
        shown["bindingFailureConditions"] = list(expected.failure)
    return shown | dict(expected.own or {})


def shown_results(allocation: Json) -> list[Json]:
    """Return the results of an allocation with the fields that can be compared."""
    return [_compared_fields(result) for result in _results(allocation)]


def _results(allocation: Json) -> list[Json]:
    return list_of_devices(allocation, "results")


def list_of_devices(allocation: Json, name: str) -> list[Json]:
    """Return a list in `devices` of an allocation, such as `results`; empty if it is malformed."""
    devices = allocation.get("devices") if isinstance(allocation, Mapping) else None
    items = devices.get(name) if isinstance(devices, Mapping) else None
    return list(items) if isinstance(items, (list, tuple)) else []


def _compared_fields(result: Json) -> Json:
    if not isinstance(result, Mapping):
        return result
    names = (
        "request",
        "driver",
        "pool",
        "device",
        "shareID",
        "consumedCapacity",
        "adminAccess",
        "compatibilityGroups",
        "bindingConditions",
        "bindingFailureConditions",
        *OWN_FIELDS.of("result"),
    )
    return {name: result[name] for name in names if name in result}


_PAIRS = 10_000
"""The limit of pairs. Above it, results are paired in order, because matching would take too long."""


def pair(
    expected: Sequence[Json],
    actual: Sequence[Json],
    facts: Sequence[ExpectedResult],
    *,
    whole: bool,
) -> tuple[list[Json], list[Json]]:
    """Return both lists with partners at equal indices. `whole`: include actual results without a partner.

    An actual result has only the fields of its partner, or request and device if it has none of them.
    """
    partner = _partners(expected, actual)
    left: list[Json] = []
    right: list[Json] = []
    order = sorted(range(len(expected)), key=lambda index: (index not in partner, index))
    for index in order:
        wanted = expected[index]
        if index in partner:
            fact = facts[index] if facts else None
            result = actual[partner[index]]
            wanted, got = _project(wanted, result, partial=fact is not None and fact.consumed is None)
            right.append(_identity(result) if wanted and got == {} else got)
        else:
            wanted = _without_none(wanted)
        left.append(wanted)
    if whole:
        used = set(partner.values())
        right += [got for index, got in enumerate(actual) if index not in used]
    return left, right


def _partners(expected: Sequence[Json], actual: Sequence[Json]) -> dict[int, int]:
    if len(expected) * len(actual) > _PAIRS:
        return {index: index for index in range(min(len(expected), len(actual)))}
    ranked = sorted(
        (-_likeness(wanted, got), wanted_index, got_index)
        for wanted_index, wanted in enumerate(expected)
        for got_index, got in enumerate(actual)
    )
    partner: dict[int, int] = {}
    used: set[int] = set()
    for _, wanted_index, got_index in ranked:
        if wanted_index not in partner and got_index not in used:
            partner[wanted_index] = got_index
            used.add(got_index)
    return partner


def _likeness(expected: Json, actual: Json) -> int:
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return 4 if expected == actual else 0
    wanted, got = _project(expected, actual, partial=False)
    points = sum(2 for name in wanted if name != "consumedCapacity" and wanted[name] == got.get(name))
    amounts, got_amounts = wanted.get("consumedCapacity", {}), got.get("consumedCapacity", {})
    if not isinstance(amounts, dict) or not isinstance(got_amounts, dict):
        return points
    return points + sum(1 for name in amounts if amounts[name] == got_amounts.get(name))


def _project(expected: Json, actual: Json, *, partial: bool) -> tuple[Json, Json]:
    """Return an expected result, and the actual result with only the fields that the expected one has."""
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return expected, actual
    got = {name: actual[name] for name in expected if name in actual}
    wanted = dict(expected)
    if wanted.get("shareID") == "a UID" and got.get("shareID"):
        got["shareID"] = wanted["shareID"]
    wanted_amounts, got_amounts = wanted.get("consumedCapacity"), got.get("consumedCapacity")
    if isinstance(wanted_amounts, dict) and isinstance(got_amounts, dict):
        got_amounts = {
            name: _same_notation(wanted_amounts.get(name), amount) for name, amount in got_amounts.items()
        }
        got["consumedCapacity"] = (
            {name: got_amounts[name] for name in wanted_amounts if name in got_amounts}
            if partial
            else got_amounts
        )
    return _without_none(wanted), _without_none(got)


def _identity(result: Json) -> Json:
    """Return the fields that identify a result which has none of the expected fields."""
    if not isinstance(result, dict):
        return result
    return {name: result[name] for name in ("request", "device") if name in result}


def _without_none(result: Json) -> Json:
    """Remove `shareID: null` and an empty consumedCapacity, which mean that the field is absent."""
    if not isinstance(result, dict):
        return result
    return {
        name: entry
        for name, entry in result.items()
        if entry is not None and not (name == "consumedCapacity" and entry == {})
    }


def _same_notation(expected: Json, actual: Json) -> Json:
    """Return an actual quantity in the expected notation if both are equal, otherwise in canonical form."""
    if not isinstance(actual, str) or expected == actual:
        return actual
    try:
        amount = Quantity.parse(actual)
        return expected if isinstance(expected, str) and Quantity.parse(expected) == amount else str(amount)
    except ValueError:
        return actual


def canonical_json(value: object) -> str:
    """Return a JSON value as a line such as `{mode: "fast", speed: 1}`: sorted keys, normalized numbers."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {canonical_json(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(canonical_json, value)) + "]"
    if isinstance(value, Number):
        value = float(value.text)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False)
