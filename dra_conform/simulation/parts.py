"""The allocator and the admission of the simulated cluster, which another implementation can replace.

Both answer like the operations `allocate` and `admit`: with the body of a `result`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from dra_conform.allocator import Allocated, Allocator, Decision, Failed, FailureReason, Unallocatable
from dra_conform.apiserver import Admitted, Rejected, Surroundings, User, Verb, WriteRequest
from dra_conform.apiserver import admit as admit_write
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import DecodeErrors, decode, encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import ResourceClaim

T = TypeVar("T")

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


_ADMIN = User()
_DEFAULTS = Surroundings()


def admit(
    objects: Mapping[str, Sequence[Json]], ask: Mapping[str, Json], profile: Profile
) -> dict[str, Json]:
    """Decide on the write `ask`, and return the body of a `result`; raise ValueError for an unknown verb.

    Only the namespaces of `objects` are used.
    """
    user = ask.get("user")
    write = WriteRequest(
        Verb(ask["verb"]),
        ask["object"],
        ask.get("old"),
        ask.get("subresource", ""),
        User(user.get("name", _ADMIN.name), tuple(user.get("groups", _ADMIN.groups))) if user else _ADMIN,
    )
    surroundings = Surroundings.of(objects.get("namespaces", ()), ask.get("time", _DEFAULTS.time))
    match admit_write(write, surroundings, profile):
        case Admitted(object=stored, warnings=warnings):
            return {"outcome": "admitted", "object": stored, "warnings": list(warnings)}
        case Rejected(reason=reason, message=message, errors=errors):
            encoded = [
                {"path": error.path, "type": error.type, "value": error.value, "detail": error.detail}
                for error in errors
            ]
            return {"outcome": "rejected", "reason": reason, "message": message, "errors": encoded}


Objects = Mapping[str, Sequence[Json]]
"""v1 objects in JSON form by the name of their collection, such as `resourceClaims`."""


class NotSimulated(Exception):  # noqa: N818 - it reads as what happened
    """The scenario has an action that the cluster, or a replaced part of it, does not support."""


def executor_of(action: Mapping[str, Json], by_name: Mapping[str, T]) -> T:
    """Return what executes an action; raises NotSimulated for an unknown action."""
    name = action["do"]
    if name not in by_name:
        raise NotSimulated(f"unknown action {name!r}, expected one of {', '.join(by_name)}")
    return by_name[name]


class AllocatorPart(Protocol):
    """A function that answers the operation `allocate`; each call has another `seed`. Raises NotSimulated."""

    def __call__(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int
    ) -> Mapping[str, Json]: ...


class AdmissionPart(Protocol):
    """A function that answers the operation `admit`; raises NotSimulated."""

    def __call__(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> Mapping[str, Json]: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The allocator of the scheduler and the admission of the API server; both default to the built-in."""

    allocator: AllocatorPart = allocate
    admission: AdmissionPart = admit
