"""The running components of a cluster."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.controlplane.parts import Parts
from dra_conform.controlplane.simulation.chance import Chance
from dra_conform.controlplane.simulation.claim_metrics import ClaimMetrics
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.clock import Clock
from dra_conform.controlplane.simulation.components import (
    CONTROLLER_MANAGER,
    KUBELET,
    SCHEDULER,
    Components,
)
from dra_conform.controlplane.simulation.controllers.device_taint_eviction import DeviceTaintEviction
from dra_conform.controlplane.simulation.controllers.garbage_collection import collect_garbage
from dra_conform.controlplane.simulation.controllers.quota_usage import count_quotas
from dra_conform.controlplane.simulation.controllers.resource_claims import ClaimController
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.kubelet import Kubelets
from dra_conform.controlplane.simulation.kubelet_admission import refuse_pods
from dra_conform.controlplane.simulation.scheduling.attempt_start import Beginning
from dra_conform.controlplane.simulation.scheduling.scheduler import (
    Moment,
    Scheduler,
    nobody_watches,
)
from dra_conform.controlplane.simulation.server import Server
from dra_conform.controlplane.simulation.write_failures import WriteFailures

_QUOTA = "ResourceQuota"
MOST_ROUNDS = 200
"""After so many turns of every component a cluster is said not to settle."""


class Unsettled(Exception):  # noqa: N818 - it reads as what happened
    """The components go on changing things without end."""


class Running:
    """A started cluster. Nothing happens in it but by writes to its server and by `settle`.

    `progress` is that of the scheduler.
    """

    def __init__(
        self,
        parts: Parts,
        components: Components,
        seed: int,
        progress: Callable[[int, int], None] = nobody_watches,
    ) -> None:
        self.components = components
        self.clock = Clock()
        self.failures = WriteFailures()
        self.events = Events()
        self.server = Server(components, parts.admission, self.clock, Chance(seed))
        self.metrics = ClaimMetrics(self.server.store)
        scheduler, manager, kubelet = (
            Client(name, self.server, components, self.failures, self.metrics)
            for name in (SCHEDULER, CONTROLLER_MANAGER, KUBELET)
        )
        beginning = Beginning(scheduler, parts.allocator, self.clock, seed)
        self.scheduler = Scheduler(
            scheduler, beginning.of, self.events, self._moment_without_quotas, self._quotas, progress
        )
        self.kubelets = Kubelets(kubelet, self.events)
        self._turns: tuple[Callable[[], None], ...] = (
            DeviceTaintEviction(manager, self.events, self.clock).run,
            lambda: collect_garbage(manager),
            ClaimController(manager, self.events).run,
            self.scheduler.run,
            lambda: refuse_pods(kubelet, self.events),
            self.kubelets.run,
            lambda: count_quotas(manager),
        )

    def settle(self) -> None:
        """Let the components work until nothing changes; raises Unsettled."""
        for _ in range(MOST_ROUNDS):
            before = self._moment()
            for turn in self._turns:
                turn()
            if self._moment() == before:
                return
        raise Unsettled(f"the cluster does not settle within {MOST_ROUNDS} rounds")

    def _moment(self) -> Moment:
        """Equal as long as no time has passed, nothing was written and no write failed on purpose."""
        return self.clock.now.timestamp(), self.server.store.revision, self.failures.happened

    def _moment_without_quotas(self) -> Moment:
        quotas = len(self.server.store.written(_QUOTA))
        time, revision, failures = self._moment()
        return time, revision - quotas, failures

    def _quotas(self) -> list[object]:
        """What quotas limit and count."""
        return [(one.get("spec"), one.get("status")) for one in self.server.store.of_kind(_QUOTA)]
