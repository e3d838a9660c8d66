"""A random scenario: a small world, allocated claims, and the claims to be allocated in it."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.features import FEATURES, GATES
from dra_conform.fuzz.generation import allocated_claims as holding
from dra_conform.fuzz.generation import attributes
from dra_conform.fuzz.generation.amounts import boundaries
from dra_conform.fuzz.generation.device_limit import crowd
from dra_conform.fuzz.generation.profile_fields import NONE, Extras
from dra_conform.fuzz.generation.published_devices import World, world
from dra_conform.fuzz.generation.requesting_claims import Means, claim, classes
from dra_conform.fuzz.generation.taints_and_tolerations import rules, rules_gate
from dra_conform.fuzz.scenario import Choose, Scenario, collected, happens

Json = Any

KNOWN: frozenset[str] = frozenset(FEATURES)
"""The feature ids that scenarios are made of."""

_RICH = frozenset({"consumable-capacity", "partitionable-devices"})
"""Features with more to them than others; they are chosen twice as often."""

_MORE_GATES = {
    "binding-conditions": ("DRAResourceClaimDeviceStatus",),
    "consumable-capacity": ("DRAFractionalCapacityRange",),
}
_NODES: tuple[Json, ...] = (
    {"name": "node-1", "labels": {"zone": "a"}},
    {"name": "node-2", "labels": {"zone": "b", "disk": "ssd"}},
    {"name": "node-3", "labels": {"zone": "a", "disk": "hdd"}},
)


def scenario(choose: Choose, features: frozenset[str], extras: Extras = NONE) -> Scenario:
    """A scenario of some of these features; every object is as the API server stores it."""
    nodes = _NODES[: choose((1, 2, 2, 3))]
    names = [str(one["name"]) for one in nodes]
    objects: list[Json] = [{"apiVersion": "v1", "kind": "Node", "metadata": one} for one in nodes]
    if happens(choose, 50):
        many, key = crowd(choose, features, names[0])
        return Scenario(collected(objects + many), names[0], (key,), _gates(choose, features))
    used = mixture(choose, features)
    known = attributes.palette(choose, used)
    published = world(choose, used, names, known, extras)
    selectors = attributes.selectors(known, used)
    configured = happens(choose, 4)
    known_classes = classes(choose, selectors, configured=configured)
    allocated = holding.held(choose, used, published, snapshots=extras.snapshots)
    means = Means(
        used,
        tuple(one["metadata"]["name"] for one in known_classes),
        selectors,
        published.scale,
        _amounts(published, allocated),
        configured,
    )
    asked = [
        claim(choose, f"c{number}", means) for number in range(choose((1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3)))
    ]
    selecting = (means.classes, selectors) if extras.rules_by_class else ((), ())
    tainting = rules(choose, published.devices, *selecting) if "device-taints" in used else ()
    objects += [*known_classes, *published.slices, *tainting, *allocated, *asked]
    keys = tuple(f"{one['metadata']['namespace']}/{one['metadata']['name']}" for one in asked)
    node = names[-1] if happens(choose, 16) else names[0]
    return Scenario(collected(objects), node, keys, rules_gate(choose, tainting) | _gates(choose, used))


def mixture(choose: Choose, features: frozenset[str]) -> frozenset[str]:
    """Some of the features, now and then all: of a few each has its say more often."""
    known = (*sorted(features), *sorted(features & _RICH))
    if not known:
        return features
    count = choose((1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 6))
    found = set(features) if happens(choose, 40) else {choose(known) for _ in range(count)}
    readers = tuple(one for one in attributes.READERS if one in features)
    if "list-attributes" in found and readers:
        found.add(choose(readers))
    if "compatibility-groups" in found:
        found.add("partitionable-devices")
    return frozenset(found)


def _gates(choose: Choose, features: frozenset[str]) -> dict[str, bool]:
    """Mostly none; now and then a gate of one of the features is off, or on where nothing needs it."""
    state = choose((*(None,) * 12, False, True))
    known = sorted({gate for one in features for gate in (*_gate(one), *_MORE_GATES.get(one, ()))})
    return {choose(known): state} if known and state is not None else {}


def _gate(feature: str) -> tuple[str, ...]:
    return (GATES[feature],) if feature in GATES else ()


def _amounts(published: World, allocated: tuple[Json, ...]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[Json]] = {}
    for _, _, body in published.devices:
        for name, capacity in body.get("capacity", {}).items():
            found.setdefault(name, []).append(capacity)
    return {
        name: boundaries(published.scale, capacities, holding.consumed(allocated, name))
        for name, capacities in found.items()
    }
