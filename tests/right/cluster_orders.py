"""Correct clusters whose components read, schedule, retry and write in another order than the built-in.

No document says which of two waiting pods is scheduled first, in which order a component sees objects, when a failed
attempt is repeated, or in how many writes a status is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar
from unittest import mock

from dra_conform.cluster_state.components import CONTROLLER_MANAGER, KUBELET, SCHEDULER
from dra_conform.cluster_state.object_keys import Key
from dra_conform.kube.json_values import Json
from dra_conform.simulation.parts import Parts
from dra_conform.simulation.running import RunningCluster
from dra_conform.simulation.scheduling.scheduler import Scheduler
from tests.faulty.implementations.components import ComponentCluster
from tests.right import scheduler_changes
from tests.right.allocators import OtherForms
from tests.right.api_servers import FurtherDefaults
from tests.right.clusters import RightCluster


class _ReadsInReverse(ComponentCluster):
    """Lets one component read the newest objects first."""

    def known(self, kind: str, now: Mapping[Key, Json]) -> Mapping[Key, Json]:
        return dict(reversed(now.items()))


class SchedulesNewestPodsFirst(_ReadsInReverse):
    """Also reads all other objects in reverse order."""

    component = SCHEDULER


class ControlsNewestObjectsFirst(_ReadsInReverse):
    component = CONTROLLER_MANAGER


class AdmitsNewestPodsFirst(_ReadsInReverse):
    component = KUBELET


class RetriesWithoutChange(RightCluster):
    """Tries pending pods three times after each change, as a scheduler that empties its queue now and then."""

    def patches(self) -> Iterable[Any]:
        right = RunningCluster.settle

        def settle(cluster: RunningCluster) -> None:
            for _ in range(2):
                right(cluster)
                cluster.scheduler._tried.clear()
            right(cluster)

        return (mock.patch.object(RunningCluster, "settle", settle),)


class RetriesFailedAttemptsAtOnce(RightCluster):
    """Repeats an attempt that ended with an error before it tries another pod."""

    def patches(self) -> Iterable[Any]:
        right = Scheduler._try

        def try_again(scheduler: Scheduler, pod: Json, uid: str) -> None:
            for _ in range(3):
                done = len(scheduler._attempts)
                right(scheduler, pod, uid)
                if len(scheduler._attempts) == done or scheduler._attempts[-1].result != "Error":
                    return
                pods = {each["metadata"]["uid"]: each for each in scheduler._client.all("Pod")}
                pod = pods[uid]

        return (mock.patch.object(Scheduler, "_try", try_again),)


class WritesReservationsApart(RightCluster):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.reservations_apart()


class ReservesInOtherOrder(RightCluster):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.claims_reversed()


class WritesNodeResourcesFirst(RightCluster):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.node_resources_written_first()


class ChecksFitLast(RightCluster):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.fit_checked_last()


class RetriesServerErrors(RightCluster):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.server_errors_retried()


class KeepsReservations(RightCluster):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.reservations_kept()


class ServesFurtherDefaults(RightCluster):
    parts: ClassVar[Parts] = Parts(admission=FurtherDefaults().admit)


class ListsInReverse(RightCluster):
    """Records allocations in another form, and statuses of ResourceClaims and requestMappings in reverse order."""

    parts: ClassVar[Parts] = Parts(allocator=OtherForms().allocate)

    def observed(self, observation: Json) -> Json:
        if observation["outcome"] != "settled":
            return observation
        for pod in observation["objects"].get("pods", ()):
            status = pod.get("status") or {}
            for name in ("nodeAllocatableResourceClaimStatuses", "resourceClaimStatuses"):
                if status.get(name):
                    status[name].reverse()
            if "requestMappings" in (status.get("extendedResourceClaimStatus") or {}):
                status["extendedResourceClaimStatus"]["requestMappings"].reverse()
        return observation


RIGHT: tuple[type[RightCluster | ComponentCluster], ...] = (
    SchedulesNewestPodsFirst,
    ControlsNewestObjectsFirst,
    AdmitsNewestPodsFirst,
    RetriesWithoutChange,
    RetriesFailedAttemptsAtOnce,
    WritesReservationsApart,
    ReservesInOtherOrder,
    WritesNodeResourcesFirst,
    ChecksFitLast,
    RetriesServerErrors,
    KeepsReservations,
    ServesFurtherDefaults,
    ListsInReverse,
)
"""Each must pass the suite."""
