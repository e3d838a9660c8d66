"""The when step and the then steps: what is asked, and what is right."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.conformance.building import CaseBuilder, ExpectationBuilder, StepError, claim_key
from dra_conform.conformance.case import Check, ExpectedResult, Match
from dra_conform.conformance.cells import columns, flag, plain
from dra_conform.conformance.outcome import Category, Outcome
from dra_conform.conformance.vocabulary import (
    AMOUNTS,
    Json,
    Params,
    Step,
    Table,
    amounts,
    listed,
    phrase,
)
from dra_conform.kube.quantity import Quantity, QuantityError

_REFUSALS = (Outcome.UNALLOCATABLE, Outcome.REJECTED, Outcome.ERRORED)


class Allocate(Params, frozen=True, kw_only=True):
    claims: tuple[str, ...]
    node: str = ""


class Result(Params, frozen=True, kw_only=True):
    """A device that a claim gets; what is left out is not compared. `consumed` is complete."""

    request: str | None = None
    device: str | None = None
    pool: str | None = None
    driver: str | None = None
    consumed: dict[str, Any] | None = None
    share: bool | None = None


class Results(Params, frozen=True, kw_only=True):
    claim: str
    results: tuple[Result, ...]


class Alternatives(Params, frozen=True, kw_only=True):
    claim: str
    alternatives: tuple[tuple[Result, ...], ...]


class Consumes(Params, frozen=True, kw_only=True):
    claim: str
    capacity: dict[str, Any]


class Devices(Params, frozen=True, kw_only=True):
    claim: str
    count: int


class Because(Params, frozen=True, kw_only=True):
    category: str


def _allocate(case: CaseBuilder, params: Allocate) -> None:
    case.ask(params.claims, params.node)


def _check(then: ExpectationBuilder, claim: str, match: Match, **rest: Any) -> None:
    then.decide({Outcome.ALLOCATED})
    then.checks.append(Check(claim_key(claim), match, step=len(then.steps) - 1, **rest))


def _allocated(then: ExpectationBuilder, params: str) -> None:
    _check(then, params, Match.VALID)


def _gets(then: ExpectationBuilder, params: Results) -> None:
    _check(then, params.claim, Match.EXACT, alternatives=(_results(params.results),))


def _has(then: ExpectationBuilder, params: Results) -> None:
    _check(then, params.claim, Match.VALID, alternatives=(_results(params.results),))


def _gets_one_of(then: ExpectationBuilder, params: Alternatives) -> None:
    _check(then, params.claim, Match.ONE_OF, alternatives=tuple(_results(one) for one in params.alternatives))


def _consumes(then: ExpectationBuilder, params: Consumes) -> None:
    expected = ExpectedResult(consumes=_texts(params.capacity))
    _check(then, params.claim, Match.VALID, alternatives=((expected,),))


def _devices(then: ExpectationBuilder, params: Devices) -> None:
    _check(then, params.claim, Match.COUNT, count=params.count)


def _results(results: tuple[Result, ...]) -> tuple[ExpectedResult, ...]:
    return tuple(
        ExpectedResult(
            request=one.request,
            device=one.device,
            pool=one.pool,
            driver=one.driver,
            consumed=None if one.consumed is None else _texts(one.consumed),
            share=one.share,
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


def _refusal(*outcomes: Outcome) -> Any:
    def apply(then: ExpectationBuilder, params: Because | bool) -> None:
        category = params.category if isinstance(params, Because) else None
        if params is False:
            raise StepError("is false, expected true or a category")
        if category is not None and category not in set(Category):
            known = ", ".join(one.value for one in Category)
            raise StepError(f"category {category!r} is unknown, expected one of {known}")
        then.decide(outcomes, category)

    return apply


def _together(found: re.Match[str], _: Table, __: str) -> Json:
    return {"claims": listed(found["claims"]), "node": found["node"] or ""}


def _result(row: dict[str, str]) -> Json:
    made: dict[str, Json] = dict(plain(row, "consumed"))
    made.pop("choice", None)
    if "share" in made:
        made["share"] = flag(made["share"])
    consumed = columns(row, "consumed")
    if consumed:
        made["consumed"] = consumed
    return made


def _result_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    return {"claim": found["claim"], "results": [_result(dict(row)) for row in rows]}


def _choice_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    choices: dict[str, list[Json]] = {}
    for row in rows:
        choices.setdefault(row.get("choice", ""), []).append(_result(dict(row)))
    return {"claim": found["claim"], "alternatives": list(choices.values())}


def _because(found: re.Match[str], _: Table, __: str) -> Json:
    return {"category": found["category"]} if found["category"] else True


DECISION: tuple[Step, ...] = (
    Step(
        "when",
        "allocate",
        Allocate,
        (
            phrase('claim "{claims}" is allocated[ on node "{node}"]', _together),
            phrase('the claims "{claims}" are allocated together[ on node "{node}"]', _together),
        ),
        _allocate,
    ),
    Step(
        "then",
        "allocated",
        str,
        (phrase('claim "{claim}" is allocated', lambda found, _, __: found["claim"]),),
        _allocated,
    ),
    Step("then", "gets", Results, (phrase('claim "{claim}" gets exactly', _result_rows),), _gets),
    Step(
        "then",
        "gets-one-of",
        Alternatives,
        (phrase('claim "{claim}" gets one of', _choice_rows),),
        _gets_one_of,
    ),
    Step("then", "has", Results, (phrase('claim "{claim}" has the result[s]', _result_rows),), _has),
    Step(
        "then",
        "consumes",
        Consumes,
        (
            phrase(
                'claim "{claim}" consumes {amounts}',
                lambda found, _, __: {"claim": found["claim"], "capacity": amounts(found["amounts"])},
                amounts=AMOUNTS,
            ),
        ),
        _consumes,
    ),
    Step(
        "then",
        "devices",
        Devices,
        (
            phrase(
                'claim "{claim}" gets {count} device[s]',
                lambda found, _, __: {"claim": found["claim"], "count": int(found["count"])},
                count="[0-9]+",
            ),
        ),
        _devices,
    ),
    Step(
        "then",
        "nothing-fits",
        Because | bool,
        (phrase("nothing fits[ because of {category}]", _because, category="[A-Za-z]+"),),
        _refusal(Outcome.UNALLOCATABLE),
    ),
    Step(
        "then",
        "error",
        Because | bool,
        (phrase("the allocation ends in an error[ because of {category}]", _because, category="[A-Za-z]+"),),
        _refusal(Outcome.ERRORED),
    ),
    Step(
        "then",
        "not-allocated",
        Because | bool,
        (phrase("nothing is allocated[ because of {category}]", _because, category="[A-Za-z]+"),),
        _refusal(*_REFUSALS),
    ),
)
"""The when and then steps."""
