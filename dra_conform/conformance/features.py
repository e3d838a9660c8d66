"""The features that a case's objects use, and the feature gates they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Case

Json = Any

GATES = {
    "consumable-capacity": "DRAConsumableCapacity",
    "distinct-attribute": "DRAConsumableCapacity",
    "prioritized-list": "DRAPrioritizedList",
    "admin-access": "DRAAdminAccess",
    "partitionable-devices": "DRAPartitionableDevices",
    "device-taints": "DRADeviceTaints",
    "binding-conditions": "DRADeviceBindingConditions",
    "list-attributes": "DRAListTypeAttributes",
    "compatibility-groups": "DRADeviceCompatibilityGroups",
}
"""The gate of each feature that has one."""

FEATURES: tuple[str, ...] = (*GATES, "match-attribute", "cel-selectors", "allocation-mode-all")
"""Every feature id, as implementations declare them."""


def needed_gates(case: Case) -> frozenset[str]:
    """The gates that must be on for the case's objects to mean what they say."""
    gates = {GATES[feature] for feature in case.features if feature in GATES}
    if "binding-conditions" in case.features:
        gates.add("DRAResourceClaimDeviceStatus")
    if "compatibility-groups" in case.features:
        gates.add("DRAPartitionableDevices")
    return frozenset(gates)


def useful_gates(case: Case) -> frozenset[str]:
    """The gates that are on for the case where a release has them: those needed, and one that came later."""
    rules = {"DRADeviceTaintRules"} if case.objects.get("deviceTaintRules") else set()
    return needed_gates(case) | rules


def features_of(objects: Mapping[str, Sequence[Json]]) -> frozenset[str]:
    """The feature ids that plain v1 objects use."""
    found: set[str] = set()
    for one in objects.get("resourceSlices", ()):
        found.update(_slice(one["spec"]))
    for one in objects.get("resourceClaims", ()):
        found.update(_claim(one))
    for one in objects.get("deviceClasses", ()):
        if (one.get("spec") or {}).get("selectors"):
            found.add("cel-selectors")
    if objects.get("deviceTaintRules"):
        found.add("device-taints")
    return frozenset(found)


def _slice(spec: Mapping[str, Json]) -> Iterator[str]:
    if spec.get("sharedCounters") or "perDeviceNodeSelection" in spec:
        yield "partitionable-devices"
    for device in spec.get("devices") or ():
        if device.get("allowMultipleAllocations") is not None:
            yield "consumable-capacity"
        if device.get("consumesCounters"):
            yield "partitionable-devices"
            if any(one.get("compatibilityGroups") for one in device["consumesCounters"]):
                yield "compatibility-groups"
        if device.get("taints"):
            yield "device-taints"
        if device.get("bindingConditions") or device.get("bindsToNode"):
            yield "binding-conditions"
        for attribute in (device.get("attributes") or {}).values():
            if attribute.keys() & {"ints", "bools", "strings", "versions"}:
                yield "list-attributes"


def _claim(claim: Mapping[str, Json]) -> Iterator[str]:
    devices = (claim.get("spec") or {}).get("devices") or {}
    for request in devices.get("requests") or ():
        if request.get("firstAvailable"):
            yield "prioritized-list"
        for asked in (request.get("exactly"), *(request.get("firstAvailable") or ())):
            if asked is not None:
                yield from _asked(asked)
    for constraint in devices.get("constraints") or ():
        if constraint.get("matchAttribute"):
            yield "match-attribute"
        if constraint.get("distinctAttribute"):
            yield "distinct-attribute"


def _asked(asked: Mapping[str, Json]) -> Iterator[str]:
    if asked.get("capacity") is not None:
        yield "consumable-capacity"
    if asked.get("allocationMode") == "All":
        yield "allocation-mode-all"
    if asked.get("adminAccess") is not None:
        yield "admin-access"
    if asked.get("tolerations"):
        yield "device-taints"
    if asked.get("selectors"):
        yield "cel-selectors"
