"""The node resource usage of a claim by device and policy (KEP-5517 "Accounting Policy Precedence")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dra_conform.footprint.accounting_policy import policy_for
from dra_conform.footprint.claim_amounts import ClaimPart, ClaimResourceUsage
from dra_conform.footprint.device_amounts import DevicesInSlices, device_usage
from dra_conform.kube.resource import AllocationResult, DeviceClass, ResourceClaim
from dra_conform.kube.switches.node_resources import NodeResourceSwitches


class PolicyMissing(Exception):  # noqa: N818 - it reads as what happened
    """Neither a device nor its DeviceClass has an accounting policy for a mapped resource."""


def with_parts(
    amounts: ClaimResourceUsage,
    claim: ResourceClaim,
    devices: DevicesInSlices,
    classes: Mapping[str, DeviceClass],
    switches: NodeResourceSwitches,
) -> ClaimResourceUsage:
    """Return the usage of an allocated claim with the policy of each part; raise PolicyMissing."""
    assert claim.allocation is not None
    return replace(amounts, parts=tuple(_parts(claim, claim.allocation, devices, classes, switches)))


def _parts(
    claim: ResourceClaim,
    allocation: AllocationResult,
    devices: DevicesInSlices,
    classes: Mapping[str, DeviceClass],
    switches: NodeResourceSwitches,
) -> Iterator[ClaimPart]:
    requested = dict(classes_of(claim))
    for result in allocation.devices.results:
        device = devices.get(result)
        if device is None:
            continue
        for resource, quantity in device_usage(device, result, switches).resources.items():
            policy = policy_for(device, resource, classes.get(requested.get(result.request, "")))
            if policy is None:
                raise PolicyMissing(
                    f"device {result.device}: no accounting policy for {resource}, "
                    "expected a policy of the device or its DeviceClass"
                )
            yield ClaimPart(result.driver, resource, policy, quantity)


def classes_of(claim: ResourceClaim) -> Iterator[tuple[str, str]]:
    """Yield the name of each request or `REQUEST/SUBREQUEST`, and the name of its DeviceClass."""
    for request in claim.spec.devices.requests:
        if request.exactly is not None:
            yield request.name, request.exactly.device_class_name
        for subrequest in request.first_available:
            yield f"{request.name}/{subrequest.name}", subrequest.device_class_name
