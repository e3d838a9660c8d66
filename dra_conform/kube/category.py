"""Categories of allocation failures, which implementations report and cases expect."""

from __future__ import annotations

from enum import StrEnum


class Category(StrEnum):
    """The category of a failure: a closed list, so that failures can be compared without their messages."""

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
