"""Remove a feature from a scenario: the fields of the feature are removed from all objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.json_values import Json


def without(scenario: Scenario, feature: str) -> Scenario:
    """Return the scenario without the feature; gates stay unchanged."""
    objects = json.loads(json.dumps(scenario.objects))
    REMOVALS[feature](objects)
    return replace(scenario, objects={name: tuple(items) for name, items in objects.items()})


def _devices(objects: Json) -> Iterator[Json]:
    for resource_slice in objects.get("resourceSlices", ()):
        yield from resource_slice["spec"].get("devices", ())


def _requested(objects: Json) -> Iterator[Json]:
    for claim in objects["resourceClaims"]:
        for request in claim["spec"]["devices"]["requests"]:
            yield from (request["exactly"],) if "exactly" in request else request["firstAvailable"]


def _drop(places: Iterator[Json], *names: str) -> None:
    for place in places:
        for name in names:
            place.pop(name, None)


def _admin(objects: Json) -> None:
    _drop(_requested(objects), "adminAccess")


def _mode_all(objects: Json) -> None:
    for requested in _requested(objects):
        if requested["allocationMode"] == "All":
            requested.update(allocationMode="ExactCount", count=1)


def _binding(objects: Json) -> None:
    _drop(_devices(objects), "bindingConditions", "bindingFailureConditions", "bindsToNode")


def _selectors(objects: Json) -> None:
    _drop(_requested(objects), "selectors")
    _drop((device_class["spec"] for device_class in objects["deviceClasses"]), "selectors")


def _groups(objects: Json) -> None:
    for device in _devices(objects):
        _drop(iter(device.get("consumesCounters", ())), "compatibilityGroups")


def _capacity(objects: Json) -> None:
    _drop(_requested(objects), "capacity")
    _drop(_devices(objects), "allowMultipleAllocations")
    for device in _devices(objects):
        _drop(iter(device.get("capacity", {}).values()), "requestPolicy")


def _taints(objects: Json) -> None:
    objects.pop("deviceTaintRules", None)
    _drop(_devices(objects), "taints")


def _constraints(kind: str) -> Callable[[Json], None]:
    def remove(objects: Json) -> None:
        for claim in objects["resourceClaims"]:
            devices = claim["spec"]["devices"]
            if "constraints" in devices:
                devices["constraints"] = [
                    constraint for constraint in devices["constraints"] if kind not in constraint
                ]

    return remove


def _lists(objects: Json) -> None:
    for device in _devices(objects):
        for name, value in device.get("attributes", {}).items():
            ((kind, item),) = value.items()
            if isinstance(item, list):
                device["attributes"][name] = {kind[:-1]: item[0]}


def _counters(objects: Json) -> None:
    _drop(_devices(objects), "consumesCounters")


def _subrequests(objects: Json) -> None:
    for claim in objects["resourceClaims"]:
        devices = claim["spec"]["devices"]
        for request in devices["requests"]:
            if "firstAvailable" in request:
                first = request.pop("firstAvailable")[0]
                request["exactly"] = {name: value for name, value in first.items() if name != "name"}
        for entry in (*devices.get("constraints", ()), *devices.get("config", ())):
            if "requests" in entry:
                entry["requests"] = [name.partition("/")[0] for name in entry["requests"]]


REMOVALS: Mapping[str, Callable[[Json], None]] = {
    "admin-access": _admin,
    "allocation-mode-all": _mode_all,
    "binding-conditions": _binding,
    "cel-selectors": _selectors,
    "compatibility-groups": _groups,
    "consumable-capacity": _capacity,
    "device-taints": _taints,
    "distinct-attribute": _constraints("distinctAttribute"),
    "list-attributes": _lists,
    "match-attribute": _constraints("matchAttribute"),
    "partitionable-devices": _counters,
    "prioritized-list": _subrequests,
}
