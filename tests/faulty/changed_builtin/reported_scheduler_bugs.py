"""Allocators with faults that users have reported of schedulers, autoscalers and quota controllers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    World,
    device_of,
    requests_of,
    results_of,
)
from tests.faulty.changed_builtin.lost_precision import in_asked_amounts, whole_units
from tests.reference.textbook_world import amount


def _default_of_largest(world: World) -> None:
    largest: dict[str, Json] = {}
    for device in world.devices:
        for name, capacity in (device.get("capacity") or {}).items():
            known = largest.get(name)
            if known is None or amount(str(capacity["value"])) > amount(str(known["value"])):
                largest[name] = capacity
    for device in world.devices:
        for name, capacity in (device.get("capacity") or {}).items():
            policy, other = capacity.get("requestPolicy"), largest[name].get("requestPolicy")
            if policy and other and policy.get("default") and other.get("default"):
                policy["default"] = other["default"]


def _stale_and_incomplete(world: World) -> None:
    pools: dict[tuple[str, str], list[Json]] = defaultdict(list)
    for spec in world.specs:
        pools[spec["driver"], spec["pool"]["name"]].append(spec["pool"])
    for specs in pools.values():
        for one in specs:
            one["generation"] = max(each.get("generation", 0) for each in specs)
            one["resourceSliceCount"] = len(specs)


def _count_of_first(world: World) -> None:
    first: dict[tuple[str, str, int], int] = {}
    for spec in world.specs:
        pool = spec["pool"]
        key = spec["driver"], pool["name"], pool.get("generation", 0)
        pool["resourceSliceCount"] = first.setdefault(key, pool["resourceSliceCount"])


def _held(kept: Callable[[Json, Json | None], object]) -> ChangesRequest:
    """Remove results for which `kept`, called with the result and its published device, is false."""

    def change_request(world: World) -> None:
        published = dict(world.published)
        for claim in world.holders:
            results = results_of(claim.get("status") or {})
            results[:] = [result for result in results if kept(result, published.get(device_of(result)))]

    return change_request


def _was_dedicated(result: Json, device: Json | None) -> bool:
    return device is None or "shareID" in result or not device.get("allowMultipleAllocations")


def _was_shared(result: Json, device: Json | None) -> bool:
    return device is None or "shareID" not in result or bool(device.get("allowMultipleAllocations"))


def _other_nodes(world: World) -> None:
    world.slices[:] = [
        resource_slice
        for resource_slice in world.slices
        if resource_slice["spec"].get("nodeName") in (None, world.ask.get("node"))
    ]


def _no_own_choice(world: World) -> None:
    world.slices[:] = [
        resource_slice
        for resource_slice in world.slices
        if not resource_slice["spec"].get("perDeviceNodeSelection")
    ]


def _first_terms(world: World) -> None:
    for spec in (*world.specs, *world.devices):
        if spec.get("nodeSelector"):
            terms = spec["nodeSelector"]["nodeSelectorTerms"]
            del terms[1:]


def _largest_of_list(world: World) -> None:
    for request in world.lists:
        most: dict[str, str] = {}
        for subrequest in request["firstAvailable"]:
            for name, value in ((subrequest.get("capacity") or {}).get("requests") or {}).items():
                if name not in most or amount(str(value)) > amount(str(most[name])):
                    most[name] = value
        for subrequest in request["firstAvailable"]:
            for name in (subrequest.get("capacity") or {}).get("requests") or {}:
                subrequest["capacity"]["requests"][name] = most[name]


def _most_devices_of_list(world: World) -> None:
    for request in world.lists:
        counts = [subrequest.get("count", 1) for subrequest in request["firstAvailable"]]
        for subrequest in request["firstAvailable"]:
            if subrequest.get("allocationMode") != "All":
                subrequest["count"] = max(counts)


def _widened(allocations: dict[str, Json], world: World) -> None:
    for claim, allocation in zip(world.claims, allocations.values(), strict=False):
        for entry in allocation["devices"].get("config") or ():
            if len(entry.get("requests") or ()) == len(requests_of(claim)):
                entry["requests"] = []


def _one_pool_a_node(world: World) -> None:
    """Identify pools by node, as if a driver had one pool per node."""
    kept: dict[tuple[str, str], str] = {}
    for resource_slice in list(world.slices):
        spec = resource_slice["spec"]
        if spec.get("nodeName"):
            key = spec["driver"], spec["nodeName"]
            if kept.setdefault(key, spec["pool"]["name"]) != spec["pool"]["name"]:
                world.slices.remove(resource_slice)


def _one_device_a_request(world: World) -> None:
    """Count requests instead of devices."""
    for claim in world.holders:
        results = results_of(claim.get("status") or {})
        results[:] = list({result["request"]: result for result in reversed(results)}.values())


def _attributes_of_first(world: World) -> None:
    """Treat devices of a pool as copies of the first, as in a node template."""
    for spec in world.specs:
        devices = spec.get("devices") or []
        for device in devices[1:]:
            if devices[0].get("attributes") is not None and device.get("attributes") is not None:
                device["attributes"] = devices[0]["attributes"]


def _hostname_is_name(world: World) -> None:
    """Use the hostname label of a node that is created from a template."""
    for node in world.nodes:
        labels = node["metadata"].get("labels") or {}
        if "kubernetes.io/hostname" in labels:
            labels["kubernetes.io/hostname"] = node["metadata"]["name"]


def _no_classes_of_drivers(world: World) -> None:
    """Apply only those selectors of a DeviceClass that name the driver."""
    for device_class in world.classes:
        selectors = (device_class.get("spec") or {}).get("selectors") or []
        named = [each for each in selectors if "device.driver" in each["cel"]["expression"]]
        if named:
            device_class["spec"]["selectors"] = named


OF_SCHEDULERS = (
    FaultyAllocator("the default is that of the largest device", changes_request=_default_of_largest),
    FaultyAllocator("what is asked for is charged in whole units", changes_request=in_asked_amounts(whole_units)),
    FaultyAllocator("stale and incomplete slices count together", changes_request=_stale_and_incomplete),
    FaultyAllocator("the slice count is that of the first slice", changes_request=_count_of_first),
    FaultyAllocator("a device that was allocated before it was shared is free", changes_request=_held(_was_dedicated)),
    FaultyAllocator("a device that was shared before it was exclusive is free", changes_request=_held(_was_shared)),
    FaultyAllocator("slices of other nodes do not complete a pool", changes_request=_other_nodes),
    FaultyAllocator("slices with perDeviceNodeSelection do not exist", changes_request=_no_own_choice),
    FaultyAllocator("of the terms of a node selector the first counts", changes_request=_first_terms),
    FaultyAllocator("a list asks for the most of its subrequests", changes_request=_largest_of_list),
    FaultyAllocator("a list asks for the most devices of its subrequests", changes_request=_most_devices_of_list),
    FaultyAllocator("configuration of as many names as there are requests is for all", changes_answer=_widened),
    FaultyAllocator("a driver has one pool a node", changes_request=_one_pool_a_node),
    FaultyAllocator("the results of a request count once", changes_request=_one_device_a_request),
    FaultyAllocator("devices of a slice have the attributes of the first", changes_request=_attributes_of_first),
    FaultyAllocator("the host name of a node is its name", changes_request=_hostname_is_name),
    FaultyAllocator("a class selects by its driver", changes_request=_no_classes_of_drivers),
)  # fmt: skip
