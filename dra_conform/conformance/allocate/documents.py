"""The expectation and the answer of an allocation as documents that can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.allocations.checks import Check, MatchMode
from dra_conform.conformance.allocations.documents import (
    expected_result,
    list_of_devices,
    pair,
    shown_results,
)
from dra_conform.conformance.case import Case
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import NodeSelector
from dra_conform.kube.node_selectors import SelectorError, node_matches
from dra_conform.kube.objects import DecodeErrors, decode, decode_as
from dra_conform.kube.quantity import Quantity


def expected(expectation: AllocationExpectation) -> dict[str, Json]:
    """Return the expectation in the shape of an answer, with only the compared fields."""
    outcomes = sorted(outcome.value for outcome in expectation.outcomes)
    document: dict[str, Json] = {"outcome": outcomes[0] if len(outcomes) == 1 else {"one of": outcomes}}
    if expectation.category:
        document["reasons"] = [expectation.category]
    claims: dict[str, Json] = {}
    if Outcome.ALLOCATED in expectation.outcomes:
        for check in expectation.checks:
            if check.count is not None:
                claims.setdefault(check.claim, []).append({"devices": check.count})
            elif check.nodes is not None or check.config is not None:
                claims.setdefault(check.claim, [])
            elif len(check.choices) == 1:
                claims.setdefault(check.claim, []).extend(
                    expected_result(result) for result in check.choices[0]
                )
            elif check.choices:
                choices = [[expected_result(result) for result in results] for results in check.choices]
                claims.setdefault(check.claim, []).append({"one of": choices})
            else:
                claims.setdefault(check.claim, [])
        document |= _other_fields(expectation)
    if claims:
        document["claims"] = claims
    return document


def _other_fields(expectation: AllocationExpectation) -> dict[str, Json]:
    """Return the expected `configuration`, and `usableOn`, the nodes of the node selector, by claim."""
    configuration = {
        check.claim: [
            {"source": entry.source, "requests": list(entry.requests), "parameters": entry.parameters}
            for entry in check.config
        ]
        for check in expectation.checks
        if check.config is not None
    }
    usable = {check.claim: sorted(check.nodes) for check in expectation.checks if check.nodes is not None}
    fields = {"configuration": configuration, "usableOn": usable}
    return {name: claims for name, claims in fields.items() if claims}


def actual(answer: AllocationAnswer) -> dict[str, Json]:
    """Return the answer as a document in the shape of the expected one."""
    document: dict[str, Json] = {"outcome": answer.outcome.value}
    if answer.allocations:
        document["claims"] = {
            key: shown_results(allocation) for key, allocation in answer.allocations.items()
        }
        document["configuration"] = {
            key: _configuration(allocation) for key, allocation in answer.allocations.items()
        }
        document["nodeSelector"] = {
            key: allocation.get("nodeSelector") if isinstance(allocation, Mapping) else None
            for key, allocation in answer.allocations.items()
        }
    if answer.reasons:
        document["reasons"] = sorted({reason.category for reason in answer.reasons})
    return document


def _configuration(allocation: Json) -> list[Json]:
    """Return the configuration of an allocation in the shape of an expectation."""
    return [
        _config_entry(entry) for entry in list_of_devices(allocation, "config") if isinstance(entry, Mapping)
    ]


def _config_entry(entry: Mapping[str, Json]) -> Json:
    requests, opaque = entry.get("requests") or (), entry.get("opaque")
    return {
        "source": entry.get("source"),
        "requests": list(requests) if isinstance(requests, (list, tuple)) else requests,
        "parameters": opaque.get("parameters") if isinstance(opaque, Mapping) else opaque,
    }


def align(case: Case, profile: str, expected: Json, actual: Json) -> tuple[Json, Json]:
    """Remove differences without meaning from the expected and the actual document.

    Equal quantities get the expected notation, and each result is paired with its nearest partner. Fields
    that the expectation does not name are left out. If the outcomes differ, or the claims are not those of
    the request, the actual document stays complete. If both documents are equal, but devices are only counted
    or a quantity is malformed, both have the results of the answer, because the findings are about these.
    """
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return expected, actual
    expected, actual = dict(expected), dict(actual)
    expected["outcome"] = _outcome(expected.get("outcome"), actual.get("outcome"))
    _align_other_fields(case, expected, actual)
    if expected["outcome"] != actual.get("outcome") or _has_other_claims(case, actual):
        return expected, actual
    _align_reasons(expected, actual)
    expected_claims, answered = expected.get("claims"), actual.pop("claims", None)
    if isinstance(expected_claims, dict):
        [expectation] = case.expected(profile)
        assert isinstance(expectation, AllocationExpectation)
        checks = expectation.checks
        actual_claims = answered if isinstance(answered, dict) else {}
        sides = {
            claim: _claim(
                results, actual_claims[claim], tuple(check for check in checks if check.claim == claim)
            )
            for claim, results in expected_claims.items()
            if claim in actual_claims
        }
        # Results of which nothing is compared are left out: an empty list would look like no results.
        compared = [claim for claim in expected_claims if any(sides.get(claim, [True]))]
        expected["claims"] = {
            claim: sides[claim][0] if claim in sides else expected_claims[claim] for claim in compared
        }
        actual["claims"] = {claim: sides[claim][1] for claim in compared if claim in sides}
        if not compared:
            del expected["claims"], actual["claims"]
        counted = any(check.count is not None for check in checks)
        if expected == actual and (counted or not all(map(_have_quantities, actual_claims.values()))):
            expected["claims"] = actual["claims"] = actual_claims
    return expected, actual


def _has_other_claims(case: Case, actual: Mapping[str, Json]) -> bool:
    """Whether an allocation misses a claim of the request, or has a claim that the request does not name."""
    claims = actual.get("claims")
    if actual.get("outcome") != Outcome.ALLOCATED or not isinstance(claims, dict):
        return False
    return claims.keys() != set(case.ask["claims"])


def _have_quantities(results: Json) -> bool:
    """Whether the consumed capacities of results have only quantities."""
    consumed = [
        result.get("consumedCapacity")
        for result in (results if isinstance(results, list) else ())
        if isinstance(result, dict)
    ]
    try:
        for quantity in (each for named in consumed if isinstance(named, dict) for each in named.values()):
            Quantity.parse(str(quantity))
    except ValueError:
        return False
    return True


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


def _distance(expected: Sequence[Json], actual: Sequence[Json]) -> int:
    unpaired = abs(len(expected) - len(actual))
    return 100 * unpaired + sum(1 for wanted, got in zip(expected, actual, strict=False) if wanted != got)
