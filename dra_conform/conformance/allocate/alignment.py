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
    expected_claims, actual_claims = expected.get("claims"), actual.pop("claims", None)
    if isinstance(expected_claims, dict):
        [expectation] = case.expected(profile)
        assert isinstance(expectation, AllocationExpectation)
        checks = expectation.checks
        actual_claims = actual_claims if isinstance(actual_claims, dict) else {}
        sides = {
            claim: _claim(
                results, actual_claims[claim], tuple(check for check in checks if check.claim == claim)
            )
            for claim, results in expected_claims.items()
            if claim in actual_claims
        }
        expected["claims"] = {
            claim: sides[claim][0] if claim in sides else expected_claims[claim] for claim in expected_claims
        }
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
        expected_configuration = expected["configuration"]
        actual["configuration"] = {
            claim: _with_expected_request_order(expected_configuration[claim], configuration[claim])
            for claim in expected_configuration
            if claim in configuration
        }


def _admitted(selector: Json, nodes: Sequence[Node]) -> Json:
    try:
        node_selector = None if selector is None else decode_as(NodeSelector, selector)
        return sorted(
            node.metadata.name for node in nodes if node_selector is None or node_matches(node_selector, node)
        )
    except (DecodeErrors, SelectorError):
        return selector


def _with_expected_request_order(expected: Json, actual: Json) -> Json:
    """Return the entries with their requests in the expected order if only the order differs."""
    if not isinstance(actual, list):
        return actual
    aligned = list(actual)
    for index, (wanted, got) in enumerate(zip(expected, actual, strict=False)):
        requests = got.get("requests") if isinstance(got, dict) else None
        if isinstance(requests, list) and sorted(map(str, wanted["requests"])) == sorted(map(str, requests)):
            aligned[index] = {**got, "requests": wanted["requests"]}
    return aligned


def _outcome(expected: Json, actual: Json) -> Json:
    if isinstance(expected, dict) and isinstance(choices := expected.get("one of"), list):
        return actual if actual in choices else " or ".join(map(str, choices))
    return expected


def _align_reasons(expected: dict[str, Json], actual: dict[str, Json]) -> None:
    """Remove reasons unless both sides have some; one common reason is sufficient."""
    expected_reasons, actual_reasons = expected.get("reasons"), actual.get("reasons")
    if not expected_reasons or not actual_reasons:
        expected.pop("reasons", None)
        actual.pop("reasons", None)
    elif set(map(str, expected_reasons)) & set(map(str, actual_reasons)):
        actual["reasons"] = expected_reasons


def _claim(expected: Json, actual: Json, checks: Sequence[Check]) -> tuple[Json, Json]:
    if not isinstance(expected, list) or not isinstance(actual, list):
        return expected, actual
    left: list[Json] = []
    right: list[Json] = []
    for entry in (entry for entry in expected if _counts(entry)):
        left.append(entry)
        right.append({"devices": len(actual)})
    wanted = [entry for entry in expected if isinstance(entry, dict) and not _counts(entry)]
    whole = not checks or any(check.match in (MatchMode.EXACT, MatchMode.ONE_OF) for check in checks)
    choices = [choice for entry in wanted if "one of" in entry for choice in entry["one of"]]
    if choices:
        sides = [pair(choice, actual, (), whole=True) for choice in choices]
        nearest = min(sides, key=lambda side: _distance(side[0], side[1]))
    else:
        named = [entry for check in checks if len(check.choices) == 1 for entry in check.choices[0]]
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
        wanted = expected[index]
        if index in partner:
            fact = facts[index] if facts else None
            wanted, got = _project(
                wanted, actual[partner[index]], partial=fact is not None and fact.consumed is None
            )
            right.append(got)
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


def _distance(expected: Sequence[Json], actual: Sequence[Json]) -> int:
    unpaired = abs(len(expected) - len(actual))
    return 100 * unpaired + sum(1 for wanted, got in zip(expected, actual, strict=False) if wanted != got)


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
