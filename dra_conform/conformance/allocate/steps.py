"""The When step and the Then steps of an allocation."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from dra_conform.conformance.allocate.answer import NOT_ALLOCATED, Outcome
from dra_conform.conformance.allocate.expectation import (
    AllocationExpectationBuilder,
    Check,
    ExpectedConfiguration,
    ExpectedResult,
    MatchMode,
)
from dra_conform.conformance.allocate.question import allocation_action
from dra_conform.conformance.allocate.result_rows import choice_rows, entry_rows, result_rows
from dra_conform.conformance.allocate.step_params import (
    Allocate,
    ClaimChoices,
    ClaimResults,
    Configured,
    Consumes,
    DeviceCount,
    FailureCategory,
    ResultFacts,
    UsableOn,
)
from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.step import (
    AMOUNTS,
    Json,
    Step,
    StepError,
    Table,
    amounts,
    listed,
    phrase,
)
from dra_conform.kube.category import Category
from dra_conform.kube.json_encoding import encode_json
from dra_conform.kube.quantity import Quantity, QuantityError


def _allocate(given: Given, params: Allocate) -> Json:
    return allocation_action(given, params.resource_claims, params.node)


def _check(then: AllocationExpectationBuilder, claim: str, match: MatchMode, **rest: Any) -> None:
    then.decide({Outcome.ALLOCATED})
    then.checks.append(Check(claim_key(claim), match, step=len(then.steps) - 1, **rest))


def _allocated(then: AllocationExpectationBuilder, params: str) -> None:
    _check(then, params, MatchMode.VALID)


def _allocated_exactly(then: AllocationExpectationBuilder, params: ClaimResults) -> None:
    _check(then, params.resource_claim, MatchMode.EXACT, choices=(_results(params.results),))


def _allocated_at_least(then: AllocationExpectationBuilder, params: ClaimResults) -> None:
    _check(then, params.resource_claim, MatchMode.VALID, choices=(_results(params.results),))


def _allocated_one_of(then: AllocationExpectationBuilder, params: ClaimChoices) -> None:
    _check(
        then,
        params.resource_claim,
        MatchMode.ONE_OF,
        choices=tuple(_results(results) for results in params.choices),
    )


def _consumes(then: AllocationExpectationBuilder, params: Consumes) -> None:
    expected = ExpectedResult(consumes=_texts(params.capacity))
    _check(then, params.resource_claim, MatchMode.VALID, choices=((expected,),))


def _allocated_devices(then: AllocationExpectationBuilder, params: DeviceCount) -> None:
    _check(then, params.resource_claim, MatchMode.COUNT, count=params.count)


def _available_on(then: AllocationExpectationBuilder, params: UsableOn) -> None:
    _check(then, params.resource_claim, MatchMode.VALID, nodes=frozenset(params.nodes))


def _configured(then: AllocationExpectationBuilder, params: Configured) -> None:
    entries = tuple(
        ExpectedConfiguration(entry.source, _as_answered(entry.parameters), entry.requests)
        for entry in params.entries
    )
    _check(then, params.resource_claim, MatchMode.VALID, config=entries)


def _as_answered(parameters: dict[str, Any]) -> Any:
    """Convert numbers as JSON does, so that fractions of a case equal those of an answer."""
    return msgspec.json.decode(encode_json(parameters))


def _results(results: tuple[ResultFacts, ...]) -> tuple[ExpectedResult, ...]:
    return tuple(
        ExpectedResult(
            request=facts.request,
            device=facts.device,
            pool=facts.pool,
            driver=facts.driver,
            consumed=None if facts.consumed_capacity is None else _texts(facts.consumed_capacity),
            share=facts.share_id,
            admin=facts.admin_access,
            groups=facts.compatibility_groups,
            binding=facts.binding_conditions,
            failure=facts.binding_failure_conditions,
        )
        for facts in results
    )


def _texts(written: dict[str, Any]) -> dict[str, str]:
    for name, value in written.items():
        try:
            Quantity.parse(str(value))
        except QuantityError as error:
            raise StepError(f"{name}: {error}, expected one such as 10, 500m or 1Gi") from None
    return {name: str(value) for name, value in written.items()}


def _not_allocated(*outcomes: Outcome) -> Any:
    def apply(then: AllocationExpectationBuilder, params: FailureCategory | bool) -> None:
        category = params.category if isinstance(params, FailureCategory) else None
        if params is False:
            raise StepError("is false, expected true or a category")
        if category is not None and category not in set(Category):
            known = ", ".join(known_category.value for known_category in Category)
            raise StepError(f"unknown category {category!r}, expected one of {known}")
        then.decide(outcomes, category)

    return apply


def _may_also_fail(then: AllocationExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide({Outcome.ALLOCATED})
    then.may_end_with_error = True


def _together(match: re.Match[str], _: Table, __: str) -> Json:
    return {"resourceClaims": listed(match["claims"]), "node": match["node"] or ""}


def _because(match: re.Match[str], _: Table, __: str) -> Json:
    return {"category": match["category"]} if match["category"] else True


STEPS: tuple[Step, ...] = (
    Step(
        "when",
        "allocate",
        Allocate,
        (
            phrase('allocation of ResourceClaim "{claims}"[ on node "{node}"] is attempted', _together),
            phrase(
                'allocation of the ResourceClaims "{claims}" together[ on node "{node}"] is attempted',
                _together,
            ),
        ),
        _allocate,
    ),
    Step(
        "then",
        "allocated",
        str,
        (phrase('ResourceClaim "{claim}" is allocated', lambda match, _, __: match["claim"]),),
        _allocated,
    ),
    Step(
        "then",
        "allocatedExactly",
        ClaimResults,
        (phrase('ResourceClaim "{claim}" is allocated exactly', result_rows),),
        _allocated_exactly,
    ),
    Step(
        "then",
        "allocatedOneOf",
        ClaimChoices,
        (phrase('ResourceClaim "{claim}" is allocated one of', choice_rows),),
        _allocated_one_of,
    ),
    Step(
        "then",
        "allocatedAtLeast",
        ClaimResults,
        (phrase('ResourceClaim "{claim}" is allocated at least', result_rows),),
        _allocated_at_least,
    ),
    Step(
        "then",
        "consumes",
        Consumes,
        (
            phrase(
                'ResourceClaim "{claim}" consumes {amounts}',
                lambda match, _, __: {"resourceClaim": match["claim"], "capacity": amounts(match["amounts"])},
                amounts=AMOUNTS,
            ),
        ),
        _consumes,
    ),
    Step(
        "then",
        "allocatedDevices",
        DeviceCount,
        (
            phrase(
                'ResourceClaim "{claim}" is allocated {count} device[s]',
                lambda match, _, __: {"resourceClaim": match["claim"], "count": int(match["count"])},
                count="[0-9]+",
            ),
        ),
        _allocated_devices,
    ),
    Step(
        "then",
        "availableOn",
        UsableOn,
        (
            phrase(
                'ResourceClaim "{claim}" is available only on node[s] "{nodes}"',
                lambda match, _, __: {"resourceClaim": match["claim"], "nodes": listed(match["nodes"])},
            ),
        ),
        _available_on,
    ),
    Step(
        "then",
        "config",
        Configured,
        (phrase('ResourceClaim "{claim}" has the configuration', entry_rows),),
        _configured,
    ),
    Step(
        "then",
        "unallocatable",
        FailureCategory | bool,
        (phrase("no allocation is possible[ because of {category}]", _because, category="[A-Za-z]+"),),
        _not_allocated(Outcome.UNALLOCATABLE),
    ),
    Step(
        "then",
        "allocationError",
        FailureCategory | bool,
        (phrase("allocation fails with an error[ because of {category}]", _because, category="[A-Za-z]+"),),
        _not_allocated(Outcome.ERRORED),
    ),
    Step(
        "then",
        "nothingAllocated",
        FailureCategory | bool,
        (phrase("nothing is allocated[ because of {category}]", _because, category="[A-Za-z]+"),),
        _not_allocated(*NOT_ALLOCATED),
    ),
    Step(
        "then",
        "mayAlsoFail",
        bool,
        (phrase("allocation may also fail", lambda *_: True),),
        _may_also_fail,
    ),
)
"""The When and Then steps."""
