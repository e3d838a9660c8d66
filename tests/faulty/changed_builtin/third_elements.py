"""Allocators that ignore every third element, or fields of devices by the node selection of their slice."""

from __future__ import annotations

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    Parts,
    World,
    constraints_of,
    exact_requests_of,
    requests_of,
    results_of,
    without,
)
from tests.faulty.changed_builtin.places import devices_in, later_alternatives


def _two_of(lists: Parts) -> ChangesRequest:
    """Keep only the first two elements of each list."""

    def change_request(world: World) -> None:
        for request in lists(world):
            del request[2:]

    return change_request


def _two_entries_of(maps: Parts) -> ChangesRequest:
    """Keep only the first two entries of each map."""

    def change_request(world: World) -> None:
        for mapping in maps(world):
            for name in list(mapping)[2:]:
                del mapping[name]

    return change_request


def _of_asked(field: str) -> Parts:
    return lambda world: [request[field] for request in world.exact_requests if request.get(field)]


def _of_devices(field: str) -> Parts:
    return lambda world: [device[field] for device in world.devices if device.get(field)]


def _of_specs(field: str) -> Parts:
    return lambda world: [
        resource_slice["spec"][field] for resource_slice in world.slices if resource_slice["spec"].get(field)
    ]


def _of_claims(field: str) -> Parts:
    def parts_of_claims(world: World) -> list[Json]:
        devices = [claim["spec"]["devices"] for claim in world.claims]
        return [device[field] for device in devices if device.get(field)]

    return parts_of_claims


def _amounts(world: World) -> list[Json]:
    return [
        request["capacity"]["requests"]
        for request in world.exact_requests
        if (request.get("capacity") or {}).get("requests")
    ]


def _class_selectors(world: World) -> list[Json]:
    specs = [device_class.get("spec") or {} for device_class in world.classes]
    return [spec["selectors"] for spec in specs if spec.get("selectors")]


def _third_requests(world: World) -> list[Json]:
    """Return the requests after the second."""
    later = [request for claim in world.claims for request in requests_of(claim)[2:]]
    return [subrequest for request in later for subrequest in exact_requests_of(request)]


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
    FaultyAllocator("a request has two selectors", changes_request=_two_of(_of_asked("selectors"))),
    FaultyAllocator("a request has two tolerations", changes_request=_two_of(_of_asked("tolerations"))),
    FaultyAllocator("a request has two requested capacities", changes_request=_two_entries_of(_amounts)),
    FaultyAllocator("a class has two selectors", changes_request=_two_of(_class_selectors)),
    FaultyAllocator("a device has two taints", changes_request=_two_of(_of_devices("taints"))),
    FaultyAllocator("a device has two attributes", changes_request=_two_entries_of(_of_devices("attributes"))),
    FaultyAllocator("a device draws on two counters of a set", changes_request=_two_entries_of(lambda world: [entry["counters"] for entry in world.entries if entry.get("counters")])),
    FaultyAllocator("an entry has two groups", changes_request=_two_of(lambda world: [entry["compatibilityGroups"] for entry in world.entries if entry.get("compatibilityGroups")])),
    FaultyAllocator("a slice has two devices", changes_request=_two_of(_of_specs("devices"))),
    FaultyAllocator("a claim has two constraints", changes_request=_two_of(_of_claims("constraints"))),
    FaultyAllocator("a claim has two configurations", changes_request=_two_of(_of_claims("config"))),
    FaultyAllocator("there are two taint rules", changes_request=lambda world: world.rules.__delitem__(slice(2, None))),
    FaultyAllocator("third subrequests have no selectors", changes_request=without(later_alternatives, "selectors")),
    FaultyAllocator("third subrequests have no tolerations", changes_request=without(later_alternatives, "tolerations")),
    FaultyAllocator("third subrequests are of one device", changes_request=without(later_alternatives, "count")),
    FaultyAllocator("third requests have no selectors", changes_request=without(_third_requests, "selectors")),
    FaultyAllocator("third requests have no tolerations", changes_request=without(_third_requests, "tolerations")),
    FaultyAllocator("third requests have no requested capacity", changes_request=without(_third_requests, "capacity")),
    FaultyAllocator("third requests have no adminAccess", changes_request=without(_third_requests, "adminAccess")),
    FaultyAllocator("third claims of a call have no constraints", changes_request=_third_claims),
    FaultyAllocator("two claims are allocated", changes_request=_third_holders),
    FaultyAllocator("a claim is allocated two devices", changes_request=_third_results),
    FaultyAllocator("devices for all nodes are not shared", changes_request=without(devices_in("allNodes"), "allowMultipleAllocations")),
    FaultyAllocator("devices for all nodes consume no counters", changes_request=without(devices_in("allNodes"), "consumesCounters")),
    FaultyAllocator("devices for all nodes have no binding conditions", changes_request=without(devices_in("allNodes"), "bindingConditions", "bindingFailureConditions")),
    FaultyAllocator("devices for some nodes are not shared", changes_request=without(devices_in("nodeSelector"), "allowMultipleAllocations")),
    FaultyAllocator("devices for some nodes consume no counters", changes_request=without(devices_in("nodeSelector"), "consumesCounters")),
    FaultyAllocator("devices for some nodes have no capacity", changes_request=without(devices_in("nodeSelector"), "capacity")),
    FaultyAllocator("devices with perDeviceNodeSelection are not shared", changes_request=without(devices_in("perDeviceNodeSelection"), "allowMultipleAllocations")),
    FaultyAllocator("devices with perDeviceNodeSelection consume no counters", changes_request=without(devices_in("perDeviceNodeSelection"), "consumesCounters")),
    FaultyAllocator("devices with perDeviceNodeSelection have no policies", changes_request=without(_capacities_in("perDeviceNodeSelection"), "requestPolicy")),
    FaultyAllocator("devices for some nodes have no policies", changes_request=without(_capacities_in("nodeSelector"), "requestPolicy")),
    FaultyAllocator("devices for all nodes have no policies", changes_request=without(_capacities_in("allNodes"), "requestPolicy")),
    FaultyAllocator("devices with perDeviceNodeSelection have no groups", changes_request=without(_draws_in("perDeviceNodeSelection"), "compatibilityGroups")),
    FaultyAllocator("devices for all nodes have no groups", changes_request=without(_draws_in("allNodes"), "compatibilityGroups")),
)  # fmt: skip
