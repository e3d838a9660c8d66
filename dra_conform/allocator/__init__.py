"""The built-in allocator: allocates the devices of a node to ResourceClaims, or says why it cannot."""

from dra_conform.allocator.allocation_decision import (
    Allocated,
    Decision,
    Failed,
    FailureReason,
    Unallocatable,
)
from dra_conform.allocator.allocation_session import AllocationSession
from dra_conform.allocator.allocator import Allocator

__all__ = [
    "Allocated",
    "AllocationSession",
    "Allocator",
    "Decision",
    "Failed",
    "FailureReason",
    "Unallocatable",
]
