"""Random devices that are equal or similar, in one pool or two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform.conformance.steps.given import DRIVER, POOL
from dra_conform.fuzz.generation.amounts import SCALES, VALUES, Scale, request_policies
from dra_conform.fuzz.generation.attributes import NumaAttribute, device_attributes
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.fuzz.generation.pool_slices import (
    CounterSets,
    PoolToPublish,
    consumed_counters,
    counter_sets,
    pool_slices,
)
from dra_conform.fuzz.generation.profile_fields import ProfileFields
from dra_conform.fuzz.generation.taints_and_tolerations import TAINTED
from dra_conform.kube.json_values import Json

OTHER_DRIVER = "net.example.com"
"""The driver of the second pool."""

CAPACITIES = (("bw",), ("bw",), ("bw", "mem"), (f"{DRIVER}/bw",), ("bw", f"{OTHER_DRIVER}/mem"))
"""The capacity names of a device, with and without their domain."""

POOLS = (
    *(((DRIVER, POOL),),) * 3,
    ((DRIVER, POOL), (DRIVER, "pool-2")),
    ((DRIVER, POOL), (OTHER_DRIVER, POOL)),
)
"""Driver and name of each pool of a scenario."""

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
"""Binding conditions of a device. Some allocators distinguish an empty list from an absent one."""


@dataclass(frozen=True, slots=True)
class PublishedDevices:
    """The ResourceSlices of a scenario, their devices, and the scale of their quantities."""

    scale: Scale
    slices: tuple[Json, ...]
    devices: tuple[tuple[str, str, Json], ...]
    """Driver, pool, and the device in the form of the API."""


def published_devices(
    choose: Choose,
    features: frozenset[str],
    nodes: Sequence[str],
    numa: NumaAttribute | None,
    profile_fields: ProfileFields,
) -> PublishedDevices:
    """Generate pools with 1 to 6 devices in total, for nodes with these names."""
    scale = choose(SCALES)
    make = _DeviceMaker(features, scale, _templates(choose, features, scale), numa)
    pools = choose(POOLS[2:] if "binding-conditions" in features else POOLS)
    partitioned = "partitionable-devices" in features
    slices: list[Json] = []
    placed: list[tuple[str, str, Json]] = []
    for driver, name in pools:
        sets = counter_sets(choose, scale) if partitioned else {}
        count = choose((4, 5, 6, 3, 6, 5, 2, 6, 1) if len(pools) == 1 else (3, 3, 3, 2, 1))
        bodies = [make.device(choose, f"d{number}", sets) for number in range(1, count + 1)]
        placed += [(driver, name, body) for body in bodies]
        pool = PoolToPublish(
            driver,
            name,
            bodies,
            scale,
            sets,
            per_device_nodes=partitioned,
            beyond_first_node="binding-conditions" in features,
            mixed_slices=profile_fields.mixed_slices,
        )
        slices += pool_slices(choose, pool, nodes)
    return PublishedDevices(scale, tuple(slices), tuple(placed))


def _templates(choose: Choose, features: frozenset[str], scale: Scale) -> list[Json]:
    """Generate a few templates; each device of the scenario is made from one of them."""
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
            policy = choose(request_policies(value)) if shared else None
            if policy is not None:
                capacity[name]["requestPolicy"] = policy.json(scale)
        if capacity:
            body["capacity"] = capacity
        templates.append(body)
    return templates


@dataclass(frozen=True, slots=True)
class _DeviceMaker:
    """A maker of devices from a few templates."""

    features: frozenset[str]
    scale: Scale
    templates: Sequence[Json]
    numa: NumaAttribute | None

    def device(self, choose: Choose, name: str, sets: CounterSets) -> Json:
        """Make a device from a template; it can consume counters of its pool."""
        body: dict[str, Json] = {"name": name}
        if self.numa is not None and (found := device_attributes(choose, self.numa)):
            body["attributes"] = found
        body |= choose(self.templates)
        grouped = "compatibility-groups" in self.features
        if sets and (entries := consumed_counters(choose, sets, self.scale, grouped=grouped)):
            body["consumesCounters"] = entries
        if "device-taints" in self.features and (taints := choose(TAINTED)):
            body["taints"] = [dict(taint) for taint in taints]
        if "binding-conditions" in self.features:
            body |= choose(BINDING)
        return body
