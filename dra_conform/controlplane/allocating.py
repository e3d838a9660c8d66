"""The operation `allocate`: call the built-in allocator, and return the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dra_conform.allocator import Allocated, Allocator, Decision, Failed, FailureReason, Unallocatable
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Node
from dra_conform.kube.objects import DecodeErrors, decode, encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import ResourceClaim

Json = Any

_COLLECTIONS = ("nodes", "deviceClasses", "resourceSlices", "resourceClaims", "deviceTaintRules")


@dataclass(frozen=True, slots=True)
class MalformedInput:
    """The input is malformed, so that there was no search; `problems` are the wrong fields."""

    problems: tuple[str, ...]


def allocate(
    objects: Mapping[str, Sequence[Json]],
    ask: Mapping[str, Json],
    profile: Profile,
    seed: int = 0,
    columns: ColumnUse = ColumnUse.BY_SIZE,
) -> dict[str, Json]:
    """Allocate the claims `ask["claims"]` on the node `ask["node"]`, and return the body of a `result`.

    Raises KeyError for a node or claim that is not among the objects.
    """
    decision = decide(objects, ask, profile, seed=seed, columns=columns)
    if isinstance(decision, Unallocatable):
        # The reasons come from a second, exhaustive search; if that one fails, the first decision stays.
        explained = decide(objects, ask, profile, seed=seed, explain=True, columns=columns)
        if not isinstance(explained, MalformedInput):
            decision = replace(decision, trace=explained.trace)
    match decision:
        case Allocated(allocations=allocations, steps=steps):
            encoded = dict(zip(ask["claims"], map(encode, allocations), strict=True))
            return {"outcome": "allocated", "allocations": encoded, "steps": steps}
        case Unallocatable(reasons=reasons, trace=trace):
            return {"outcome": "unallocatable", "reasons": [_reason(refusal) for refusal in reasons or trace]}
        case Failed(category=category, message=message):
            return {"outcome": "errored", "reasons": [{"category": category, "message": message}]}
        case MalformedInput(problems=problems):
            invalid = [{"category": "FieldInvalid", "message": problem} for problem in problems]
            return {"outcome": "rejected", "reasons": invalid}


def _reason(refusal: FailureReason) -> dict[str, str]:
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
    """Allocate claims with the built-in allocator.

    `explain`: search exhaustively, so that the decision has all reasons. Raises KeyError for a node or claim
    that is not among the objects.
    """
    try:
        decoded = {name: [decode(raw) for raw in objects.get(name, ())] for name in _COLLECTIONS}
    except DecodeErrors as errors:
        return MalformedInput(tuple(str(problem) for problem in errors.problems))
    claims: dict[str, ResourceClaim] = {claim.key: claim for claim in decoded["resourceClaims"]}
    nodes: dict[str, Node] = {node.metadata.name: node for node in decoded["nodes"]}
    requested = ask["claims"]
    allocated = [
        claim for key, claim in claims.items() if key not in requested and claim.allocation is not None
    ]
    allocator = Allocator(
        decoded["resourceSlices"],
        decoded["deviceClasses"],
        profile=profile,
        taint_rules=decoded["deviceTaintRules"],
        seed=seed,
        columns=columns,
    )
    decision: Decision = allocator.allocate(
        nodes[ask["node"]], [claims[key] for key in requested], allocated, explain=explain
    )
    return decision
