"""Allocators with a reported bug that no current build has, and the case that detects it."""

from __future__ import annotations

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, World, device_of


def _all_draws_with_the_gate_off(world: World) -> None:
    if world.asks_for_all and not world.profile.enabled("DRAPartitionableDevices"):
        for device in world.devices:
            device.pop("consumesCounters", None)


def _two_alternatives_beside_a_request(allocations: dict[str, Json], world: World) -> None:
    for allocation in allocations.values():
        if (
            len(
                {result["request"].partition("/")[0] for result in allocation["devices"].get("results") or ()}
            )
            > 1
        ):
            config = allocation["devices"].get("config") or []
            config[:] = [
                entry for entry in config if sum("/" in name for name in entry.get("requests") or ()) < 2
            ]


def _in_use_is_not_tainted(world: World) -> None:
    if world.asks_as_admin:
        in_use = {device_of(result) for result in world.existing_results}
        for key, device in world.published:
            if key in in_use:
                device.pop("taints", None)


BY_CASE = {
    FaultyAllocator("with partitions off, All takes devices that consume counters", _all_draws_with_the_gate_off): "dra/gates-off/partitionable-off-all-",
    FaultyAllocator("configuration of two subrequests is not recorded together with a request", changes_answer=_two_alternatives_beside_a_request): "dra/config-scopes/both-subrequests-named",
    FaultyAllocator("adminAccess to what is in use needs no toleration", _in_use_is_not_tainted): "dra/boundaries/admin-access-device-in-use-tainted",
}  # fmt: skip
"""Each faulty allocator with a prefix of the ids of the cases that detect it."""

OF_REPORTED = tuple(BY_CASE)
