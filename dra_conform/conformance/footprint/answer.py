"""The node resource usage that an implementation computed, and its form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

import msgspec

Json = Any


class FootprintRefusal(StrEnum):
    """Why a pod has no footprint."""

    OVER_BUDGET = "OverBudget"
    """Containers and claims take more than the pod requests as a whole."""
    CLAIM_SHARED = "ClaimShared"
    """Another pod has a claim that takes something of the node."""
    CLAIM_UNREFERENCED = "ClaimUnreferenced"
    """No container uses a claim that takes something of the node."""
    CLAIM_NOT_ALLOCATED = "ClaimNotAllocated"
    CAPACITY_UNKNOWN = "CapacityUnknown"
    """What an allocation consumes of a mapped capacity is not known."""
    POLICY_MISSING = "PolicyMissing"
    """Neither the device nor its class says how an amount is counted."""
    POLICIES_CONFLICT = "PoliciesConflict"
    """The claims of a container count one resource in ways that exclude each other."""


@dataclass(frozen=True, slots=True)
class ClaimShare:
    """What one claim takes, as the entry of the pod's status has it. Amounts are as they were written.

    `overhead` has `perPod` and `perContainer` by resource.
    """

    claim: str
    containers: tuple[str, ...] = ()
    resources: Mapping[str, str] = field(default_factory=dict)
    overhead: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FootprintAnswer:
    """What is taken by resource, and by which claims; or why nothing is counted."""

    resources: Mapping[str, str] | None = None
    claims: tuple[ClaimShare, ...] = ()
    refusal: FootprintRefusal | None = None
    message: str = ""


class _Share(msgspec.Struct):
    claim: str
    containers: list[str] = []
    resources: dict[str, str] = {}
    overhead: dict[str, dict[str, str]] = {}


class _Counted(msgspec.Struct):
    outcome: Literal["counted"]
    resources: dict[str, str]
    claims: list[_Share] = []


class _Refused(msgspec.Struct):
    outcome: Literal["refused"]
    reason: FootprintRefusal
    message: str = ""


def read(body: Mapping[str, Json]) -> FootprintAnswer:
    """The answer in the body of a `result` with status ok; raises ValueError that says what is wrong."""
    if "outcome" not in body:
        raise ValueError("status ok without an outcome")
    if body["outcome"] == "refused":
        refused = msgspec.convert(body, _Refused)
        return FootprintAnswer(refusal=refused.reason, message=refused.message)
    counted = msgspec.convert(body, _Counted)
    claims = (
        ClaimShare(one.claim, tuple(one.containers), one.resources, one.overhead) for one in counted.claims
    )
    return FootprintAnswer(counted.resources, tuple(claims))


def write(answer: FootprintAnswer) -> dict[str, Json]:
    """The body of a `result` without its status."""
    if answer.refusal is not None:
        return {"outcome": "refused", "reason": answer.refusal.value, "message": answer.message}
    claims = [
        {
            "claim": one.claim,
            "containers": list(one.containers),
            "resources": dict(one.resources),
            **({"overhead": {name: dict(two) for name, two in one.overhead.items()}} if one.overhead else {}),
        }
        for one in answer.claims
    ]
    return {"outcome": "counted", "resources": dict(answer.resources or {}), "claims": claims}
