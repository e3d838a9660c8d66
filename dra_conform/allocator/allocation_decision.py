"""The decision of the allocator."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.allocator.refusals import Refusal
from dra_conform.kube.category import Category
from dra_conform.kube.resource import AllocationResult


@dataclass(frozen=True, slots=True)
class Allocated:
    """All claims fit; `allocations` in the order of the claims. `steps` counts the steps of the search."""

    allocations: tuple[AllocationResult, ...]
    trace: tuple[Refusal, ...] = ()
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Unallocatable:
    """Nothing fits, and nothing is wrong with the input. `reasons` and `trace` are there if asked for."""

    reasons: tuple[Refusal, ...] = ()
    trace: tuple[Refusal, ...] = ()
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Failed:
    """An error ends the allocation, such as a CEL runtime error or a class that does not exist."""

    category: Category
    message: str
    trace: tuple[Refusal, ...] = ()
    steps: int = 0


Decision = Allocated | Unallocatable | Failed


class Stop(Exception):  # noqa: N818 - it ends the search, whatever the reason
    """Ends an allocation with an error; never leaves the allocator."""

    def __init__(self, decision: Failed) -> None:
        super().__init__(decision)
        self.decision = decision
