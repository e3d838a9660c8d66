"""The built-in answer to `allocate`: plain objects and a question in, the body of a `result` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dra_conform.allocator import Allocated, Allocator, Decision, Failed, Refusal, Unallocatable
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Node
from dra_conform.kube.objects import DecodeErrors, decode, encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import ResourceClaim

Json = Any

_COLLECTIONS = ("nodes", "deviceClasses", "resourceSlices", "resourceClaims", "deviceTaintRules")


@dataclass(frozen=True, slots=True)
class MalformedInput:
    """The input is refused before any search; `problems` are the fields that are wrong."""

    problems: tuple[str, ...]


def allocate(
    objects: Mapping[str, Sequence[Json]],
    ask: Mapping[str, Json],
    profile: Profile,
    seed: int = 0,
    columns: ColumnUse = ColumnUse.BY_SIZE,
) -> dict[str, Json]:
    """The body of a result; raises KeyError for a node or claim that is not among the objects."""
    decision = decide(objects, ask, profile, seed=seed, columns=columns)
    if isinstance(decision, Unallocatable):
        # Reasons come from a search that tries everything; it must not hide what the first one left out.
        explained = decide(objects, ask, profile, seed=seed, explain=True, columns=columns)
        if not isinstance(explained, MalformedInput):
            decision = replace(decision, trace=explained.trace)
    match decision:
        case Allocated(allocations=allocations, steps=steps):
            encoded = dict(zip(ask["claims"], map(encode, allocations), strict=True))
            return {"outcome": "allocated", "allocations": encoded, "steps": steps}
        case Unallocatable(reasons=reasons, trace=trace):
            return {"outcome": "unallocatable", "reasons": [_reason(r) for r in reasons or trace]}
        case Failed(category=category, message=message):
            return {"outcome": "errored", "reasons": [{"category": category, "message": message}]}
        case MalformedInput(problems=problems):
            said = [{"category": "FieldInvalid", "message": problem} for problem in problems]
            return {"outcome": "rejected", "reasons": said}


def _reason(refusal: Refusal) -> dict[str, str]:
    scope = "device" if refusal.device else "request" if refusal.request else "claim"
    subject = refusal.device or refusal.request or refusal.claim
    return {"category": refusal.category, "scope": scope, "subject": subject, "message": refusal.message}


def decide(
    objects: Mapping[str, Sequence[Json]],
    ask: Mapping[str, Json],
    profile: Profile,
    *,
    seed: int = 0,
    explain: bool = False,
    columns: ColumnUse = ColumnUse.BY_SIZE,
) -> Decision | MalformedInput:
    """Put plain API objects to the built-in allocator; raises KeyError for a node or claim not among them."""
    try:
        decoded = {name: [decode(raw) for raw in objects.get(name, ())] for name in _COLLECTIONS}
    except DecodeErrors as errors:
        return MalformedInput(tuple(str(problem) for problem in errors.problems))
    claims: dict[str, ResourceClaim] = {claim.key: claim for claim in decoded["resourceClaims"]}
    nodes: dict[str, Node] = {node.metadata.name: node for node in decoded["nodes"]}
    asked = ask["claims"]
    held = [claim for key, claim in claims.items() if key not in asked and claim.allocation is not None]
    allocator = Allocator(
        decoded["resourceSlices"],
        decoded["deviceClasses"],
        profile=profile,
        taint_rules=decoded["deviceTaintRules"],
        seed=seed,
        columns=columns,
    )
    decision: Decision = allocator.allocate(
        nodes[ask["node"]], [claims[key] for key in asked], held, explain=explain
    )
    return decision
