"""Patches of the built-in scheduler that leave it correct, for single attempts and for clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from dra_conform.cluster_state.pods import reservation, reservations_of, with_status
from dra_conform.kube.extended_resources import is_extended_resource_claim
from dra_conform.kube.json_values import Json
from dra_conform.simulation import status_writes
from dra_conform.simulation.client import Client, WriteFailed
from dra_conform.simulation.scheduling import dynamic_resources
from dra_conform.simulation.scheduling.cycle import Cycle, SchedulerPlugin
from dra_conform.simulation.scheduling.cycle_factory import CycleFactory
from dra_conform.simulation.scheduling.dynamic_resources import DynamicResources
from dra_conform.simulation.scheduling.node_allocatable import NodeAllocatable
from dra_conform.simulation.scheduling.node_plugins import NodeResourcesFit
from dra_conform.simulation.scheduling.scheduling_cycle import SchedulingCycle

Patches = tuple[Any, ...]


def reservations_apart() -> Patches:
    """Write the reservation of a ResourceClaim after its allocation, in a second write."""
    right = status_writes._reserve

    def reserve(pod: Json, claim: Json, allocation: Json, client: Any, time: str) -> Json:
        written = right(pod, claim, allocation, client, time)
        if allocation is None:
            return written
        uid = pod["metadata"]["uid"]
        others = [consumer for consumer in reservations_of(written) if consumer["uid"] != uid]
        without = client.update(with_status(written, reservedFor=others or None), "status")
        return client.update(with_status(without, reservedFor=[*others, reservation(pod)]), "status")

    return (mock.patch.object(status_writes, "_reserve", reserve),)


def claims_reversed() -> Patches:
    """Write the ResourceClaims of a pod in reverse order."""
    right = DynamicResources.pre_bind

    def pre_bind(plugin: DynamicResources) -> Any:
        plugin.cycle.claims = plugin.cycle.claims[::-1]
        return right(plugin)

    return (mock.patch.object(DynamicResources, "pre_bind", pre_bind),)


def reservations_kept() -> Patches:
    """Keep the reservations for a pod whose attempt is given up; no document says who removes them."""
    return (mock.patch.object(dynamic_resources, "unreserve", return_value=None),)


def node_resources_kept() -> Patches:
    """Keep nodeAllocatableResourceClaimStatuses of a pod whose attempt is given up."""
    return (mock.patch.object(NodeAllocatable, "unreserve", return_value=None),)


def node_resources_written_first() -> Patches:
    """Write nodeAllocatableResourceClaimStatuses of a pod before its ResourceClaims.

    The entry of an extended-resource claim needs the name of the claim, so it is written last.
    """

    def pre_bind(cycle: SchedulingCycle) -> Iterator[str]:
        fit = cycle.cycle.fits.get(cycle.cycle.node)
        first = NodeAllocatable if fit is not None and fit.extended is None else ()
        for plugin in sorted(cycle._plugins, key=lambda each: not isinstance(each, first)):
            yield from plugin.pre_bind()
        for plugin in cycle._plugins:
            plugin.pre_bound()

    return (mock.patch.object(SchedulingCycle, "_pre_bind", pre_bind),)


def fit_checked_last() -> Patches:
    """Run NodeResourcesFit after DynamicResources (KEP-5517: in any order)."""
    right = CycleFactory._plugins

    def plugins(factory: CycleFactory, cycle: Cycle) -> list[SchedulerPlugin]:
        return sorted(right(factory, cycle), key=lambda plugin: isinstance(plugin, NodeResourcesFit))

    return (mock.patch.object(CycleFactory, "_plugins", plugins),)


def server_errors_retried() -> Patches:
    """Repeat writes that fail with a server error, except those for which KEP-5004 says that PreBind fails."""
    return tuple(
        mock.patch.object(Client, name, _retried(getattr(Client, name)))
        for name in ("create", "update", "bind")
    )


def _retried(right: Callable[..., Any]) -> Callable[..., Any]:
    def write(client: Client, item: Json, *rest: Any) -> Any:
        pod_status = item["kind"] == "Pod" and rest[:1] == ("status",)
        attempts = 1 if pod_status or is_extended_resource_claim(item) else 3
        for _ in range(attempts - 1):
            try:
                return right(client, item, *rest)
            except WriteFailed as failed:
                if failed.reason not in ("InternalError", "ServiceUnavailable"):
                    raise
        return right(client, item, *rest)

    return write
