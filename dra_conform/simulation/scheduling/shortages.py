"""Resources of which a node has too little left for a pod, with the part that its claims need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dra_conform.footprint.amounts import ZERO, Amounts
from dra_conform.kube.core import Node
from dra_conform.kube.quantity import Quantity

_INSUFFICIENT = "Insufficient "
TOO_MANY_PODS = "Too many pods"
"""The reason of the scheduler for a node with the largest number of pods."""


def insufficient(resource: str) -> str:
    """Return the reason of the scheduler for a node with too little of a resource."""
    return f"{_INSUFFICIENT}{resource}"


def is_shortage(reason: str) -> bool:
    """Whether a reason of the scheduler is that a node has too little of a resource, or too many pods."""
    resource = reason.removeprefix(_INSUFFICIENT)
    return reason == TOO_MANY_PODS or (resource != reason and " " not in resource)


@dataclass(frozen=True, slots=True)
class Shortage:
    """A resource of which a node has too little left: `needed` by the pod, `claims` of it by its claims."""

    resource: str
    needed: Quantity
    claims: Quantity
    left: Quantity


def shortages_of(
    resources: Iterable[str], node: Node, needed: Amounts, used: Amounts, own: Amounts
) -> Sequence[Shortage]:
    """Return the shortage of each of the resources on a node; `own` is the need of the pod without claims."""
    allocatable = node.status.allocatable if node.status else {}
    return [
        Shortage(
            name,
            needed[name],
            needed[name] - own.get(name, ZERO),
            allocatable.get(name, ZERO) - used.get(name, ZERO),
        )
        for name in resources
    ]


def lines_of(by_node: Sequence[Sequence[Shortage]]) -> Iterator[str]:
    """Yield a line for each resource; `by_node` has the shortages of nodes on which the needs are equal."""
    for same in zip(*by_node, strict=True):
        first = same[0]
        claims = f" ({first.claims} for its ResourceClaims)" if first.claims.nano > 0 else ""
        amounts = {max(each.left, ZERO) for each in same}
        left = f"{max(amounts)} left" if len(amounts) == 1 else f"at most {max(amounts)} left"
        yield f"{first.resource}: the pod needs {first.needed}{claims}, {left}"
