"""Reasons why the claims of a pod cannot be allocated, with equal nodes grouped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dra_conform.allocator.allocation_decision import reason_lines
from dra_conform.controlplane.simulation.scheduling.claim_failures import UnallocatableClaims
from dra_conform.kube.listing import listed


def reasons_by_node(failures: Iterable[UnallocatableClaims]) -> Iterator[str]:
    """Yield a line for each group of nodes, then its reasons, indented by two."""
    for failure in failures:
        yield f"{_named(failure.nodes)}: the claims cannot be allocated"
        yield from (f"  {line}" for line in reason_lines(failure.refusals))


def _named(nodes: Sequence[str]) -> str:
    return f"node {nodes[0]}" if len(nodes) == 1 else f"{len(nodes)} nodes ({listed(nodes)})"
