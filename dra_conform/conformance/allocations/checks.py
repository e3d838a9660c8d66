"""Expected results of an allocated ResourceClaim, as Then steps demand them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from dra_conform.kube.json_values import UncheckedJson


class MatchMode(StrEnum):
    """How an allocation is compared with the expected one. Invariants are checked in every mode."""

    EXACT = "exact"
    """Exactly these results, in any order. Fields that a result does not name are not compared."""
    ONE_OF = "one-of"
    """Exactly the results of one of several lists."""
    VALID = "valid"
    """Any allocation that satisfies the invariants. It has the expected results, and may have others."""
    COUNT = "count"
    """Any devices of the expected number."""


@dataclass(frozen=True, slots=True)
class ExpectedResult:
    """One expected result of a ResourceClaim. Only fields that are not None are compared.

    `consumed` maps capacity names to quantities and is complete: `{}` means no consumedCapacity. `consumes`
    has single entries. `share` and `admin` say whether shareID and adminAccess must be set. `groups` are all
    recorded compatibility groups by counter set, without counter sets that have no groups. `binding` and
    `failure` are the binding conditions and binding failure conditions. `own` are fields of plugins by name.
    """

    request: str | None = None
    device: str | None = None
    pool: str | None = None
    driver: str | None = None
    consumed: Mapping[str, str] | None = None
    consumes: Mapping[str, str] | None = None
    share: bool | None = None
    admin: bool | None = None
    groups: Mapping[str, tuple[str, ...]] | None = None
    binding: tuple[str, ...] | None = None
    failure: tuple[str, ...] | None = None
    own: Mapping[str, UncheckedJson] | None = None


@dataclass(frozen=True, slots=True)
class ExpectedConfiguration:
    """One expected entry of the configuration. Empty `requests` mean all requests."""

    source: str
    parameters: Mapping[str, UncheckedJson]
    requests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """The demands of one Then step on one ResourceClaim (`namespace/name`).

    `choices` are lists of results: one list in the modes `exact` and `valid`, several in `one-of`, none in
    `count`. In mode `valid`, each expected result must match a different actual result, and further actual
    results may exist. `nodes` are the nodes of the case that the node selector of the allocation selects.
    `config` is the complete configuration in order. `step` is the index of the step in
    `AllocationExpectation.steps`.
    """

    claim: str
    match: MatchMode
    choices: tuple[tuple[ExpectedResult, ...], ...] = ()
    count: int | None = None
    nodes: frozenset[str] | None = None
    config: tuple[ExpectedConfiguration, ...] | None = None
    step: int = 0


class CheckBuilder(Protocol):
    """An expectation that is being built, of an operation with Then steps about allocated ResourceClaims."""

    steps: list[str]

    def expect_allocation(self, check: Check) -> None:
        """Record an expected allocation; raises StepError if the case has none."""
        ...


def demands_values(check: Check) -> bool:
    """Whether a check demands more than an allocation of the ResourceClaim."""
    demanded = (check.count, check.nodes, check.config)
    return any(value is not None for value in demanded) or bool(check.choices)


def negated(check: Check) -> Check:
    """Return a check that a correct answer must fail: one device more, or different values."""
    if check.count is not None:
        return replace(check, count=check.count + 1)
    if check.nodes is not None:
        return replace(check, nodes=check.nodes | {"no-such-node"})
    if check.config is not None:
        return replace(check, config=(*check.config, ExpectedConfiguration("FromNowhere", {})))
    choices = tuple(
        tuple(_with_different_values(result) for result in results) or (ExpectedResult(),)
        for results in check.choices
    )
    return replace(check, choices=choices)


def _with_different_values(result: ExpectedResult) -> ExpectedResult:
    """Return the expected result with a different value in each compared field."""
    return ExpectedResult(
        request=None if result.request is None else f"not-{result.request}",
        device=None if result.device is None else f"not-{result.device}",
        pool=None if result.pool is None else f"not-{result.pool}",
        driver=None if result.driver is None else f"not-{result.driver}",
        consumed=None if result.consumed is None else {**result.consumed, "no-such-capacity": "1"},
        consumes=None if result.consumes is None else {**result.consumes, "no-such-capacity": "1"},
        share=None if result.share is None else not result.share,
        admin=None if result.admin is None else not result.admin,
        groups=None if result.groups is None else {**result.groups, "no-such-set": ("no-such-group",)},
        binding=None if result.binding is None else (*result.binding, "no-such-condition"),
        failure=None if result.failure is None else (*result.failure, "no-such-condition"),
        own=None if result.own is None else {name: [value] for name, value in result.own.items()},
    )


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


def checks_without(checks: Sequence[Check], declined: Set[str]) -> tuple[tuple[Check, ...], frozenset[str]]:
    """Remove declined parts from checks; return the checks with the parts that they had demanded."""
    kept: list[Check] = []
    demanded: set[str] = set()
    for check in checks:
        parts = {part for part, name in _CHECKS.items() if getattr(check, name) is not None} & declined
        if parts:
            demanded |= parts
            continue
        choices = tuple(
            tuple(_without_declined(result, declined, demanded) for result in choice)
            for choice in check.choices
        )
        kept.append(replace(check, choices=choices))
    return tuple(kept), frozenset(demanded)


def _without_declined(expected: ExpectedResult, declined: Set[str], demanded: set[str]) -> ExpectedResult:
    """Remove declined parts from a result. The absence of a field, such as shareID, is still demanded."""
    for part in declined & _FIELDS.keys():
        present = [name for name in _FIELDS[part] if getattr(expected, name)]
        if present:
            demanded.add(part)
            expected = replace(expected, **dict.fromkeys(present))
    return expected
