"""Normalization of the documents of a failure, so that the diff shows only real differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.conformance.allocate.expectation import (
    AllocationExpectation,
    Check,
    ExpectedResult,
    MatchMode,
)
from dra_conform.conformance.case import Case
from dra_conform.kube.core import Node
from dra_conform.kube.meta import NodeSelector
from dra_conform.kube.node_selectors import SelectorError, node_matches
from dra_conform.kube.objects import DecodeErrors, decode, decode_as
from dra_conform.kube.quantity import Quantity

Json = Any

_PAIRS = 10_000
"""The limit of pairs. Above it, results are paired in order, because matching would take too long."""


def align(case: Case, profile: str, expected: Json, actual: Json) -> tuple[Json, Json]:
    """Remove differences without meaning from the expected and the actual document.

    Equal quantities get the expected notation, and each result is paired with its nearest partner. Fields
    that the expectation does not name are left out. If the outcomes differ, the actual document stays
    complete.
    """
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return expected, actual
    expected, actual = dict(expected), dict(actual)
    expected["outcome"] = _outcome(expected.get("outcome"), actual.get("outcome"))
    _align_other_fields(case, expected, actual)
    if expected["outcome"] != actual.get("outcome"):
        return expected, actual
    _align_reasons(expected, actual)
    wanted, got = expected.get("claims"), actual.pop("claims", None)
    if isinstance(wanted, dict):
        [expectation] = case.expected(profile)
        assert isinstance(expectation, AllocationExpectation)
        checks = expectation.checks
        got = got if isinstance(got, dict) else {}
        sides = {
            claim: _claim(results, got[claim], tuple(check for check in checks if check.claim == claim))
            for claim, results in wanted.items()
            if claim in got
        }
        expected["claims"] = {claim: sides[claim][0] if claim in sides else wanted[claim] for claim in wanted}
        actual["claims"] = {claim: side[1] for claim, side in sides.items()}
    return expected, actual


def _align_other_fields(case: Case, expected: dict[str, Json], actual: dict[str, Json]) -> None:
    """Keep the compared configuration and node selectors; a selector becomes the nodes that it selects."""
    selectors, configuration = actual.pop("nodeSelector", None), actual.pop("configuration", None)
    if "usableOn" in expected and isinstance(selectors, dict):
        nodes = [decode(raw) for raw in case.objects.get("nodes", ())]
        actual["usableOn"] = {
            claim: _admitted(selectors[claim], nodes) for claim in expected["usableOn"] if claim in selectors
        }
    if "configuration" in expected and isinstance(configuration, dict):
        wanted = expected["configuration"]
        actual["configuration"] = {
            claim: _with_expected_request_order(wanted[claim], configuration[claim])
            for claim in wanted
            if claim in configuration
        }


def _admitted(selector: Json, nodes: Sequence[Node]) -> Json:
    try:
        read = None if selector is None else decode_as(NodeSelector, selector)
        return sorted(node.metadata.name for node in nodes if read is None or node_matches(read, node))
    except (DecodeErrors, SelectorError):
        return selector


def _with_expected_request_order(expected: Json, actual: Json) -> Json:
    """Return the entries with their requests in the expected order if only the order differs."""
    if not isinstance(actual, list):
        return actual
    aligned = list(actual)
    for index, (one, other) in enumerate(zip(expected, actual, strict=False)):
        requests = other.get("requests") if isinstance(other, dict) else None
        if isinstance(requests, list) and sorted(map(str, one["requests"])) == sorted(map(str, requests)):
            aligned[index] = {**other, "requests": one["requests"]}
    return aligned


def _outcome(expected: Json, actual: Json) -> Json:
    if isinstance(expected, dict) and isinstance(choices := expected.get("one of"), list):
        return actual if actual in choices else " or ".join(map(str, choices))
    return expected


def _align_reasons(expected: dict[str, Json], actual: dict[str, Json]) -> None:
    """Remove reasons unless both sides have some; one common reason is sufficient."""
    wanted, got = expected.get("reasons"), actual.get("reasons")
    if not wanted or not got:
        expected.pop("reasons", None)
        actual.pop("reasons", None)
    elif set(map(str, wanted)) & set(map(str, got)):
        actual["reasons"] = wanted


def _claim(expected: Json, actual: Json, checks: Sequence[Check]) -> tuple[Json, Json]:
    if not isinstance(expected, list) or not isinstance(actual, list):
        return expected, actual
    left: list[Json] = []
    right: list[Json] = []
    for entry in (one for one in expected if _counts(one)):
        left.append(entry)
        right.append({"devices": len(actual)})
    wanted = [one for one in expected if isinstance(one, dict) and not _counts(one)]
    whole = not checks or any(check.match in (MatchMode.EXACT, MatchMode.ONE_OF) for check in checks)
    choices = [choice for one in wanted if "one of" in one for choice in one["one of"]]
    if choices:
        sides = [pair(choice, actual, (), whole=True) for choice in choices]
        nearest = min(sides, key=lambda side: _distance(side[0], side[1]))
    else:
        named = [one for check in checks if len(check.choices) == 1 for one in check.choices[0]]
        facts = named if len(named) == len(wanted) else ()
        nearest = pair(wanted, actual, facts, whole=whole and not left)
    return left + nearest[0], right + nearest[1]


def _counts(expected: Json) -> bool:
    """Whether an entry names the number of devices instead of the devices."""
    return isinstance(expected, dict) and expected.keys() == {"devices"}


def pair(
    expected: Sequence[Json], actual: Sequence[Json], facts: Sequence[ExpectedResult], *, whole: bool
) -> tuple[list[Json], list[Json]]:
    """Return both lists with partners at equal indices. `whole`: include actual results without a partner."""
    partner = _partners(expected, actual)
    left: list[Json] = []
    right: list[Json] = []
    order = sorted(range(len(expected)), key=lambda index: (index not in partner, index))
    for index in order:
        one = expected[index]
        if index in partner:
            fact = facts[index] if facts else None
            one, other = _project(
                one, actual[partner[index]], partial=fact is not None and fact.consumed is None
            )
            right.append(other)
        else:
            one = _without_none(one)
        left.append(one)
    if whole:
        used = set(partner.values())
        right += [other for index, other in enumerate(actual) if index not in used]
    return left, right


def _partners(expected: Sequence[Json], actual: Sequence[Json]) -> dict[int, int]:
    if len(expected) * len(actual) > _PAIRS:
        return {index: index for index in range(min(len(expected), len(actual)))}
    ranked = sorted(
        (-_likeness(one, other), i, j) for i, one in enumerate(expected) for j, other in enumerate(actual)
    )
    partner: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in ranked:
        if i not in partner and j not in used:
            partner[i] = j
            used.add(j)
    return partner


def _likeness(expected: Json, actual: Json) -> int:
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return 4 if expected == actual else 0
    one, other = _project(expected, actual, partial=False)
    points = sum(2 for name in one if name != "consumedCapacity" and one[name] == other.get(name))
    amounts, amounts_got = one.get("consumedCapacity", {}), other.get("consumedCapacity", {})
    if not isinstance(amounts, dict) or not isinstance(amounts_got, dict):
        return points
    return points + sum(1 for name in amounts if amounts[name] == amounts_got.get(name))


def _distance(expected: Sequence[Json], actual: Sequence[Json]) -> int:
    unpaired = abs(len(expected) - len(actual))
    return 100 * unpaired + sum(1 for one, other in zip(expected, actual, strict=False) if one != other)


def _project(expected: Json, actual: Json, *, partial: bool) -> tuple[Json, Json]:
    """Return an expected result, and the fields that it names of the actual one."""
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return expected, actual
    kept = {name: actual[name] for name in expected if name in actual}
    one = dict(expected)
    if one.get("shareID") == "a UID" and kept.get("shareID"):
        kept["shareID"] = one["shareID"]
    wanted, got = one.get("consumedCapacity"), kept.get("consumedCapacity")
    if isinstance(wanted, dict) and isinstance(got, dict):
        got = {name: _same_notation(wanted.get(name), amount) for name, amount in got.items()}
        kept["consumedCapacity"] = {name: got[name] for name in wanted if name in got} if partial else got
    return _without_none(one), _without_none(kept)


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
    """Return an actual quantity in the expected notation if both are equal, else in the canonical one."""
    if not isinstance(actual, str) or expected == actual:
        return actual
    try:
        amount = Quantity.parse(actual)
        return expected if isinstance(expected, str) and Quantity.parse(expected) == amount else str(amount)
    except ValueError:
        return actual
