"""Correct schedulers that differ from the built-in where the specification leaves a choice.

KEP-5004 and KEP-5517 name the codes of a few phases. The other codes, the reasons, the node and the devices, the order
of writes and the retries are the scheduler's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar
from unittest import mock

from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import allocation_of, reservations_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation import status_writes
from dra_conform.simulation.attempts import attempt_run
from dra_conform.simulation.attempts.attempt_run import AttemptRun
from dra_conform.simulation.scheduling.allocated_claims import AllocatedClaims
from dra_conform.simulation.scheduling.cycle import SchedulerPlugin
from dra_conform.simulation.scheduling.dynamic_resources import DynamicResources
from tests.faulty.implementations.phases import AlwaysRequeues, LooksForClaimsInFilter, Phases, PhasesCluster
from tests.reference.right import AnyFitting, BestFitting, DecidesOtherwise, LastFitting
from tests.reference.textbook import Textbook
from tests.right import scheduler_changes
from tests.right.allocations import as_part


class RightScheduler(Phases):
    """Scheduler with an optional allocator of its own, and with changed functions of the built-in."""

    allocator: ClassVar[type[Textbook] | None] = None

    def schedule(
        self, objects: Mapping[str, Sequence[Json]], ask: Json, profile: Profile, seed: int = 0
    ) -> Json:
        patches = list(self.patches())
        if self.allocator is not None:
            patches.append(mock.patch.object(attempt_run, "allocate", as_part(self.allocator)))
        for patch in patches:
            patch.start()
        try:
            return super().schedule(objects, ask, profile, seed)
        finally:
            for patch in reversed(patches):
                patch.stop()

    def patches(self) -> Iterable[Any]:
        """Return the changes of the built-in."""
        return ()


class TakesTheLastDevice(RightScheduler):
    allocator = LastFitting


class TakesTheSmallestDevice(RightScheduler):
    allocator = BestFitting


class TakesAnyDevice(RightScheduler):
    allocator = AnyFitting


class DecidesOpenPointsDifferently(RightScheduler):
    allocator = DecidesOtherwise


class TakesTheLastNode(RightScheduler):
    """Chooses the last node that fits, whatever its score is."""

    def patches(self) -> Iterable[Any]:
        filtered = AttemptRun._filtered

        def last(run: AttemptRun, names: Sequence[str] | None) -> list[str]:
            return filtered(run, names)[-1:]

        return (mock.patch.object(AttemptRun, "_filtered", last),)


class _OtherCodes(PhasesCluster):
    """Reports other codes and no reasons where no document names a code."""

    def answer(self, body: Json) -> Json:
        for observation in body["observations"]:
            for phase in observation.get("phases", ()):
                phase.pop("reasons", None)
                if phase["phase"] in ("PreEnqueue", "PostFilter") and phase["code"] in _SWAPPED:
                    phase["code"] = _SWAPPED[phase["code"]]
        return body


_SWAPPED = {
    "Unschedulable": "UnschedulableAndUnresolvable",
    "UnschedulableAndUnresolvable": "Unschedulable",
}


class OtherCodes(RightScheduler):
    made = _OtherCodes


class _OtherCodesOfErrors(PhasesCluster):
    """Reports other codes of failed writes in scenarios without extended resources."""

    def answer(self, body: Json) -> Json:
        classes = self.objects("DeviceClass")
        if any("extendedResourceName" in device_class["spec"] for device_class in classes):
            return body
        for observation in body["observations"]:
            for phase in observation.get("phases", ()):
                if phase["code"] == "Error":
                    phase["code"] = "Unschedulable"
        return body


class OtherCodesOfErrors(RightScheduler):
    made = _OtherCodesOfErrors


class _WithoutPreEnqueue(PhasesCluster):
    """Reports the checks of PreEnqueue as those of PreFilter."""

    def answer(self, body: Json) -> Json:
        for observation in body["observations"]:
            if "phases" in observation:
                observation["phases"] = [
                    {**phase, "phase": "PreFilter"} if phase["phase"] == "PreEnqueue" else phase
                    for phase in observation["phases"]
                    if phase["phase"] != "PreEnqueue" or phase["code"] != "Success"
                ]
        return body


class WithoutPreEnqueue(RightScheduler):
    made = _WithoutPreEnqueue


class LooksForClaimsLate(RightScheduler):
    """Looks for missing ResourceClaims in PreFilter."""

    made = LooksForClaimsInFilter


class RetriesAfterEachChange(RightScheduler):
    made = AlwaysRequeues


class _InFlightUntilBind(PhasesCluster):
    """Keeps an allocation in flight until the pod is bound."""

    def cycle_for(self, pod: Json, assumed: Sequence[Json]) -> Any:
        attempt = super().cycle_for(pod, assumed)
        bind, ends = attempt.bind, [plugin.pre_bound for plugin in attempt._plugins]

        def bind_and_end() -> None:
            bind()
            for end in ends:
                end()

        for plugin in attempt._plugins:
            plugin.pre_bound = _nothing  # type: ignore[method-assign]
        attempt.bind = bind_and_end  # type: ignore[method-assign]
        return attempt


def _nothing() -> None:
    """Replace a phase that does nothing."""


class InFlightUntilBind(RightScheduler):
    made = _InFlightUntilBind


class ReservesInOtherOrder(RightScheduler):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.claims_reversed()


class WritesReservationsApart(RightScheduler):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.reservations_apart()


class KeepsReservations(RightScheduler):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.reservations_kept()


class KeepsNodeResourcesInStatus(RightScheduler):
    """No document says that Unreserve removes them, only that they no longer count."""

    def patches(self) -> Iterable[Any]:
        return scheduler_changes.node_resources_kept()


class WritesNodeResourcesFirst(RightScheduler):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.node_resources_written_first()


class ChecksFitLast(RightScheduler):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.fit_checked_last()


class RetriesServerErrors(RightScheduler):
    def patches(self) -> Iterable[Any]:
        return scheduler_changes.server_errors_retried()


class _DeallocatesAtOnce(PhasesCluster):
    """Also removes the allocations that the attempt has written when it is given up."""

    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            plugin.unreserve = partial(unreserve_and_deallocate, plugin, plugin.unreserve)  # type: ignore[method-assign]


def unreserve_and_deallocate(plugin: DynamicResources, right: Any) -> None:
    """Run Unreserve, then deallocate the ResourceClaims that nothing uses."""
    right()
    for claim in plugin._to_allocate():
        current = plugin._client.get(key_in(claim))
        if current is not None and allocation_of(current) is not None and not reservations_of(current):
            status_writes.deallocate(current, plugin._client)


class DeallocatesAtOnce(RightScheduler):
    made = _DeallocatesAtOnce


class _KeepsAllocations(PhasesCluster):
    """Never deallocates a ResourceClaim that does not fit; no document says that PostFilter does."""

    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, AllocatedClaims):
            plugin.post_filter = _nothing  # type: ignore[method-assign]


class KeepsAllocations(RightScheduler):
    made = _KeepsAllocations


RIGHT: tuple[type[RightScheduler], ...] = (
    TakesTheLastDevice,
    TakesTheSmallestDevice,
    TakesAnyDevice,
    DecidesOpenPointsDifferently,
    TakesTheLastNode,
    OtherCodes,
    WithoutPreEnqueue,
    LooksForClaimsLate,
    RetriesAfterEachChange,
    InFlightUntilBind,
    ReservesInOtherOrder,
    WritesReservationsApart,
    KeepsReservations,
    KeepsNodeResourcesInStatus,
    WritesNodeResourcesFirst,
    ChecksFitLast,
    RetriesServerErrors,
    OtherCodesOfErrors,
    DeallocatesAtOnce,
    KeepsAllocations,
)
"""Each must pass the suite."""
