"""A world, an answer to it, and what of the answer is wrong: the tables that the tests of invariants are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dra_conform.conformance.allocate.answer import AllocationAnswer
from dra_conform.conformance.verdict import Kind, Verdict
from tests.support.conformance.allocate.judging import case_of, judged, rules

Json = Any


@dataclass(frozen=True)
class Trial:
    """An answer in a world. `broken` are the invariants it breaks; `says` stands in what is said of them."""

    world: str
    answer: AllocationAnswer
    broken: frozenset[str] = frozenset()
    says: str = ""
    profile: str = "kep"
    gates: Mapping[str, bool] | None = None
    claims: tuple[str, ...] = ("c",)
    node: str = ""


def right(world: str, answer: AllocationAnswer, profile: str = "kep", **more: Any) -> Trial:
    """An answer without fault."""
    return Trial(world, answer, profile=profile, **more)


def wrong(
    world: str, answer: AllocationAnswer, broken: str, says: str = "", profile: str = "kep", **more: Any
) -> Trial:
    """An answer that breaks these invariants, written with spaces between."""
    return Trial(world, answer, frozenset(broken.split()), says, profile, **more)


def check(trial: Trial) -> None:
    """Judge the answer and compare."""
    gates = "".join(
        f"\n- featureGates: {{{gate}: {str(on).lower()}}}" for gate, on in (trial.gates or {}).items()
    )
    case = case_of(trial.world + gates, claims=trial.claims, node=trial.node)
    judgement = judged(case, trial.answer, trial.profile)
    said = "\n".join(finding.message for finding in judgement.findings)
    assert rules(judgement) == trial.broken, said
    if trial.broken:
        assert (judgement.verdict, judgement.kind) == (Verdict.FAIL, Kind.INVALID_ALLOCATION)
        assert trial.says in said
    else:
        assert (judgement.verdict, judgement.kind) == (Verdict.PASS, None)


def only_on(answer: AllocationAnswer, *names: str) -> AllocationAnswer:
    """The answer with a node selector for nodes of these names in each allocation."""
    terms = [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]} for name in names
    ]
    return with_fields(answer, nodeSelector={"nodeSelectorTerms": terms})


def with_fields(answer: AllocationAnswer, **fields: Json) -> AllocationAnswer:
    """The answer with further fields in each allocation."""
    changed = {key: {**allocation, **fields} for key, allocation in answer.allocations.items()}
    return replace(answer, allocations=changed)


def configured(answer: AllocationAnswer, *entries: Json) -> AllocationAnswer:
    """The answer with a configuration in each allocation."""
    changed: dict[str, Sequence[Json] | Json] = {}
    for key, allocation in answer.allocations.items():
        changed[key] = {**allocation, "devices": {**allocation["devices"], "config": list(entries)}}
    return replace(answer, allocations=changed)
