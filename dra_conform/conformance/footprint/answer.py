"""The node resource usage that an implementation computed, and its form in the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

import msgspec

from dra_conform.kube.json_values import Json, UncheckedJson


class FootprintErrorReason(StrEnum):
    """The reason why the node resource usage of a pod cannot be computed."""

    OVER_BUDGET = "OverBudget"
    """Containers and ResourceClaims use more than the pod-level requests."""
    CLAIM_SHARED = "ClaimShared"
    """Another pod uses a ResourceClaim that maps to node allocatable resources."""
    CLAIM_UNREFERENCED = "ClaimUnreferenced"
    """No container uses a ResourceClaim that maps to node allocatable resources."""
    CLAIM_NOT_ALLOCATED = "ClaimNotAllocated"
    CAPACITY_UNKNOWN = "CapacityUnknown"
    """The consumed quantity of a mapped capacity is unknown."""
    POLICY_MISSING = "PolicyMissing"
    """Neither the device nor its DeviceClass has an accounting policy for a resource."""
    POLICIES_CONFLICT = "PoliciesConflict"
    """The ResourceClaims of a container have conflicting accounting policies for a resource."""


@dataclass(frozen=True, slots=True)
class ClaimUsage:
    """The node resource usage of one ResourceClaim, as in the pod status. Quantities keep their notation.

    `overhead` has `perPod` and `perContainer` by resource.
    """

    claim: str
    containers: tuple[str, ...] = ()
    resources: Mapping[str, str] = field(default_factory=dict)
    overhead: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FootprintAnswer:
    """The usage by resource and by ResourceClaim, or why it cannot be computed."""

    resources: Mapping[str, str] | None = None
    claims: tuple[ClaimUsage, ...] = ()
    error: FootprintErrorReason | None = None
    message: str = ""


class _ClaimUsage(msgspec.Struct):
    claim: str
    containers: list[str] | None = None
    resources: dict[str, str] = {}
    overhead: dict[str, dict[str, str]] = {}


class _Counted(msgspec.Struct):
    outcome: Literal["counted"]
    resources: dict[str, str]
    claims: list[_ClaimUsage] = []


class _Error(msgspec.Struct):
    outcome: Literal["refused"]
    reason: FootprintErrorReason
    message: str = ""


def read(body: Mapping[str, UncheckedJson]) -> FootprintAnswer:
    """Return the answer in the body of a `result` with status ok; raises ValueError if it is malformed."""
    if "outcome" not in body:
        raise ValueError("the reply has status ok but no outcome, expected an outcome")
    if body["outcome"] == "refused":
        error = msgspec.convert(body, _Error)
        return FootprintAnswer(error=error.reason, message=error.message)
    counted = msgspec.convert(body, _Counted)
    claims = (
        ClaimUsage(usage.claim, tuple(usage.containers or ()), usage.resources, usage.overhead)
        for usage in counted.claims
    )
    return FootprintAnswer(counted.resources, tuple(claims))


def write(answer: FootprintAnswer) -> dict[str, Json]:
    """Return the body of a `result` without its status."""
    if answer.error is not None:
        return {"outcome": "refused", "reason": answer.error.value, "message": answer.message}
    claims = [
        {
            "claim": usage.claim,
            "containers": list(usage.containers),
            "resources": dict(usage.resources),
            **(
                {"overhead": {name: dict(amounts) for name, amounts in usage.overhead.items()}}
                if usage.overhead
                else {}
            ),
        }
        for usage in answer.claims
    ]
    return {"outcome": "counted", "resources": dict(answer.resources or {}), "claims": claims}
