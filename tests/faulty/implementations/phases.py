"""Schedulers with faulty phases of attempts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import owner_of, with_status
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.attempts import attempts_in
from dra_conform.simulation.attempts.attempt_run import IdleCluster
from dra_conform.simulation.client import WriteFailed
from dra_conform.simulation.scheduling.cycle import Cycle, SchedulerPlugin
from dra_conform.simulation.scheduling.dynamic_resources import DynamicResources
from dra_conform.simulation.scheduling.node_allocatable import NodeAllocatable
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle


class PhasesCluster(IdleCluster):
    """Correct cluster whose subclasses change each plugin of an attempt before it is used."""

    def cycle_for(self, pod: Json, assumed: Sequence[Json]) -> SchedulingCycle:
        attempt = super().cycle_for(pod, assumed)
        for plugin in attempt._plugins:
            self.change(plugin)
        return attempt

    def change(self, plugin: SchedulerPlugin) -> None:
        """Change the plugin of an attempt."""

    def answer(self, body: Json) -> Json:
        """Return the changed answer."""
        return body


class Phases:
    """Implementation of the operation `schedule` with a cluster of class `made`."""

    name = "phases"
    version = "1"
    operations = ("schedule",)
    made: type[PhasesCluster] = PhasesCluster

    def schedule(
        self, objects: Mapping[str, Sequence[Json]], ask: Json, profile: Profile, seed: int = 0
    ) -> Json:
        cluster = self.made(objects, profile, seed)
        return cluster.answer(attempts_in(cluster, ask))


def _nothing() -> None:
    """Replace a phase that does nothing."""


class ForgetsUnreserve(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        plugin.unreserve = _nothing  # type: ignore[method-assign]


class KeepsInFlight(PhasesCluster):
    """Keeps allocations in flight after they are written."""

    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            plugin.pre_bound = plugin.reserve  # type: ignore[method-assign]


class KeepsNothingInFlight(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        plugin.reserve = _nothing  # type: ignore[method-assign]


class WritesInReserve(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        right, binding = plugin.reserve, plugin.pre_bind

        def reserve() -> None:
            right()
            list(binding())

        plugin.reserve, plugin.pre_bind = reserve, lambda: ()  # type: ignore[method-assign]


class BindsBeforeItWrites(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            right = plugin.pre_bind

            def pre_bind() -> Iterator[str]:
                cycle = plugin.cycle
                plugin._client.bind(cycle.pod, cycle.node)
                yield from right()

            plugin.pre_bind = pre_bind  # type: ignore[method-assign]


class LooksForClaimsInFilter(PhasesCluster):
    """Detects a missing claim only when it filters nodes."""

    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            late = plugin.pre_enqueue
            plugin.pre_enqueue = _nothing  # type: ignore[method-assign]
            plugin.pre_filter = _after(late, plugin.pre_filter)  # type: ignore[method-assign]


class IgnoresClaimsInFlight(PhasesCluster):
    """Treats a claim in flight as unallocated."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.in_flight.has = lambda claim: False  # type: ignore[method-assign]


