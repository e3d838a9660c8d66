"""The when step and the then steps: what is asked, and what is right."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from dra_conform.conformance.allocate.answer import REFUSALS, Outcome
from dra_conform.conformance.allocate.expectation import (
    AllocationExpectationBuilder,
    Check,
    ExpectedConfiguration,
    ExpectedResult,
    MatchMode,
)
from dra_conform.conformance.allocate.posing import attempt
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
from dra_conform.conformance.steps.table_cells import columns, flag, plain
from dra_conform.kube.category import Category
from dra_conform.kube.json_writing import encode_json
from dra_conform.kube.quantity import Quantity, QuantityError


def _allocate(given: Given, params: Allocate) -> Json:
    return attempt(given, params.claims, params.node)


def _check(then: AllocationExpectationBuilder, claim: str, match: MatchMode, **rest: Any) -> None:
    then.decide({Outcome.ALLOCATED})
    then.checks.append(Check(claim_key(claim), match, step=len(then.steps) - 1, **rest))


def _allocated(then: AllocationExpectationBuilder, params: str) -> None:
    _check(then, params, MatchMode.VALID)


def _gets(then: AllocationExpectationBuilder, params: ClaimResults) -> None:
    _check(then, params.claim, MatchMode.EXACT, choices=(_results(params.results),))


def _has(then: AllocationExpectationBuilder, params: ClaimResults) -> None:
    _check(then, params.claim, MatchMode.VALID, choices=(_results(params.results),))


def _gets_one_of(then: AllocationExpectationBuilder, params: ClaimChoices) -> None:
    _check(then, params.claim, MatchMode.ONE_OF, choices=tuple(_results(one) for one in params.choices))


def _consumes(then: AllocationExpectationBuilder, params: Consumes) -> None:
    expected = ExpectedResult(consumes=_texts(params.capacity))
    _check(then, params.claim, MatchMode.VALID, choices=((expected,),))


def _devices(then: AllocationExpectationBuilder, params: DeviceCount) -> None:
    _check(then, params.claim, MatchMode.COUNT, count=params.count)


def _usable_on(then: AllocationExpectationBuilder, params: UsableOn) -> None:
    _check(then, params.claim, MatchMode.VALID, nodes=frozenset(params.nodes))


def _configured(then: AllocationExpectationBuilder, params: Configured) -> None:
    entries = tuple(
        ExpectedConfiguration(one.source, _as_answered(one.parameters), one.requests)
        for one in params.entries
    )
    _check(then, params.claim, MatchMode.VALID, config=entries)


def _as_answered(parameters: dict[str, Any]) -> Any:
    """Parameters with numbers as an answer has them: a fraction of a case is text until it is JSON."""
    return msgspec.json.decode(encode_json(parameters))


def _results(results: tuple[ResultFacts, ...]) -> tuple[ExpectedResult, ...]:
    return tuple(
        ExpectedResult(
            request=one.request,
            device=one.device,
            pool=one.pool,
            driver=one.driver,
            consumed=None if one.consumed is None else _texts(one.consumed),
            share=one.share,
            admin=one.admin,
            groups=one.groups,
            binding=one.binding,
            failure=one.failure,
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
    def apply(then: AllocationExpectationBuilder, params: Because | bool) -> None:
        category = params.category if isinstance(params, Because) else None
        if params is False:
            raise StepError("is false, expected true or a category")
        if category is not None and category not in set(Category):
            known = ", ".join(one.value for one in Category)
            raise StepError(f"category {category!r} is unknown, expected one of {known}")
        then.decide(outcomes, category)

    return apply


def _may_be_refused(then: AllocationExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide({Outcome.ALLOCATED})
    then.may_be_refused = True


def _together(found: re.Match[str], _: Table, __: str) -> Json:
    return {"claims": listed(found["claims"]), "node": found["node"] or ""}


def _result(row: dict[str, str]) -> Json:
    made: dict[str, Json] = dict(plain(row, "consumed", "groups"))
    made.pop("choice", None)
    for name in ("share", "admin"):
        if name in made:
            made[name] = flag(made[name])
    for name in ("binding", "failure"):
        if name in made:
            made[name] = listed(made[name])
    groups = columns(row, "groups")
    if groups:
        made["groups"] = {name: listed(text) for name, text in groups.items()}
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
    return {"claim": found["claim"], "choices": list(choices.values())}


def _entry_rows(found: re.Match[str], rows: Table, _: str) -> Json:
    entries = [
        {
            "source": row.get("source", ""),
            "parameters": {"profile": row.get("profile", "")},
            "requests": listed(row.get("requests", "")),
        }
        for row in rows
    ]
    return {"claim": found["claim"], "entries": entries}


def _because(found: re.Match[str], _: Table, __: str) -> Json:
    return {"category": found["category"]} if found["category"] else True


STEPS: tuple[Step, ...] = (
    Step(
        "when",
        "allocate",
        Allocate,
        (
            phrase('allocation of claim "{claims}"[ on node "{node}"] is attempted', _together),
            phrase('allocation of the claims "{claims}" together[ on node "{node}"] is attempted', _together),
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
    Step("then", "gets", ClaimResults, (phrase('claim "{claim}" gets exactly', _result_rows),), _gets),
    Step(
        "then",
        "gets-one-of",
        ClaimChoices,
        (phrase('claim "{claim}" gets one of', _choice_rows),),
        _gets_one_of,
    ),
    Step("then", "has", ClaimResults, (phrase('claim "{claim}" has the result[s]', _result_rows),), _has),
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
        DeviceCount,
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
        "usable-on",
        UsableOn,
        (
            phrase(
                'claim "{claim}" can be used on node[s] "{nodes}" only',
                lambda found, _, __: {"claim": found["claim"], "nodes": listed(found["nodes"])},
            ),
        ),
        _usable_on,
    ),
    Step(
        "then",
        "configured",
        Configured,
        (phrase('claim "{claim}" has the configuration', _entry_rows),),
        _configured,
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
        _refusal(*REFUSALS),
    ),
    Step(
        "then",
        "may-be-refused",
        bool,
        (phrase("it may also be refused", lambda *_: True),),
        _may_be_refused,
    ),
)
"""The when and then steps."""
