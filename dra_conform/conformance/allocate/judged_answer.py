"""An answer under judgement, together with the objects of its case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from dra_conform import cel
from dra_conform.conformance.allocate.judged_world import DeviceKey, Placed, PoolKey, World
from dra_conform.conformance.allocate.published_pools import Pool, pools_of
from dra_conform.conformance.allocate.rules import Rules
from dra_conform.kube.core import Node
from dra_conform.kube.resource import (
    ALL,
    AllocationResult,
    Device,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
)

Asked = ExactDeviceRequest | DeviceSubRequest
"""What a request or a subrequest asks for."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One device of an answer with what it was asked by.

    `request` and `placed` are None if unknown. `is_admin`: administrative access was asked for and exists.
    """

    claim: str
    result: DeviceRequestAllocationResult
    request: Asked | None
    placed: Placed | None
    is_admin: bool

    @property
    def key(self) -> DeviceKey:
        return key_of(self.result)

    @property
    def parent(self) -> str:
        """The name of the request without that of the subrequest."""
        return self.result.request.partition("/")[0]

    @property
    def label(self) -> str:
        return f"claim {self.claim}, request {self.result.request}"


@dataclass(frozen=True, slots=True)
class Decided:
    """Everything the invariants look at. `taken` is in the order of the answer.

    `pools` are all that exist for the node, `devices` those of pools that may be used.
    """

    world: World
    node: Node
    rules: Rules
    asked: Mapping[str, ResourceClaim]
    allocations: Mapping[str, AllocationResult]
    taken: tuple[Taken, ...]
    held: tuple[DeviceRequestAllocationResult, ...]
    pools: Mapping[PoolKey, Pool]
    devices: Mapping[DeviceKey, Placed]

    @classmethod
    def of(
        cls, world: World, node: str, rules: Rules, allocations: Mapping[str, AllocationResult]
    ) -> Decided:
        """Put the answer's allocations (by claim, all of them claims of the world) next to the world."""
        asked = {key: world.claims[key] for key in allocations}
        pools = pools_of(world, world.nodes[node], rules)
        devices = {
            placed.key: placed
            for pool in pools.values()
            if not pool.problem(rules)
            for placed in pool.devices.values()
        }
        taken = []
        for key, allocation in allocations.items():
            for result in allocation.devices.results:
                request = _request(asked[key], result.request)
                admin = isinstance(request, ExactDeviceRequest) and bool(request.admin_access)
                placed = devices.get(key_of(result))
                taken.append(Taken(key, result, request, placed, admin and rules.features.admin_access))
        held = tuple(world.held(tuple(allocations)))
        return cls(world, world.nodes[node], rules, asked, allocations, tuple(taken), held, pools, devices)

    def is_shared(self, taken: Taken) -> bool:
        """Whether the device allows multiple allocations, as this profile's gates have it."""
        return (
            self.rules.features.consumable_capacity
            and taken.placed is not None
            and bool(taken.placed.device.allow_multiple_allocations)
        )

    def goes_astray(self, request: DeviceRequest) -> bool:
        """Whether the release does not serve the request as the documents say (`confuses_subrequests`)."""
        later = request.first_available[1:]
        return self.rules.all_mode.confuses_subrequests and any(one.allocation_mode == ALL for one in later)

    def compiled(self, expression: str) -> cel.Program:
        """The program of a selector as this profile compiles it; raises CompileError."""
        return cel.compile(expression, self.rules.selectors.environment)

    def as_seen(self, device: Device) -> Device:
        """The device as selectors see it: with the gate off, mostly nothing allows multiple allocations."""
        return device if self.rules.selectors.see_sharing else not_shared(device)


def key_of(result: DeviceRequestAllocationResult) -> DeviceKey:
    """The identity of a result's device."""
    return (result.driver, result.pool, result.device)


def not_shared(device: Device) -> Device:
    """The device without leave for multiple allocations."""
    if not device.allow_multiple_allocations:
        return device
    return msgspec.structs.replace(device, allow_multiple_allocations=None)


def _request(claim: ResourceClaim, name: str) -> Asked | None:
    parent, slash, subrequest = name.partition("/")
    for request in claim.spec.devices.requests:
        if request.name != parent:
            continue
        if not slash:
            return request.exactly
        return next((sub for sub in request.first_available if sub.name == subrequest), None)
    return None
