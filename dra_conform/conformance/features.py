"""The features that a case uses, the feature gates that they need, and the profile with these gates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from dra_conform.conformance.case import Case
from dra_conform.conformance.plugin_entries import BadPlugin
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.json_values import UncheckedJson
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import KEP, KEP_FUTURE, Profile
from dra_conform.kube.quantity import NANO, Quantity, QuantityError

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
    "node-allocatable-resources": "DRANodeAllocatableResources",
    "extended-resources": "DRAExtendedResource",
}
"""The gate of each feature that has one."""


@dataclass(frozen=True, slots=True)
class OwnFeature:
    """A feature that a plugin adds: `uses` says whether v1 objects, by collection, use it.

    `gate` is empty for a feature without a gate.
    """

    id: str
    uses: Callable[[Mapping[str, Sequence[UncheckedJson]]], bool]
    gate: str = ""


_OWN: dict[str, OwnFeature] = {}


def add(feature: OwnFeature) -> None:
    """Add a feature of a plugin."""
    _OWN[feature.id] = feature
    if feature.gate:
        GATES[feature.id] = feature.gate


def uses_own_feature(case: Case) -> bool:
    """Whether a case uses a feature of a plugin, of which the built-in implementation knows nothing."""
    return not case.features.isdisjoint(_OWN)


FEATURES: tuple[str, ...] = (*GATES, "match-attribute", "cel-selectors", "allocation-mode-all")
"""All feature ids of setups, as implementations declare them."""

RESULT_PARTS: Mapping[str, str] = {
    "configuration": "devices.config",
    "node-selector": "nodeSelector",
    "share-id": "devices.results[].shareID",
    "consumed-capacity": "devices.results[].consumedCapacity",
    "recorded-admin-access": "devices.results[].adminAccess",
    "recorded-tolerations": "devices.results[].tolerations",
    "recorded-binding-conditions": "devices.results[].bindingConditions and bindingFailureConditions",
    "recorded-compatibility-groups": "devices.results[].compatibilityGroups",
}
"""The parts of an allocation that can be declined, by feature id, with their fields.

