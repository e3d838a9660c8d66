"""Reasons why claims cannot be allocated, found once for pods of equal shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dra_conform.allocator.grouped_refusals import RefusalGroup
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.scheduling.phases import PhaseRefused
from dra_conform.controlplane.simulation.scheduling.refused_nodes import is_like_others, shape_of
from dra_conform.controlplane.simulation.scheduling.scheduling_cycle import SchedulingCycle

Json = Any


@dataclass(frozen=True, slots=True)
class ClaimsRefused:
    """Nodes that refuse the claims of a pod for the same reasons."""

    nodes: tuple[str, ...]
    refusals: Sequence[RefusalGroup]


class ClaimRefusals:
    """Explains pods that stay pending in a cluster that does not change any more."""

    def __init__(self, attempt: Callable[[Json], SchedulingCycle]) -> None:
        self._attempt = attempt
        self._known: dict[tuple[str, bytes], tuple[Sequence[str], Sequence[ClaimsRefused]]] = {}
        """By namespace and shape: the names of the claims that were explained, and the explanation."""

    def of(self, pod: Json) -> Sequence[ClaimsRefused]:
        """The nodes that refuse the claims of a pod, by reason."""
        attempt = self._attempt(pod)
        try:
            attempt.pre_enqueue()
        except PhaseRefused:
            return ()
        cycle = attempt.cycle
        if not is_like_others(cycle):
            return _explained(attempt)
        names = ["/".join(key_in(claim)[1:]) for claim in cycle.claims]
        shape = pod["metadata"]["namespace"], shape_of(cycle)
        if shape not in self._known:
            self._known[shape] = names, _explained(attempt)
        explained, found = self._known[shape]
        renamed = dict(zip(explained, names, strict=True))
        return [replace(one, refusals=_renamed(one.refusals, renamed)) for one in found]


def _explained(attempt: SchedulingCycle) -> Sequence[ClaimsRefused]:
    by_text: dict[tuple[str, ...], tuple[Sequence[RefusalGroup], list[str]]] = {}
    for node, refusals in attempt.explain():
        text = tuple(f"{one.claim} {one.request} {one}" for one in refusals)
        by_text.setdefault(text, (refusals, []))[1].append(node)
    return [ClaimsRefused(tuple(nodes), refusals) for refusals, nodes in by_text.values()]


def _renamed(refusals: Sequence[RefusalGroup], names: dict[str, str]) -> Sequence[RefusalGroup]:
    return [replace(one, claim=names.get(one.claim, one.claim)) for one in refusals]
