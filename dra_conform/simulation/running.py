"""The running components of a cluster."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.cluster_state.components import (
    CONTROLLER_MANAGER,
    KUBELET,
    SCHEDULER,
    Components,
)
from dra_conform.simulation.client import Client, WriteFailures
from dra_conform.simulation.controllers.device_taint_eviction import DeviceTaintEviction
from dra_conform.simulation.controllers.garbage_collection import collect_garbage
from dra_conform.simulation.controllers.quota_usage import count_quotas
from dra_conform.simulation.controllers.resource_claims import ClaimController
from dra_conform.simulation.kubelet import Kubelets, reject_pods
from dra_conform.simulation.metrics import MetricGrowth
from dra_conform.simulation.parts import Parts
from dra_conform.simulation.scheduling.cycle_factory import CycleFactory
from dra_conform.simulation.scheduling.scheduler import (
    ClusterState,
    Scheduler,
    no_progress,
)
from dra_conform.simulation.scheduling.scheduler_log import SchedulerLog
from dra_conform.simulation.server import Server
from dra_conform.simulation.shared_state import Clock, Events, RandomValues

_QUOTA = "ResourceQuota"
MAX_ROUNDS = 200
"""The number of rounds of all components after which `settle` raises Unsettled."""


class Unsettled(Exception):  # noqa: N818 - it reads as what happened
    """The cluster does not reach a steady state."""


class RunningCluster:
    """A running cluster, whose components run only during `settle`.

    `progress` is passed to the scheduler, and `verbosity` is that of its log.
    """

    def __init__(
        self,
        parts: Parts,
        components: Components,
        seed: int,
        progress: Callable[[int, int], None] = no_progress,
        verbosity: int = 0,
    ) -> None:
        self.components = components
        self.clock = Clock()
        self.failures = WriteFailures()
        self.events = Events()
        self.server = Server(components, parts.admission, self.clock, RandomValues(seed))
        self.metrics = MetricGrowth(self.server.store)
        scheduler, manager, kubelet = (
            Client(name, self.server, components, self.failures, self.metrics)
            for name in (SCHEDULER, CONTROLLER_MANAGER, KUBELET)
        )
        cycles = CycleFactory(scheduler, parts.allocator, self.clock, seed)
        self.log = SchedulerLog(verbosity)
        self.scheduler = Scheduler(
            scheduler,
            cycles.cycle_for,
            self.events,
            self._state_without_quotas,
            self._quotas,
            self.metrics,
            self.log,
            progress,
        )
        self.kubelets = Kubelets(kubelet, self.events)
        self.eviction = DeviceTaintEviction(manager, self.events, self.clock)
        self.count_quotas: Callable[[], None] = lambda: count_quotas(manager)
        self._turns: tuple[Callable[[], None], ...] = (
            self.eviction.run,
            lambda: collect_garbage(manager),
            ClaimController(manager, self.events, self.metrics).run,
            self.scheduler.run,
            lambda: reject_pods(kubelet, self.events),
            self.kubelets.run,
            self.count_quotas,
        )

    def settle(self) -> None:
        """Run the components until nothing changes; raise Unsettled."""
        for _ in range(MAX_ROUNDS):
            before = self._state()
            for turn in self._turns:
                turn()
            if self._state() == before:
                return
        raise Unsettled(f"the cluster reaches no steady state within {MAX_ROUNDS} rounds")

    def _state(self) -> ClusterState:
        """Return a value that changes with time and with each write, including failed ones."""
        return self.clock.now.timestamp(), self.server.store.revision, self.failures.happened

    def _state_without_quotas(self) -> ClusterState:
        quotas = len(self.server.store.written(_QUOTA))
        time, revision, failures = self._state()
        return time, revision - quotas, failures

    def _quotas(self) -> list[object]:
        """Return specs and statuses of all ResourceQuotas."""
        return [(quota.get("spec"), quota.get("status")) for quota in self.server.store.of_kind(_QUOTA)]
