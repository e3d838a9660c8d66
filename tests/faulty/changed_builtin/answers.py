"""Allocators with the right devices and a fault in the recorded allocation."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, World, device_of

Tells = Callable[[dict[str, Json], World], object]


def in_results(change: Callable[[list[Json]], object]) -> Tells:
    """Change the results of each claim."""

    def change_answer(allocations: dict[str, Json], world: World) -> None:
        for allocation in allocations.values():
            change(allocation["devices"].get("results") or [])

    return change_answer


def in_config(change: Callable[[list[Json]], object]) -> Tells:
    """Change the configuration of each claim."""

    def change_answer(allocations: dict[str, Json], world: World) -> None:
        for allocation in allocations.values():
            change(allocation["devices"].get("config") or [])

    return change_answer


def in_terms(change: Callable[[list[Json]], object]) -> Tells:
    """Change the terms of the node selector of each claim that has one."""

    def change_answer(allocations: dict[str, Json], world: World) -> None:
        for allocation in allocations.values():
            if allocation.get("nodeSelector"):
                change(allocation["nodeSelector"]["nodeSelectorTerms"])

    return change_answer


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
    ids = {device_of(other): other["shareID"] for other in world.existing_results if "shareID" in other}
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
    used = {device_of(other): other.get("consumedCapacity") for other in world.existing_results}
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
    FaultyAllocator("adminAccess is recorded only for the first device", changes_answer=in_results(_later("adminAccess"))),
    FaultyAllocator("tolerations are recorded only for the first device", changes_answer=in_results(_later("tolerations"))),
    FaultyAllocator("binding conditions are recorded only for the first device", changes_answer=in_results(_later("bindingConditions"))),
    FaultyAllocator("binding failure conditions are recorded only for the first device", changes_answer=in_results(_later("bindingFailureConditions"))),
    FaultyAllocator("consumed capacity is recorded only for the first share", changes_answer=in_results(_later("consumedCapacity"))),
    FaultyAllocator("groups are recorded of the first device", changes_answer=in_results(_later("compatibilityGroups"))),
    FaultyAllocator("the pool is that of the first device", changes_answer=in_results(_as_first("pool"))),
    FaultyAllocator("the driver is that of the first device", changes_answer=in_results(_as_first("driver"))),
    FaultyAllocator("the request is that of the first device", changes_answer=in_results(_as_first("request"))),
    FaultyAllocator("tolerations are those of the first device", changes_answer=in_results(_as_first("tolerations"))),
    FaultyAllocator("binding conditions are those of the first device", changes_answer=in_results(_as_first("bindingConditions"))),
    FaultyAllocator("consumed capacity is that of the first share", changes_answer=in_results(_as_first("consumedCapacity"))),
    FaultyAllocator("groups are those of the first device", changes_answer=in_results(_as_first("compatibilityGroups"))),
    FaultyAllocator("shares with adminAccess have no ID", changes_answer=in_results(_of_admin("shareID"))),
    FaultyAllocator("shares with adminAccess consume nothing", changes_answer=in_results(_of_admin("consumedCapacity"))),
    FaultyAllocator("conditions and failure conditions change places", changes_answer=in_results(_swapped)),
    FaultyAllocator("share IDs are counted in each claim", changes_answer=_as_claims_ids),
    FaultyAllocator("share IDs are those of the device's holder", changes_answer=_held_id),
    FaultyAllocator("consumed capacity lacks the last entry", changes_answer=in_results(_without_last_field)),
    FaultyAllocator("consumed capacity is that of the holder", changes_answer=_with_used_before),
    FaultyAllocator("a share of a device without capacity consumes one", changes_answer=in_results(_with_share_everywhere)),
    FaultyAllocator("the first device is recorded twice", changes_answer=in_results(lambda results: results.append(dict(results[0])) if results else None)),
    FaultyAllocator("the last device is not recorded", changes_answer=in_results(lambda results: results.pop() if len(results) > 1 else None)),
    FaultyAllocator("the last claim has nothing", changes_answer=lambda allocations, world: allocations.popitem() if len(allocations) > 1 else None),
    FaultyAllocator("configuration is that of the first claim", changes_answer=_config_of_first),
    FaultyAllocator("equal configuration is recorded once", changes_answer=in_config(_once)),
    FaultyAllocator("configuration of drivers without a device is not recorded", changes_answer=_of_drivers),
    FaultyAllocator("configuration names one request", changes_answer=in_config(_one_name)),
    FaultyAllocator("configuration is sorted by request", changes_answer=in_config(_by_class_name)),
    FaultyAllocator("the node selector has no fields if it has labels", changes_answer=in_terms(_parts("matchFields"))),
    FaultyAllocator("the node selector lacks the last requirement", changes_answer=in_terms(_last_requirement)),
    FaultyAllocator("the node selector has a term for each requirement", changes_answer=in_terms(_as_terms)),
    FaultyAllocator("the node selector has the first value of each", changes_answer=in_terms(_one_value)),
    FaultyAllocator("the node selector has no terms", changes_answer=in_terms(lambda terms: terms.clear())),
    FaultyAllocator("the node selector has one more term", changes_answer=in_terms(_everywhere_else)),
    FaultyAllocator("later claims have no node selector", changes_answer=_no_selector_beside),
    FaultyAllocator("the node selector is that of the first claim", changes_answer=_selector_of_first),
    FaultyAllocator("groups are recorded as far as they are common", changes_answer=in_results(_groups_in_common)),
)  # fmt: skip
