"""One scheduling attempt, phase by phase, until the pod is bound, fails, or has to wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from dra_conform.allocator.grouped_refusals import RefusalGroup
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.filtering_rules import FilteringRules
from dra_conform.controlplane.simulation.scheduling.phases import Code, Phase, PhaseRefused, PhaseResult
from dra_conform.controlplane.simulation.scheduling.plugin import Plugin
from dra_conform.controlplane.simulation.scheduling.refused_nodes import RefusedNodes
from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import SelectorError
from dra_conform.kube.objects import DecodeErrors

_ALWAYS_ASKED = 100
"""In clusters of so many nodes schedulers ask each of them; of more they ask some, and which is left open."""


class SchedulingCycle:
    """Runs the phases of some plugins on one cycle, and notes in it how each of them ended."""

    def __init__(
        self,
        cycle: Cycle,
        plugins: Sequence[Plugin],
        client: Client,
        refused: Callable[[Cycle], RefusedNodes],
    ) -> None:
        self.cycle = cycle
        self._plugins = plugins
        self._client = client
        self._known = refused
        self._binding: Iterator[str] | None = None

    def begin(self) -> str:
        """Choose a node and begin to bind the pod; what it waits for, empty once it is bound.

        Raises PhaseRefused; nothing is reserved then.
        """
        self.pre_enqueue()
        self.reserve(self._chosen())
        return self.go_on()

    def go_on(self) -> str:
        """Bind the pod as far as that is possible now; what it still waits for, empty once it is bound.

        Raises PhaseRefused; what was reserved is given back then.
        """
        try:
            waiting = self.pre_bind()
            if not waiting:
                self.bind()
        except PhaseRefused:
            self.give_up()
            raise
        return waiting

    def pre_enqueue(self) -> None:
        """Whether an attempt makes sense; raises PhaseRefused."""
        with self._phase(Phase.PRE_ENQUEUE):
            for plugin in self._plugins:
                plugin.pre_enqueue()

    def pre_filter(self) -> None:
        """What can be said whatever the nodes; raises PhaseRefused."""
        with self._phase(Phase.PRE_FILTER):
            for plugin in self._plugins:
                plugin.pre_filter()

    def reserve(self, node: str) -> None:
        """Take what the pod gets on a node that has passed the filters; raises PhaseRefused."""
        self.cycle.node = node
        with self._phase(Phase.RESERVE, node):
            for plugin in self._plugins:
                plugin.reserve()
        self._binding = self._pre_bind()

    def pre_bind(self) -> str:
        """Write down what the pod needs; what it waits for, empty once that is done. Raises PhaseRefused."""
        assert self._binding is not None
        with self._phase(Phase.PRE_BIND, self.cycle.node):
            waiting = next(self._binding, "")
        if waiting:
            self.cycle.results.pop()
        return waiting

    def bind(self) -> None:
        """Assign the pod to its node; raises PhaseRefused."""
        with self._phase(Phase.BIND, self.cycle.node):
            self._client.bind(self.cycle.pod, self.cycle.node)

    def give_up(self) -> None:
        """Give back what is reserved."""
        with self._phase(Phase.UNRESERVE, self.cycle.node):
            for plugin in reversed(self._plugins):
                plugin.unreserve()

    def _pre_bind(self) -> Iterator[str]:
        for plugin in self._plugins:
            yield from plugin.pre_bind()
        for plugin in self._plugins:
            plugin.pre_bound()

    def _chosen(self) -> str:
        """The best node on which pod and claims fit, of several the one that is tried first."""
        try:
            self.pre_filter()
            fitting = list(self._fitting())
        except PhaseRefused as refused:
            if refused.code is not Code.ERROR and not refused.again:
                self.post_filter()
            raise
        return fitting[0] if len(fitting) == 1 else max(fitting, key=self.score)

    def _fitting(self) -> Iterator[str]:
        """The nodes that no filter refuses, no more than are needed; raises PhaseRefused for none.

        Where a node was found, it is told of few nodes only which of them were refused.
        """
        cycle = self.cycle
        found: list[str] = []
        lasting = all(plugin.lasting for plugin in self._plugins)
        known = self._known(cycle) if lasting else RefusedNodes(cycle.snapshot.sorted_nodes)
        few = len(cycle.snapshot.nodes) <= _ALWAYS_ASKED
        all_of_them = any(plugin.ranks or (few and plugin.thorough) for plugin in self._plugins)
        try:
            for node in known.left(cycle.order):
                refused = self.filter(node)
                if refused is None:
                    found.append(node.metadata.name)
                    yield node.metadata.name
                    if not all_of_them:
                        break
                else:
                    known.refuse(node, refused)
        finally:
            if found:
                cycle.results.append(PhaseResult(Phase.FILTER, Code.SUCCESS, nodes=tuple(found)))
            refusals = known.results() if few or not found else ()
            cycle.results += refusals
        if not found:
            raise PhaseRefused(_code(refusals), _said(len(cycle.snapshot.nodes), refusals))

    def filter(self, node: Node) -> PhaseRefused | None:
        """Why a node is refused; raises PhaseRefused for an error that ends the attempt."""
        try:
            for plugin in self._plugins:
                plugin.filter(node)
        except _REFUSING as error:
            refused = _refusal(error)
            if refused.code is Code.ERROR and FilteringRules.of(self.cycle.profile).errors_end_attempts:
                name = node.metadata.name
                self.cycle.results.append(PhaseResult(Phase.FILTER, refused.code, str(refused), (name,)))
                raise refused from None
            return refused.with_traceback(None)  # its frames hold it: a cycle for each node
        return None

    def explain(self) -> Iterator[tuple[str, Sequence[RefusalGroup]]]:
        """After PreEnqueue each node that refuses the pod for its claims, with the refusals of devices."""
        try:
            self.pre_filter()
        except PhaseRefused:
            return
        for node in self.cycle.snapshot.nodes:
            refusing = next((one for one in self._plugins if _refuses(one, node)), None)
            refusals = refusing.explain(node) if refusing is not None else ()
            if refusals:
                yield node.metadata.name, refusals

    def post_filter(self) -> None:
        """Nothing fits: change what keeps the pod from its nodes; raises PhaseRefused where that is done."""
        with self._phase(Phase.POST_FILTER):
            for plugin in self._plugins:
                plugin.post_filter()
        self.cycle.results[-1] = PhaseResult(Phase.POST_FILTER, Code.UNSCHEDULABLE, "still not schedulable")

    def score(self, node: str) -> int:
        """How good a node is that has passed the filters."""
        score = sum(plugin.score(node) for plugin in self._plugins)
        self.cycle.results.append(PhaseResult(Phase.SCORE, Code.SUCCESS, nodes=(node,), score=score))
        return score

    @contextmanager
    def _phase(self, phase: Phase, *nodes: str) -> Iterator[None]:
        """Note how a phase ends; an error of any sort is a refusal."""
        try:
            yield
        except _REFUSING as error:
            refused = _refusal(error)
            self.cycle.results.append(PhaseResult(phase, refused.code, str(refused), nodes))
            raise refused from None
        self.cycle.results.append(PhaseResult(phase, Code.SUCCESS, nodes=nodes))


_REFUSING = (PhaseRefused, WriteFailed, DecodeErrors, SelectorError)


def _refuses(plugin: Plugin, node: Node) -> bool:
    try:
        plugin.filter(node)
    except _REFUSING:
        return True
    return False


def _refusal(error: Exception) -> PhaseRefused:
    if isinstance(error, PhaseRefused):
        return error
    return PhaseRefused(Code.ERROR, str(error), again=isinstance(error, WriteFailed) and error.again)


def _code(refusals: Sequence[PhaseResult]) -> Code:
    """Preemption helps if it does so on some node."""
    helps = any(one.code is Code.UNSCHEDULABLE for one in refusals)
    return Code.UNSCHEDULABLE if helps else Code.UNRESOLVABLE


def _said(nodes: int, refusals: Sequence[PhaseResult]) -> str:
    if not nodes:
        return "no nodes available to schedule pods"
    counted = Counter[str]()
    for one in refusals:
        counted[one.reason] += len(one.nodes)
    return f"0/{nodes} nodes are available: {', '.join(f'{n} {why}' for why, n in sorted(counted.items()))}."
