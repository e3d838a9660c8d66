"""Slices in the steps `devices`, `counters` and `pool` of a golden case; what they cannot say is objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.building import DRIVER, POOL
from dra_conform.conformance.slices import EVERYWHERE, node_choice
from dra_conform.fuzz.campaign.steps_of_claims import number

Json = Any
Step = dict[str, Json]

_DEVICE = {
    *("name", "attributes", "capacity", "allowMultipleAllocations", "consumesCounters", "taints"),
    *("bindingConditions", "bindingFailureConditions", "bindsToNode"),
}
_CHOICES = ("nodeName", "nodeSelector", "allNodes")


def of_slices(slices: Sequence[Json], node: str) -> Iterator[Step]:
    """The steps of all slices; `node` is the first node, where devices are if nothing is said."""
    pools: dict[tuple[str, str], list[Json]] = {}
    for one in slices:
        pools.setdefault((one["spec"]["driver"], one["spec"]["pool"]["name"]), []).append(one)
    devices: list[Json] = []
    counters: list[Json] = []
    declared: list[Step] = []
    unsaid: list[Json] = []
    for (driver, name), members in pools.items():
        place = {
            **({"driver": driver} if driver != DRIVER else {}),
            **({"pool": name} if name != POOL else {}),
        }
        count = _declared(members)
        if count is None or not all(map(_sayable, members)) or _repeats(members):
            unsaid += members
            continue
        if count:
            declared.append({"pool": {**place, "slices": count}})
        for one in members:
            several = {"slice": one["metadata"]["name"]} if len(members) > 1 else {}
            devices += _device_rows(one, {**place, **several}, node)
            counters += _counter_rows(one, {**place, **several})
    if devices:
        yield {"devices": devices}
    if counters:
        yield {"counters": counters}
    yield from declared
    if unsaid:
        yield {"objects": unsaid}


def _declared(members: Sequence[Json]) -> int | None:
    """How many slices the `pool` step must declare, 0 if it is not needed, None if it cannot say it."""
    sizes: dict[int, int] = {}
    for one in members:
        generation = one["spec"]["pool"]["generation"]
        sizes[generation] = sizes.get(generation, 0) + 1
    counts = {one["spec"]["pool"]["resourceSliceCount"] for one in members}
    if all(
        one["spec"]["pool"]["resourceSliceCount"] == sizes[one["spec"]["pool"]["generation"]]
        for one in members
    ):
        return 0
    return counts.pop() if len(counts) == 1 else None


def _sayable(one: Json) -> bool:
    spec = one["spec"]
    if bool(spec.get("devices")) == bool(spec.get("sharedCounters")):
        return False
    if spec.get("perDeviceNodeSelection"):
        places = [_place(device) for device in spec.get("devices", ())]
    else:
        places = [_place(spec)]
    return bool(places) and None not in places and all(map(_device_sayable, spec.get("devices", ())))


def _device_sayable(device: Json) -> bool:
    """Whether the device has known fields only, and no empty list that a step would leave out."""
    body = {key: value for key, value in device.items() if key not in _CHOICES}
    if body.keys() - _DEVICE or any(not body[key] for key in ("taints", "consumesCounters") if key in body):
        return False
    return all(entry.get("compatibilityGroups", True) for entry in body.get("consumesCounters", ()))


def _place(chooser: Mapping[str, Json]) -> str | None:
    """Which nodes, in the words of the steps; None if they have none for it."""
    if "nodeName" in chooser:
        return str(chooser["nodeName"])
    if chooser.get("allNodes"):
        return EVERYWHERE
    terms = chooser.get("nodeSelector", {}).get("nodeSelectorTerms", [])
    labels = [
        f"{one['key']}={one['values'][0]}"
        for term in terms
        for one in term.get("matchExpressions", ())
        if one["operator"] == "In"
    ]
    words = ", ".join(labels)
    return words if words and node_choice(words)["nodeSelector"] == chooser["nodeSelector"] else None


def _repeats(members: Sequence[Json]) -> bool:
    """Whether a device or a counter set is there twice in a generation."""
    names = [
        (field, one["spec"]["pool"]["generation"], item["name"])
        for one in members
        for field in ("devices", "sharedCounters")
        for item in one["spec"].get(field, ())
    ]
    return len(set(names)) < len(names)


def _generation(spec: Json) -> Json:
    generation = spec["pool"]["generation"]
    return {"generation": generation} if generation != 1 else {}


def _device_rows(one: Json, place: Json, node: str) -> Iterator[Json]:
    spec = one["spec"]
    where = {} if spec.get("nodeName") == node else {"node": _place(spec)}
    for device in spec.get("devices", ()):
        chosen = {"on": _place(device)} if spec.get("perDeviceNodeSelection") else where
        yield {"device": device["name"], **place, **_generation(spec), **chosen, **_body(device)}


def _counter_rows(one: Json, place: Json) -> Iterator[Json]:
    spec = one["spec"]
    for counters in spec.get("sharedCounters", ()):
        amounts = _amounts(counters)
        yield {
            "set": counters["name"],
            **place,
            **_generation(spec),
            "node": _place(spec),
            "counters": amounts,
        }


def _body(device: Json) -> Json:
    made: dict[str, Json] = {}
    if "allowMultipleAllocations" in device:
        made["shared"] = device["allowMultipleAllocations"]
    capacity = device.get("capacity") or {}
    if capacity:
        made["capacity"] = {name: number(one["value"]) for name, one in capacity.items()}
    policies = {name: one["requestPolicy"] for name, one in capacity.items() if "requestPolicy" in one}
    if policies:
        made["policy"] = {name: _policy(policy) for name, policy in policies.items()}
    if device.get("attributes"):
        made["attributes"] = dict(device["attributes"])
    entries = device.get("consumesCounters", ())
    if entries:
        made["counters"] = {entry["counterSet"]: _amounts(entry) for entry in entries}
    groups = {
        entry["counterSet"]: entry["compatibilityGroups"]
        for entry in entries
        if "compatibilityGroups" in entry
    }
    if groups:
        made["groups"] = groups
    for name, key in (
        ("taints", "taints"),
        ("binding", "bindingConditions"),
        ("failure", "bindingFailureConditions"),
        ("binds", "bindsToNode"),
    ):
        if key in device:
            made[name] = device[key]
    return made


def _amounts(entry: Json) -> Json:
    return {name: number(counter["value"]) for name, counter in entry.get("counters", {}).items()}


def _policy(policy: Json) -> Json:
    made = {"default": number(policy["default"])} if "default" in policy else {}
    if policy.get("validValues"):
        made["values"] = [number(text) for text in policy["validValues"]]
    return made | {name: number(text) for name, text in policy.get("validRange", {}).items()}
