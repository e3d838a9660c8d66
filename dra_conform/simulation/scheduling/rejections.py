"""Reasons why nodes reject a pending pod, computed once for pods of equal shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dra_conform.allocator.allocation_decision import FailureReasonGroup
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.kube.json_values import Json
from dra_conform.simulation.scheduling.failed_nodes import is_shareable, shape_of
from dra_conform.simulation.scheduling.phases import PhaseFailed
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle
from dra_conform.simulation.scheduling.shortages import Shortage, lines_of


@dataclass(frozen=True, slots=True)
class RejectingNodes:
    """Nodes that reject a pod, with the reasons that all of them share.

    Either the claims of the pod cannot be allocated (`refusals`), or too little of some resources is left
    (`shortages`, a line for each resource).
    """

    nodes: tuple[str, ...]
    refusals: Sequence[FailureReasonGroup]
    shortages: Sequence[str] = ()


class Rejections:
    """Explains why pods stay Pending in a cluster that has reached a steady state."""

    def __init__(self, attempt: Callable[[Json], SchedulingCycle]) -> None:
        self._attempt = attempt
        self._known: dict[tuple[str, bytes], tuple[Sequence[str], Sequence[RejectingNodes]]] = {}
        """The explained claim names and the explanation by namespace and pod shape."""

    def of(self, pod: Json) -> Sequence[RejectingNodes]:
        """Return the nodes that reject a pod, grouped by reason."""
        attempt = self._attempt(pod)
        try:
            attempt.pre_enqueue()
        except PhaseFailed:
            return ()
        cycle = attempt.cycle
        if not is_shareable(cycle):
            return _explained(attempt)
        names = ["/".join(key_in(claim)[1:]) for claim in cycle.claims]
        shape = pod["metadata"]["namespace"], shape_of(cycle)
        if shape not in self._known:
            self._known[shape] = names, _explained(attempt)
        explained, groups = self._known[shape]
        renamed = dict(zip(explained, names, strict=True))
        return [replace(group, refusals=_renamed(group.refusals, renamed)) for group in groups]


@dataclass(slots=True)
class _Group:
    nodes: list[str]
    refusals: Sequence[FailureReasonGroup]
    shortages: list[Sequence[Shortage]]


def _explained(attempt: SchedulingCycle) -> Sequence[RejectingNodes]:
    groups: dict[tuple[object, ...], _Group] = {}
    for rejection in attempt.explain():
        refused = (f"{refusal.claim} {refusal.request} {refusal}" for refusal in rejection.refusals)
        needed = ((each.resource, each.needed, each.claims) for each in rejection.shortages)
        group = groups.setdefault((*refused, *needed), _Group([], rejection.refusals, []))
        group.nodes.append(rejection.node)
        group.shortages.append(rejection.shortages)
    return [
        RejectingNodes(tuple(group.nodes), group.refusals, tuple(lines_of(group.shortages)))
        for group in groups.values()
    ]


def _renamed(refusals: Sequence[FailureReasonGroup], names: dict[str, str]) -> Sequence[FailureReasonGroup]:
    return [replace(refusal, claim=names.get(refusal.claim, refusal.claim)) for refusal in refusals]
