"""Allocators that record a field of the allocation wrong: quantities, names, tolerations, groups, node selectors."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.answers import Tells, in_config, in_results, in_terms
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, World


def _of_each(change: Callable[[Json], object]) -> Tells:
    """Change each result on its own."""

    def change_results(results: list[Json]) -> None:
        for result in results:
            change(result)

    return in_results(change_results)


def _amounts(change: Callable[[str, str], tuple[str, str]]) -> Tells:
    """Change the names and quantities of consumed capacity."""

    def consumed(result: Json) -> None:
        if result.get("consumedCapacity"):
            result["consumedCapacity"] = dict(change(*item) for item in result["consumedCapacity"].items())

    return _of_each(consumed)


def _one_more(result: Json) -> None:
    if result.get("consumedCapacity"):
        result["consumedCapacity"]["shares"] = "1"


def _no_amounts(result: Json) -> None:
    if result.get("consumedCapacity"):
        result["consumedCapacity"] = {}


def _admin_for_all(results: list[Json]) -> None:
    if any(result.get("adminAccess") for result in results):
        for result in results:
            result["adminAccess"] = True


def _tolerations_without(field: str) -> Tells:
    def change(result: Json) -> None:
        for toleration in result.get("tolerations") or ():
            toleration.pop(field, None)

    return _of_each(change)


def _one_more_toleration(result: Json) -> None:
    result["tolerations"] = [
        *(result.get("tolerations") or ()),
        {"operator": "Exists", "effect": "NoExecute"},
    ]


def _last_toleration(result: Json) -> None:
    if result.get("tolerations"):
        result["tolerations"] = result["tolerations"][-1:]


def _conditions_of_bound(result: Json) -> None:
    if len(result.get("bindingConditions") or ()) > 1:
        result["bindingConditions"] = result["bindingConditions"][-1:]


def _no_failures_without(result: Json) -> None:
    if len(result.get("bindingFailureConditions") or ()) > 1:
        result["bindingFailureConditions"] = result["bindingFailureConditions"][-1:]


def _groups(change: Callable[[str, list[str]], tuple[str, list[str]]]) -> Tells:
    def recorded(result: Json) -> None:
        if result.get("compatibilityGroups"):
            result["compatibilityGroups"] = dict(
                change(*item) for item in result["compatibilityGroups"].items()
            )

    return _of_each(recorded)


def _groups_of_first_set(result: Json) -> None:
    if result.get("compatibilityGroups"):
        first = next(iter(result["compatibilityGroups"].values()))
        result["compatibilityGroups"] = dict.fromkeys(result["compatibilityGroups"], first)


def _groups_of_published(allocations: dict[str, Json], world: World) -> None:
    sets = {
        counter_set["name"]: ["any"]
        for part in world.slices
        for counter_set in part["spec"].get("sharedCounters") or ()
    }
    for allocation in allocations.values():
        for result in allocation["devices"]["results"]:
            if result.get("compatibilityGroups"):
                result["compatibilityGroups"] = {**sets, **result["compatibilityGroups"]}


def _driver_of_device(allocations: dict[str, Json], world: World) -> None:
    for allocation in allocations.values():
        for entry in allocation["devices"].get("config") or ():
            entry["opaque"]["driver"] = allocation["devices"]["results"][0]["driver"]


def _for_all(config: list[Json]) -> None:
    for entry in config:
        entry["requests"] = []


def _from_class_for_all(config: list[Json]) -> None:
    for entry in config:
        if entry["source"] == "FromClass":
            entry["requests"] = []


def _first_of_class(config: list[Json]) -> None:
    from_class = [entry for entry in config if entry["source"] == "FromClass"]
    config[:] = [entry for entry in config if entry not in from_class[1:]]


def _requirements(change: Callable[[Json], object], part: str = "matchExpressions") -> Tells:
    def terms_of(terms: list[Json]) -> None:
        for term in terms:
            for requirement in term.get(part) or ():
                change(requirement)

    return in_terms(terms_of)


def _every_node(requirement: Json) -> None:
    requirement.update(operator="NotIn", values=["nowhere"])


def _exists(requirement: Json) -> None:
    requirement.pop("values", None)
    requirement["operator"] = "Exists"


def _one_value_more(requirement: Json) -> None:
    if requirement["operator"] == "In":
        requirement["values"] = [*requirement["values"], "elsewhere"]


def _labels_of_node(allocations: dict[str, Json], world: World) -> None:
    labels = next(node for node in world.nodes if node["metadata"]["name"] == world.ask["node"])[
        "metadata"
    ].get("labels")
    for allocation in allocations.values():
        if labels and allocation.get("nodeSelector"):
            wanted = [{"key": key, "operator": "In", "values": [value]} for key, value in labels.items()]
            allocation["nodeSelector"] = {"nodeSelectorTerms": [{"matchExpressions": wanted}]}


def _holder_too(allocations: dict[str, Json], world: World) -> None:
    for claim in world.holders:
        allocation = (claim.get("status") or {}).get("allocation")
        if allocation:
            name = f"{claim['metadata'].get('namespace') or 'default'}/{claim['metadata']['name']}"
            allocations[name] = allocation


def _at(time: str) -> Tells:
    def change_answer(allocations: dict[str, Json], world: World) -> None:
        for allocation in allocations.values():
            allocation["allocationTimestamp"] = time

    return change_answer


def _request_without_alternative(result: Json) -> None:
    result["request"] = result["request"].partition("/")[0]


def _alternative_everywhere(result: Json) -> None:
    if "/" not in result["request"]:
        result["request"] = f"{result['request']}/{result['request']}"


FIELDS = (
    FaultyAllocator("consumed quantities are a nano more", changes_answer=_amounts(lambda name, value: (name, f"{value}" if not str(value).isdecimal() else f"{int(value) * 10**9 + 1}n"))),
    FaultyAllocator("consumed quantities are negative", changes_answer=_amounts(lambda name, value: (name, f"-{value}"))),
    FaultyAllocator("consumed names have no domain", changes_answer=_amounts(lambda name, value: (name.rpartition("/")[2], value))),
    FaultyAllocator("consumed quantities have one name more", changes_answer=_of_each(_one_more)),
    FaultyAllocator("consumed quantities are missing", changes_answer=_of_each(_no_amounts)),
    FaultyAllocator("consumed quantities of zero are one", changes_answer=_amounts(lambda name, value: (name, "1" if str(value) == "0" else value))),
    FaultyAllocator("adminAccess of one device is recorded for all", changes_answer=in_results(_admin_for_all)),
    FaultyAllocator("tolerations are recorded without keys", changes_answer=_tolerations_without("key")),
    FaultyAllocator("tolerations are recorded without values", changes_answer=_tolerations_without("value")),
    FaultyAllocator("tolerations are recorded without effects", changes_answer=_tolerations_without("effect")),
    FaultyAllocator("tolerations are recorded without operators", changes_answer=_tolerations_without("operator")),
    FaultyAllocator("one toleration more is recorded", changes_answer=_of_each(_one_more_toleration)),
    FaultyAllocator("the last toleration is recorded", changes_answer=_of_each(_last_toleration)),
    FaultyAllocator("the last binding condition is recorded", changes_answer=_of_each(_conditions_of_bound)),
    FaultyAllocator("the last binding failure condition is recorded", changes_answer=_of_each(_no_failures_without)),
    FaultyAllocator("groups are recorded of the first set", changes_answer=_of_each(_groups_of_first_set)),
    FaultyAllocator("groups are recorded of every set of the pool", changes_answer=_groups_of_published),
    FaultyAllocator("recorded groups have the last name", changes_answer=_groups(lambda name, groups: (name, groups[-1:]))),
    FaultyAllocator("recorded groups have a name twice", changes_answer=_groups(lambda name, groups: (name, [*groups, groups[0]] if groups else groups))),
    FaultyAllocator("recorded sets have the pool before them", changes_answer=_groups(lambda name, groups: (f"pool-1/{name}", groups))),
    FaultyAllocator("configuration is of the driver of the device", changes_answer=_driver_of_device),
    FaultyAllocator("configuration is for all requests", changes_answer=in_config(_for_all)),
    FaultyAllocator("configuration of classes is for all requests", changes_answer=in_config(_from_class_for_all)),
    FaultyAllocator("one configuration of all classes is recorded", changes_answer=in_config(_first_of_class)),
    FaultyAllocator("the name of the node becomes all nodes", changes_answer=_requirements(_every_node, "matchFields")),
    FaultyAllocator("a label of the node selector needs a value", changes_answer=_requirements(_exists)),
    FaultyAllocator("a label of the node selector has one value more", changes_answer=_requirements(_one_value_more)),
    FaultyAllocator("labels of the node take the place of its name", changes_answer=_labels_of_node),
    FaultyAllocator("results of other claims are recorded, too", changes_answer=_holder_too),
    FaultyAllocator("the time of allocation is no time", changes_answer=_at("yesterday")),
    FaultyAllocator("the time of allocation is in the future", changes_answer=_at("2999-01-01T00:00:00Z")),
    FaultyAllocator("subrequests are not recorded", changes_answer=_of_each(_request_without_alternative)),
    FaultyAllocator("requests are recorded as subrequests", changes_answer=_of_each(_alternative_everywhere)),
)  # fmt: skip
