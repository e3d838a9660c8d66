"""Allocators that misread existing allocations, pools or their slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    World,
    constraints_of,
    results_of,
)


def _holders(wanted: Callable[[Json, World], Any]) -> ChangesRequest:
    """Remove the allocations of other claims for which `wanted` is false."""

    def change_request(world: World) -> None:
        for claim in world.holders:
            if (claim.get("status") or {}).get("allocation") and not wanted(claim, world):
                del claim["status"]["allocation"]

    return change_request


def _of_pods(claim: Json, world: World) -> bool:
    users = claim["status"].get("reservedFor") or ()
    return not users or any(user["resource"] == "pods" for user in users)


def _results(change: Callable[[list[Json]], list[Json]]) -> ChangesRequest:
    """Change the results of each allocated claim."""

    def change_request(world: World) -> None:
        for claim in world.holders:
            results = results_of(claim.get("status") or {})
            results[:] = change(results)

    return change_request


def _last_of_a_request(results: list[Json]) -> list[Json]:
    return list({result["request"]: result for result in results}.values())


def _one_of_a_pool(results: list[Json]) -> list[Json]:
    return list({(result["driver"], result["pool"]): result for result in results}.values())


def _bare_amounts(results: list[Json]) -> list[Json]:
    for result in results:
        if result.get("consumedCapacity"):
            amounts = result["consumedCapacity"]
            result["consumedCapacity"] = {name: amount for name, amount in amounts.items() if "/" not in name}
    return results


def _as_admin_of_claim(results: list[Json]) -> list[Json]:
    if any(result.get("adminAccess") for result in results):
        for result in results:
            result["adminAccess"] = True
    return results


def _as_ordinary_of_claim(results: list[Json]) -> list[Json]:
    if not all(result.get("adminAccess") for result in results):
        for result in results:
            result.pop("adminAccess", None)
    return results


def _equal_shares_once(world: World) -> None:
    seen = set()
    for claim in world.holders:
        results = results_of(claim.get("status") or {})
        kept = []
        for result in results:
            key = str((result["driver"], result["pool"], result["device"], result.get("consumedCapacity")))
            if "shareID" not in result or key not in seen:
                kept.append(result)
            seen.add(key)
        results[:] = kept


def _counts_as_found(when: Callable[[list[Json]], Any]) -> ChangesRequest:
    """Treat the existing slices of a pool as complete if `when` is true for them."""

    def change_request(world: World) -> None:
        for members in _pools(world):
            if when(members):
                newest = max(member["pool"].get("generation", 0) for member in members)
                current = [member for member in members if member["pool"].get("generation", 0) == newest]
                for spec in current:
                    spec["pool"]["resourceSliceCount"] = len(current)

    return change_request


def _pools(world: World) -> list[list[Json]]:
    """Return the specs of the slices of each pool."""
    by_pool: dict[tuple[str, str], list[Json]] = {}
    for resource_slice in world.slices:
        by_pool.setdefault(
            (resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"]), []
        ).append(resource_slice["spec"])
    return list(by_pool.values())


def _one_generation(when: Callable[[list[Json]], Any]) -> ChangesRequest:
    """Treat all generations of a pool as current if `when` is true for its slices."""

    def change_request(world: World) -> None:
        for members in _pools(world):
            if when(members):
                for member in members:
                    member["pool"]["generation"] = 1

    return change_request


def _names_of_slices(world: World) -> None:
    for members in _pools(world):
        seen: dict[str, int] = {}
        for place, spec in enumerate(members):
            for device in spec.get("devices") or ():
                if seen.setdefault(device["name"], place) != place:
                    device["name"] += f"-of-{place}"


def _last_counter_set(world: World) -> None:
    for members in _pools(world):
        declared = {
            counter_set["name"]: counter_set
            for spec in members
            for counter_set in spec.get("sharedCounters") or ()
        }
        for spec in members:
            if spec.get("sharedCounters"):
                spec["sharedCounters"] = [
                    counter_set
                    for counter_set in spec["sharedCounters"]
                    if declared.get(counter_set["name"]) is counter_set
                ]


def _whole_sets_only(world: World) -> None:
    for spec in (resource_slice["spec"] for resource_slice in world.slices):
        for counters in spec.get("sharedCounters") or ():
            for counter in counters["counters"].values():
                number = str(counter["value"])
                if number.endswith("m") and number[:-1].isdecimal():
                    counter["value"] = str(-(-int(number[:-1]) // 1000))


def _merged_entries(world: World) -> None:
    for device in world.devices:
        entries = device.get("consumesCounters") or []
        if len(entries) > 1:
            for entry in entries[1:]:
                entry["counters"] = {**entries[0]["counters"], **entry["counters"]}
                entry["counters"] = {
                    name: value for name, value in entry["counters"].items() if name in entries[0]["counters"]
                }


def _without_bindings(when: Callable[[Json], Any]) -> ChangesRequest:
    def change_request(world: World) -> None:
        for device in world.devices:
            if when(device):
                device.pop("bindsToNode", None)

    return change_request


def _by_driver(world: World) -> None:
    drivers = {resource_slice["spec"]["driver"] for resource_slice in world.slices}
    for claim in world.claims:
        if len(drivers) > 1 and constraints_of(claim):
            claim["spec"]["devices"]["constraints"] = []


def _only_rule_of_a_key(world: World) -> None:
    world.rules[:] = list({rule["spec"]["taint"]["key"]: rule for rule in world.rules}.values())


def _rules_without(part: str) -> ChangesRequest:
    """Ignore DeviceTaintRules for devices that have this field."""

    def change_request(world: World) -> None:
        if any(device.get(part) for device in world.devices):
            world.rules.clear()

    return change_request


OF_HOLDERS = (
    FaultyAllocator("claims that no pod uses do not count as allocated", _holders(_of_pods)),
    FaultyAllocator("claims that are bound elsewhere do not count as allocated", _holders(lambda claim, world: world.ask["node"] in str(claim["status"]["allocation"].get("nodeSelector") or world.ask["node"]))),
    FaultyAllocator("claims with configuration do not count as allocated", _holders(lambda claim, world: not claim["status"]["allocation"]["devices"].get("config"))),
    FaultyAllocator("claims of two devices do not count as allocated", _holders(lambda claim, world: len(results_of(claim["status"])) < 2)),
    FaultyAllocator("a request is allocated only its last device", _results(_last_of_a_request)),
    FaultyAllocator("a claim is allocated one device of a pool", _results(_one_of_a_pool)),
    FaultyAllocator("allocated capacities with a domain do not count", _results(_bare_amounts)),
    FaultyAllocator("with one device a claim has adminAccess to all", _results(_as_admin_of_claim)),
    FaultyAllocator("adminAccess to a device that is also in use counts", _results(_as_ordinary_of_claim)),
    FaultyAllocator("equal shared allocations of two claims count once", _equal_shares_once),
    FaultyAllocator("slices for all nodes are complete", _counts_as_found(lambda specs: any(spec.get("allNodes") for spec in specs))),
    FaultyAllocator("slices of later generations are complete", _counts_as_found(lambda specs: any(spec["pool"].get("generation", 0) > 1 for spec in specs))),
    FaultyAllocator("slices with counters are complete", _counts_as_found(lambda specs: any(spec.get("sharedCounters") for spec in specs))),
    FaultyAllocator("slices with perDeviceNodeSelection are complete", _counts_as_found(lambda specs: any(spec.get("perDeviceNodeSelection") for spec in specs))),
    FaultyAllocator("generations of counters do not count", _one_generation(lambda specs: any(spec.get("sharedCounters") for spec in specs))),
    FaultyAllocator("generations of slices for all nodes do not count", _one_generation(lambda specs: any(spec.get("allNodes") for spec in specs))),
    FaultyAllocator("generations of slices with a selector do not count", _one_generation(lambda specs: any(spec.get("nodeSelector") for spec in specs))),
    FaultyAllocator("a name in two slices is of two devices", _names_of_slices),
    FaultyAllocator("of counter sets of one name the last counts", _last_counter_set),
    FaultyAllocator("declared counters are rounded up", _whole_sets_only),
    FaultyAllocator("counters of later sets are those of the first", _merged_entries),
    FaultyAllocator("devices for all nodes do not bind to one", _without_bindings(lambda device: device.get("allNodes"))),
    FaultyAllocator("shared devices do not bind to a node", _without_bindings(lambda device: device.get("allowMultipleAllocations"))),
    FaultyAllocator("devices without binding conditions do not bind", _without_bindings(lambda device: not device.get("bindingConditions"))),
    FaultyAllocator("constraints are for devices of one driver", _by_driver),
    FaultyAllocator("of rules with one key the last taints", _only_rule_of_a_key),
    FaultyAllocator("rules do not taint devices that have taints", _rules_without("taints")),
    FaultyAllocator("rules do not taint where attributes are", _rules_without("attributes")),
)  # fmt: skip
