"""Allocators that misread ResourceSlices, DeviceClasses, DeviceTaintRules or existing allocations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    DeviceKey,
    FaultyAllocator,
    World,
    constraints_of,
    device_of,
    exact_requests_of,
    requests_of,
    results_of,
)


def _policies_of_first(world: World) -> None:
    first: dict[str, Json] = {}
    for device in world.devices:
        for name, capacity in (device.get("capacity") or {}).items():
            policy = first.setdefault(name, capacity.get("requestPolicy"))
            if policy and capacity.get("requestPolicy"):
                capacity["requestPolicy"] = policy


def _defaults_beside_other_amounts(world: World) -> None:
    if any((request.get("capacity") or {}).get("requests") for request in world.exact_requests):
        for policy in world.policies:
            policy.pop("default", None)


def _ranges(change: Callable[[Json], object]) -> ChangesRequest:
    def change_request(world: World) -> None:
        for policy in world.policies:
            if policy.get("validRange"):
                change(policy["validRange"])

    return change_request


def _no_max_without_step(valid: Json) -> None:
    if "step" not in valid:
        valid.pop("max", None)


def _no_max_with_step(valid: Json) -> None:
    if "step" in valid:
        valid.pop("max", None)


def _texts_of_values(world: World) -> None:
    for policy in world.policies:
        if policy.get("validValues"):
            policy["validValues"].sort(key=str)


def _held_without(wanted: Callable[[Json], Any]) -> ChangesRequest:
    """Remove the results of other claims for which `wanted` is false."""

    def change_request(world: World) -> None:
        for claim in world.holders:
            results = results_of(claim.get("status") or {})
            results[:] = [result for result in results if wanted(result)]

    return change_request


def _held_twice_is_once(world: World) -> None:
    for claim in world.holders:
        results = results_of(claim.get("status") or {})
        results[:] = list({device_of(result): result for result in results}.values())


def _shares_hold_defaults(world: World) -> None:
    devices = dict(world.published)
    for result in world.existing_results:
        device = devices.get(device_of(result), {})
        if "shareID" in result:
            for name, capacity in (device.get("capacity") or {}).items():
                result.setdefault("consumedCapacity", {}).setdefault(name, capacity["value"])


def _admin_shares_hold(world: World) -> None:
    for result in world.existing_results:
        if "shareID" in result:
            result.pop("adminAccess", None)


def _what_drivers_report_is_held(world: World) -> None:
    for claim in world.holders:
        reported = (claim.get("status") or {}).get("devices") or []
        if reported and results_of(claim["status"]):
            claim["status"]["allocation"]["devices"]["results"] += [
                {"request": "r", **{name: device[name] for name in ("driver", "pool", "device")}}
                for device in reported
            ]


def _taints(change: Callable[[list[Json]], list[Json]]) -> ChangesRequest:
    def change_request(world: World) -> None:
        for device in world.devices:
            if device.get("taints"):
                device["taints"] = change(device["taints"])

    return change_request


def _eviction_only(world: World) -> None:
    world.rules[:] = [rule for rule in world.rules if rule["spec"]["taint"].get("effect") != "NoExecute"]


def _rules_for_own_slices(world: World) -> None:
    if world.rules and any(resource_slice["spec"].get("allNodes") for resource_slice in world.slices):
        world.rules.clear()


def _rules_by_class_only(world: World) -> None:
    for rule in world.rules:
        selector = rule["spec"].get("deviceSelector") or {}
        if selector.get("deviceClassName"):
            for name in ("driver", "pool", "device", "selectors"):
                selector.pop(name, None)


def _union_of_groups(world: World) -> None:
    for device in world.devices:
        every = [
            name
            for consumption in device.get("consumesCounters") or ()
            for name in consumption.get("compatibilityGroups") or ()
        ]
        for consumption in device.get("consumesCounters") or ():
            consumption["compatibilityGroups"] = list(dict.fromkeys(every))


def _published_groups(world: World) -> dict[DeviceKey, dict[str, list[str]]]:
    return {
        key: {
            entry["counterSet"]: entry.get("compatibilityGroups") or []
            for entry in device.get("consumesCounters") or ()
        }
        for key, device in world.published
    }


def _recorded(change: Callable[[list[str], list[str]], list[str]]) -> ChangesRequest:
    """Change the recorded groups of allocated devices by the published groups."""

    def change_request(world: World) -> None:
        published = _published_groups(world)
        for result in world.existing_results:
            now = published.get(device_of(result), {})
            for name, groups in (result.get("compatibilityGroups") or {}).items():
                result["compatibilityGroups"][name] = change(groups, now.get(name, groups))

    return change_request


def _second_entry(world: World) -> None:
    for device in world.devices:
        for consumption in (device.get("consumesCounters") or ())[1:]:
            first = device["consumesCounters"][0]["counters"]
            consumption["counters"] = {
                name: value for name, value in consumption["counters"].items() if name not in first
            }


def _foreign_attributes(world: World) -> None:
    constrained = {
        constraint.get("matchAttribute") for claim in world.claims for constraint in constraints_of(claim)
    }
    for resource_slice in world.slices:
        for device in resource_slice["spec"].get("devices") or ():
            for name in list(device.get("attributes") or ()):
                if name in constrained and name.partition("/")[0] != resource_slice["spec"]["driver"]:
                    del device["attributes"][name]


def _selected_by_class_or_request(world: World) -> None:
    for request in world.exact_requests:
        if request.get("selectors"):
            for item in world.classes:
                if item["metadata"]["name"] == request["deviceClassName"]:
                    (item.get("spec") or {}).pop("selectors", None)


def _classes_without_selectors(world: World) -> None:
    for item in world.classes:
        if not (item.get("spec") or {}).get("selectors"):
            item["spec"] = {**(item.get("spec") or {}), "selectors": [{"cel": {"expression": "false"}}]}


def _newest_of_driver(world: World) -> None:
    newest: dict[str, int] = {}
    for resource_slice in world.slices:
        driver, generation = (
            resource_slice["spec"]["driver"],
            resource_slice["spec"]["pool"].get("generation", 0),
        )
        newest[driver] = max(newest.get(driver, 0), generation)
    world.slices[:] = [
        resource_slice
        for resource_slice in world.slices
        if resource_slice["spec"]["pool"].get("generation", 0) == newest[resource_slice["spec"]["driver"]]
    ]


def _of_devices(change: Callable[[Json], object]) -> ChangesRequest:
    def change_request(world: World) -> None:
        for resource_slice in world.slices:
            if resource_slice["spec"].get("perDeviceNodeSelection"):
                for device in resource_slice["spec"].get("devices") or ():
                    change(device)

    return change_request


def _everywhere_on_its_own(device: Json) -> None:
    if device.pop("allNodes", None):
        device["nodeName"] = "nowhere"


def _selected_everywhere(device: Json) -> None:
    if device.pop("nodeSelector", None):
        device["allNodes"] = True


def _named_everywhere(device: Json) -> None:
    if device.pop("nodeName", None):
        device["allNodes"] = True


def _without_binding_beside_claims(world: World) -> None:
    if len(world.claims) > 1:
        for resource_slice in world.slices:
            devices = resource_slice["spec"].get("devices") or []
            devices[:] = [device for device in devices if not device.get("bindingConditions")]


def _dedicated_where_counted(world: World) -> None:
    if any(
        subrequest.get("count", 1) > 1
        for claim in world.claims
        for request in requests_of(claim)
        for subrequest in exact_requests_of(request)
    ):
        for device in world.devices:
            device.pop("allowMultipleAllocations", None)


def _by_key(which: int) -> Callable[[list[Json]], list[Json]]:
    return lambda taints: list({taint["key"]: taint for taint in taints[::which]}.values())


OF_DEVICES = (
    FaultyAllocator("the policy of the first device is that of all", _policies_of_first),
    FaultyAllocator("defaults do not count where something is asked for", _defaults_beside_other_amounts),
    FaultyAllocator("max counts with a step only", _ranges(_no_max_without_step)),
    FaultyAllocator("max counts without a step only", _ranges(_no_max_with_step)),
    FaultyAllocator("valid values are sorted as strings", _texts_of_values),
    FaultyAllocator("shared allocations consume the whole of capacities that they do not record", _shares_hold_defaults),
    FaultyAllocator("shared allocations with adminAccess count", _admin_shares_hold),
    FaultyAllocator("a device that a claim is allocated twice counts once", _held_twice_is_once),
    FaultyAllocator("shared allocations of no capacity do not count as allocated", _held_without(lambda result: "shareID" not in result or result.get("consumedCapacity"))),
    FaultyAllocator("an allocation with recorded groups does not count", _held_without(lambda result: not result.get("compatibilityGroups"))),
    FaultyAllocator("devices with a device status are allocated", _what_drivers_report_is_held),
    FaultyAllocator("taints of one key are the last of them", _taints(_by_key(1))),
    FaultyAllocator("taints of one key are the first of them", _taints(_by_key(-1))),
    FaultyAllocator("rules with NoExecute only evict", _eviction_only),
    FaultyAllocator("rules taint what belongs to a node", _rules_for_own_slices),
    FaultyAllocator("a rule with a class has no other criterion", _rules_by_class_only),
    FaultyAllocator("groups are those of the device, for any counter set", _union_of_groups),
    FaultyAllocator("groups of an allocated device are recorded and published ones", _recorded(lambda old, new: [*old, *(subrequest for subrequest in new if subrequest not in old)])),
    FaultyAllocator("groups of an allocated device are both recorded and published", _recorded(lambda old, new: [group for group in old if group in new])),
    FaultyAllocator("counters of one name in two sets are drawn once", _second_entry),
    FaultyAllocator("attributes of other domains have no part in constraints", _foreign_attributes),
    FaultyAllocator("selectors of a request take the place of its class", _selected_by_class_or_request),
    FaultyAllocator("a class without selectors selects nothing", _classes_without_selectors),
    FaultyAllocator("pool generations are compared for the whole driver", _newest_of_driver),
    FaultyAllocator("a device for all nodes is on none", _of_devices(_everywhere_on_its_own)),
    FaultyAllocator("a device with a node selector is everywhere", _of_devices(_selected_everywhere)),
    FaultyAllocator("a device of a node is everywhere", _of_devices(_named_everywhere)),
    FaultyAllocator("binding conditions suit one claim a pod", _without_binding_beside_claims),
    FaultyAllocator("requests with a count share no devices", _dedicated_where_counted),
)  # fmt: skip
