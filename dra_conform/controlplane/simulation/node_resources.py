"""What pods take of a node's resources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dra_conform.kube.core import Node, Pod
from dra_conform.kube.quantity import Quantity

Amounts = Mapping[str, Quantity]

_ZERO = Quantity(0)


def demand(pod: Pod) -> dict[str, Quantity]:
    """What a pod takes of each resource: its containers together, or an init container that takes more while
    it runs; a pod-level request instead of these; and the overhead."""
    spec = pod.spec
    peak: dict[str, Quantity] = {}
    lasting: dict[str, Quantity] = {}
    for container in spec.init_containers:
        if container.restart_policy == "Always":
            lasting = _sum(lasting, container.resources.requests)
            peak = _most(peak, lasting)
        else:
            peak = _most(peak, _sum(lasting, container.resources.requests))
    for container in spec.containers:
        lasting = _sum(lasting, container.resources.requests)
    of_pod = spec.resources.requests if spec.resources else {}
    return _sum({**_most(peak, lasting), **of_pod}, spec.overhead)


def lacking(wanted: Amounts, node: Node, running: Iterable[Pod]) -> str:
    """The first resource, by name, of which a node has too little left; empty if it has enough of all.

    Of what a node does not say how much it has, it is taken to have enough.
    """
    offered = node.status.allocatable if node.status else {}
    taken: dict[str, Quantity] = {}
    for pod in running if offered else ():
        taken = _sum(taken, demand(pod))
    free = {name: offered[name] - taken.get(name, _ZERO) for name in offered}
    return next((name for name in sorted(wanted) if name in free and free[name] < wanted[name]), "")


def _sum(one: Amounts, other: Amounts) -> dict[str, Quantity]:
    names = {**one, **other}
    return {name: one.get(name, _ZERO) + other.get(name, _ZERO) for name in names}


def _most(one: Amounts, other: Amounts) -> dict[str, Quantity]:
    names = {**one, **other}
    return {name: max(one.get(name, _ZERO), other.get(name, _ZERO)) for name in names}
