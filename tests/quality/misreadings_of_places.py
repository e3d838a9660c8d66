"""Misreadings of a rule in one place: the taints of devices in slices for all nodes, the groups where a list chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.quality.misreading import Misreading, World, constraints_of, requests_of, results_of

Json = Any
Reads = Callable[[World], object]
Where = Callable[[World], Iterable[Json]]


def _where(holds: Callable[[World], object], reads: Reads) -> Reads:
    """Misreads only in a world in which something holds."""

    def misreads(world: World) -> None:
        if holds(world):
            reads(world)

    return misreads


def _without(found: Where, *fields: str) -> Reads:
    def reads(world: World) -> None:
        for one in found(world):
            for field in fields:
                one.pop(field, None)

    return reads


def _devices(wanted: Callable[[Json, Json], object]) -> Where:
    """The devices of the slices of which `wanted`, of the slice's spec and the device, is true."""

    def found(world: World) -> list[Json]:
        specs = [one["spec"] for one in world.slices]
        return [device for spec in specs for device in spec.get("devices") or () if wanted(spec, device)]

    return found


def _slices(wanted: Callable[[Json], object]) -> Where:
    return lambda world: [one["spec"] for one in world.slices if wanted(one["spec"])]


def _asks_admin(world: World) -> bool:
    return any(one.get("adminAccess") for one in world.asked)


def _asks_all(world: World) -> bool:
    return any(one.get("allocationMode") == "All" for one in world.asked)


def _generation_of_all(wanted: Callable[[Json], object]) -> Reads:
    """Slices of which `wanted` is true are always of the generation of the newest of their pool."""

    def reads(world: World) -> None:
        newest: dict[tuple[str, str], int] = {}
        for one in world.slices:
            spec = one["spec"]
            key = spec["driver"], spec["pool"]["name"]
            newest[key] = max(newest.get(key, 0), spec["pool"].get("generation", 0))
        for one in world.slices:
            spec = one["spec"]
            if wanted(spec):
                spec["pool"]["generation"] = newest[spec["driver"], spec["pool"]["name"]]

    return reads


def _no_shares_held(world: World) -> None:
    for claim in world.holders:
        results = results_of(claim.get("status") or {})
        results[:] = [one for one in results if "shareID" not in one]


def _other_namespaces_hold_nothing(world: World) -> None:
    mine = {claim["metadata"].get("namespace") for claim in world.claims}
    for claim in world.holders:
        if claim["metadata"].get("namespace") not in mine:
            (claim.get("status") or {}).pop("allocation", None)


def _constraints_without(names: Callable[[Json], object]) -> Reads:
    """Constraints do not cover the requests of which `names` is true, named or not."""

    def reads(world: World) -> None:
        for claim in world.claims:
            left_out = {one["name"] for one in requests_of(claim) if names(one)}
            if not left_out:
                continue
            others = [one["name"] for one in requests_of(claim) if one["name"] not in left_out]
            kept = []
            for one in constraints_of(claim):
                named = one.get("requests") or others
                one["requests"] = [name for name in named if name.partition("/")[0] not in left_out]
                if one["requests"]:
                    kept.append(one)
            if "constraints" in claim["spec"]["devices"]:
                claim["spec"]["devices"]["constraints"] = kept

    return reads


def without_after_the_second(*fields: str) -> Reads:
    """From the third alternative of a list on these fields are not read."""

    def reads(world: World) -> None:
        for request in world.lists:
            for one in request["firstAvailable"][2:]:
                for field in fields:
                    one.pop(field, None)

    return reads


def _first_tolerations(world: World) -> None:
    for request in world.lists:
        first = request["firstAvailable"][0].get("tolerations")
        for one in request["firstAvailable"][1:]:
            one.pop("tolerations", None)
            if first:
                one["tolerations"] = first


def _held_by_shares(world: World) -> set[tuple[str, str, str]]:
    return {(one["driver"], one["pool"], one["device"]) for one in world.held if "shareID" in one}


