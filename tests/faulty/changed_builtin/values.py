"""Allocators that misread attributes, labels, names, or objects whose gates are off."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    World,
    exact_requests_of,
    requests_of,
    results_of,
)


def _attributes(change: Callable[[Json], Json]) -> ChangesRequest:
    """Change the value of each attribute, and remove it if it becomes empty."""

    def change_request(world: World) -> None:
        for device in world.devices:
            if device.get("attributes"):
                changed = {name: change(value) for name, value in device["attributes"].items()}
                device["attributes"] = {name: value for name, value in changed.items() if value}

    return change_request


def _as_text(kind: str) -> ChangesRequest:
    def change(value: Json) -> Json:
        return {"string": str(value[kind]).lower()} if kind in value else value

    return _attributes(change)


def _without_kind(kind: str) -> ChangesRequest:
    return _attributes(lambda value: {} if kind in value else value)


def _first_attributes(world: World) -> None:
    for device in world.devices:
        device["attributes"] = dict(list((device.get("attributes") or {}).items())[:8])


def _whole_attributes(world: World) -> None:
    for device in world.devices:
        known = device.get("attributes") or {}
        device["attributes"] = {
            name: value for name, value in known.items() if "/" not in name or name.count(".") < 3
        }


def _off(gate: str, change: Callable[[World], object]) -> ChangesRequest:
    """Change the request if a gate is off."""

    def change_request(world: World) -> None:
        if not world.profile.enabled(gate):
            change(world)

    return change_request


def _without_shares(world: World) -> None:
    for claim in world.holders:
        results = results_of(claim.get("status") or {})
        results[:] = [result for result in results if "shareID" not in result]


def _without_held_admin(world: World) -> None:
    for result in world.existing_results:
        result.pop("adminAccess", None)


def _first_alternatives(world: World) -> None:
    for request in world.lists:
        first = request.pop("firstAvailable")[0]
        request["exactly"] = {name: value for name, value in first.items() if name != "name"}


def _dedicated(world: World) -> None:
    for resource_slice in world.slices:
        devices = resource_slice["spec"].get("devices") or []
        devices[:] = [device for device in devices if not device.get("allowMultipleAllocations")]


def _without_lists(world: World) -> None:
    for resource_slice in world.slices:
        devices = resource_slice["spec"].get("devices") or []
        devices[:] = [
            device
            for device in devices
            if not any(
                kind.endswith("s") for value in (device.get("attributes") or {}).values() for kind in value
            )
        ]


def _without_grouped(world: World) -> None:
    for entry in world.entries:
        entry.pop("compatibilityGroups", None)


def _requirements(
    change: Callable[[list[Json]], list[Json]], part: str = "matchExpressions"
) -> ChangesRequest:
    """Change the requirements of each term of each node selector of slices and devices."""

    def change_request(world: World) -> None:
        for source in (*(resource_slice["spec"] for resource_slice in world.slices), *world.devices):
            for term in (source.get("nodeSelector") or {}).get("nodeSelectorTerms") or ():
                if term.get(part):
                    term[part] = change(term[part])

    return change_request


def _by_label(requirements: list[Json]) -> list[Json]:
    return list({requirement["key"]: requirement for requirement in requirements}.values())


def _not_not_in(requirements: list[Json]) -> list[Json]:
    return [requirement for requirement in requirements if requirement["operator"] != "NotIn"]


def _without_class_domain(world: World) -> None:
    for item in world.classes:
        item["metadata"]["name"] = item["metadata"]["name"].partition(".")[0]
    for request in world.exact_requests:
        request["deviceClassName"] = request["deviceClassName"].partition(".")[0]


def _seconds_without_effect(change: Callable[[Json], object]) -> ChangesRequest:
    def change_request(world: World) -> None:
        for request in world.exact_requests:
            for toleration in request.get("tolerations") or ():
                if toleration.get("tolerationSeconds") is not None and not toleration.get("effect"):
                    change(toleration)

    return change_request


def _execute_only(toleration: Json) -> None:
    toleration["effect"] = "NoExecute"


def _equal_requests_once(world: World) -> None:
    for claim in world.claims:
        known = {str(exact_requests_of(request)): request for request in requests_of(claim)}
        if not claim["spec"]["devices"].get("constraints") and not claim["spec"]["devices"].get("config"):
            claim["spec"]["devices"]["requests"] = list(known.values())


OF_VALUES = (
    FaultyAllocator("versions are strings", _as_text("version")),
    FaultyAllocator("booleans are strings", _as_text("bool")),
    FaultyAllocator("whole numbers are strings", _as_text("int")),
    *(FaultyAllocator(f"attributes of {kind} are not there", _without_kind(kind)) for kind in ("ints", "bools", "strings", "versions")),
    FaultyAllocator("a device has eight attributes", _first_attributes),
    FaultyAllocator("attributes of long domains do not exist", _whole_attributes),
    FaultyAllocator("with sharing off, shares do not count as allocated", _off("DRAConsumableCapacity", _without_shares)),
    FaultyAllocator("with sharing off, shared devices do not exist", _off("DRAConsumableCapacity", _dedicated)),
    FaultyAllocator("with DRAAdminAccess off, allocations with adminAccess count", _off("DRAAdminAccess", _without_held_admin)),
    FaultyAllocator("with lists off, the first subrequest is the request", _off("DRAPrioritizedList", _first_alternatives)),
    FaultyAllocator("with lists of values off, devices with one do not exist", _off("DRAListTypeAttributes", _without_lists)),
    FaultyAllocator("with groups off, devices with one have none", _off("DRADeviceCompatibilityGroups", _without_grouped)),
    FaultyAllocator("of two requirements on a label the last counts", _requirements(_by_label)),
    FaultyAllocator("NotIn of a label excludes nothing", _requirements(_not_not_in)),
    FaultyAllocator("NotIn of a name excludes nothing", _requirements(_not_not_in, "matchFields")),
    FaultyAllocator("In of a name selects everything", _requirements(lambda found: [requirement for requirement in found if requirement["operator"] != "In"], "matchFields")),
    FaultyAllocator("seconds without effect tolerate nothing", _seconds_without_effect(lambda toleration: toleration.update(effect="None"))),
    FaultyAllocator("seconds without effect tolerate NoExecute", _seconds_without_effect(_execute_only)),
    FaultyAllocator("two equal requests are one", _equal_requests_once),
    FaultyAllocator("class names end at a dot", _without_class_domain),
)  # fmt: skip
