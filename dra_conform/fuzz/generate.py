"""A random scenario: a small world, allocated claims, and the claims to be allocated in it."""

from __future__ import annotations

from typing import Any

from dra_conform.fuzz import held as holding
from dra_conform.fuzz.amounts import boundaries
from dra_conform.fuzz.claims import Means, claim, classes
from dra_conform.fuzz.devices import NODES, World, world
from dra_conform.fuzz.scenario import Choose, Scenario, collected

Json = Any

KNOWN: frozenset[str] = frozenset(
    {
        "consumable-capacity",
        "distinct-attribute",
        "match-attribute",
        "prioritized-list",
        "cel-selectors",
        "allocation-mode-all",
        "admin-access",
        "device-taints",
        "binding-conditions",
        "list-attributes",
    }
)
"""The feature ids that scenarios are made of."""

_SWITCHES = {"consumable-capacity": "DRAConsumableCapacity", "prioritized-list": "DRAPrioritizedList"}


def scenario(choose: Choose, features: frozenset[str]) -> Scenario:
    """A scenario of these features; every object is as the API server stores it."""
    nodes = NODES[: choose((1, 1, 2, 3))]
    published = world(choose, features, nodes)
    known_classes = classes(choose, features)
    allocated = holding.held(choose, features, published)
    means = Means(
        features,
        tuple(one["metadata"]["name"] for one in known_classes),
        published.scale,
        _amounts(published, allocated),
    )
    asked = [claim(choose, f"c{number}", means) for number in range(choose((1, 1, 1, 1, 2, 2, 3)))]
    node = nodes[0] if choose((True,) * 7 + (False,)) else nodes[-1]
    objects = [_node(name) for name in nodes]
    objects += [*known_classes, *published.slices, *allocated, *asked]
    keys = tuple(f"{one['metadata']['namespace']}/{one['metadata']['name']}" for one in asked)
    switched = choose((*(None,) * 40, *sorted(features & _SWITCHES.keys())))
    return Scenario(collected(objects), node, keys, {_SWITCHES[switched]: False} if switched else {})


def _node(name: str) -> Json:
    labels = {"zone": "b" if name == NODES[1] else "a"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}


def _amounts(published: World, allocated: tuple[Json, ...]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[Json]] = {}
    for _, _, body in published.devices:
        for name, capacity in body.get("capacity", {}).items():
            found.setdefault(name, []).append(capacity)
    return {
        name: boundaries(published.scale, capacities, holding.consumed(allocated, name))
        for name, capacities in found.items()
    }
