"""One scheduling attempt, phase by phase, until the pod is bound, fails, or waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from dra_conform.allocator.allocation_decision import FailureReasonGroup
from dra_conform.kube.core import Node
from dra_conform.kube.node_selectors import SelectorError
from dra_conform.kube.objects import DecodeErrors
from dra_conform.kube.switches.scheduler import SchedulerSwitches
from dra_conform.simulation.client import Client, WriteFailed
from dra_conform.simulation.scheduling.cycle import Cycle, SchedulerPlugin
from dra_conform.simulation.scheduling.failed_nodes import FailedNodes
from dra_conform.simulation.scheduling.phases import Code, Phase, PhaseFailed, PhaseResult
from dra_conform.simulation.scheduling.shortages import Shortage

_ALL_NODES_FILTERED = 100
"""Up to this number of nodes kube-scheduler filters all nodes, above it an unspecified selection."""


@dataclass(frozen=True, slots=True)
class NodeRejection:
    """A node that rejects a pod: why its claims cannot be allocated, or the resources that are too scarce."""

    node: str
    refusals: Sequence[FailureReasonGroup]
    shortages: Sequence[Shortage]


class SchedulingCycle:
    """Runs the phases of the plugins on one cycle, and records the result of each phase in it."""

    def __init__(
        self,
        cycle: Cycle,
        plugins: Sequence[SchedulerPlugin],
        client: Client,
        failed_nodes: Callable[[Cycle], FailedNodes],
    ) -> None:
        self.cycle = cycle
        self._plugins = plugins
        self._client = client
        self._failed_nodes = failed_nodes
        self._binding: Iterator[str] | None = None
        self._running = ""
        """The name of the plugin that runs."""

    def run(self) -> str:
        """Choose a node and bind the pod; return the condition that it waits for, empty once it is bound.

        Raises PhaseFailed; nothing is reserved then.
        """
        self.pre_enqueue()
        self.reserve(self._choose_node())
        return self.continue_binding()

    def continue_binding(self) -> str:
        """Continue to bind the pod; return the condition that it waits for, empty once it is bound.

        Raises PhaseFailed after everything reserved was released.
        """
        try:
            waiting = self.pre_bind()
            if not waiting:
                self.bind()
        except PhaseFailed:
            self.abandon()
            raise
        return waiting

    def pre_enqueue(self) -> None:
        """Run PreEnqueue; raise PhaseFailed if no attempt can succeed yet."""
        with self._phase(Phase.PRE_ENQUEUE):
            for plugin in self._each_plugin():
                plugin.pre_enqueue()

    def pre_filter(self) -> None:
        """Run PreFilter; raise PhaseFailed if the pod cannot run on any node."""
        with self._phase(Phase.PRE_FILTER):
            for plugin in self._each_plugin():
                plugin.pre_filter()

    def reserve(self, node: str) -> None:
        """Run Reserve for a node that passed the filters; raise PhaseFailed."""
        self.cycle.node = node
        with self._phase(Phase.RESERVE, node):
            for plugin in self._each_plugin():
                plugin.reserve()
        self._binding = self._pre_bind()

    def pre_bind(self) -> str:
        """Run or continue PreBind; return the condition that it waits for, empty at its end. Raises
        PhaseFailed."""
        assert self._binding is not None
        with self._phase(Phase.PRE_BIND, self.cycle.node):
            waiting = next(self._binding, "")
        if waiting:
            self.cycle.results.pop()
        return waiting

    def bind(self) -> None:
        """Assign the pod to its node; raise PhaseFailed."""
        with self._phase(Phase.BIND, self.cycle.node):
            self._client.bind(self.cycle.pod, self.cycle.node)

    def abandon(self) -> None:
        """Run Unreserve of all plugins, which releases everything reserved."""
        with self._phase(Phase.UNRESERVE, self.cycle.node):
            for plugin in reversed(self._plugins):
                plugin.unreserve()

    def _pre_bind(self) -> Iterator[str]:
        for plugin in self._each_plugin():
            yield from plugin.pre_bind()
        for plugin in self._plugins:
            plugin.pre_bound()

    def _choose_node(self) -> str:
        """Return the node with the best score, of equal scores the first that was filtered.

        Raises PhaseFailed.
        """
        try:
            self.pre_filter()
            fitting = list(self._fitting())
        except PhaseFailed as failure:
            if failure.code is not Code.ERROR and not failure.retryable:
                self.post_filter()
            raise
        return fitting[0] if len(fitting) == 1 else max(fitting, key=self.score)

    def _fitting(self) -> Iterator[str]:
        """Yield the nodes that pass the filters, as many as scoring needs; raise PhaseFailed if there are
        none.

        In large clusters the failed nodes are recorded only if no node passes.
        """
        cycle = self.cycle
        passed: list[str] = []
        errors: list[PhaseResult] = []
        cacheable = all(plugin.cacheable for plugin in self._plugins)
        failed = self._failed_nodes(cycle) if cacheable else FailedNodes(cycle.snapshot.sorted_nodes)
        small = len(cycle.snapshot.nodes) <= _ALL_NODES_FILTERED
        filter_all = any(
            plugin.scores_nodes or (small and plugin.filters_all_nodes) for plugin in self._plugins
        )
        try:
            for node in failed.remaining(cycle.order):
                failure = self.filter(node)
                if failure is None:
                    passed.append(node.metadata.name)
                    yield node.metadata.name
                    if not filter_all:
                        break
                elif failure.code is Code.ERROR:  # its message names claims of this pod, so it is not reused
                    errors.append(
                        PhaseResult(Phase.FILTER, failure.code, failure.reasons, (node.metadata.name,))
                    )
                else:
                    failed.add(node, failure)
        finally:
            if passed:
                cycle.results.append(PhaseResult(Phase.FILTER, Code.SUCCESS, nodes=tuple(passed)))
            failures = failed.results() if small or not passed else ()
            cycle.results += [*errors, *failures]
        if not passed:
            if errors:
                raise PhaseFailed(Code.ERROR, *errors[0].reasons)
            message = _message(len(cycle.snapshot.nodes), failures)
            raise PhaseFailed(_code(failures), message, plugins=failed.plugins())

    def filter(self, node: Node) -> PhaseFailed | None:
        """Return why a node is rejected, None if it passes; raise PhaseFailed for an error that ends
        the attempt."""
        try:
            for plugin in self._each_plugin():
                plugin.filter(node)
        except _FAILURES as error:
            failure = self._failure(error)
            if failure.code is Code.ERROR and SchedulerSwitches.of(self.cycle.profile).errors_end_attempts:
                name = node.metadata.name
                self.cycle.results.append(PhaseResult(Phase.FILTER, failure.code, failure.reasons, (name,)))
                raise failure from None
            # The frames refer to the exception; without this, each node leaves a reference cycle.
            return failure.with_traceback(None)
        return None

    def explain(self) -> Iterator[NodeRejection]:
        """Yield each node that rejects the pod's claims or has too little left. Call it after PreEnqueue."""
        try:
            self.pre_filter()
        except PhaseFailed:
            return
        for node in self.cycle.snapshot.nodes:
            rejecting = next((plugin for plugin in self._plugins if _rejects(plugin, node)), None)
            if rejecting is None:
                continue
            refusals, shortages = rejecting.explain(node), rejecting.shortages(node)
            if refusals or shortages:
                yield NodeRejection(node.metadata.name, refusals, shortages)

    def post_filter(self) -> None:
        """Run PostFilter after all nodes were rejected; raise PhaseFailed if a plugin changed the cluster."""
        with self._phase(Phase.POST_FILTER):
            for plugin in self._each_plugin():
                plugin.post_filter()
        self.cycle.results[-1] = PhaseResult(
            Phase.POST_FILTER, Code.UNSCHEDULABLE, ("still not schedulable",)
        )

    def score(self, node: str) -> int:
        """Return the sum of the plugins' scores for a node that passed the filters; raise PhaseFailed."""
        try:
            score = sum(plugin.score(node) for plugin in self._each_plugin())
        except PhaseFailed as error:
            failure = self._failure(error)
            self.cycle.results.append(PhaseResult(Phase.SCORE, failure.code, failure.reasons, (node,)))
            raise failure from None
        self.cycle.results.append(PhaseResult(Phase.SCORE, Code.SUCCESS, nodes=(node,), score=score))
        return score

    def _each_plugin(self) -> Iterator[SchedulerPlugin]:
        """Yield the plugins in order, and keep the name of the one that runs."""
        for plugin in self._plugins:
            self._running = plugin.name
            yield plugin

    @contextmanager
    def _phase(self, phase: Phase, *nodes: str) -> Iterator[None]:
        """Record the result of a phase, and raise each error as PhaseFailed."""
        try:
            yield
        except _FAILURES as error:
            failure = self._failure(error)
            self.cycle.results.append(PhaseResult(phase, failure.code, failure.reasons, nodes))
            raise failure from None
        self.cycle.results.append(PhaseResult(phase, Code.SUCCESS, nodes=nodes))

    def _failure(self, error: Exception) -> PhaseFailed:
        """Return an error of the plugin that runs as PhaseFailed."""
        failure = error
        if not isinstance(failure, PhaseFailed):
            retryable = isinstance(error, WriteFailed) and error.retryable
            failure = PhaseFailed(Code.ERROR, str(error), retryable=retryable)
        failure.plugins = failure.plugins or frozenset((self._running,))
        return failure


_FAILURES = (PhaseFailed, WriteFailed, DecodeErrors, SelectorError)


def _rejects(plugin: SchedulerPlugin, node: Node) -> bool:
    try:
        plugin.filter(node)
    except _FAILURES:
        return True
    return False


def _code(failures: Sequence[PhaseResult]) -> Code:
    """Return UNSCHEDULABLE if preemption can help on at least one node."""
    helps = any(failure.code is Code.UNSCHEDULABLE for failure in failures)
    return Code.UNSCHEDULABLE if helps else Code.UNRESOLVABLE


def _message(nodes: int, failures: Sequence[PhaseResult]) -> str:
    if not nodes:
        return "no nodes available to schedule pods"
    counted = Counter[str]()
    for failure in failures:
        for reason in failure.reasons:
            counted[reason] += len(failure.nodes)
    reasons = ", ".join(sorted(f"{count} {reason}" for reason, count in counted.items()))
    return f"0/{nodes} nodes are available: {reasons}."
