"""What an implementation decides about an allocation: an outcome, never a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = Any


class Outcome(StrEnum):
    """What the implementation decided."""

    ALLOCATED = "allocated"
    UNALLOCATABLE = "unallocatable"
    """The input is fine and nothing fits."""
    REJECTED = "rejected"
    """The input is refused before any search."""
    ERRORED = "errored"
    """The implementation reports an error for this input, such as a CEL runtime error."""


class Category(StrEnum):
    """Why something was refused: a closed list, so that reasons compare without prose."""

    CLASS_NOT_FOUND = "ClassNotFound"
    SELECTOR_COMPILE_ERROR = "SelectorCompileError"
    SELECTOR_RUNTIME_ERROR = "SelectorRuntimeError"
    SELECTOR_NOT_MATCHED = "SelectorNotMatched"
    ATTRIBUTE_MISSING = "AttributeMissing"
    CONSTRAINT_UNSATISFIED = "ConstraintUnsatisfied"
    CONSTRAINT_INVALID = "ConstraintInvalid"
    INSUFFICIENT_DEVICES = "InsufficientDevices"
    INSUFFICIENT_CAPACITY = "InsufficientCapacity"
    CAPACITY_NOT_DECLARED = "CapacityNotDeclared"
    CAPACITY_POLICY_VIOLATION = "CapacityPolicyViolation"
    COUNTER_EXHAUSTED = "CounterExhausted"
    INCOMPATIBLE_GROUP = "IncompatibleGroup"
    TAINT_NOT_TOLERATED = "TaintNotTolerated"
    DEVICE_IN_USE = "DeviceInUse"
    NODE_MISMATCH = "NodeMismatch"
    POOL_INCOMPLETE = "PoolIncomplete"
    POOL_INVALID = "PoolInvalid"
    CLAIM_LIMIT_EXCEEDED = "ClaimLimitExceeded"
    FEATURE_DISABLED = "FeatureDisabled"
    UNSUPPORTED_REQUEST = "UnsupportedRequest"
    FIELD_INVALID = "FieldInvalid"
    OTHER = "Other"


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason of a refusal. Only `category` is ever compared; `message` is for people."""

    category: str
    phase: str = ""
    scope: str = ""
    subject: str = ""
    path: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class AllocationAnswer:
    """What an implementation decided.

    `allocations` maps `namespace/name` of each claim to its `status.allocation`, JSON as in the API;
    empty unless the outcome is `allocated`.
    """

    outcome: Outcome
    allocations: Mapping[str, Json] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
