"""The rest of an expectation if an implementation declines parts of a result, such as the share ID."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from dra_conform.conformance.allocate.expectation import AllocationExpectation, Check, ExpectedResult
from dra_conform.conformance.operation import Expectations

_CHECKS = {"configuration": "config", "node-selector": "nodes"}
"""The field of a check that is only about the part."""

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "share-id": ("share",),
    "consumed-capacity": ("consumed", "consumes"),
    "recorded-admin-access": ("admin",),
    "recorded-binding-conditions": ("binding", "failure"),
    "recorded-compatibility-groups": ("groups",),
}
"""The fields of an expected result that are about the part."""

_INVARIANTS = {
    "configuration": "configuration-complete",
    "node-selector": "node-selector-fits",
    "share-id": "share-ids-tell-apart",
    "consumed-capacity": "consumed-capacity-complete",
    "recorded-admin-access": "admin-access-as-asked",
    "recorded-tolerations": "tolerations-copied",
    "recorded-binding-conditions": "binding-conditions-copied",
    "recorded-compatibility-groups": "groups-recorded",
}
"""The invariant of each part."""


def without(expectations: Expectations, declined: Set[str]) -> tuple[Expectations, frozenset[str]]:
    """Remove declined parts from the expectation; return it with the parts that it had demanded."""
    [expectation] = expectations
    assert isinstance(expectation, AllocationExpectation)
    checks, demanded = checks_without(expectation.checks, declined)
    unjudged = frozenset(_INVARIANTS[part] for part in declined & _INVARIANTS.keys())
    return [replace(expectation, checks=checks, unjudged=unjudged)], demanded


def checks_without(checks: Sequence[Check], declined: Set[str]) -> tuple[tuple[Check, ...], frozenset[str]]:
    """Remove declined parts from checks; return the checks with the parts that they had demanded."""
    kept: list[Check] = []
    demanded: set[str] = set()
    for check in checks:
        about = {part for part, name in _CHECKS.items() if getattr(check, name) is not None} & declined
        if about:
            demanded |= about
            continue
        choices = tuple(tuple(_result(one, declined, demanded) for one in choice) for choice in check.choices)
        kept.append(replace(check, choices=choices))
    return tuple(kept), frozenset(demanded)


def _result(expected: ExpectedResult, declined: Set[str], demanded: set[str]) -> ExpectedResult:
    """Remove declined parts from a result. The absence of a field, such as shareID, is still demanded."""
    for part in declined & _FIELDS.keys():
        present = [name for name in _FIELDS[part] if getattr(expected, name)]
        if present:
            demanded.add(part)
            expected = replace(expected, **dict.fromkeys(present))
    return expected
