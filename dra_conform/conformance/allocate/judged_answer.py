"""An allocation answer resolved against the objects of its case."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

import msgspec

from dra_conform import cel
from dra_conform.conformance.allocate.case_objects import CaseObjects, DeviceKey, PoolKey, PublishedDevice
from dra_conform.conformance.allocate.published_pools import Pool, pools_of
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
from dra_conform.kube.switches.allocation import AllocationSwitches

RequestContent = ExactDeviceRequest | DeviceSubRequest
"""The content of a request or a subrequest."""


@dataclass(frozen=True, slots=True)
class AllocatedDevice:
    """A device that an answer allocates: a result with its request and its published device.

    `request` and `published` are None if unknown. `is_admin`: the request asks for adminAccess and the
    feature is on.
    """

    claim: str
    result: DeviceRequestAllocationResult
    request: RequestContent | None
    published: PublishedDevice | None
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
class JudgedAnswer:
    """An answer with the objects of its case and the rules of the profile: the input of invariants.

    `claims`: the ResourceClaims of the question, by `namespace/name`.
    `allocated_devices`: the results in the order of the answer.
    `allocated_before`: the results of ResourceClaims that were allocated before.
    `pools`: all pools of the node.
    `devices`: the devices of usable pools.
    `filtered`: by ResourceClaim, request and device, those that filters of plugins exclude.
    """

    objects: CaseObjects
    node: Node
    switches: AllocationSwitches
    claims: Mapping[str, ResourceClaim]
    allocations: Mapping[str, AllocationResult]
    allocated_devices: tuple[AllocatedDevice, ...]
    allocated_before: tuple[DeviceRequestAllocationResult, ...]
    pools: Mapping[PoolKey, Pool]
    devices: Mapping[DeviceKey, PublishedDevice]
    filtered: Container[tuple[str, str, DeviceKey]]

    @classmethod
    def of(
        cls,
        objects: CaseObjects,
        node: str,
        switches: AllocationSwitches,
        allocations: Mapping[str, AllocationResult],
        filtered: Container[tuple[str, str, DeviceKey]] = (),
    ) -> JudgedAnswer:
        """Resolve the allocations of an answer, whose keys are ResourceClaims of the case."""
        claims = {key: objects.claims[key] for key in allocations}
        pools = pools_of(objects, objects.nodes[node], switches)
        devices = {
            published.key: published
            for pool in pools.values()
            if not pool.problem(switches)
            for published in pool.devices.values()
        }
        allocated_devices = []
        for key, allocation in allocations.items():
            for result in allocation.devices.results:
                request = _request(claims[key], result.request)
                asks_for_admin = isinstance(request, ExactDeviceRequest) and bool(request.admin_access)
                published = devices.get(key_of(result))
                allocated_devices.append(
                    AllocatedDevice(
                        key, result, request, published, asks_for_admin and switches.features.admin_access
                    )
                )
        allocated_before = tuple(result for _, result in objects.results_of_other_claims(allocations))
        return cls(
            objects,
            objects.nodes[node],
            switches,
            claims,
            allocations,
            tuple(allocated_devices),
            allocated_before,
            pools,
            devices,
            filtered,
        )

    def is_shared(self, allocated: AllocatedDevice) -> bool:
        """Whether the device allows multiple allocations and the profile enables them."""
        return (
            self.switches.features.consumable_capacity
            and allocated.published is not None
            and bool(allocated.published.device.allow_multiple_allocations)
        )

    def allocates_unspecified_devices(self, request: DeviceRequest) -> bool:
        """Whether the release allocates devices that the request excludes (`confuses_subrequests`)."""
        later = request.first_available[1:]
        return self.switches.all_mode.confuses_subrequests and any(
            subrequest.allocation_mode == ALL for subrequest in later
        )

    def compiled(self, expression: str) -> cel.Program:
        """Compile a selector for this profile; raises CompileError."""
        return cel.compile(expression, cel.Environment.stored(self.switches.selectors.expressions))

    def as_seen(self, device: Device) -> Device:
        """Return the device as selectors see it: releases can hide allowMultipleAllocations."""
        return device if self.switches.selectors.see_sharing else without_shared_allocation(device)


def key_of(result: DeviceRequestAllocationResult) -> DeviceKey:
    """Return the identity of the device of a result."""
    return (result.driver, result.pool, result.device)


def without_shared_allocation(device: Device) -> Device:
    """Return the device without allowMultipleAllocations."""
    if not device.allow_multiple_allocations:
        return device
    return msgspec.structs.replace(device, allow_multiple_allocations=None)


def _request(claim: ResourceClaim, name: str) -> RequestContent | None:
    parent, slash, subrequest = name.partition("/")
    for request in claim.spec.devices.requests:
        if request.name != parent:
            continue
        if not slash:
            return request.exactly
        return next((sub for sub in request.first_available if sub.name == subrequest), None)
    return None
