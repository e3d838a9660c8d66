"""A scheduling attempt, phase by phase, in a cluster where nothing else happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dra_conform.cluster_state.components import SCHEDULER, Components
from dra_conform.cluster_state.object_keys import key_in, key_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.client import Client, WriteFailures
from dra_conform.simulation.in_flight import InFlight
from dra_conform.simulation.metrics import MetricGrowth
from dra_conform.simulation.parts import Objects, admit, allocate
from dra_conform.simulation.references import resolve
from dra_conform.simulation.scheduling.cycle_factory import CycleFactory
from dra_conform.simulation.scheduling.phases import Code, Phase, PhaseFailed, PhaseResult
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle
from dra_conform.simulation.server import Server
from dra_conform.simulation.shared_state import Clock, RandomValues


class IdleCluster:
    """The API server and the scheduler of one profile; setup objects are stored without admission."""

    def __init__(self, objects: Objects, profile: Profile, seed: int) -> None:
        components = Components({}, profile)
        self.profile = profile
        self.failures = WriteFailures()
        self.in_flight = InFlight()
        self._clock = Clock()
        self._server = Server(components, admit, self._clock, RandomValues(seed))
        for collection in objects.values():
            for raw in collection:
                self._server.load(raw)
        metrics = MetricGrowth(self._server.store)
        client = Client(SCHEDULER, self._server, components, self.failures, metrics)
        self._cycles = CycleFactory(client, self._allocate, self._clock, seed, self.in_flight)

    def cycle_for(self, pod: Json, assumed: Sequence[Json]) -> SchedulingCycle:
        """Return the cycle of a new attempt; `assumed` pods count as bound to their nodes."""
        return self._cycles.cycle_for(pod, list(assumed))

    def objects(self, kind: str) -> list[Json]:
        """Return all objects of a kind."""
        return self._server.all(kind)

    def find(self, kind: str, name: str) -> Json | None:
        """Return the object of a kind by `namespace/name`, None if there is none."""
        namespace, _, bare = name.rpartition("/")
        return self._server.get(key_of(kind, bare, namespace))

    def referenced(self, reference: Json) -> Json:
        """Return the object of a reference; raise ValueError if there is none."""
        key = resolve(reference, self._server.store)
        raw = self._server.get(key) if key else None
        if raw is None:
            raise ValueError(f"unknown {reference['kind']} {reference.get('name', '')}")
        return raw

    def put(self, raw: Json) -> Json:
        """Store an object that another client has written, and return the stored object."""
        known = self._server.store.get(key_in(raw))
        if known is None:
            self._server.load(raw)
        else:
            self._server.store.put({**raw, "metadata": {**known["metadata"], **raw["metadata"]}})
        return self._server.get(key_in(raw))

    def remove(self, raw: Json) -> None:
        """Remove an object that another client has deleted."""
        self._server.store.remove(key_in(raw))

    def _allocate(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int
    ) -> Mapping[str, Json]:
        """Call the built-in allocator, with claims in flight as allocated."""
        claims = self.in_flight.merged_with(objects["resourceClaims"])
        return allocate({**objects, "resourceClaims": claims}, ask, profile, seed)


_CHANGING = frozenset({Phase.POST_FILTER, Phase.RESERVE, Phase.PRE_BIND, Phase.BIND, Phase.UNRESERVE})
_WAIT = "Wait"


@dataclass(frozen=True, slots=True)
class StoppedAttempt:
    """An attempt that stopped before Bind with resources reserved; `pre_bound`: PreBind has ended."""

    attempt: SchedulingCycle
    pre_bound: bool = False


class AttemptRun:
    """Runs the phases of an attempt, and encodes their results in `phases`.

    `unschedulable`: the attempt failed, and the pod waits for a change.
    """

    def __init__(self, attempt: SchedulingCycle, cluster: IdleCluster) -> None:
        self.phases: list[dict[str, Json]] = []
        self.unschedulable = False
        self._attempt = attempt
        self._cluster = cluster
        self._reported = len(attempt.cycle.results)

    @property
    def pod(self) -> Json:
        """The pod of the attempt."""
        return self._attempt.cycle.pod

    def run(self, nodes: Sequence[str] | None, through: str) -> StoppedAttempt | None:
        """Run up to a phase; return the attempt if it stops before Bind. An unknown node is a ValueError."""
        try:
            node = self._choose_node(nodes)
            self._attempt.reserve(node)
        except PhaseFailed as failure:
            self.unschedulable = failure.code is not Code.ERROR
            self._report()
            return None
        self._report()
        stopped = StoppedAttempt(self._attempt)
        return stopped if through == Phase.RESERVE else self.continue_binding(stopped, through)

    def continue_binding(self, stopped: StoppedAttempt, through: str = Phase.BIND) -> StoppedAttempt | None:
        """Continue a stopped attempt up to a phase; return the attempt if it stopped before Bind again."""
        try:
            if not stopped.pre_bound:
                waiting = self._attempt.pre_bind()
                if waiting:
                    self._report()
                    self._add(PhaseResult(Phase.PRE_BIND, Code.SUCCESS, (waiting,), (self._node,)), _WAIT)
                    return stopped
                self._report()
                if through == Phase.PRE_BIND:
                    return StoppedAttempt(self._attempt, pre_bound=True)
            self._attempt.bind()
        except PhaseFailed as failure:
            self._report()
            self.abandon()
            self.unschedulable = failure.code is not Code.ERROR
            return None
        self._report()
        return None

    def abandon(self) -> None:
        """Abort the attempt: release everything reserved, as after a failure of another plugin."""
        self._attempt.abandon()
        self._report()

    @property
    def _node(self) -> str:
        return self._attempt.cycle.node

    def _choose_node(self, names: Sequence[str] | None) -> str:
        """Return the first node with the best score; raise PhaseFailed."""
        self._attempt.pre_enqueue()
        try:
            self._attempt.pre_filter()
            fitting = self._filtered(names)
        except PhaseFailed as failure:
            if failure.code is not Code.ERROR:
                self._report()
                self._attempt.post_filter()
            raise
        return fitting[0] if len(fitting) == 1 else max(fitting, key=self._attempt.score)

    def _filtered(self, names: Sequence[str] | None) -> list[str]:
        cycle = self._attempt.cycle
        known = {node.metadata.name: node for node in cycle.snapshot.nodes}
        fitting = []
        last_failure = PhaseFailed(Code.UNRESOLVABLE, "no nodes available to schedule pods")
        for name in names or known:
            if name not in known:
                raise ValueError(f"unknown node {name}")
            failure = self._attempt.filter(known[name])
            if failure is None:
                fitting.append(name)
                cycle.results.append(PhaseResult(Phase.FILTER, Code.SUCCESS, nodes=(name,)))
            else:
                last_failure = failure
                cycle.results.append(PhaseResult(Phase.FILTER, failure.code, failure.reasons, (name,)))
        if not fitting:
            raise last_failure
        return fitting

    def _report(self) -> None:
        """Encode the phases that ended since the last report, except for Score."""
        results = self._attempt.cycle.results
        for result in results[self._reported :]:
            if result.phase is not Phase.SCORE:
                self._add(result, result.code)
        self._reported = len(results)

    def _add(self, result: PhaseResult, code: str) -> None:
        phase: dict[str, Json] = {"phase": result.phase.value, "code": str(code)}
        if result.nodes:
            phase["node"] = result.nodes[0]
        if result.reasons:
            phase["reasons"] = list(result.reasons)
        if result.phase in _CHANGING:
            kinds = (("resourceClaims", "ResourceClaim"), ("pods", "Pod"))
            phase["objects"] = {name: self._cluster.objects(kind) for name, kind in kinds}
            phase["inFlight"] = self._cluster.in_flight.references()
        self.phases.append(phase)
