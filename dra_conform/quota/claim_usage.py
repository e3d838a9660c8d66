"""The quota usage of one claim, by quota name. Only its spec matters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dra_conform.kube.resource import DeviceRequest, ResourceClaim
from dra_conform.quota import names

ALL_DEVICES = 32
"""What a request for all devices counts, since an allocation has no more results."""

NOTHING: Mapping[str, int] = {}


def devices_by_class(claim: ResourceClaim) -> dict[str, int]:
    """The most devices of each class that the claim may get. Requests with admin access count as all do."""
    total: Counter[str] = Counter()
    for request in claim.spec.devices.requests:
        total.update(_of_request(request))
    return dict(total)


def claim_usage(
    claim: ResourceClaim,
    resources: Mapping[str, str],
    *,
    adjusted: bool,
    charged: Mapping[str, int] = NOTHING,
) -> dict[str, int]:
    """The claim itself, its devices by class and, where usage is adjusted, by extended resource.

    `resources` has every class with the extended resource it stands for, empty for none. `charged` is what
    the pod of a special claim counts already, by quota name; of these only the rest is added.
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
    rest = {name: count - charged.get(name, 0) for name, count in extended.items()}
    return usage | {name: count for name, count in rest.items() if count > 0}


def _of_request(request: DeviceRequest) -> dict[str, int]:
    """Of subrequests the most for each class, since any of them may be taken."""
    if request.exactly is not None:
        exactly = request.exactly
        return {exactly.device_class_name: _devices(exactly.allocation_mode, exactly.count)}
    most: dict[str, int] = {}
    for one in request.first_available:
        count = _devices(one.allocation_mode, one.count)
        most[one.device_class_name] = max(count, most.get(one.device_class_name, 0))
    return most


def _devices(mode: str, count: int) -> int:
    """Without a mode it is the default; a mode that is not known counts nothing."""
    if mode == "All":
        return ALL_DEVICES
    return (count or 1 if not mode else count) if mode in ("", "ExactCount") else 0