class ConfusesPodsOfOneName(PhasesCluster):
    """Replaces an extended-resource claim in flight by that of a pod with the same name in any namespace."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        right, claims = self.in_flight.begin, self.in_flight._claims

        def begin(claim: Json, allocation: Json) -> None:
            pod = (owner_of(claim) or {}).get("name")
            for other in [*claims.values()]:
                if "uid" not in other["metadata"] and pod == (owner_of(other) or {}).get("name"):
                    self.in_flight.end(other)
            right(claim, allocation)

        self.in_flight.begin = begin  # type: ignore[method-assign]


class GivesUpOnConflict(PhasesCluster):
    """Treats a conflict as any other failed write."""

    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            right = plugin._client.update

            def update(raw: Json, subresource: str = "") -> Json:
                try:
                    return right(raw, subresource)
                except WriteFailed as failed:
                    raise WriteFailed("InternalError", str(failed), retryable=failed.retryable) from None

            plugin._client.update = update  # type: ignore[method-assign]


class IgnoresFailedWrites(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            right = plugin.pre_bind

            def pre_bind() -> Iterator[str]:
                try:
                    yield from right()
                except WriteFailed:
                    return

            plugin.pre_bind = pre_bind  # type: ignore[method-assign]


class ForgetsAssumedPods(PhasesCluster):
    def cycle_for(self, pod: Json, assumed: Sequence[Json]) -> SchedulingCycle:
        return super().cycle_for(pod, ())


class NeverDeallocatesClaims(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        plugin.post_filter = _nothing  # type: ignore[method-assign]


class NeverRestoresTheStatusOfPods(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, NodeAllocatable):
            plugin.unreserve = _nothing  # type: ignore[method-assign]


class RemovesAllReservations(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            plugin.unreserve = _after(  # type: ignore[method-assign]
                plugin.unreserve, partial(self._take_back, plugin)
            )

    def _take_back(self, plugin: DynamicResources) -> None:
        for claim in self.objects("ResourceClaim"):
            plugin._client.update(with_status(claim, reservedFor=None), "status")


class ReportsErrorsAsUnschedulable(PhasesCluster):
    def answer(self, body: Json) -> Json:
        return _recoded(body, {Code.ERROR: Code.UNSCHEDULABLE})


class ReportsUnresolvableAsUnschedulable(PhasesCluster):
    """Reports unresolvable failures as failures that preemption may resolve."""

    def answer(self, body: Json) -> Json:
        return _recoded(body, {Code.UNRESOLVABLE: Code.UNSCHEDULABLE})


class NeverPreempts(PhasesCluster):
    def answer(self, body: Json) -> Json:
        return _recoded(body, {Code.UNSCHEDULABLE: Code.UNRESOLVABLE}, phase="Filter")


class NeverRequeues(PhasesCluster):
    def answer(self, body: Json) -> Json:
        return _retried(body, lambda tried_again: [])


class AlwaysRequeues(PhasesCluster):
    def answer(self, body: Json) -> Json:
        pods = [f"{pod['metadata']['namespace']}/{pod['metadata']['name']}" for pod in self.objects("Pod")]
        return _retried(body, lambda tried_again: pods)


class StopsAtTheFirstNode(PhasesCluster):
    """Applies the result of the first node to all nodes."""

    def cycle_for(self, pod: Json, assumed: Sequence[Json]) -> SchedulingCycle:
        attempt = super().cycle_for(pod, assumed)
        right = attempt.filter

        def filter_once(node: Any) -> PhaseFailed | None:
            refused = right(node)
            attempt.filter = lambda _: refused  # type: ignore[method-assign]
            return refused

        attempt.filter = filter_once  # type: ignore[method-assign]
        return attempt


class WritesTheClaimOfTheFirstNode(PhasesCluster):
    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            plugin.reserve = _after(partial(_take_first_claim, plugin.cycle), plugin.reserve)  # type: ignore[method-assign]


def _take_first_claim(cycle: Cycle) -> None:
    first, own = next(iter(cycle.fits.values())), {"/".join(key_in(claim)[1:]) for claim in cycle.claims}
    chosen = {name: each for name, each in cycle.fits[cycle.node].allocations.items() if name in own}
    extended = {name: each for name, each in first.allocations.items() if name not in own}
    cycle.fits[cycle.node] = replace(first, allocations=chosen | extended)


def _after(first: Callable[[], None], then: Callable[[], None]) -> Callable[[], None]:
    def both() -> None:
        first()
        then()

    return both


class KeepsLaterClaimsInFlight(PhasesCluster):
    """Ends only the allocation of the first ResourceClaim of a pod after it is written."""

    def change(self, plugin: SchedulerPlugin) -> None:
        if isinstance(plugin, DynamicResources):
            right, cycle = plugin.pre_bound, plugin.cycle

            def pre_bound() -> None:
                claims, cycle.claims = cycle.claims, cycle.claims[:1]
                right()
                cycle.claims = claims

            plugin.pre_bound = pre_bound  # type: ignore[method-assign]


class RequeuesOnePod(PhasesCluster):
    def answer(self, body: Json) -> Json:
        return _retried(body, lambda pods: pods[:1])


def _recoded(body: Json, codes: Mapping[Code, Code], phase: str = "") -> Json:
    for observation in body["observations"]:
        for phase_of_observation in observation.get("phases", ()):
            if phase in ("", phase_of_observation["phase"]):
                phase_of_observation["code"] = codes.get(
                    phase_of_observation["code"], phase_of_observation["code"]
                )
    return body


def _retried(body: Json, pods: Callable[[list[str]], list[str]]) -> Json:
    for observation in body["observations"]:
        if "triedAgain" in observation:
            observation["triedAgain"] = pods(observation["triedAgain"])
    return body


WRONG: dict[type[PhasesCluster], str] = {
    ForgetsUnreserve: "DRA/workflow/filter-criteria",
    KeepsInFlight: "KEP-5004/scheduling-phase/prebind-writes",
    KeepsNothingInFlight: "KEP-5004/scheduling-phase/reserve-in-flight",
    KeepsLaterClaimsInFlight: "DRA/workflow/all-claims-of-a-pod-together",
    RequeuesOnePod: "DRA/workflow/unmet-request-waits",
    WritesInReserve: "KEP-5004/scheduling-phase/prebind-writes",
    BindsBeforeItWrites: "DRA/workflow/allocation-written-before-binding",
    LooksForClaimsInFilter: "DRA/workflow/missing-claim-blocks-pod",
    IgnoresClaimsInFlight: "DRA/workflow/allocation-written-before-binding",
    ConfusesPodsOfOneName: "KEP-5004/scheduling-phase/reserve-in-flight",
    GivesUpOnConflict: "KEP-5004/failure-handling/conflicts-retried-locally",
    IgnoresFailedWrites: "KEP-5004/failure-handling/prebind-finalizer-update-fails",
    ForgetsAssumedPods: "KEP-5517/lifecycle/assume-books-immediately",
    NeverDeallocatesClaims: "KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim",
    NeverRestoresTheStatusOfPods: "KEP-5517/lifecycle/status-cleared-after-failed-attempt",
    RemovesAllReservations: "API/reservation/given-back",
    ReportsErrorsAsUnschedulable: "KEP-5004/failure-handling/prebind-claim-create-fails",
    ReportsUnresolvableAsUnschedulable: "DRA/workflow/filter-criteria",
    NeverPreempts: "KEP-5517/diagnostics/insufficient-node-resources-code",
    NeverRequeues: "DRA/workflow/unmet-request-waits",
    AlwaysRequeues: "DRA/workflow/unmet-request-waits",
    StopsAtTheFirstNode: "DRA/workflow/pod-lands-where-device-is",
    WritesTheClaimOfTheFirstNode: "KEP-5004/scheduling-phase/allocation-kept-per-node",
}
"""Each faulty cluster with a requirement that it violates."""
