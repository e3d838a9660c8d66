"""The built-in implementation: allocator, API server and simulated cluster, with one method per operation,
and explanations of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from dra_conform import __version__
from dra_conform.allocator import Allocated, Failed, FailureReason, Unallocatable
from dra_conform.allocator.allocation_decision import chosen_for, grouped, reason_lines
from dra_conform.conformance.features import FEATURES, RESULT_PARTS
from dra_conform.conformance.implementation import Request
from dra_conform.kube.category import Category
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceRequestAllocationResult
from dra_conform.simulation.attempts import run_attempts
from dra_conform.simulation.footprinting import count
from dra_conform.simulation.parts import MalformedInput, admit, allocate, decide
from dra_conform.simulation.quotas import count_usage
from dra_conform.simulation.simulated_cluster import run_scenario

__all__ = ["Builtin", "builtin_with", "explain"]


class Builtin:
    """The implementation `builtin`, with a method for each operation as `python:` expects it."""

    name = "dra-conform built-in"
    version = __version__
    operations = ("allocate", "admit", "footprint", "usage", "schedule", "cluster")
    features = MappingProxyType(dict.fromkeys((*FEATURES, *RESULT_PARTS), "full"))

    allocate = staticmethod(allocate)
    admit = staticmethod(admit)
    footprint = staticmethod(count)
    usage = staticmethod(count_usage)
    schedule = staticmethod(run_attempts)
    cluster = staticmethod(run_scenario)


def builtin_with(columns: ColumnUse) -> type[Builtin]:
    """Return the built-in implementation that evaluates many rows as columns always, never, or by size.

    `columns` affects `allocate`, `footprint` and `usage`: selectors, request policies, the resource usage of
    pods, and quota usage.
    """
    operations: Mapping[str, Callable[..., object]] = {
        "allocate": allocate,
        "footprint": count,
        "usage": count_usage,
    }
    methods = {name: staticmethod(partial(method, columns=columns)) for name, method in operations.items()}
    return Builtin if columns is ColumnUse.BY_SIZE else type("Builtin", (Builtin,), methods)


def _explain_allocation(request: Request) -> tuple[str, ...]:
    """Return the decision of the built-in allocator for a case, then why each other device was not allocated.

    A malformed case gives a line that says what is wrong; no exception is raised.
    """
    try:
        decision = decide(request.objects, request.ask, request.profile, seed=request.seed, explain=True)
    except KeyError as error:
        return (f"unknown object {error.args[0]!r}, expected the name of an object in the setup of the case",)
    match decision:
        case Allocated(allocations=allocations, trace=trace):
            allocated = [
                (claim, result)
                for claim, allocation in zip(request.ask["claims"], allocations, strict=True)
                for result in allocation.devices.results
            ]
            chosen = tuple(
                f"claim {claim}, request {result.request}: "
                f"gets {result.driver}/{result.pool}/{result.device}{_consumed(result.consumed_capacity)}"
                for claim, result in allocated
            )
            taken = {(claim, result.request, _device(result)) for claim, result in allocated}
            return (*chosen, *reason_lines(grouped(_not_taken(trace, taken))))
        case Unallocatable(reasons=reasons, trace=trace):
            return ("no allocation is possible", *reason_lines(grouped(_final(trace or reasons))))
        case Failed(category=category, message=message, trace=trace):
            ending = f"the allocation ends in an error: {category}: {message}"
            return (ending, *reason_lines(grouped(_final(trace))))
        case MalformedInput(problems=problems):
            return tuple(f"rejected before any search: {problem}" for problem in problems)


def _device(result: DeviceRequestAllocationResult) -> str:
    return f"{result.driver}/{result.pool}/{result.device}"


def _not_taken(trace: Iterable[FailureReason], taken: Set[tuple[str, str, str]]) -> Iterator[FailureReason]:
    """Yield the reasons why other devices were not allocated to a request, without backtracked attempts.

    That the device was chosen for another request is a reason only if a request gets it in the end.
    """
    holders = {device: (claim, request) for claim, request, device in taken}
    for refusal in _final(trace):
        if not refusal.device or (refusal.claim, refusal.request, refusal.device) in taken:
            continue
        if not refusal.depends_on_search:
            yield refusal
        elif refusal.device in holders:
            holder, request = holders[refusal.device]
            yield replace(refusal, message=chosen_for(request, holder, refusal.claim))


def _final(trace: Iterable[FailureReason]) -> Iterator[FailureReason]:
    """Yield per device the reasons that no other choice of the search affects, or all if there are none."""
    refusals = list(trace)
    final = {
        (refusal.claim, refusal.request, refusal.device)
        for refusal in refusals
        if refusal.category in _FINAL_CATEGORIES
    }
    for refusal in refusals:
        key = (refusal.claim, refusal.request, refusal.device)
        if refusal.category in _FINAL_CATEGORIES or key not in final:
            yield refusal


_FINAL_CATEGORIES = frozenset(
    {
        Category.SELECTOR_NOT_MATCHED,
        Category.NODE_MISMATCH,
        Category.FEATURE_DISABLED,
        Category.CAPACITY_NOT_DECLARED,
        Category.CAPACITY_POLICY_VIOLATION,
        Category.TAINT_NOT_TOLERATED,
    }
)
"""Categories that depend only on device, node and request, not on other choices of the search."""


def _consumed(capacity: dict[str, Quantity] | None) -> str:
    return f", consuming {', '.join(f'{n} {q}' for n, q in capacity.items())}" if capacity else ""


_EXPLAIN: Mapping[str, Callable[[Request], tuple[str, ...]]] = {"allocate": _explain_allocation}


def explain(request: Request) -> tuple[str, ...]:
    """Return the lines that explain the built-in's answer; empty for operations without explanations."""
    explain_request = _EXPLAIN.get(request.operation)
    return explain_request(request) if explain_request else ()
