"""Rows of the tests of invariants: a setup, an answer, and the invariants that the answer violates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dra_conform.conformance.allocate.answer import AllocationAnswer
from dra_conform.conformance.verdict import Kind, Verdict
from dra_conform.kube.json_values import Json
from tests.support.conformance.allocate.judging import case_of, judged, rules


@dataclass(frozen=True)
class Trial:
    """Answer to a setup. `broken` are the invariants that it violates, `says` is part of their messages."""

    world: str
    answer: AllocationAnswer
    broken: frozenset[str] = frozenset()
    says: str = ""
    profile: str = "kep"
    gates: Mapping[str, bool] | None = None
    claims: tuple[str, ...] = ("c",)
    node: str = ""


def right(world: str, answer: AllocationAnswer, profile: str = "kep", **more: Any) -> Trial:
    """Return the trial of a correct answer."""
    return Trial(world, answer, profile=profile, **more)


def wrong(
    world: str, answer: AllocationAnswer, broken: str, says: str = "", profile: str = "kep", **more: Any
) -> Trial:
    """Return the trial of an answer that violates these invariants, separated by spaces."""
    return Trial(world, answer, frozenset(broken.split()), says, profile, **more)


def check(trial: Trial) -> None:
    """Judge the answer, and compare the violated invariants."""
    gates = "".join(
        f"\n- featureGates: {{{gate}: {str(on).lower()}}}" for gate, on in (trial.gates or {}).items()
    )
    case = case_of(trial.world + gates, claims=trial.claims, node=trial.node)
    judgement = judged(case, trial.answer, trial.profile)
    messages = "\n".join(finding.message for finding in judgement.findings)
    assert rules(judgement) == trial.broken, messages
    if trial.broken:
        assert (judgement.verdict, judgement.kind) == (Verdict.FAIL, Kind.INVALID_ALLOCATION)
        assert trial.says in messages
    else:
        assert (judgement.verdict, judgement.kind) == (Verdict.PASS, None)


def only_on(answer: AllocationAnswer, *names: str) -> AllocationAnswer:
    """Return the answer with a node selector for nodes of these names in each allocation."""
    terms = [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]} for name in names
    ]
    return with_fields(answer, nodeSelector={"nodeSelectorTerms": terms})


def with_fields(answer: AllocationAnswer, **fields: Json) -> AllocationAnswer:
    """Return the answer with further fields in each allocation."""
    changed = {key: {**allocation, **fields} for key, allocation in answer.allocations.items()}
    return replace(answer, allocations=changed)


def configured(answer: AllocationAnswer, *entries: Json) -> AllocationAnswer:
    """Return the answer with a configuration in each allocation."""
    changed: dict[str, Sequence[Json] | Json] = {}
    for key, allocation in answer.allocations.items():
        changed[key] = {**allocation, "devices": {**allocation["devices"], "config": list(entries)}}
    return replace(answer, allocations=changed)
