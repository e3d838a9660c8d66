"""Misreadings of what comes third, and of devices by the kind of slice that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.quality.misreading import Misreading, World, asked_of, constraints_of, requests_of, results_of
from tests.quality.misreadings_of_places import without_after_the_second

Json = Any
Reads = Callable[[World], object]
Lists = Callable[[World], Iterable[Json]]


def _two_of(lists: Lists) -> Reads:
    """Of each list the first two."""

    def reads(world: World) -> None:
        for one in lists(world):
            del one[2:]

    return reads


def _two_entries_of(maps: Lists) -> Reads:
    """Of each map the first two entries."""

    def reads(world: World) -> None:
        for one in maps(world):
            for name in list(one)[2:]:
                del one[name]

    return reads


def _of_asked(field: str) -> Lists:
    return lambda world: [one[field] for one in world.asked if one.get(field)]


def _of_devices(field: str) -> Lists:
    return lambda world: [one[field] for one in world.devices if one.get(field)]


def _of_specs(field: str) -> Lists:
    return lambda world: [one["spec"][field] for one in world.slices if one["spec"].get(field)]


def _of_claims(field: str) -> Lists:
    def found(world: World) -> list[Json]:
        devices = [claim["spec"]["devices"] for claim in world.claims]
        return [one[field] for one in devices if one.get(field)]

    return found


def _amounts(world: World) -> list[Json]:
    return [one["capacity"]["requests"] for one in world.asked if (one.get("capacity") or {}).get("requests")]


def _class_selectors(world: World) -> list[Json]:
    specs = [one.get("spec") or {} for one in world.classes]
    return [one["selectors"] for one in specs if one.get("selectors")]


def _third_requests(*fields: str) -> Reads:
    def reads(world: World) -> None:
        for claim in world.claims:
            for request in requests_of(claim)[2:]:
                for one in asked_of(request):
                    for field in fields:
                        one.pop(field, None)

    return reads


def _third_claims(world: World) -> None:
    for claim in world.claims[2:]:
        constraints_of(claim).clear()


def _third_holders(world: World) -> None:
    holding = [one for one in world.holders if (one.get("status") or {}).get("allocation")]
    for claim in holding[2:]:
        del claim["status"]["allocation"]


def _third_results(world: World) -> None:
    for claim in world.holders:
        del results_of(claim.get("status") or {})[2:]


def _in_slices(wanted: Callable[[Json], object], *fields: str) -> Reads:
    """The devices of some slices lack fields."""

    def reads(world: World) -> None:
        for item in world.slices:
            if wanted(item["spec"]):
                for device in item["spec"].get("devices") or ():
                    for field in fields:
                        device.pop(field, None)

    return reads


def _policies_in_slices(wanted: Callable[[Json], object]) -> Reads:
    def reads(world: World) -> None:
        for item in world.slices:
            if wanted(item["spec"]):
                for device in item["spec"].get("devices") or ():
                    for capacity in (device.get("capacity") or {}).values():
                        capacity.pop("requestPolicy", None)

    return reads


def _groups_in_slices(wanted: Callable[[Json], object]) -> Reads:
    def reads(world: World) -> None:
        for item in world.slices:
            if wanted(item["spec"]):
                for device in item["spec"].get("devices") or ():
                    for entry in device.get("consumesCounters") or ():
                        entry.pop("compatibilityGroups", None)

    return reads


def _for_all(spec: Json) -> object:
    return spec.get("allNodes")


def _by_selector(spec: Json) -> object:
    return spec.get("nodeSelector")


def _by_device(spec: Json) -> object:
    return spec.get("perDeviceNodeSelection")


OF_THIRDS = (
    Misreading("a request has two selectors", reads=_two_of(_of_asked("selectors"))),
    Misreading("a request has two tolerations", reads=_two_of(_of_asked("tolerations"))),
    Misreading("a request asks for two amounts", reads=_two_entries_of(_amounts)),
    Misreading("a class has two selectors", reads=_two_of(_class_selectors)),
    Misreading("a device has two taints", reads=_two_of(_of_devices("taints"))),
    Misreading("a device has two attributes", reads=_two_entries_of(_of_devices("attributes"))),
    Misreading("a device draws on two counters of a set", reads=_two_entries_of(lambda world: [one["counters"] for one in world.entries if one.get("counters")])),
    Misreading("an entry has two groups", reads=_two_of(lambda world: [one["compatibilityGroups"] for one in world.entries if one.get("compatibilityGroups")])),
    Misreading("a slice has two devices", reads=_two_of(_of_specs("devices"))),
    Misreading("a claim has two constraints", reads=_two_of(_of_claims("constraints"))),
    Misreading("a claim has two configurations", reads=_two_of(_of_claims("config"))),
    Misreading("there are two taint rules", reads=lambda world: world.rules.__delitem__(slice(2, None))),
    Misreading("third alternatives have no selectors", reads=without_after_the_second("selectors")),
    Misreading("third alternatives have no tolerations", reads=without_after_the_second("tolerations")),
    Misreading("third alternatives are of one device", reads=without_after_the_second("count")),
    Misreading("third requests have no selectors", reads=_third_requests("selectors")),
    Misreading("third requests have no tolerations", reads=_third_requests("tolerations")),
    Misreading("third requests have no amounts", reads=_third_requests("capacity")),
    Misreading("third requests have no admin access", reads=_third_requests("adminAccess")),
    Misreading("third claims of a call have no constraints", reads=_third_claims),
    Misreading("two claims hold something", reads=_third_holders),
    Misreading("a claim holds two devices", reads=_third_results),
    Misreading("devices for all nodes are not shared", reads=_in_slices(_for_all, "allowMultipleAllocations")),
    Misreading("devices for all nodes draw nothing", reads=_in_slices(_for_all, "consumesCounters")),
    Misreading("devices for all nodes have no binding conditions", reads=_in_slices(_for_all, "bindingConditions", "bindingFailureConditions")),
    Misreading("devices for some nodes are not shared", reads=_in_slices(_by_selector, "allowMultipleAllocations")),
    Misreading("devices for some nodes draw nothing", reads=_in_slices(_by_selector, "consumesCounters")),
    Misreading("devices for some nodes have no capacity", reads=_in_slices(_by_selector, "capacity")),
    Misreading("devices that choose their nodes are not shared", reads=_in_slices(_by_device, "allowMultipleAllocations")),
    Misreading("devices that choose their nodes draw nothing", reads=_in_slices(_by_device, "consumesCounters")),
    Misreading("devices that choose their nodes have no policies", reads=_policies_in_slices(_by_device)),
    Misreading("devices for some nodes have no policies", reads=_policies_in_slices(_by_selector)),
    Misreading("devices for all nodes have no policies", reads=_policies_in_slices(_for_all)),
    Misreading("devices that choose their nodes have no groups", reads=_groups_in_slices(_by_device)),
    Misreading("devices for all nodes have no groups", reads=_groups_in_slices(_for_all)),
)  # fmt: skip
