"""Devices that are equal or nearly equal, in one pool or two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.building import DRIVER, POOL
from dra_conform.fuzz.generation.amounts import SCALES, VALUES, Scale, policies
from dra_conform.fuzz.generation.attributes import Palette, attributes
from dra_conform.fuzz.generation.pool_slices import Pool, slices
from dra_conform.fuzz.generation.profile_fields import Extras
from dra_conform.fuzz.generation.shared_counters import Sets, consumption, counter_sets
from dra_conform.fuzz.generation.taints_and_tolerations import TAINTED
from dra_conform.fuzz.scenario import Choose, happens

Json = Any

OTHER_DRIVER = "net.example.com"
CAPACITIES = (("bw",), ("bw",), ("bw", "mem"), (f"{DRIVER}/bw",), ("bw", f"{OTHER_DRIVER}/mem"))
POOLS = (
    *(((DRIVER, POOL),),) * 3,
    ((DRIVER, POOL), (DRIVER, "pool-2")),
    ((DRIVER, POOL), (OTHER_DRIVER, POOL)),
)
BINDING: tuple[Json, ...] = (
    *({},) * 8,
    {"bindingConditions": ["example.com/ready"], "bindingFailureConditions": ["example.com/broken"]},
    {
        "bindingConditions": ["example.com/ready", "example.com/wired"],
        "bindingFailureConditions": ["example.com/broken"],
        "bindsToNode": True,
    },
    {"bindsToNode": True},
    {"bindingConditions": []},
)
"""An empty list is not the same as none: some allocators look at its presence."""


@dataclass(frozen=True, slots=True)
class World:
    """What slices publish: their devices by driver and pool, and the amounts' scale."""

    scale: Scale
    slices: tuple[Json, ...]
    devices: tuple[tuple[str, str, Json], ...]
    """Driver, pool, body."""


def world(
    choose: Choose, features: frozenset[str], nodes: Sequence[str], known: Palette | None, extras: Extras
) -> World:
    """Pools with 1 to 6 devices together."""
    scale = choose(SCALES)
    kit = _Kit(features, scale, _templates(choose, features, scale), known)
    pools = choose(POOLS[2:] if "binding-conditions" in features else POOLS)
    partitioned = "partitionable-devices" in features
    published: list[Json] = []
    placed: list[tuple[str, str, Json]] = []
    for driver, name in pools:
        sets = counter_sets(choose, scale) if partitioned else {}
        count = choose((4, 5, 6, 3, 6, 5, 2, 6, 1) if len(pools) == 1 else (3, 3, 3, 2, 1))
        bodies = [kit.device(choose, f"d{number}", sets) for number in range(1, count + 1)]
        placed += [(driver, name, body) for body in bodies]
        pool = Pool(
            driver,
            name,
            bodies,
            scale,
            sets,
            split=partitioned,
            wide="binding-conditions" in features,
            mixed=extras.mixed_slices,
        )
        published += slices(choose, pool, nodes)
    return World(scale, tuple(published), tuple(placed))


def _templates(choose: Choose, features: frozenset[str], scale: Scale) -> list[Json]:
    """A few kinds of devices; all devices of the scenario are of these kinds."""
    names = choose(CAPACITIES)
    sharing = (True, True, True, False, None) if "consumable-capacity" in features else (None,)
    templates: list[Json] = []
    for _ in range(choose((1, 2, 2, 3))):
        shared = choose(sharing)
        body: dict[str, Json] = {} if shared is None else {"allowMultipleAllocations": shared}
        capacity: dict[str, Json] = {}
        for name in () if happens(choose, 6) else names:
            value = choose(VALUES)
            capacity[name] = {"value": scale.units(value)}
            policy = choose(policies(value)) if shared else None
            if policy is not None:
                capacity[name]["requestPolicy"] = policy.json(scale)
        if capacity:
            body["capacity"] = capacity
        templates.append(body)
    return templates


@dataclass(frozen=True, slots=True)
class _Kit:
    """What the devices of a scenario are made of."""

    features: frozenset[str]
    scale: Scale
    templates: Sequence[Json]
    known: Palette | None

    def device(self, choose: Choose, name: str, sets: Sets) -> Json:
        """A device of one of the templates, on the counter sets of its pool."""
        body: dict[str, Json] = {"name": name}
        if self.known is not None and (found := attributes(choose, self.known)):
            body["attributes"] = found
        body |= choose(self.templates)
        grouped = "compatibility-groups" in self.features
        if sets and (entries := consumption(choose, sets, self.scale, grouped=grouped)):
            body["consumesCounters"] = entries
        if "device-taints" in self.features and (taints := choose(TAINTED)):
            body["taints"] = [dict(taint) for taint in taints]
        if "binding-conditions" in self.features:
            body |= choose(BINDING)
        return body
