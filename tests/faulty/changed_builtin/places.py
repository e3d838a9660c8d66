"""Allocators that ignore a rule in one place, such as taints of devices in slices for all nodes."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    Parts,
    World,
    constraints_of,
    device_of,
    requests_of,
    results_of,
    where,
    without,
)


def devices_in(field: str) -> Parts:
    """Return the devices of the slices in whose spec a field is set."""
    return lambda world: [
        device for spec in world.specs if spec.get(field) for device in spec.get("devices") or ()
    ]


def _generation_of_all(wanted: Callable[[Json], object]) -> ChangesRequest:
    """Give slices for which `wanted` is true the newest generation of their pool."""

    def change_request(world: World) -> None:
        newest: dict[tuple[str, str], int] = {}
        for spec in world.specs:
            key = spec["driver"], spec["pool"]["name"]
            newest[key] = max(newest.get(key, 0), spec["pool"].get("generation", 0))
        for spec in world.specs:
            if wanted(spec):
                spec["pool"]["generation"] = newest[spec["driver"], spec["pool"]["name"]]

    return change_request


def _no_shares_held(world: World) -> None:
    for claim in world.holders:
        results = results_of(claim.get("status") or {})
        results[:] = [result for result in results if "shareID" not in result]


def _other_namespaces_hold_nothing(world: World) -> None:
    mine = {claim["metadata"].get("namespace") for claim in world.claims}
    for claim in world.holders:
        if claim["metadata"].get("namespace") not in mine:
            (claim.get("status") or {}).pop("allocation", None)


def _constraints_without(names: Callable[[Json], object]) -> ChangesRequest:
    """Remove the requests for which `names` is true from constraints, also implicit ones."""

    def change_request(world: World) -> None:
        for claim in world.claims:
            left_out = {request["name"] for request in requests_of(claim) if names(request)}
            if not left_out:
                continue
            others = [request["name"] for request in requests_of(claim) if request["name"] not in left_out]
            kept = []
            for constraint in constraints_of(claim):
                named = constraint.get("requests") or others
                constraint["requests"] = [name for name in named if name.partition("/")[0] not in left_out]
                if constraint["requests"]:
                    kept.append(constraint)
            if "constraints" in claim["spec"]["devices"]:
                claim["spec"]["devices"]["constraints"] = kept

    return change_request


def later_alternatives(world: World) -> list[Json]:
    """Return the subrequests after the second of each prioritized list."""
    return [subrequest for request in world.lists for subrequest in request["firstAvailable"][2:]]


def _first_tolerations(world: World) -> None:
    for request in world.lists:
        first = request["firstAvailable"][0].get("tolerations")
        for subrequest in request["firstAvailable"][1:]:
            subrequest.pop("tolerations", None)
            if first:
                subrequest["tolerations"] = first


def _with_held_shares(world: World) -> list[Json]:
    """Return the devices with shared allocations."""
    shared = {device_of(result) for result in world.existing_results if "shareID" in result}
    return [device for key, device in world.published if key in shared]


def _policies_of_shared(world: World) -> None:
    for device in _with_held_shares(world):
        for capacity in (device.get("capacity") or {}).values():
            capacity.pop("requestPolicy", None)


def _no_binding_devices(world: World) -> None:
    for resource_slice in world.slices:
        devices = resource_slice["spec"].get("devices") or []
        devices[:] = [device for device in devices if not device.get("bindingConditions")]


def _groups_of_shares(world: World) -> None:
    for result in world.existing_results:
        if "shareID" in result:
            result.pop("compatibilityGroups", None)


def _with_policies(world: World) -> list[Json]:
    return [capacity for capacity in world.capacities if capacity.get("requestPolicy")]


def _distinct_within_a_request(world: World) -> None:
    for claim in world.claims:
        claim["spec"]["devices"]["constraints"] = [
            constraint
            for constraint in constraints_of(claim)
            if "distinctAttribute" not in constraint or len(constraint.get("requests") or ()) != 1
        ]


def _devices_with_two_taints(world: World) -> None:
    for spec in world.specs:
        spec["devices"] = [each for each in spec.get("devices") or () if len(each.get("taints") or ()) < 2]


def _first_selector_of_admin_access(world: World) -> None:
    for request in world.exact_requests:
        if request.get("adminAccess") and request.get("selectors"):
            request["selectors"] = request["selectors"][:1]


def _all_exclusive(world: World) -> bool:
    return not any(device.get("allowMultipleAllocations") for device in world.devices)


OF_PLACES = (
    FaultyAllocator("devices with perDeviceNodeSelection have no taints", changes_request=without(devices_in("perDeviceNodeSelection"), "taints")),
    FaultyAllocator("devices of slices for all nodes have no taints", changes_request=without(devices_in("allNodes"), "taints")),
    FaultyAllocator("devices of slices with a selector have no taints", changes_request=without(devices_in("nodeSelector"), "taints")),
    FaultyAllocator("a device with a shared allocation has no taints", changes_request=without(_with_held_shares, "taints")),
    FaultyAllocator("a device with a shared allocation has no policies", changes_request=_policies_of_shared),
    FaultyAllocator("in a call with adminAccess no counters are consumed", changes_request=where(lambda world: world.asks_as_admin, without(lambda world: world.devices, "consumesCounters"))),
    FaultyAllocator("in a call with adminAccess nothing is tainted", changes_request=where(lambda world: world.asks_as_admin, without(lambda world: world.devices, "taints"))),
    FaultyAllocator("in a call with a list there are no groups", changes_request=where(lambda world: world.lists, without(lambda world: world.entries, "compatibilityGroups"))),
    FaultyAllocator("in a call for all devices there are no groups", changes_request=where(lambda world: world.asks_for_all, without(lambda world: world.entries, "compatibilityGroups"))),
    FaultyAllocator("in a call for all devices no shared allocations count", changes_request=where(lambda world: world.asks_for_all, _no_shares_held)),
    FaultyAllocator("in a call with a list no shared allocations count", changes_request=where(lambda world: world.lists, _no_shares_held)),
    FaultyAllocator("in a call for all devices there are no policies", changes_request=where(lambda world: world.asks_for_all, without(_with_policies, "requestPolicy"))),
    FaultyAllocator("in a call with a list there are no policies", changes_request=where(lambda world: world.lists, without(_with_policies, "requestPolicy"))),
    FaultyAllocator("in a call with a list devices with binding conditions do not exist", changes_request=where(lambda world: world.lists, _no_binding_devices)),
    FaultyAllocator("in a call of two claims devices with binding conditions do not exist", changes_request=where(lambda world: len(world.claims) > 1, _no_binding_devices)),
    FaultyAllocator("claims of other namespaces do not count as allocated", changes_request=_other_namespaces_hold_nothing),
    FaultyAllocator("shares of an allocated device have no groups", changes_request=_groups_of_shares),
    FaultyAllocator("constraints do not cover lists", changes_request=_constraints_without(lambda request: request.get("firstAvailable"))),
    FaultyAllocator("constraints do not cover mode All", changes_request=_constraints_without(lambda request: request.get("exactly", {}).get("allocationMode") == "All")),
    FaultyAllocator("constraints do not cover adminAccess", changes_request=_constraints_without(lambda request: request.get("exactly", {}).get("adminAccess"))),
    FaultyAllocator("requested capacity of subrequests after the second is not read", changes_request=without(later_alternatives, "capacity")),
    FaultyAllocator("tolerations of subrequests are those of the first", changes_request=_first_tolerations),
    FaultyAllocator("generations of slices that name their node do not count", changes_request=_generation_of_all(lambda spec: spec.get("nodeName"))),
    FaultyAllocator("generations of slices with perDeviceNodeSelection do not count", changes_request=_generation_of_all(lambda spec: spec.get("perDeviceNodeSelection"))),
    FaultyAllocator("distinctAttribute does not separate devices of the only request that it names", changes_request=_distinct_within_a_request),
    FaultyAllocator("in a call for all devices those with two taints are skipped", changes_request=where(lambda world: world.asks_for_all, _devices_with_two_taints)),
    FaultyAllocator("with adminAccess only the first selector is read", changes_request=_first_selector_of_admin_access),
    FaultyAllocator("in a call for all exclusive devices no capacity is requested", changes_request=where(lambda world: world.asks_for_all and _all_exclusive(world), without(lambda world: world.exact_requests, "capacity"))),
)  # fmt: skip
