"""Constructors of cases and answers for tests of the judge."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import yaml

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.case import Case, Source
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.steps.lookup import WrittenStep
from dra_conform.conformance.suite.composition import (
    CaseHeader,
    DeviationSteps,
    WrittenCaseStep,
    compose,
    step_by_key,
)
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json

ALLOCATE = Allocate()


class _Place:
    def error(self, path: Sequence[str | int], message: str) -> InputError:
        return InputError("a test", None, "/".join(map(str, path)), message)


def _said(keyword: str, steps: Iterable[Mapping[str, Json]]) -> list[WrittenStep]:
    return [
        WrittenStep(step_by_key(keyword, key, OPERATIONS["allocate"]), params, f"{key}: {params}", _Place())
        for step in steps
        for key, params in step.items()
    ]


def case_of(
    given: str | Sequence[Mapping[str, Json]],
    *,
    claims: Sequence[str] = ("c",),
    node: str = "",
    then: str = "[{allocated: c}]",
    deviations: Mapping[str, str] | None = None,
    order: bool = False,
    name: str = "trial/one",
) -> Case:
    """Return a case with steps as in a golden file. `deviations` are the `then` steps by deviating profile."""
    [when] = _said("when", [{"allocate": {"resourceClaims": list(claims), "node": node}}])
    act = WrittenCaseStep(
        _Place(),
        when,
        tuple(_said("then", yaml.safe_load(then))),
        tuple(
            DeviationSteps(frozenset({profile}), "it is so", tuple(_said("then", yaml.safe_load(text))))
            for profile, text in (deviations or {}).items()
        ),
    )
    head = CaseHeader(
        name, "A trial", Source("golden/trial.yaml", 1), "golden", ("KEP-5075/a/b",), order=order
    )
    return compose(
        head,
        _Place(),
        _said("given", yaml.safe_load(given) if isinstance(given, str) else given),
        [act],
        lambda name: [],
    )


def uid(number: int) -> str:
    """Return the share ID of a number."""
    return str(uuid.UUID(int=(4 << 76) | (2 << 62) | (0xAB << 96) | number))


def dedicated(device: str, *, request: str = "r0", pool: str = "pool-1", **fields: Json) -> Json:
    """Return a result with an exclusively allocated device and further fields."""
    return {"request": request, "driver": "dra.example.com", "pool": pool, "device": device, **fields}


def share(
    device: str, number: int = 1, *, request: str = "r0", pool: str = "pool-1", **consumed: str
) -> Json:
    """Return a result with a shared allocation."""
    return dedicated(device, request=request, pool=pool, shareID=uid(number), consumedCapacity=dict(consumed))


def allocated(*results: Json, **others: Sequence[Json]) -> AllocationAnswer:
    """Return an answer with the results of claim `c`, and of other claims by name."""
    claims = {"c": results, **others}
    return AllocationAnswer(
        Outcome.ALLOCATED,
        {f"default/{name}": {"devices": {"results": list(found)}} for name, found in claims.items()},
    )


def judged(case: Case, answer: AllocationAnswer, profile: str = "kep", *, strict: bool = False) -> Judgement:
    """Return the judgement in a profile, with the gates that the case needs.

    If there is only one node, it is added to allocations without a node selector.
    """
    if len(case.objects["nodes"]) == 1:
        answer = replace(answer, allocations=_for_node(case.ask["node"], answer.allocations))
    return ALLOCATE.judge(case, profile_of(case, profile)[0], case.expected(profile), answer, strict=strict)


def _for_node(name: str, allocations: Mapping[str, Json]) -> Mapping[str, Json]:
    fields = [{"key": "metadata.name", "operator": "In", "values": [name]}]
    selector = {"nodeSelectorTerms": [{"matchFields": fields}]}
    return {
        key: {"nodeSelector": selector, **allocation} if isinstance(allocation, dict) else allocation
        for key, allocation in allocations.items()
    }


def rules(judgement: Judgement) -> set[str]:
    """Return the names of the violated invariants."""
    return {finding.rule for finding in judgement.findings}
