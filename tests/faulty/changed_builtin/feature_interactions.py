"""Allocators that are faulty in an interaction of features, such as perDeviceNodeSelection with mode All."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    World,
    constraints_of,
    device_of,
    requests_of,
    results_of,
    where,
)
from tests.reference.textbook_world import amount, text_of


def _classes_do_not_select(when: Callable[[Json], Any]) -> ChangesRequest:
    """Ignore the selectors of the DeviceClass of requests for which `when` is true."""

    def change_request(world: World) -> None:
        for request in filter(when, world.exact_requests):
            name = request["deviceClassName"]
            known = [item for item in world.classes if item["metadata"]["name"] == name]
            for item in known:
                if (item.get("spec") or {}).get("selectors"):
                    spec = {key: value for key, value in item["spec"].items() if key != "selectors"}
                    world.classes.append({**item, "metadata": {"name": f"{name}.bare"}, "spec": spec})
                    request["deviceClassName"] = f"{name}.bare"

    return change_request


def _for_later_alternatives(world: World) -> None:
    later = [sub for item in world.lists for sub in item["firstAvailable"][1:]]
    _classes_do_not_select(lambda request: request in later)(world)


def _of_all(request: Json) -> bool:
    return bool(request.get("allocationMode") == "All")


def _devices_are_everywhere(world: World) -> None:
    for resource_slice in world.slices:
        if resource_slice["spec"].get("perDeviceNodeSelection"):
            for device in resource_slice["spec"].get("devices") or ():
                device.pop("nodeName", None)
                device.pop("nodeSelector", None)
                device["allNodes"] = True


def _selected_slices_are_everywhere(world: World) -> None:
    for resource_slice in world.slices:
        if resource_slice["spec"].pop("nodeSelector", None):
            resource_slice["spec"]["allNodes"] = True


def _by_pool(world: World) -> list[list[Json]]:
    by_pool: dict[tuple[str, str], list[Json]] = {}
    for resource_slice in world.slices:
        by_pool.setdefault(
            (resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"]), []
        ).append(resource_slice)
    return list(by_pool.values())


def _generation(resource_slice: Json) -> int:
    return int(resource_slice["spec"]["pool"].get("generation", 0))


def _one_generation(world: World) -> None:
    for members in _by_pool(world):
        if len({_generation(member) for member in members}) > 1:
            for member in members:
                member["spec"]["pool"].update(generation=1, resourceSliceCount=len(members))


def _as_many_as_there_are(world: World) -> None:
    for members in _by_pool(world):
        newest = [member for member in members if _generation(member) == max(map(_generation, members))]
        for resource_slice in newest:
            resource_slice["spec"]["pool"]["resourceSliceCount"] = len(newest)


def _slices_of_all_generations_complete(world: World) -> None:
    for members in _by_pool(world):
        newest = [member for member in members if _generation(member) == max(map(_generation, members))]
        if len(members) >= newest[0]["spec"]["pool"]["resourceSliceCount"]:
            for resource_slice in newest:
                resource_slice["spec"]["pool"]["resourceSliceCount"] = len(newest)


def _older_until_complete(world: World) -> None:
    for members in _by_pool(world):
        newest = [member for member in members if _generation(member) == max(map(_generation, members))]
        if len(members) > len(newest) < newest[0]["spec"]["pool"]["resourceSliceCount"]:
            world.slices[:] = [
                resource_slice for resource_slice in world.slices if resource_slice not in newest
            ]


def _distinct_where_shared(world: World) -> None:
    if not any(device.get("allowMultipleAllocations") for device in world.devices):
        for claim in world.claims:
            constraints = constraints_of(claim)
            constraints[:] = [
                constraint for constraint in constraints if "distinctAttribute" not in constraint
            ]


def _one_constraint_an_attribute(world: World) -> None:
    for claim in world.claims:
        merged: dict[str, Json] = {}
        for constraint in constraints_of(claim):
            key = f"{constraint.get('matchAttribute')} {constraint.get('distinctAttribute')}"
            known = merged.setdefault(key, constraint)
            if known is not constraint and known.get("requests") and constraint.get("requests"):
                known["requests"] = [*known["requests"], *constraint["requests"]]
        constraints_of(claim)[:] = list(merged.values())


def _held_shares(change: Callable[[Json, Fraction], Fraction]) -> ChangesRequest:
    """Change the consumed capacities of shared allocations by their request policies."""

    def change_request(world: World) -> None:
        policies = {
            (key, name): item["requestPolicy"]
            for key, device in world.published
            for name, item in (device.get("capacity") or {}).items()
            if item.get("requestPolicy")
        }
        for result in world.existing_results:
            for name, results in (result.get("consumedCapacity") or {}).items():
                policy = policies.get((device_of(result), name))
                if policy:
                    result["consumedCapacity"][name] = text_of(change(policy, amount(results)))

    return change_request


def _at_least_min(policy: Json, consumed: Fraction) -> Fraction:
    least = (policy.get("validRange") or {}).get("min")
    return max(consumed, amount(least)) if least is not None else consumed


def _at_most_max(policy: Json, consumed: Fraction) -> Fraction:
    most = (policy.get("validRange") or {}).get("max")
    return min(consumed, amount(most)) if most is not None else consumed


def _later_generations_free(world: World) -> None:
    renewed = {
        (resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"])
        for resource_slice in world.slices
        if _generation(resource_slice) > 1
    }
    for claim in world.holders:
        results = results_of(claim.get("status") or {})
        results[:] = [result for result in results if (result["driver"], result["pool"]) not in renewed]


def _no_effect_is(effect: str) -> ChangesRequest:
    def change_request(world: World) -> None:
        for request in world.exact_requests:
            for toleration in request.get("tolerations") or ():
                if not toleration.get("effect"):
                    toleration["effect"] = effect

    return change_request


def _lists_unknown(field: str) -> ChangesRequest:
    def change_request(world: World) -> None:
        for device in world.devices:
            for name, value in list((device.get("attributes") or {}).items()):
                if value.get(field):
                    del device["attributes"][name]

    return change_request


def _one_alternative_is_exact(world: World) -> None:
    for claim in world.claims:
        for request in requests_of(claim):
            if len(request.get("firstAvailable") or ()) == 1:
                [only] = request.pop("firstAvailable")
                request["exactly"] = {key: value for key, value in only.items() if key != "name"}


def _who_draws_nothing_is_alone(world: World) -> None:
    for device in world.devices:
        for entry in device.get("consumesCounters") or ():
            if all(amount(counter["value"]) == 0 for counter in entry["counters"].values()):
                entry.pop("compatibilityGroups", None)


def _binding_needs_a_node(world: World) -> None:
    for resource_slice in world.slices:
        devices = resource_slice["spec"].get("devices") or []
        devices[:] = [
            device for device in devices if device.get("bindsToNode") or not device.get("bindingConditions")
        ]


def _unlabelled_matches(world: World) -> None:
    node = next(other for other in world.nodes if other["metadata"]["name"] == world.ask["node"])
    if not node["metadata"].get("labels"):
        _devices_are_everywhere(world)
        _selected_slices_are_everywhere(world)


OF_MEETINGS = (
    FaultyAllocator("selectors of DeviceClasses are ignored for later subrequests", _for_later_alternatives),
    FaultyAllocator("selectors of DeviceClasses are ignored in mode All", _classes_do_not_select(_of_all)),
    FaultyAllocator("selectors of DeviceClasses are ignored for adminAccess", _classes_do_not_select(lambda request: request.get("adminAccess"))),
    FaultyAllocator("selectors of DeviceClasses are ignored together with requested capacity", _classes_do_not_select(lambda request: request.get("capacity"))),
    FaultyAllocator("selectors of DeviceClasses are ignored together with tolerations", _classes_do_not_select(lambda request: request.get("tolerations"))),
    FaultyAllocator("selectors of DeviceClasses are ignored together with a count", _classes_do_not_select(lambda request: request.get("count", 1) > 1)),
    FaultyAllocator("perDeviceNodeSelection is ignored in mode All", where(lambda world: world.asks_for_all, _devices_are_everywhere)),
    FaultyAllocator("perDeviceNodeSelection is ignored for adminAccess", where(lambda world: world.asks_as_admin, _devices_are_everywhere)),
    FaultyAllocator("perDeviceNodeSelection is ignored together with lists", where(lambda world: world.lists, _devices_are_everywhere)),
    FaultyAllocator("slices with a selector are everywhere in mode All", where(lambda world: world.asks_for_all, _selected_slices_are_everywhere)),
    FaultyAllocator("generations do not count in mode All", where(lambda world: world.asks_for_all, _one_generation)),
    FaultyAllocator("generations do not count for adminAccess", where(lambda world: world.asks_as_admin, _one_generation)),
    FaultyAllocator("generations do not count together with lists", where(lambda world: world.lists, _one_generation)),
    FaultyAllocator("pools may be incomplete together with lists", where(lambda world: world.lists, _as_many_as_there_are)),
    FaultyAllocator("pools may be incomplete for adminAccess", where(lambda world: world.asks_as_admin, _as_many_as_there_are)),
    FaultyAllocator("slices of all generations complete a pool", _slices_of_all_generations_complete),
    FaultyAllocator("the older generation is used until the newer is complete", _older_until_complete),
    FaultyAllocator("distinctAttribute is for shared devices", _distinct_where_shared),
    FaultyAllocator("constraints on one attribute are one", _one_constraint_an_attribute),
    FaultyAllocator("shares hold the min at least", _held_shares(_at_least_min)),
    FaultyAllocator("shares hold the max at most", _held_shares(_at_most_max)),
    FaultyAllocator("a later generation of a pool releases its allocations", _later_generations_free),
    FaultyAllocator("a toleration without effect is for NoSchedule", _no_effect_is("NoSchedule")),
    FaultyAllocator("a toleration without effect is for NoExecute", _no_effect_is("NoExecute")),
    FaultyAllocator("lists of versions are unknown", _lists_unknown("versions")),
    FaultyAllocator("lists of booleans are unknown", _lists_unknown("bools")),
    FaultyAllocator("lists of whole numbers are unknown", _lists_unknown("ints")),
    FaultyAllocator("a list of one subrequest is an exact request", _one_alternative_is_exact),
    FaultyAllocator("a device without consumed counters has no groups", _who_draws_nothing_is_alone),
    FaultyAllocator("binding conditions need a node to bind to", _binding_needs_a_node),
    FaultyAllocator("a node without labels matches every selector", _unlabelled_matches),
)  # fmt: skip
