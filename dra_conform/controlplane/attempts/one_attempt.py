"""One scheduling attempt, phase by phase, with the stored objects and claims in flight after each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.attempts.idle_cluster import StillCluster
from dra_conform.controlplane.simulation.scheduling.phases import Code, Phase, PhaseRefused, PhaseResult
from dra_conform.controlplane.simulation.scheduling.scheduling_cycle import SchedulingCycle

Json = Any

_CHANGING = frozenset({Phase.POST_FILTER, Phase.RESERVE, Phase.PRE_BIND, Phase.BIND, Phase.UNRESERVE})
_WAIT = "Wait"


@dataclass(frozen=True, slots=True)
class Held:
    """An attempt that has stopped with something reserved; `bound`: PreBind is behind it."""

    attempt: SchedulingCycle
    bound: bool = False


class OneAttempt:
    """Runs the phases of an attempt and keeps how they end; `refused`: the pod now waits for a change."""

    def __init__(self, attempt: SchedulingCycle, cluster: StillCluster) -> None:
        self.phases: list[dict[str, Json]] = []
        self.refused = False
        self._attempt = attempt
        self._cluster = cluster
        self._told = len(attempt.cycle.results)

    @property
    def pod(self) -> Json:
        """The pod as it was tried."""
        return self._attempt.cycle.pod

    def run(self, nodes: Sequence[str] | None, through: str) -> Held | None:
        """From the beginning through a phase, what is held then; raises ValueError for an unknown node."""
        try:
            node = self._chosen(nodes)
            self._attempt.reserve(node)
        except PhaseRefused as refused:
            self.refused = refused.code is not Code.ERROR
            self._note()
            return None
        self._note()
        held = Held(self._attempt)
        return held if through == Phase.RESERVE else self.go_on(held, through)

    def go_on(self, held: Held, through: str = Phase.BIND) -> Held | None:
        """From where an attempt has stopped through a phase, what is held then."""
        try:
            if not held.bound:
                waiting = self._attempt.pre_bind()
                if waiting:
                    self._note()
                    self._tell(PhaseResult(Phase.PRE_BIND, Code.SUCCESS, waiting, (self._node,)), _WAIT)
                    return held
                self._note()
                if through == Phase.PRE_BIND:
                    return Held(self._attempt, bound=True)
            self._attempt.bind()
        except PhaseRefused as refused:
            self._note()
            self.give_up()
            self.refused = refused.code is not Code.ERROR
            return None
        self._note()
        return None

    def give_up(self) -> None:
        """Somebody else refuses the pod: give back what is reserved."""
        self._attempt.give_up()
        self._note()

    @property
    def _node(self) -> str:
        return self._attempt.cycle.node

    def _chosen(self, names: Sequence[str] | None) -> str:
        """The best node that passes the filters, the first of several; raises PhaseRefused."""
        self._attempt.pre_enqueue()
        try:
            self._attempt.pre_filter()
            fitting = self._filtered(names)
        except PhaseRefused as refused:
            if refused.code is not Code.ERROR:
                self._note()
                self._attempt.post_filter()
            raise
        return fitting[0] if len(fitting) == 1 else max(fitting, key=self._attempt.score)

    def _filtered(self, names: Sequence[str] | None) -> list[str]:
        cycle = self._attempt.cycle
        known = {node.metadata.name: node for node in cycle.snapshot.nodes}
        fitting = []
        why = PhaseRefused(Code.UNRESOLVABLE, "no nodes available to schedule pods")
        for name in names or known:
            if name not in known:
                raise ValueError(f"there is no node {name}")
            refused = self._attempt.filter(known[name])
            if refused is None:
                fitting.append(name)
                cycle.results.append(PhaseResult(Phase.FILTER, Code.SUCCESS, nodes=(name,)))
            else:
                why = refused
                cycle.results.append(PhaseResult(Phase.FILTER, refused.code, str(refused), (name,)))
        if not fitting:
            raise why
        return fitting

    def _note(self) -> None:
        """Tell of the phases that have ended since."""
        results = self._attempt.cycle.results
        for one in results[self._told :]:
            if one.phase is not Phase.SCORE:
                self._tell(one, one.code)
        self._told = len(results)

    def _tell(self, result: PhaseResult, code: str) -> None:
        said: dict[str, Json] = {"phase": result.phase.value, "code": str(code)}
        if result.nodes:
            said["node"] = result.nodes[0]
        if result.reason:
            said["reasons"] = [result.reason]
        if result.phase in _CHANGING:
            kinds = (("resourceClaims", "ResourceClaim"), ("pods", "Pod"))
            said["objects"] = {name: self._cluster.objects(kind) for name, kind in kinds}
            said["inFlight"] = self._cluster.in_flight.references()
        self.phases.append(said)
