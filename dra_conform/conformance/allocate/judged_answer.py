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
"""The content of a request or a subrequest."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One result of an answer with the request and the published device that it names.

    `request` and `placed` are None if unknown. `is_admin`: the request asks for adminAccess and the
    feature is on.
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
        return f"ResourceClaim {self.claim}, request {self.result.request}"


@dataclass(frozen=True, slots=True)
class Decided:
    """The input of the invariants: an answer, the objects of its case, and the rules of the profile.

    `taken` has the results in the order of the answer. `held` has the results of ResourceClaims that were
    allocated before. `pools` are all pools of the node, `devices` the devices of usable pools.
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
        """Resolve the allocations of an answer. Their keys are ResourceClaims of the world."""
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
        """Whether the device allows multiple allocations and the profile enables them."""
        return (
            self.rules.features.consumable_capacity
            and taken.placed is not None
            and bool(taken.placed.device.allow_multiple_allocations)
        )

    def allocates_unspecified_devices(self, request: DeviceRequest) -> bool:
        """Whether the release allocates unspecified devices for the request (`confuses_subrequests`)."""
        later = request.first_available[1:]
        return self.rules.all_mode.confuses_subrequests and any(one.allocation_mode == ALL for one in later)

    def compiled(self, expression: str) -> cel.Program:
        """Compile a selector for this profile; raises CompileError."""
        return cel.compile(expression, self.rules.selectors.environment)

    def as_seen(self, device: Device) -> Device:
        """Return the device as selectors see it: with the gate off, most releases hide shared allocation."""
        return device if self.rules.selectors.see_sharing else not_shared(device)


def key_of(result: DeviceRequestAllocationResult) -> DeviceKey:
    """Return the identity of the device of a result."""
    return (result.driver, result.pool, result.device)


def not_shared(device: Device) -> Device:
    """Return the device without allowMultipleAllocations."""
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
