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
from dra_conform.conformance.allocate.posing import attempt
from dra_conform.conformance.allocate.result_rows import choice_rows, entry_rows, result_rows
from dra_conform.conformance.allocate.step_params import (
    Allocate,
    Because,
    ClaimChoices,
    ClaimResults,
    Configured,
    Consumes,
    DeviceCount,
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
from dra_conform.kube.json_writing import encode_json
from dra_conform.kube.quantity import Quantity, QuantityError


def _allocate(given: Given, params: Allocate) -> Json:
    return attempt(given, params.resource_claims, params.node)


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
        then, params.resource_claim, MatchMode.ONE_OF, choices=tuple(_results(one) for one in params.choices)
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
        ExpectedConfiguration(one.source, _as_answered(one.parameters), one.requests)
        for one in params.entries
    )
    _check(then, params.resource_claim, MatchMode.VALID, config=entries)


def _as_answered(parameters: dict[str, Any]) -> Any:
    """Convert numbers as JSON does, so that fractions of a case equal those of an answer."""
    return msgspec.json.decode(encode_json(parameters))


def _results(results: tuple[ResultFacts, ...]) -> tuple[ExpectedResult, ...]:
    return tuple(
        ExpectedResult(
            request=one.request,
            device=one.device,
            pool=one.pool,
            driver=one.driver,
            consumed=None if one.consumed_capacity is None else _texts(one.consumed_capacity),
            share=one.share_id,
            admin=one.admin_access,
            groups=one.compatibility_groups,
            binding=one.binding_conditions,
            failure=one.binding_failure_conditions,
        )
        for one in results
    )


def _texts(written: dict[str, Any]) -> dict[str, str]:
    for name, value in written.items():
        try:
            Quantity.parse(str(value))
        except QuantityError as error:
            raise StepError(f"{name}: {error}, expected one such as 10, 500m or 1Gi") from None
    return {name: str(value) for name, value in written.items()}


def _not_allocated(*outcomes: Outcome) -> Any:
    def apply(then: AllocationExpectationBuilder, params: Because | bool) -> None:
        category = params.category if isinstance(params, Because) else None
        if params is False:
            raise StepError("is false, expected true or a category")
        if category is not None and category not in set(Category):
            known = ", ".join(one.value for one in Category)
            raise StepError(f"unknown category {category!r}, expected one of {known}")
        then.decide(outcomes, category)

    return apply


def _may_also_fail(then: AllocationExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide({Outcome.ALLOCATED})
    then.may_be_refused = True


def _together(found: re.Match[str], _: Table, __: str) -> Json:
    return {"resourceClaims": listed(found["claims"]), "node": found["node"] or ""}


def _because(found: re.Match[str], _: Table, __: str) -> Json:
    return {"category": found["category"]} if found["category"] else True


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
        (phrase('ResourceClaim "{claim}" is allocated', lambda found, _, __: found["claim"]),),
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
                lambda found, _, __: {"resourceClaim": found["claim"], "capacity": amounts(found["amounts"])},
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
                lambda found, _, __: {"resourceClaim": found["claim"], "count": int(found["count"])},
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
                lambda found, _, __: {"resourceClaim": found["claim"], "nodes": listed(found["nodes"])},
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
        Because | bool,
        (phrase("no allocation is possible[ because of {category}]", _because, category="[A-Za-z]+"),),
        _not_allocated(Outcome.UNALLOCATABLE),
    ),
    Step(
        "then",
        "allocationError",
        Because | bool,
        (phrase("allocation fails with an error[ because of {category}]", _because, category="[A-Za-z]+"),),
        _not_allocated(Outcome.ERRORED),
    ),
    Step(
        "then",
        "nothingAllocated",
        Because | bool,
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
