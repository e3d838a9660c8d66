"""Allocators that ignore every third element, or fields of devices by the node selection of their slice."""

from __future__ import annotations

from typing import Any

from tests.faulty.misreadings.misreading import (
    Misreading,
    Parts,
    Reads,
    World,
    asked_of,
    constraints_of,
    requests_of,
    results_of,
    without,
)
from tests.faulty.misreadings.places import devices_in, later_alternatives

Json = Any


def _two_of(lists: Parts) -> Reads:
    """Keep only the first two elements of each list."""

    def reads(world: World) -> None:
        for request in lists(world):
            del request[2:]

    return reads


def _two_entries_of(maps: Parts) -> Reads:
    """Keep only the first two entries of each map."""

    def reads(world: World) -> None:
        for mapping in maps(world):
            for name in list(mapping)[2:]:
                del mapping[name]

    return reads


def _of_asked(field: str) -> Parts:
    return lambda world: [request[field] for request in world.asked if request.get(field)]


def _of_devices(field: str) -> Parts:
    return lambda world: [device[field] for device in world.devices if device.get(field)]


def _of_specs(field: str) -> Parts:
    return lambda world: [
        resource_slice["spec"][field] for resource_slice in world.slices if resource_slice["spec"].get(field)
    ]


def _of_claims(field: str) -> Parts:
    def found(world: World) -> list[Json]:
        devices = [claim["spec"]["devices"] for claim in world.claims]
        return [device[field] for device in devices if device.get(field)]

    return found


def _amounts(world: World) -> list[Json]:
    return [
        request["capacity"]["requests"]
        for request in world.asked
        if (request.get("capacity") or {}).get("requests")
    ]


def _class_selectors(world: World) -> list[Json]:
    specs = [device_class.get("spec") or {} for device_class in world.classes]
    return [spec["selectors"] for spec in specs if spec.get("selectors")]


def _third_requests(world: World) -> list[Json]:
    """Return the requests after the second."""
    later = [request for claim in world.claims for request in requests_of(claim)[2:]]
    return [subrequest for request in later for subrequest in asked_of(request)]


def _third_claims(world: World) -> None:
    for claim in world.claims[2:]:
        constraints_of(claim).clear()


def _third_holders(world: World) -> None:
    holding = [holder for holder in world.holders if (holder.get("status") or {}).get("allocation")]
    for claim in holding[2:]:
        del claim["status"]["allocation"]


def _third_results(world: World) -> None:
    for claim in world.holders:
        del results_of(claim.get("status") or {})[2:]


def _capacities_in(field: str) -> Parts:
    devices = devices_in(field)
    return lambda world: [
        value for device in devices(world) for value in (device.get("capacity") or {}).values()
    ]


def _draws_in(field: str) -> Parts:
    devices = devices_in(field)
    return lambda world: [
        consumption for device in devices(world) for consumption in device.get("consumesCounters") or ()
    ]


OF_THIRDS = (
    Misreading("a request has two selectors", reads=_two_of(_of_asked("selectors"))),
    Misreading("a request has two tolerations", reads=_two_of(_of_asked("tolerations"))),
    Misreading("a request has two requested capacities", reads=_two_entries_of(_amounts)),
    Misreading("a class has two selectors", reads=_two_of(_class_selectors)),
    Misreading("a device has two taints", reads=_two_of(_of_devices("taints"))),
    Misreading("a device has two attributes", reads=_two_entries_of(_of_devices("attributes"))),
    Misreading("a device draws on two counters of a set", reads=_two_entries_of(lambda world: [entry["counters"] for entry in world.entries if entry.get("counters")])),
    Misreading("an entry has two groups", reads=_two_of(lambda world: [entry["compatibilityGroups"] for entry in world.entries if entry.get("compatibilityGroups")])),
    Misreading("a slice has two devices", reads=_two_of(_of_specs("devices"))),
    Misreading("a claim has two constraints", reads=_two_of(_of_claims("constraints"))),
    Misreading("a claim has two configurations", reads=_two_of(_of_claims("config"))),
    Misreading("there are two taint rules", reads=lambda world: world.rules.__delitem__(slice(2, None))),
    Misreading("third subrequests have no selectors", reads=without(later_alternatives, "selectors")),
    Misreading("third subrequests have no tolerations", reads=without(later_alternatives, "tolerations")),
    Misreading("third subrequests are of one device", reads=without(later_alternatives, "count")),
    Misreading("third requests have no selectors", reads=without(_third_requests, "selectors")),
    Misreading("third requests have no tolerations", reads=without(_third_requests, "tolerations")),
    Misreading("third requests have no requested capacity", reads=without(_third_requests, "capacity")),
    Misreading("third requests have no adminAccess", reads=without(_third_requests, "adminAccess")),
    Misreading("third claims of a call have no constraints", reads=_third_claims),
    Misreading("two claims are allocated", reads=_third_holders),
    Misreading("a claim is allocated two devices", reads=_third_results),
    Misreading("devices for all nodes are not shared", reads=without(devices_in("allNodes"), "allowMultipleAllocations")),
    Misreading("devices for all nodes consume no counters", reads=without(devices_in("allNodes"), "consumesCounters")),
    Misreading("devices for all nodes have no binding conditions", reads=without(devices_in("allNodes"), "bindingConditions", "bindingFailureConditions")),
    Misreading("devices for some nodes are not shared", reads=without(devices_in("nodeSelector"), "allowMultipleAllocations")),
    Misreading("devices for some nodes consume no counters", reads=without(devices_in("nodeSelector"), "consumesCounters")),
    Misreading("devices for some nodes have no capacity", reads=without(devices_in("nodeSelector"), "capacity")),
    Misreading("devices with perDeviceNodeSelection are not shared", reads=without(devices_in("perDeviceNodeSelection"), "allowMultipleAllocations")),
    Misreading("devices with perDeviceNodeSelection consume no counters", reads=without(devices_in("perDeviceNodeSelection"), "consumesCounters")),
    Misreading("devices with perDeviceNodeSelection have no policies", reads=without(_capacities_in("perDeviceNodeSelection"), "requestPolicy")),
    Misreading("devices for some nodes have no policies", reads=without(_capacities_in("nodeSelector"), "requestPolicy")),
    Misreading("devices for all nodes have no policies", reads=without(_capacities_in("allNodes"), "requestPolicy")),
    Misreading("devices with perDeviceNodeSelection have no groups", reads=without(_draws_in("perDeviceNodeSelection"), "compatibilityGroups")),
    Misreading("devices for all nodes have no groups", reads=without(_draws_in("allNodes"), "compatibilityGroups")),
)  # fmt: skip