A case that demands a declined part is judged without it. If the rest is correct, its verdict is unsupported.
"""


def known_features() -> frozenset[str]:
    """Return the ids of all features and result parts, with those of plugins."""
    return frozenset((*FEATURES, *RESULT_PARTS, *_OWN))


def features_in_words(features: Sequence[str]) -> str:
    """Return the features as the subject of a sentence: `feature a is`, `features a, b are`."""
    named = ", ".join(features)
    return f"feature {named} is" if len(features) == 1 else f"features {named} are"


def needed_gates(case: Case) -> frozenset[str]:
    """Return the gates that the objects of the case need."""
    return gates_of(case.features)


def gates_of(features: Set[str]) -> frozenset[str]:
    """Return the gates that features need."""
    gates = {GATES[feature] for feature in features if feature in GATES}
    if "binding-conditions" in features:
        gates.add("DRAResourceClaimDeviceStatus")
    if "compatibility-groups" in features:
        gates.add("DRAPartitionableDevices")
    return frozenset(gates)


def useful_gates(case: Case) -> frozenset[str]:
    """Return the gates that are on for the case if the release has them.

    They are the needed gates, DRADeviceTaintRules for DeviceTaintRules, and DRAFractionalCapacityRange for
    fractional quantities.
    """
    rules = {"DRADeviceTaintRules"} if case.objects.get("deviceTaintRules") else set()
    shared = "consumable-capacity" in case.features
    fractions = (
        {"DRAFractionalCapacityRange"} if shared and has_fractions((case.objects, case.ask)) else set()
    )
    return needed_gates(case) | rules | fractions


def features_of(objects: Mapping[str, Sequence[UncheckedJson]]) -> frozenset[str]:
    """Return the feature ids that v1 objects use. A malformed object uses none."""
    features: set[str] = set()
    for raw in _maps(objects.get("resourceSlices")):
        features.update(_slice(_map(raw.get("spec"))))
    for raw in _maps(objects.get("resourceClaims")):
        features.update(_claim(_map(raw.get("spec"))))
        features.update(_claim_status(_map(raw.get("status"))))
    for raw in _maps(objects.get("resourceClaimTemplates")):
        features.update(_claim(_map(_map(raw.get("spec")).get("spec"))))
    for raw in _maps(objects.get("deviceClasses")):
        if _map(raw.get("spec")).get("selectors"):
            features.add("cel-selectors")
        if "extendedResourceName" in _map(raw.get("spec")):
            features.add("extended-resources")
    for raw in _maps(objects.get("pods")):
        features.update(_pod(_map(raw.get("spec")), _map(raw.get("status"))))
    if objects.get("deviceTaintRules"):
        features.add("device-taints")
    features.update(own.id for own in _OWN.values() if _uses(own, objects))
    return frozenset(features)


def _uses(own: OwnFeature, objects: Mapping[str, Sequence[UncheckedJson]]) -> bool:
    """Whether objects use an own feature. A plugin need not expect objects without a spec, or of wrong types.

    Raises BadPlugin for a plugin that fails on other objects.
    """
    try:
        return own.uses(objects)
    except Exception as error:
        if not all(_is_readable(raw) for items in objects.values() for raw in items):
            return False
        message = f"feature {own.id} of a plugin: `uses` fails with {type(error).__name__}: {error}"
        raise BadPlugin(f"{message} on objects that can be decoded, expected True or False") from error


def _is_readable(raw: UncheckedJson) -> bool:
    """Whether an object has a spec and values of the right types."""
    if not isinstance(raw, Mapping) or "spec" not in raw:
        return False
    try:
        decode(dict(raw))
    except (DecodeErrors, KeyError, TypeError):
        return False
    return True


def _map(value: UncheckedJson) -> Mapping[str, UncheckedJson]:
    return value if isinstance(value, Mapping) else {}


def _maps(value: UncheckedJson) -> Iterator[Mapping[str, UncheckedJson]]:
    if isinstance(value, (list, tuple)):
        yield from (item for item in value if isinstance(item, Mapping))


def _slice(spec: Mapping[str, UncheckedJson]) -> Iterator[str]:
    if spec.get("sharedCounters") or "perDeviceNodeSelection" in spec:
        yield "partitionable-devices"
    for device in _maps(spec.get("devices")):
        if device.get("allowMultipleAllocations") is not None:
            yield "consumable-capacity"
        if any("requestPolicy" in _map(capacity) for capacity in _map(device.get("capacity")).values()):
            yield "consumable-capacity"
        if device.get("consumesCounters"):
            yield "partitionable-devices"
        if any(entry.get("compatibilityGroups") for entry in _maps(device.get("consumesCounters"))):
            yield "compatibility-groups"
        if device.get("taints"):
            yield "device-taints"
        if device.get("bindingConditions") or device.get("bindsToNode"):
            yield "binding-conditions"
        if device.get("nodeAllocatableResourceMappings") or device.get("nodeAllocatableResources"):
            yield "node-allocatable-resources"
        for attribute in _map(device.get("attributes")).values():
            if _map(attribute).keys() & {"ints", "bools", "strings", "versions"}:
                yield "list-attributes"


def _pod(spec: Mapping[str, UncheckedJson], status: Mapping[str, UncheckedJson]) -> Iterator[str]:
    if "extendedResourceClaimStatus" in status:
        yield "extended-resources"
    if status.get("nodeAllocatableResourceClaimStatuses"):
        yield "node-allocatable-resources"
    for container in (*_maps(spec.get("initContainers")), *_maps(spec.get("containers"))):
        resources = _map(container.get("resources"))
        for name in (*_map(resources.get("limits")), *_map(resources.get("requests"))):
            if str(name).startswith(CLASS_PREFIX):
                yield "extended-resources"


def _claim(spec: Mapping[str, UncheckedJson]) -> Iterator[str]:
    devices = _map(spec.get("devices"))
    for request in _maps(devices.get("requests")):
        if request.get("firstAvailable"):
            yield "prioritized-list"
        for requested in (_map(request.get("exactly")), *_maps(request.get("firstAvailable"))):
            yield from _requested(requested)
    for constraint in _maps(devices.get("constraints")):
        if constraint.get("matchAttribute"):
            yield "match-attribute"
        if constraint.get("distinctAttribute"):
            yield "distinct-attribute"


def _claim_status(status: Mapping[str, UncheckedJson]) -> Iterator[str]:
    results = _map(_map(status.get("allocation")).get("devices")).get("results")
    for result in (*_maps(results), *_maps(status.get("devices"))):
        if result.keys() & {"shareID", "consumedCapacity"}:
            yield "consumable-capacity"
        if result.get("compatibilityGroups"):
            yield "compatibility-groups"
        if result.get("adminAccess"):
            yield "admin-access"


def _requested(requested: Mapping[str, UncheckedJson]) -> Iterator[str]:
    if requested.get("capacity") is not None:
        yield "consumable-capacity"
    if requested.get("allocationMode") == "All":
        yield "allocation-mode-all"
    if requested.get("adminAccess") is not None:
        yield "admin-access"
    if requested.get("tolerations"):
        yield "device-taints"
    if requested.get("selectors"):
        yield "cel-selectors"


def usual_profile(case: Case) -> str:
    """Return the default profile of a case: `kep`, or `kep-future` if the case applies only there."""
    return KEP_FUTURE if case.profiles == frozenset({KEP_FUTURE}) else KEP


def profile_of(case: Case, name: str) -> tuple[Profile, str]:
    """Return the profile of a case, with the gates that the case needs and its overrides.

    The second part is a gate that the case needs or turns on and the release does not have, empty if the
    release has all gates.
    """
    release_profile = Profile.named(name)
    wanted = sorted(needed_gates(case) | case.gates_turned_on)
    missing = next((gate for gate in wanted if not release_profile.has(gate)), "")
    return release_profile.with_gates({**dict.fromkeys(useful_gates(case), True), **case.gates}), missing


def has_fractions(value: UncheckedJson) -> bool:
    """Whether a request policy or a capacity request in `value` has a fractional quantity."""
    return any(map(_is_fraction, _quantities(value)))


def _quantities(value: UncheckedJson) -> Iterator[UncheckedJson]:
    """Yield the quantities of request policies and capacity requests."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            measured = name == "requestPolicy" or (name == "capacity" and _is_requested(item))
            yield from _leaves(item) if measured else _quantities(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _quantities(item)


def _is_requested(capacity: UncheckedJson) -> bool:
    return isinstance(capacity, Mapping) and isinstance(capacity.get("requests"), Mapping)


def _leaves(value: UncheckedJson) -> Iterator[UncheckedJson]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _is_fraction(quantity: UncheckedJson) -> bool:
    try:
        return isinstance(quantity, str) and Quantity.parse(quantity).nano % NANO != 0
    except QuantityError:
        return False
