"""The built-in allocator: claims, a node and the state in; allocations, nothing fits, or an error out."""

from dra_conform.allocator.allocator import Allocator
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.decision import Allocated, Decision, Failed, Unallocatable
from dra_conform.allocator.explain import Refusal
from dra_conform.allocator.session import Session

__all__ = [
    "Allocated",
    "Allocator",
    "Behaviour",
    "Decision",
    "Failed",
    "Refusal",
    "Session",
    "Unallocatable",
]
