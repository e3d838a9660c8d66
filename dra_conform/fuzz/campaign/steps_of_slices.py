"""ResourceSlices as the steps `devices`, `counterSets` and `pool` of a golden case, otherwise as objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.conformance.steps.given import DRIVER, POOL
from dra_conform.fuzz.campaign.rows_of_slices import counter_rows, device_rows, node_words

Json = Any
Step = dict[str, Json]

_DEVICE = {
    *("name", "attributes", "capacity", "allowMultipleAllocations", "consumesCounters", "taints"),
    *("bindingConditions", "bindingFailureConditions", "bindsToNode"),
}
_CHOICES = ("nodeName", "nodeSelector", "allNodes")


def slice_steps(slices: Sequence[Json], node: str) -> Iterator[Step]:
    """Yield the steps of all slices. `node` is the first node, the default node of devices."""
    pools: dict[tuple[str, str], list[Json]] = {}
    for resource_slice in slices:
        pools.setdefault(
            (resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"]), []
        ).append(resource_slice)
    devices: list[Json] = []
    counters: list[Json] = []
    declared: list[Step] = []
    in_full: list[Json] = []
    for (driver, name), members in pools.items():
        place = {
            **({"driver": driver} if driver != DRIVER else {}),
            **({"pool": name} if name != POOL else {}),
        }
        count = _declared(members)
        if count is None or not all(map(_has_short_form, members)) or _has_duplicates(members):
            in_full += members
            continue
        if count:
            declared.append({"pool": {**place, "resourceSliceCount": count}})
        for member in members:
            slice_name = {"slice": member["metadata"]["name"]} if len(members) > 1 else {}
            devices += device_rows(member, {**place, **slice_name}, node)
            counters += counter_rows(member, {**place, **slice_name})
    if devices:
        yield {"devices": devices}
    if counters:
        yield {"counterSets": counters}
    yield from declared
    if in_full:
        yield {"objects": in_full}


def _declared(members: Sequence[Json]) -> int | None:
    """Return the slice count of the `pool` step, 0 if not needed, None if the step cannot express it."""
    sizes: dict[int, int] = {}
    for member in members:
        generation = member["spec"]["pool"]["generation"]
        sizes[generation] = sizes.get(generation, 0) + 1
    counts = {member["spec"]["pool"]["resourceSliceCount"] for member in members}
    if all(
        member["spec"]["pool"]["resourceSliceCount"] == sizes[member["spec"]["pool"]["generation"]]
        for member in members
    ):
        return 0
    return counts.pop() if len(counts) == 1 else None


def _has_short_form(resource_slice: Json) -> bool:
    spec = resource_slice["spec"]
    if bool(spec.get("devices")) == bool(spec.get("sharedCounters")):
        return False
    if spec.get("perDeviceNodeSelection"):
        places = [node_words(device) for device in spec.get("devices", ())]
    else:
        places = [node_words(spec)]
    return bool(places) and None not in places and all(map(_device_has_short_form, spec.get("devices", ())))


def _device_has_short_form(device: Json) -> bool:
    """Whether a device has only known fields, and no empty list that a step would omit."""
    body = {key: value for key, value in device.items() if key not in _CHOICES}
    if body.keys() - _DEVICE or any(not body[key] for key in ("taints", "consumesCounters") if key in body):
        return False
    return all(entry.get("compatibilityGroups", True) for entry in body.get("consumesCounters", ()))


def _has_duplicates(members: Sequence[Json]) -> bool:
    """Whether slices of one generation have two devices or two counter sets with the same name."""
    names = [
        (field, member["spec"]["pool"]["generation"], item["name"])
        for member in members
        for field in ("devices", "sharedCounters")
        for item in member["spec"].get(field, ())
    ]
    return len(set(names)) < len(names)
