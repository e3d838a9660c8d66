"""Explanations of the built-in allocator's answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from dra_conform.allocator import Allocated, Failed, Refusal, Unallocatable
from dra_conform.allocator.device_choices import CHOSEN_ELSEWHERE
from dra_conform.allocator.grouped_refusals import grouped, reason_lines
from dra_conform.conformance.implementation import Request
from dra_conform.controlplane.allocating import MalformedInput, decide
from dra_conform.kube.category import Category
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceRequestAllocationResult


def explain(request: Request) -> tuple[str, ...]:
    """What the built-in allocator decides for a case, then what refused each device that was not taken.

    A case it cannot judge is said to be so; nothing is raised.
    """
    try:
        decision = decide(request.objects, request.ask, request.profile, seed=request.seed, explain=True)
    except KeyError as error:
        return (f"the case names {error.args[0]!r}, which is not among its objects",)
    match decision:
        case Allocated(allocations=allocations, trace=trace):
            given = [
                (claim, result)
                for claim, allocation in zip(request.ask["claims"], allocations, strict=True)
                for result in allocation.devices.results
            ]
            chosen = tuple(
                f"claim {claim}, request {result.request}: "
                f"takes {result.driver}/{result.pool}/{result.device}{_consumed(result.consumed_capacity)}"
                for claim, result in given
            )
            taken = {(claim, result.request, _device(result)) for claim, result in given}
            return (*chosen, *reason_lines(grouped(_not_taken(trace, taken))))
        case Unallocatable(reasons=reasons, trace=trace):
            return ("nothing fits", *reason_lines(grouped(_final(trace or reasons))))
        case Failed(category=category, message=message, trace=trace):
            ending = f"the allocation ends in an error: {category}: {message}"
            return (ending, *reason_lines(grouped(_final(trace))))
        case MalformedInput(problems=problems):
            return tuple(f"rejected before any search: {problem}" for problem in problems)


def _device(result: DeviceRequestAllocationResult) -> str:
    return f"{result.driver}/{result.pool}/{result.device}"


def _not_taken(trace: Iterable[Refusal], taken: Set[tuple[str, str, str]]) -> Iterator[Refusal]:
    """The refusals of devices that a request does without in the end, not those of branches left behind.

    That a device was chosen for another request counts if that request keeps it.
    """
    kept = {device for _, _, device in taken}
    for one in _final(trace):
        gone = one.category is Category.DEVICE_IN_USE and one.message == CHOSEN_ELSEWHERE
        if (
            one.device
            and (one.claim, one.request, one.device) not in taken
            and (not gone or one.device in kept)
        ):
            yield one


def _final(trace: Iterable[Refusal]) -> Iterator[Refusal]:
    """Of each device the refusals that hold whatever else is chosen, where there are any, else all."""
    found = list(trace)
    for_good = {(one.claim, one.request, one.device) for one in found if one.category in _FOR_GOOD}
    for one in found:
        if one.category in _FOR_GOOD or (one.claim, one.request, one.device) not in for_good:
            yield one


_FOR_GOOD = frozenset(
    {
        Category.SELECTOR_NOT_MATCHED,
        Category.NODE_MISMATCH,
        Category.FEATURE_DISABLED,
        Category.CAPACITY_NOT_DECLARED,
        Category.CAPACITY_POLICY_VIOLATION,
        Category.TAINT_NOT_TOLERATED,
    }
)
"""Reasons that lie in device, node and request alone."""


def _consumed(capacity: dict[str, Quantity] | None) -> str:
    return f", consuming {', '.join(f'{n} {q}' for n, q in capacity.items())}" if capacity else ""
