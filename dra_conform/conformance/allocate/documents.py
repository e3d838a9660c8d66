"""The expectation and the answer of an allocation as documents that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation, ExpectedResult
from dra_conform.conformance.operation import Expectations

Json = Any


def expected(expectations: Expectations) -> Json:
    """Return the expectation in the shape of an answer, with only the compared fields."""
    [expectation] = expectations
    assert isinstance(expectation, AllocationExpectation)
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
                claims.setdefault(check.claim, []).extend(expected_result(one) for one in check.choices[0])
            elif check.choices:
                choices = [[expected_result(one) for one in results] for results in check.choices]
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
            {"source": one.source, "requests": list(one.requests), "parameters": one.parameters}
            for one in check.config
        ]
        for check in expectation.checks
        if check.config is not None
    }
    usable = {check.claim: sorted(check.nodes) for check in expectation.checks if check.nodes is not None}
    found = {"configuration": configuration, "usableOn": usable}
    return {name: claims for name, claims in found.items() if claims}


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
    return shown


def actual(answer: AllocationAnswer) -> Json:
    """Return the answer as a document in the shape of the expected one."""
    document: dict[str, Json] = {"outcome": answer.outcome.value}
    if answer.allocations:
        document["claims"] = {
            key: shown_results(allocation) for key, allocation in answer.allocations.items()
        }
        document["configuration"] = {key: _configuration(one) for key, one in answer.allocations.items()}
        document["nodeSelector"] = {
            key: one.get("nodeSelector") if isinstance(one, Mapping) else None
            for key, one in answer.allocations.items()
        }
    if answer.reasons:
        document["reasons"] = sorted({reason.category for reason in answer.reasons})
    return document


def shown_results(allocation: Json) -> list[Json]:
    """Return the results of an allocation with the fields that can be compared."""
    return [_shown(result) for result in _results(allocation)]


def _results(allocation: Json) -> list[Json]:
    return _of_devices(allocation, "results")


def _of_devices(allocation: Json, name: str) -> list[Json]:
    devices = allocation.get("devices") if isinstance(allocation, Mapping) else None
    found = devices.get(name) if isinstance(devices, Mapping) else None
    return list(found) if isinstance(found, (list, tuple)) else []


def _configuration(allocation: Json) -> list[Json]:
    """Return the configuration of an allocation in the shape of an expectation."""
    return [_config_entry(one) for one in _of_devices(allocation, "config") if isinstance(one, Mapping)]


def _config_entry(entry: Mapping[str, Json]) -> Json:
    requests, opaque = entry.get("requests") or (), entry.get("opaque")
    return {
        "source": entry.get("source"),
        "requests": list(requests) if isinstance(requests, (list, tuple)) else requests,
        "parameters": opaque.get("parameters") if isinstance(opaque, Mapping) else opaque,
    }


def _shown(result: Json) -> Json:
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
    )
    return {name: result[name] for name in names if name in result}