def _taints_of_shared(world: World) -> None:
    held = _held_by_shares(world)
    for one in world.slices:
        for device in one["spec"].get("devices") or ():
            if (one["spec"]["driver"], one["spec"]["pool"]["name"], device["name"]) in held:
                device.pop("taints", None)


def _policies_of_shared(world: World) -> None:
    held = _held_by_shares(world)
    for one in world.slices:
        for device in one["spec"].get("devices") or ():
            if (one["spec"]["driver"], one["spec"]["pool"]["name"], device["name"]) in held:
                for capacity in (device.get("capacity") or {}).values():
                    capacity.pop("requestPolicy", None)


def _no_binding_devices(world: World) -> None:
    for one in world.slices:
        devices = one["spec"].get("devices") or []
        devices[:] = [device for device in devices if not device.get("bindingConditions")]


def _groups_of_shares(world: World) -> None:
    for one in world.held:
        if "shareID" in one:
            one.pop("compatibilityGroups", None)


def _with_policies(world: World) -> list[Json]:
    return [one for one in world.capacities if one.get("requestPolicy")]


OF_PLACES = (
    Misreading("devices that choose their node have no taints", reads=_without(_devices(lambda spec, device: spec.get("perDeviceNodeSelection")), "taints")),
    Misreading("devices of slices for all nodes have no taints", reads=_without(_devices(lambda spec, device: spec.get("allNodes")), "taints")),
    Misreading("devices of slices with a selector have no taints", reads=_without(_devices(lambda spec, device: spec.get("nodeSelector")), "taints")),
    Misreading("a device of which a share is held has no taints", reads=_taints_of_shared),
    Misreading("a device of which a share is held has no policies", reads=_policies_of_shared),
    Misreading("in a call with administrative access nothing is drawn", reads=_where(_asks_admin, _without(lambda world: world.devices, "consumesCounters"))),
    Misreading("in a call with administrative access nothing is tainted", reads=_where(_asks_admin, _without(lambda world: world.devices, "taints"))),
    Misreading("in a call with a list there are no groups", reads=_where(lambda world: world.lists, _without(lambda world: world.entries, "compatibilityGroups"))),
    Misreading("in a call for all devices there are no groups", reads=_where(_asks_all, _without(lambda world: world.entries, "compatibilityGroups"))),
    Misreading("in a call for all devices no shares are held", reads=_where(_asks_all, _no_shares_held)),
    Misreading("in a call with a list no shares are held", reads=_where(lambda world: world.lists, _no_shares_held)),
    Misreading("in a call for all devices there are no policies", reads=_where(_asks_all, _without(_with_policies, "requestPolicy"))),
    Misreading("in a call with a list there are no policies", reads=_where(lambda world: world.lists, _without(_with_policies, "requestPolicy"))),
    Misreading("in a call with a list devices with binding conditions are not there", reads=_where(lambda world: world.lists, _no_binding_devices)),
    Misreading("in a call of two claims devices with binding conditions are not there", reads=_where(lambda world: len(world.claims) > 1, _no_binding_devices)),
    Misreading("claims of other namespaces hold nothing", reads=_other_namespaces_hold_nothing),
    Misreading("shares of what is held have no groups", reads=_groups_of_shares),
    Misreading("constraints do not cover lists", reads=_constraints_without(lambda one: one.get("firstAvailable"))),
    Misreading("constraints do not cover mode All", reads=_constraints_without(lambda one: one.get("exactly", {}).get("allocationMode") == "All")),
    Misreading("constraints do not cover administrative access", reads=_constraints_without(lambda one: one.get("exactly", {}).get("adminAccess"))),
    Misreading("amounts of alternatives behind the second are not read", reads=without_after_the_second("capacity")),
    Misreading("tolerations of alternatives are those of the first", reads=_first_tolerations),
    Misreading("generations of slices that name their node do not count", reads=_generation_of_all(lambda spec: spec.get("nodeName"))),
    Misreading("generations of slices whose devices choose their nodes do not count", reads=_generation_of_all(lambda spec: spec.get("perDeviceNodeSelection"))),
)  # fmt: skip
