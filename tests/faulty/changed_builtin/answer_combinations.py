"""Allocators that record combinations wrong, such as two devices of one name or two shared allocations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.answers import Tells, in_config, in_results, in_terms
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, World, device_of
from tests.reference.textbook_world import amount, text_of


def _results(allocation: Json) -> list[Json]:
    return allocation["devices"].get("results") or []


def _by_device_name(*fields: str) -> Tells:
    """Record a field of the first published device of that name in any pool."""

    def change_answer(allocations: dict[str, Json], world: World) -> None:
        first: dict[str, Json] = {}
        for device in world.devices:
            first.setdefault(device["name"], device)
        for allocation in allocations.values():
            for result in _results(allocation):
                for field in fields:
                    by_name = first[result["device"]].get(field)
                    result.pop(field, None)
                    if by_name is not None:
                        result[field] = by_name

    return change_answer


def _sums_of_shares(allocations: dict[str, Json], world: World) -> None:
    sums: dict[Any, dict[str, Fraction]] = {}
    for allocation in allocations.values():
        for result in _results(allocation):
            if result.get("consumedCapacity"):
                total = sums.setdefault(device_of(result), {})
                for name, value in result["consumedCapacity"].items():
                    total[name] = total.get(name, Fraction(0)) + amount(value)
                result["consumedCapacity"] = {name: text_of(value) for name, value in total.items()}


def _none_for_alternatives(allocations: dict[str, Json], world: World) -> None:
    for allocation in allocations.values():
        if len({result["request"].partition("/")[0] for result in _results(allocation)}) > 1:
            config = allocation["devices"].get("config") or []
            config[:] = [
                entry for entry in config if not any("/" in name for name in entry.get("requests") or ())
            ]


def _none_for_counts(allocations: dict[str, Json], world: World) -> None:
    for allocation in allocations.values():
        times = Counter(result["request"] for result in _results(allocation))
        config = allocation["devices"].get("config") or []
        config[:] = [
            entry
            for entry in config
            if entry["source"] == "FromClass"
            or not any(times[name] > 1 for name in entry.get("requests") or ())
        ]


def _parameters(change: Callable[[Json], Json]) -> Tells:
    def of_each(config: list[Json]) -> None:
        for entry in config:
            entry["opaque"]["parameters"] = change(entry["opaque"]["parameters"])

    return in_config(of_each)


def _deep(change: Callable[[Json], Json]) -> Callable[[Json], Json]:
    def changed(value: Json) -> Json:
        if isinstance(value, dict):
            return change({name: changed(item) for name, item in value.items()})
        if isinstance(value, list):
            return change([changed(item) for item in value])
        return change(value)

    return changed


def _without_nulls(value: Json) -> Json:
    return {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value


def _without_empty(value: Json) -> Json:
    return {k: v for k, v in value.items() if v not in ({}, [], "")} if isinstance(value, dict) else value


def _numbers_as_text(value: Json) -> Json:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _sorted_lists(value: Json) -> Json:
    return sorted(value, key=str) if isinstance(value, list) else value


def _top_level(value: Json) -> Json:
    return (
        {k: v for k, v in value.items() if not isinstance(v, dict | list)}
        if isinstance(value, dict)
        else value
    )


def _last_of_each_label(terms: list[Json]) -> None:
    for term in terms:
        if term.get("matchExpressions"):
            term["matchExpressions"] = list({item["key"]: item for item in term["matchExpressions"]}.values())


def _only_in(terms: list[Json]) -> None:
    for term in terms:
        if term.get("matchExpressions"):
            kept = [item for item in term["matchExpressions"] if item["operator"] == "In"]
            if kept:
                term["matchExpressions"] = kept


def _fields_as_labels(terms: list[Json]) -> None:
    for term in terms:
        fields = term.pop("matchFields", None) or []
        if fields:
            term["matchExpressions"] = [*(term.get("matchExpressions") or ()), *fields]


def _tolerations(wanted: Callable[[Json], Any]) -> Tells:
    def change(results: list[Json]) -> None:
        for result in results:
            if result.get("tolerations"):
                result["tolerations"] = [item for item in result["tolerations"] if wanted(item)]

    return in_results(change)


def _conditions_once(allocations: dict[str, Json], world: World) -> None:
    seen: set[str] = set()
    for allocation in allocations.values():
        for result in _results(allocation):
            conditions = result.get("bindingConditions")
            if conditions is not None and str(conditions) in seen:
                result.pop("bindingConditions")
                result.pop("bindingFailureConditions", None)
            seen.add(str(conditions))


def _selector_of_bound(allocations: dict[str, Json], world: World) -> None:
    """Omit the node selector of a claim whose devices, except the last, are published for all nodes."""
    everywhere = {
        (resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"])
        for resource_slice in world.slices
        if resource_slice["spec"].get("allNodes")
    }
    for allocation in allocations.values():
        if any((item["driver"], item["pool"]) in everywhere for item in _results(allocation)):
            allocation.pop("nodeSelector", None)


MEETINGS = (
    FaultyAllocator("binding conditions are those of the first device of that name", changes_answer=_by_device_name("bindingConditions")),
    FaultyAllocator("binding failure conditions are those of the first device of that name", changes_answer=_by_device_name("bindingFailureConditions")),
    FaultyAllocator("binding conditions are recorded once in a call", changes_answer=_conditions_once),
    FaultyAllocator("consumed capacity is the sum of the call so far", changes_answer=_sums_of_shares),
    FaultyAllocator("configuration of subrequests is not recorded together with other requests", changes_answer=_none_for_alternatives),
    FaultyAllocator("configuration of requests for several devices is not recorded", changes_answer=_none_for_counts),
    FaultyAllocator("parameters lose their nulls", changes_answer=_parameters(_deep(_without_nulls))),
    FaultyAllocator("parameters lose what is empty", changes_answer=_parameters(_deep(_without_empty))),
    FaultyAllocator("numbers of parameters become strings", changes_answer=_parameters(_deep(_numbers_as_text))),
    FaultyAllocator("lists of parameters are sorted", changes_answer=_parameters(_deep(_sorted_lists))),
    FaultyAllocator("parameters lose what is nested", changes_answer=_parameters(_top_level)),
    FaultyAllocator("of two requirements on a label the last is recorded", changes_answer=in_terms(_last_of_each_label)),
    FaultyAllocator("requirements other than In are not recorded together with others", changes_answer=in_terms(_only_in)),
    FaultyAllocator("fields of nodes are recorded as labels", changes_answer=in_terms(_fields_as_labels)),
    FaultyAllocator("a device for all nodes unbinds the claim", changes_answer=_selector_of_bound),
    FaultyAllocator("tolerations without seconds are not recorded", changes_answer=_tolerations(lambda toleration: toleration.get("tolerationSeconds") is not None)),
    FaultyAllocator("tolerations of NoSchedule are not recorded", changes_answer=_tolerations(lambda toleration: toleration.get("effect") != "NoSchedule")),
    FaultyAllocator("tolerations of every key are not recorded", changes_answer=_tolerations(lambda toleration: toleration.get("key"))),
)  # fmt: skip
