"""The quota usage of one ResourceClaim, which depends on its spec only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dra_conform.kube.resource import DeviceRequest, ResourceClaim
from dra_conform.quota import names

ALL_DEVICES = 32
"""The count of a request with `allocationMode: All`, which is the maximum of allocation results."""

NO_CHARGES: Mapping[str, int] = {}


def devices_by_class(claim: ResourceClaim) -> dict[str, int]:
    """Return the maximum number of devices of each DeviceClass that the claim can get.

    Requests with admin access count like other requests.
    """
    total: Counter[str] = Counter()
    for request in claim.spec.devices.requests:
        total.update(_of_request(request))
    return dict(total)


def claim_usage(
    claim: ResourceClaim,
    resources: Mapping[str, str],
    *,
    adjusted: bool,
    charged: Mapping[str, int] = NO_CHARGES,
) -> dict[str, int]:
    """Return the usage by quota name: 1 claim, and its devices by DeviceClass.

    If `adjusted`, the devices also count by extended resource. `resources` has the extended resource of every
    DeviceClass, empty for none. `charged` is the usage of the pod of an extended-resource claim by quota
    name; the claim adds only what exceeds it.
    """
    devices = devices_by_class(claim)
    usage = {names.CLAIMS: 1, **{names.devices_of(name): count for name, count in devices.items()}}
    if not adjusted:
        return usage
    extended: Counter[str] = Counter()
    for name, count in devices.items():
        if name in resources:
            extended[names.implicit(name)] += count
        if resources.get(name):
            extended[names.requested(resources[name])] += count
    remaining = {name: count - charged.get(name, 0) for name, count in extended.items()}
    return usage | {name: count for name, count in remaining.items() if count > 0}


def _of_request(request: DeviceRequest) -> dict[str, int]:
    """Return the count by DeviceClass, for subrequests the maximum, since any of them can be allocated."""
    if request.exactly is not None:
        exactly = request.exactly
        return {exactly.device_class_name: counted_devices(exactly.allocation_mode, exactly.count)}
    maximum: dict[str, int] = {}
    for subrequest in request.first_available:
        count = counted_devices(subrequest.allocation_mode, subrequest.count)
        maximum[subrequest.device_class_name] = max(count, maximum.get(subrequest.device_class_name, 0))
    return maximum


def counted_devices(mode: str, count: int) -> int:
    """Return the count of a request: an empty mode is ExactCount, an unknown mode counts 0."""
    if mode == "All":
        return ALL_DEVICES
    return (count or 1 if not mode else count) if mode in ("", "ExactCount") else 0
