"""Misreadings of a rule in one place: the taints of devices in slices for all nodes, the groups where a list chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.faulty.misreadings.misreading import (
    Misreading,
    Parts,
    Reads,
    World,
    constraints_of,
    device_of,
    requests_of,
    results_of,
    where,
    without,
)

Json = Any


def devices_in(field: str) -> Parts:
    """The devices of the slices in whose spec a field is set."""
    return lambda world: [
        device for spec in world.specs if spec.get(field) for device in spec.get("devices") or ()
    ]


def _generation_of_all(wanted: Callable[[Json], object]) -> Reads:
    """Slices of which `wanted` is true are always of the generation of the newest of their pool."""

    def reads(world: World) -> None:
        newest: dict[tuple[str, str], int] = {}
        for spec in world.specs:
            key = spec["driver"], spec["pool"]["name"]
            newest[key] = max(newest.get(key, 0), spec["pool"].get("generation", 0))
        for spec in world.specs:
            if wanted(spec):
                spec["pool"]["generation"] = newest[spec["driver"], spec["pool"]["name"]]

    return reads


def _no_shares_held(world: World) -> None:
    for claim in world.holders:
        results = results_of(claim.get("status") or {})
        results[:] = [result for result in results if "shareID" not in result]


def _other_namespaces_hold_nothing(world: World) -> None:
    mine = {claim["metadata"].get("namespace") for claim in world.claims}
    for claim in world.holders:
        if claim["metadata"].get("namespace") not in mine:
            (claim.get("status") or {}).pop("allocation", None)


def _constraints_without(names: Callable[[Json], object]) -> Reads:
    """Constraints do not cover the requests of which `names` is true, named or not."""

    def reads(world: World) -> None:
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

    return reads


def later_alternatives(world: World) -> list[Json]:
    """Of each list the alternatives behind the second."""
    return [subrequest for request in world.lists for subrequest in request["firstAvailable"][2:]]


def _first_tolerations(world: World) -> None:
    for request in world.lists:
        first = request["firstAvailable"][0].get("tolerations")
        for subrequest in request["firstAvailable"][1:]:
            subrequest.pop("tolerations", None)
            if first:
                subrequest["tolerations"] = first


def _with_held_shares(world: World) -> list[Json]:
    """The devices of which a share is held."""
    held = {device_of(result) for result in world.held if "shareID" in result}
    return [device for key, device in world.published if key in held]


def _policies_of_shared(world: World) -> None:
    for device in _with_held_shares(world):
        for capacity in (device.get("capacity") or {}).values():
            capacity.pop("requestPolicy", None)


def _no_binding_devices(world: World) -> None:
    for resource_slice in world.slices:
        devices = resource_slice["spec"].get("devices") or []
        devices[:] = [device for device in devices if not device.get("bindingConditions")]


def _groups_of_shares(world: World) -> None:
    for result in world.held:
        if "shareID" in result:
            result.pop("compatibilityGroups", None)


def _with_policies(world: World) -> list[Json]:
    return [capacity for capacity in world.capacities if capacity.get("requestPolicy")]


OF_PLACES = (
    Misreading("devices that choose their node have no taints", reads=without(devices_in("perDeviceNodeSelection"), "taints")),
    Misreading("devices of slices for all nodes have no taints", reads=without(devices_in("allNodes"), "taints")),
    Misreading("devices of slices with a selector have no taints", reads=without(devices_in("nodeSelector"), "taints")),
    Misreading("a device of which a share is held has no taints", reads=without(_with_held_shares, "taints")),
    Misreading("a device of which a share is held has no policies", reads=_policies_of_shared),
    Misreading("in a call with administrative access nothing is drawn", reads=where(lambda world: world.asks_as_admin, without(lambda world: world.devices, "consumesCounters"))),
    Misreading("in a call with administrative access nothing is tainted", reads=where(lambda world: world.asks_as_admin, without(lambda world: world.devices, "taints"))),
    Misreading("in a call with a list there are no groups", reads=where(lambda world: world.lists, without(lambda world: world.entries, "compatibilityGroups"))),
    Misreading("in a call for all devices there are no groups", reads=where(lambda world: world.asks_for_all, without(lambda world: world.entries, "compatibilityGroups"))),
    Misreading("in a call for all devices no shares are held", reads=where(lambda world: world.asks_for_all, _no_shares_held)),
    Misreading("in a call with a list no shares are held", reads=where(lambda world: world.lists, _no_shares_held)),
    Misreading("in a call for all devices there are no policies", reads=where(lambda world: world.asks_for_all, without(_with_policies, "requestPolicy"))),
    Misreading("in a call with a list there are no policies", reads=where(lambda world: world.lists, without(_with_policies, "requestPolicy"))),
    Misreading("in a call with a list devices with binding conditions are not there", reads=where(lambda world: world.lists, _no_binding_devices)),
    Misreading("in a call of two claims devices with binding conditions are not there", reads=where(lambda world: len(world.claims) > 1, _no_binding_devices)),
    Misreading("claims of other namespaces hold nothing", reads=_other_namespaces_hold_nothing),
    Misreading("shares of what is held have no groups", reads=_groups_of_shares),
    Misreading("constraints do not cover lists", reads=_constraints_without(lambda one: one.get("firstAvailable"))),
    Misreading("constraints do not cover mode All", reads=_constraints_without(lambda one: one.get("exactly", {}).get("allocationMode") == "All")),
    Misreading("constraints do not cover administrative access", reads=_constraints_without(lambda one: one.get("exactly", {}).get("adminAccess"))),
    Misreading("amounts of alternatives behind the second are not read", reads=without(later_alternatives, "capacity")),
    Misreading("tolerations of alternatives are those of the first", reads=_first_tolerations),
    Misreading("generations of slices that name their node do not count", reads=_generation_of_all(lambda spec: spec.get("nodeName"))),
    Misreading("generations of slices whose devices choose their nodes do not count", reads=_generation_of_all(lambda spec: spec.get("perDeviceNodeSelection"))),
)  # fmt: skip
