"""An allocation under judgement: the answer next to the world it was given for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from dra_conform.conformance.rules import Rules
from dra_conform.conformance.world import DeviceKey, Placed, World
from dra_conform.kube.core import Node
from dra_conform.kube.resource import (
    AllocationResult,
    Device,
    DeviceRequestAllocationResult,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
)

Asked = ExactDeviceRequest | DeviceSubRequest
"""What a request or an alternative asks for."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One device of an answer with what it was asked by; `request` and `placed` are None if unknown."""

    claim: str
    result: DeviceRequestAllocationResult
    request: Asked | None
    placed: Placed | None

    @property
    def key(self) -> DeviceKey:
        return (self.result.driver, self.result.pool, self.result.device)

    @property
    def parent(self) -> str:
        """The name of the request without that of the alternative."""
        return self.result.request.partition("/")[0]

    @property
    def is_admin(self) -> bool:
        """Whether administrative access was asked for."""
        return isinstance(self.request, ExactDeviceRequest) and bool(self.request.admin_access)

    @property
    def label(self) -> str:
        return f"claim {self.claim}, request {self.result.request}"


@dataclass(frozen=True, slots=True)
class Decided:
    """Everything the invariants look at. `taken` is in the order of the answer."""

    world: World
    node: Node
    rules: Rules
    asked: Mapping[str, ResourceClaim]
    taken: tuple[Taken, ...]
    held: tuple[DeviceRequestAllocationResult, ...]
    devices: Mapping[DeviceKey, Placed]

    @classmethod
    def of(
        cls, world: World, node: str, rules: Rules, allocations: Mapping[str, AllocationResult]
    ) -> Decided:
        """Put the answer's allocations (by claim, all of them claims of the world) next to the world."""
        asked = {key: world.claims[key] for key in allocations}
        devices = world.devices(world.nodes[node], pools_seen_whole=rules.pools_seen_whole)
        taken = tuple(
            Taken(
                claim=key,
                result=result,
                request=_request(asked[key], result.request),
                placed=devices.get((result.driver, result.pool, result.device)),
            )
            for key, allocation in allocations.items()
            for result in allocation.devices.results
        )
        held = tuple(world.held(tuple(allocations)))
        return cls(world, world.nodes[node], rules, asked, taken, held, devices)

    def is_shared(self, taken: Taken) -> bool:
        """Whether the device allows multiple allocations, as this profile's gates have it."""
        return (
            self.rules.consumable
            and taken.placed is not None
            and bool(taken.placed.device.allow_multiple_allocations)
        )

    def as_seen(self, device: Device) -> Device:
        """The device as selectors see it: with the gate off, mostly nothing allows multiple allocations."""
        if self.rules.selectors_see_sharing or not device.allow_multiple_allocations:
            return device
        return msgspec.structs.replace(device, allow_multiple_allocations=None)


def _request(claim: ResourceClaim, name: str) -> Asked | None:
    parent, slash, alternative = name.partition("/")
    for request in claim.spec.devices.requests:
        if request.name != parent:
            continue
        if not slash:
            return request.exactly
        return next((sub for sub in request.first_available if sub.name == alternative), None)
    return None
