"""A random scenario: published devices, allocated claims, and claims to allocate."""

from __future__ import annotations

from dra_conform.conformance.features import FEATURES, GATES
from dra_conform.conformance.steps.given import collected
from dra_conform.fuzz.generation.allocated_claims import allocated_claims, consumed
from dra_conform.fuzz.generation.amounts import boundaries
from dra_conform.fuzz.generation.attributes import READERS, attribute_selectors, numa_attribute
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.fuzz.generation.large_scenarios import crowd, near_device_limit
from dra_conform.fuzz.generation.profile_fields import IN_EVERY_PROFILE, ProfileFields
from dra_conform.fuzz.generation.published_devices import PublishedDevices, published_devices
from dra_conform.fuzz.generation.requesting_claims import RequestOptions, device_classes, requesting_claim
from dra_conform.fuzz.generation.taints_and_tolerations import device_taint_rules, rules_gate
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.json_values import Json

KNOWN_FEATURES: frozenset[str] = frozenset(FEATURES) - {"extended-resources", "node-allocatable-resources"}
"""The feature ids of scenarios: those that influence an allocation."""

_RICH = frozenset({"consumable-capacity", "partitionable-devices"})
"""The most complex features, which are chosen twice as often."""

_MORE_GATES = {
    "binding-conditions": ("DRAResourceClaimDeviceStatus",),
    "consumable-capacity": ("DRAFractionalCapacityRange",),
}
_NODES: tuple[Json, ...] = (
    {"name": "node-1", "labels": {"zone": "a"}},
    {"name": "node-2", "labels": {"zone": "b", "disk": "ssd"}},
    {"name": "node-3", "labels": {"zone": "a", "disk": "hdd"}},
)


def random_scenario(
    choose: Choose, features: frozenset[str], profile_fields: ProfileFields = IN_EVERY_PROFILE
) -> Scenario:
    """Generate a scenario with some of these features; all objects are in stored form.

    `features` is a subset of `KNOWN_FEATURES`. Equal choices give equal scenarios.
    """
    nodes = _NODES[: choose((1, 2, 2, 3))]
    names = [str(node["name"]) for node in nodes]
    objects: list[Json] = [{"apiVersion": "v1", "kind": "Node", "metadata": node} for node in nodes]
    if happens(choose, 50):
        special_objects, key = near_device_limit(choose, features, names[0])
        return Scenario(collected(objects + special_objects), names[0], (key,), _gates(choose, features))
    if happens(choose, 50):
        special_objects, keys = crowd(choose, features, names[0])
        return Scenario(collected(objects + special_objects), names[0], keys, _gates(choose, features))
    used = some_features(choose, features)
    numa = numa_attribute(choose, used)
    published = published_devices(choose, used, names, numa, profile_fields)
    selectors = attribute_selectors(numa, used)
    configured = happens(choose, 4)
    classes = device_classes(choose, selectors, configured=configured)
    allocated = allocated_claims(choose, used, published, recorded_groups=profile_fields.recorded_groups)
    options = RequestOptions(
        used,
        tuple(device_class["metadata"]["name"] for device_class in classes),
        selectors,
        published.scale,
        _amounts(published, allocated),
        configured,
    )
    requesting = [
        requesting_claim(choose, f"c{number}", options)
        for number in range(choose((1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3)))
    ]
    selecting = (options.classes, selectors) if profile_fields.rules_by_class else ((), ())
    rules = device_taint_rules(choose, published.devices, *selecting) if "device-taints" in used else ()
    objects += [*classes, *published.slices, *rules, *allocated, *requesting]
    keys = tuple(f"{claim['metadata']['namespace']}/{claim['metadata']['name']}" for claim in requesting)
    node = names[-1] if happens(choose, 16) else names[0]
    return Scenario(collected(objects), node, keys, rules_gate(choose, rules) | _gates(choose, used))


def some_features(choose: Choose, features: frozenset[str]) -> frozenset[str]:
    """Choose some features, rarely all: with few features each one influences the result more often."""
    known = (*sorted(features), *sorted(features & _RICH))
    if not known:
        return features
    count = choose((1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 6))
    chosen = set(features) if happens(choose, 40) else {choose(known) for _ in range(count)}
    readers = tuple(feature for feature in READERS if feature in features)
    if "list-attributes" in chosen and readers:
        chosen.add(choose(readers))
    if "compatibility-groups" in chosen:
        chosen.add("partitionable-devices")
    return frozenset(chosen)


def _gates(choose: Choose, features: frozenset[str]) -> dict[str, bool]:
    """Choose the gates: usually none is changed, otherwise one gate of the features.

    Fields of a disabled gate stay in the objects: an API server keeps what it stored while the gate was on.
    """
    state = choose((*(None,) * 11, False, False, True))
    known = sorted(
        {gate for feature in features for gate in (*_gate(feature), *_MORE_GATES.get(feature, ()))}
    )
    return {choose(known): state} if known and state is not None else {}


def _gate(feature: str) -> tuple[str, ...]:
    return (GATES[feature],) if feature in GATES else ()


def _amounts(published: PublishedDevices, allocated: tuple[Json, ...]) -> dict[str, tuple[int, ...]]:
    by_name: dict[str, list[Json]] = {}
    for _, _, body in published.devices:
        for name, capacity in body.get("capacity", {}).items():
            by_name.setdefault(name, []).append(capacity)
    return {
        name: boundaries(published.scale, capacities, consumed(allocated, name))
        for name, capacities in by_name.items()
    }
