"""Allocators that record a field of another result, configuration or node."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.answers import Tells, in_config, in_results, in_terms
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, World, device_of, requests_of
from tests.reference.textbook_world import amount, text_of


def _each(change: Callable[[Json], object]) -> Tells:
    def changes(results: list[Json]) -> None:
        for result in results:
            change(result)

    return in_results(changes)


def _with(field: str, change: Callable[[Any], Any]) -> Callable[[Json], None]:
    """Change a field of results that have it."""

    def changes(result: Json) -> None:
        if result.get(field):
            result[field] = change(result[field])

    return changes


def _by_device(change: Callable[[Json, Json], None]) -> Tells:
    """Change each result by its published device."""

    def change_answer(allocations: dict[str, Json], world: World) -> None:
        published = dict(world.published)
        for allocation in allocations.values():
            for result in allocation["devices"].get("results") or []:
                devices = published.get(device_of(result))
                if devices is not None:
                    change(result, devices)

    return change_answer


def _as_dedicated(result: Json, device: Json) -> None:
    if "shareID" not in result and device.get("capacity"):
        result["consumedCapacity"] = {
            name: capacity["value"] for name, capacity in device["capacity"].items()
        }


def _what_is_left(result: Json, device: Json) -> None:
    consumed = result.get("consumedCapacity") or {}
    for name, value in consumed.items():
        left = amount(str(device["capacity"][name]["value"])) - amount(str(value))
        consumed[name] = text_of(left)


def _all_of_it(result: Json, device: Json) -> None:
    consumed = result.get("consumedCapacity") or {}
    for name in consumed:
        consumed[name] = device["capacity"][name]["value"]


def _groups_in_every_set(result: Json, device: Json) -> None:
    """Record the groups of the first counter set for counter sets without groups, too."""
    recorded = result.get("compatibilityGroups")
    if recorded:
        first = next(iter(recorded.values()))
        for entry in device.get("consumesCounters") or ():
            recorded.setdefault(entry["counterSet"], first)


def _in_whole_units(consumed: dict[str, Any]) -> dict[str, Any]:
    return {name: text_of(Fraction(ceil(amount(str(value))))) for name, value in consumed.items()}


def _decimal(consumed: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value).replace("i", "") for name, value in consumed.items()}


def _exchanged(allocations: dict[str, Json], world: World) -> None:
    keys = list(allocations)
    if len(keys) > 1:
        allocations[keys[0]], allocations[keys[1]] = allocations[keys[1]], allocations[keys[0]]


def _numbered(results: list[Json]) -> None:
    names = [result["request"] for result in results]
    for place, one in enumerate(results):
        if names.count(one["request"]) > 1:
            one["request"] = f"{one['request']}-{place}"


def _one_share_id(results: list[Json]) -> None:
    """Give the shared allocations of a device in a claim the same share ID."""
    ids: dict[tuple[str, str, str], str] = {}
    for result in results:
        if "shareID" in result:
            key = device_of(result)
            result["shareID"] = ids.setdefault(key, result["shareID"])


def _second_share_is_free(results: list[Json]) -> None:
    seen: set[tuple[str, str, str]] = set()
    for result in results:
        key = device_of(result)
        if key in seen and result.get("consumedCapacity"):
            result["consumedCapacity"] = dict.fromkeys(result["consumedCapacity"], "0")
        seen.add(key)


def _parameters_of_first(config: list[Json]) -> None:
    for entry in config[1:]:
        entry["opaque"] = dict(entry["opaque"], parameters=config[0]["opaque"].get("parameters"))


def _reversed_claim(config: list[Json]) -> None:
    own = [entry for entry in config if entry["source"] == "FromClaim"]
    config[:] = [entry for entry in config if entry["source"] != "FromClaim"] + own[::-1]


def _reversed_class(config: list[Json]) -> None:
    own = [entry for entry in config if entry["source"] == "FromClass"]
    config[:] = own[::-1] + [entry for entry in config if entry["source"] != "FromClass"]


def _unscoped_from_class(config: list[Json]) -> None:
    for entry in config:
        if not entry.get("requests"):
            entry["source"] = "FromClass"


def _fields_alone(terms: list[Json]) -> None:
    terms[:] = [
        {part: term[part]} for term in terms for part in ("matchExpressions", "matchFields") if term.get(part)
    ]


def _without_comparisons(terms: list[Json]) -> None:
    for term in terms:
        for requirement in term.get("matchExpressions") or ():
            if requirement["operator"] in ("Gt", "Lt"):
                requirement["operator"] = "Exists"
                requirement.pop("values", None)


def _no_selector_where_all_nodes(allocations: dict[str, Json], world: World) -> None:
    """Use the node selector of the first device for the claim."""
    for allocation in allocations.values():
        results = allocation["devices"].get("results") or []
        for spec in world.specs:
            pool = spec["driver"], spec["pool"]["name"]
            if results and spec.get("allNodes") and pool == (results[0]["driver"], results[0]["pool"]):
                allocation.pop("nodeSelector", None)


def _no_config_of_admin(allocations: dict[str, Json], world: World) -> None:
    for claim, allocation in zip(world.claims, allocations.values(), strict=False):
        admin = {each["name"] for each in requests_of(claim) if each.get("exactly", {}).get("adminAccess")}
        config = allocation["devices"].get("config") or []
        config[:] = [each for each in config if not set(each.get("requests") or ()) & admin]


RESULTS = (
    FaultyAllocator("share IDs have no dashes", changes_answer=_each(_with("shareID", lambda value: value.replace("-", "")))),
    FaultyAllocator("share IDs are the names of devices", changes_answer=_each(lambda result: result.update(shareID=result["device"]) if "shareID" in result else None)),
    FaultyAllocator("shares of one device in a claim have one ID", changes_answer=in_results(_one_share_id)),
    FaultyAllocator("the second share of a device consumes nothing", changes_answer=in_results(_second_share_is_free)),
    FaultyAllocator("exclusive devices consume their capacity", changes_answer=_by_device(_as_dedicated)),
    FaultyAllocator("consumed capacity is what is left", changes_answer=_by_device(_what_is_left)),
    FaultyAllocator("consumed capacity is all there is", changes_answer=_by_device(_all_of_it)),
    FaultyAllocator("consumed capacity is in whole units", changes_answer=_each(_with("consumedCapacity", _in_whole_units))),
    FaultyAllocator("consumed capacity is in decimal units", changes_answer=_each(_with("consumedCapacity", _decimal))),
    FaultyAllocator("drivers have no domain", changes_answer=_each(_with("driver", lambda value: value.partition(".")[0]))),
    FaultyAllocator("devices have their pool before them", changes_answer=_each(lambda result: result.update(device=f"{result['pool']}/{result['device']}"))),
    FaultyAllocator("two claims of a call change places", changes_answer=_exchanged),
    FaultyAllocator("devices of a count are numbered requests", changes_answer=in_results(_numbered)),
    FaultyAllocator("subrequests are recorded with a dot", changes_answer=_each(_with("request", lambda value: value.replace("/", ".")))),
    FaultyAllocator("tolerations are recorded with no time", changes_answer=_each(_with("tolerations", lambda found: [dict(item, tolerationSeconds=0) if "tolerationSeconds" in item else item for item in found]))),
    FaultyAllocator("tolerations that exist are recorded as equal", changes_answer=_each(_with("tolerations", lambda found: [dict(item, operator="Equal") for item in found]))),
    FaultyAllocator("binding conditions are recorded without their domain", changes_answer=_each(_with("bindingConditions", lambda found: [item.rpartition("/")[2] for item in found]))),
    FaultyAllocator("binding failure conditions are recorded as conditions too", changes_answer=_each(lambda result: result.update(bindingConditions=[*result["bindingConditions"], *result["bindingFailureConditions"]]) if result.get("bindingFailureConditions") and result.get("bindingConditions") else None)),
    FaultyAllocator("sets without a group get the record of the first", changes_answer=_by_device(_groups_in_every_set)),
    FaultyAllocator("parameters are those of the first configuration", changes_answer=in_config(_parameters_of_first)),
    FaultyAllocator("configuration of the claim stands the other way round", changes_answer=in_config(_reversed_claim)),
    FaultyAllocator("configuration of a class stands the other way round", changes_answer=in_config(_reversed_class)),
    FaultyAllocator("configuration that names no request is of the class", changes_answer=in_config(_unscoped_from_class)),
    FaultyAllocator("configuration of adminAccess is not recorded", changes_answer=_no_config_of_admin),
    FaultyAllocator("fields and labels of nodes are recorded in two terms", changes_answer=in_terms(_fields_alone)),
    FaultyAllocator("labels that are compared need only exist", changes_answer=in_terms(_without_comparisons)),
    FaultyAllocator("the nodes of a claim are those of its first device", changes_answer=_no_selector_where_all_nodes),
)  # fmt: skip
