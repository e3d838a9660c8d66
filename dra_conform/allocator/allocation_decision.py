"""The allocator's decision on claims: allocated, unallocatable, or ended by an error."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.allocator.failure_reasons import FailureReason
from dra_conform.kube.category import Category
from dra_conform.kube.resource import AllocationResult


@dataclass(frozen=True, slots=True)
class Allocated:
    """All claims can be allocated.

    `allocations` has one entry per claim, in the order of the claims. `steps` counts the steps of the search.
    """

    allocations: tuple[AllocationResult, ...]
    trace: tuple[FailureReason, ...] = ()
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Unallocatable:
    """The claims are valid, but cannot all be allocated. `reasons` and `trace` need `explain`."""

    reasons: tuple[FailureReason, ...] = ()
    trace: tuple[FailureReason, ...] = ()
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Failed:
    """An error ended the allocation, such as a CEL runtime error or a DeviceClass that does not exist."""

    category: Category
    message: str
    trace: tuple[FailureReason, ...] = ()
    steps: int = 0


Decision = Allocated | Unallocatable | Failed


class Stop(Exception):  # noqa: N818 - it carries a decision to the caller, like StopIteration a value
    """An error that ends the allocation; caught inside the allocator."""

    def __init__(self, decision: Failed) -> None:
        super().__init__(decision)
        self.decision = decision
