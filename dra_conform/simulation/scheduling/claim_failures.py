"""Reasons why claims cannot be allocated, computed once for pods of equal shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dra_conform.allocator.allocation_decision import FailureReasonGroup
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.kube.json_values import Json
from dra_conform.simulation.scheduling.failed_nodes import is_shareable, shape_of
from dra_conform.simulation.scheduling.phases import PhaseFailed
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle


@dataclass(frozen=True, slots=True)
class UnallocatableClaims:
    """Nodes on which the claims of a pod cannot be allocated, with the reasons that all of them share."""

    nodes: tuple[str, ...]
    refusals: Sequence[FailureReasonGroup]


class ClaimFailures:
    """Explains why pods stay Pending in a cluster that has reached a steady state."""

    def __init__(self, attempt: Callable[[Json], SchedulingCycle]) -> None:
        self._attempt = attempt
        self._known: dict[tuple[str, bytes], tuple[Sequence[str], Sequence[UnallocatableClaims]]] = {}
        """The explained claim names and the explanation by namespace and pod shape."""

    def of(self, pod: Json) -> Sequence[UnallocatableClaims]:
        """Return the nodes on which the claims of a pod cannot be allocated, grouped by reason."""
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


def _explained(attempt: SchedulingCycle) -> Sequence[UnallocatableClaims]:
    by_text: dict[tuple[str, ...], tuple[Sequence[FailureReasonGroup], list[str]]] = {}
    for node, refusals in attempt.explain():
        text = tuple(f"{refusal.claim} {refusal.request} {refusal}" for refusal in refusals)
        by_text.setdefault(text, (refusals, []))[1].append(node)
    return [UnallocatableClaims(tuple(nodes), refusals) for refusals, nodes in by_text.values()]


def _renamed(refusals: Sequence[FailureReasonGroup], names: dict[str, str]) -> Sequence[FailureReasonGroup]:
    return [replace(refusal, claim=names.get(refusal.claim, refusal.claim)) for refusal in refusals]
