"""How the built-in allocator comes to its answer."""

from __future__ import annotations

from dra_conform.allocator import Allocated, Failed, Unallocatable
from dra_conform.conformance.implementation import Request
from dra_conform.controlplane.allocating import MalformedInput, decide
from dra_conform.kube.quantity import Quantity


def explain(request: Request) -> tuple[str, ...]:
    """The built-in allocator's trace of a case, one refusal a line, and how it ends.

    A case it cannot judge is said to be so; nothing is raised.
    """
    try:
        decision = decide(request.objects, request.ask, request.profile, seed=request.seed, explain=True)
    except KeyError as error:
        return (f"the case names {error.args[0]!r}, which is not among its objects",)
    match decision:
        case Allocated(allocations=allocations, trace=trace):
            chosen = tuple(
                f"claim {claim}, request {result.request}: "
                f"takes {result.driver}/{result.pool}/{result.device}{_consumed(result.consumed_capacity)}"
                for claim, allocation in zip(request.ask["claims"], allocations, strict=True)
                for result in allocation.devices.results
            )
            return (*map(str, trace), *chosen)
        case Unallocatable(reasons=reasons, trace=trace):
            return (*(map(str, trace or reasons)), "nothing fits")
        case Failed(category=category, message=message, trace=trace):
            return (*map(str, trace), f"the allocation ends in an error: {category}: {message}")
        case MalformedInput(problems=problems):
            return tuple(f"refused before any search: {problem}" for problem in problems)


def _consumed(capacity: dict[str, Quantity] | None) -> str:
    return f", consuming {', '.join(f'{n} {q}' for n, q in capacity.items())}" if capacity else ""
