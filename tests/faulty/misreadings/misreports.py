"""Allocators with the right devices and a fault in the recorded allocation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.faulty.misreadings.misreading import Misreading, World, device_of

Json = Any
Tells = Callable[[dict[str, Json], World], object]


def in_results(change: Callable[[list[Json]], object]) -> Tells:
    """Change the results of each claim."""

    def tells(allocations: dict[str, Json], world: World) -> None:
        for allocation in allocations.values():
            change(allocation["devices"].get("results") or [])

    return tells


def in_config(change: Callable[[list[Json]], object]) -> Tells:
    """Change the configuration of each claim."""

    def tells(allocations: dict[str, Json], world: World) -> None:
        for allocation in allocations.values():
            change(allocation["devices"].get("config") or [])

    return tells


def in_terms(change: Callable[[list[Json]], object]) -> Tells:
    """Change the terms of the node selector of each claim that has one."""

    def tells(allocations: dict[str, Json], world: World) -> None:
        for allocation in allocations.values():
            if allocation.get("nodeSelector"):
                change(allocation["nodeSelector"]["nodeSelectorTerms"])

    return tells


def _later(*fields: str) -> Callable[[list[Json]], None]:
    def change(results: list[Json]) -> None:
        for result in results[1:]:
            for field in fields:
                result.pop(field, None)

    return change


def _as_first(field: str) -> Callable[[list[Json]], None]:
    def change(results: list[Json]) -> None:
        for result in results[1:]:
            if field in results[0]:
                result[field] = results[0][field]

    return change


def _of_admin(*fields: str) -> Callable[[list[Json]], None]:
    def change(results: list[Json]) -> None:
        for result in results:
            if result.get("adminAccess"):
                for field in fields:
                    result.pop(field, None)

    return change


def _swapped(results: list[Json]) -> None:
    for result in results:
        if result.get("bindingConditions") and result.get("bindingFailureConditions"):
            result["bindingConditions"], result["bindingFailureConditions"] = (
                result["bindingFailureConditions"],
                result["bindingConditions"],
            )


def _as_claims_ids(allocations: dict[str, Json], world: World) -> None:
    for allocation in allocations.values():
        for place, result in enumerate(allocation["devices"]["results"]):
            if "shareID" in result:
                result["shareID"] = f"6ba7b810-9dad-41d1-80b4-00c04fd4{place:04d}"


def _held_id(allocations: dict[str, Json], world: World) -> None:
    ids = {device_of(other): other["shareID"] for other in world.held if "shareID" in other}
    for allocation in allocations.values():
        for result in allocation["devices"]["results"]:
            key = device_of(result)
            if "shareID" in result and key in ids:
                result["shareID"] = ids[key]


def _without_last_field(results: list[Json]) -> None:
    for result in results:
        if len(result.get("consumedCapacity") or ()) > 1:
            result["consumedCapacity"].popitem()


def _with_used_before(allocations: dict[str, Json], world: World) -> None:
    used = {device_of(other): other.get("consumedCapacity") for other in world.held}
    for allocation in allocations.values():
        for result in allocation["devices"]["results"]:
            if result.get("consumedCapacity") and used.get(device_of(result)):
                result["consumedCapacity"] = used[device_of(result)]


def _config_of_first(allocations: dict[str, Json], world: World) -> None:
    first = next(iter(allocations.values()))["devices"].get("config")
    for allocation in allocations.values():
        allocation["devices"]["config"] = first or []


def _once(config: list[Json]) -> None:
    known = {str(entry.get("opaque")): entry for entry in config}
    config[:] = list(known.values())


def _of_drivers(allocations: dict[str, Json], world: World) -> None:
    for allocation in allocations.values():
        drivers = {result["driver"] for result in allocation["devices"]["results"]}
        config = allocation["devices"].get("config") or []
        config[:] = [entry for entry in config if entry["opaque"]["driver"] in drivers]


def _one_name(config: list[Json]) -> None:
    for entry in config:
        entry["requests"] = (entry.get("requests") or [])[:1]


def _by_class_name(config: list[Json]) -> None:
    config.sort(key=lambda entry: (entry["source"] != "FromClass", str(entry.get("requests"))), reverse=True)


def _parts(part: str) -> Callable[[list[Json]], None]:
    def change(terms: list[Json]) -> None:
        for term in terms:
            if len(term.get("matchExpressions") or ()) + len(term.get("matchFields") or ()) > 1:
                term.pop(part, None)

    return change


def _last_requirement(terms: list[Json]) -> None:
    for term in terms:
        if len(term.get("matchExpressions") or ()) > 1:
            term["matchExpressions"].pop()


def _as_terms(terms: list[Json]) -> None:
    terms[:] = [
        {"matchExpressions": [match_expression]}
        for term in terms
        for match_expression in term.get("matchExpressions") or ()
    ] or terms


def _one_value(terms: list[Json]) -> None:
    for term in terms:
        for requirement in term.get("matchExpressions") or ():
            if requirement.get("values"):
                requirement["values"] = requirement["values"][:1]


def _no_selector_beside(allocations: dict[str, Json], world: World) -> None:
    for allocation in list(allocations.values())[1:]:
        allocation.pop("nodeSelector", None)


def _selector_of_first(allocations: dict[str, Json], world: World) -> None:
    first = next(iter(allocations.values())).get("nodeSelector")
    for allocation in allocations.values():
        allocation["nodeSelector"] = first


def _everywhere_else(terms: list[Json]) -> None:
    elsewhere = {"key": "metadata.name", "operator": "NotIn", "values": ["nowhere"]}
    terms.append({"matchFields": [elsewhere]})


def _groups_in_common(results: list[Json]) -> None:
    recorded = [result["compatibilityGroups"] for result in results if result.get("compatibilityGroups")]
    for record in recorded:
        for name in record:
            record[name] = [
                group
                for group in record[name]
                if all(group in other.get(name, record[name]) for other in recorded)
            ]


def _with_share_everywhere(results: list[Json]) -> None:
    for result in results:
        if result.get("consumedCapacity") is None and "shareID" in result:
            result["consumedCapacity"] = {"shares": "1"}


REPORTS = (
    Misreading("adminAccess is recorded only for the first device", tells=in_results(_later("adminAccess"))),
    Misreading("tolerations are recorded only for the first device", tells=in_results(_later("tolerations"))),
    Misreading("binding conditions are recorded only for the first device", tells=in_results(_later("bindingConditions"))),
    Misreading("binding failure conditions are recorded only for the first device", tells=in_results(_later("bindingFailureConditions"))),
    Misreading("consumed capacity is recorded only for the first share", tells=in_results(_later("consumedCapacity"))),
    Misreading("groups are recorded of the first device", tells=in_results(_later("compatibilityGroups"))),
    Misreading("the pool is that of the first device", tells=in_results(_as_first("pool"))),
    Misreading("the driver is that of the first device", tells=in_results(_as_first("driver"))),
    Misreading("the request is that of the first device", tells=in_results(_as_first("request"))),
    Misreading("tolerations are those of the first device", tells=in_results(_as_first("tolerations"))),
    Misreading("binding conditions are those of the first device", tells=in_results(_as_first("bindingConditions"))),
    Misreading("consumed capacity is that of the first share", tells=in_results(_as_first("consumedCapacity"))),
    Misreading("groups are those of the first device", tells=in_results(_as_first("compatibilityGroups"))),
    Misreading("shares with adminAccess have no ID", tells=in_results(_of_admin("shareID"))),
    Misreading("shares with adminAccess consume nothing", tells=in_results(_of_admin("consumedCapacity"))),
    Misreading("conditions and failure conditions change places", tells=in_results(_swapped)),
    Misreading("share IDs are counted in each claim", tells=_as_claims_ids),
    Misreading("share IDs are those of the device's holder", tells=_held_id),
    Misreading("consumed capacity lacks the last entry", tells=in_results(_without_last_field)),
    Misreading("consumed capacity is that of the holder", tells=_with_used_before),
    Misreading("a share of a device without capacity consumes one", tells=in_results(_with_share_everywhere)),
    Misreading("the first device is recorded twice", tells=in_results(lambda results: results.append(dict(results[0])) if results else None)),
    Misreading("the last device is not recorded", tells=in_results(lambda results: results.pop() if len(results) > 1 else None)),
    Misreading("the last claim has nothing", tells=lambda allocations, world: allocations.popitem() if len(allocations) > 1 else None),
    Misreading("configuration is that of the first claim", tells=_config_of_first),
    Misreading("equal configuration is recorded once", tells=in_config(_once)),
    Misreading("configuration of drivers without a device is not recorded", tells=_of_drivers),
    Misreading("configuration names one request", tells=in_config(_one_name)),
    Misreading("configuration is sorted by request", tells=in_config(_by_class_name)),
    Misreading("the node selector has no fields if it has labels", tells=in_terms(_parts("matchFields"))),
    Misreading("the node selector lacks the last requirement", tells=in_terms(_last_requirement)),
    Misreading("the node selector has a term for each requirement", tells=in_terms(_as_terms)),
    Misreading("the node selector has the first value of each", tells=in_terms(_one_value)),
    Misreading("the node selector has no terms", tells=in_terms(lambda terms: terms.clear())),
    Misreading("the node selector has one more term", tells=in_terms(_everywhere_else)),
    Misreading("later claims have no node selector", tells=_no_selector_beside),
    Misreading("the node selector is that of the first claim", tells=_selector_of_first),
    Misreading("groups are recorded as far as they are common", tells=in_results(_groups_in_common)),
)  # fmt: skip
