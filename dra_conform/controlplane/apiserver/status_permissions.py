"""Permissions for parts of a claim's status (gate DRAResourceClaimGranularStatusAuthorization, since 1.36).

A change of allocation or reservations needs a permission for `resourceclaims/binding`. A change of device
status needs one for `resourceclaims/driver` with the name of the driver. Here, only users of the group
`system:masters` have these permissions.
"""

from __future__ import annotations

from dra_conform.controlplane.apiserver.strategy import Review
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import same

_GATE = "DRAResourceClaimGranularStatusAuthorization"
_BINDING = (
    'changing status.allocation or status.reservedFor requires resource="resourceclaims/binding" permission'
)
_DEVICES = 'changing status.devices requires resource="resourceclaims/driver" permission for driver '


def authorize(status: Tree, stored: Tree, review: Review) -> None:
    """Report the changes of a status that the user has no permission for."""
    if not review.profile.enabled(_GATE) or review.user.has_all_permissions:
        return
    if any(not same(status.get(name), stored.get(name)) for name in ("allocation", "reservedFor")):
        review.errors.forbidden("status.allocation", _BINDING)
    if review.profile.enabled("DRAResourceClaimDeviceStatus") and "allocation" in status:
        for driver in sorted(_drivers_with_changes(status, stored)):
            review.errors.forbidden("status.devices", f"{_DEVICES}{driver!r}")


def _drivers_with_changes(status: Tree, stored: Tree) -> set[str]:
    """Return the drivers of added, removed and changed `status.devices` entries."""
    before, now = (
        {_key(device): device for device in each.get("devices") or []} for each in (stored, status)
    )
    keys = {key for key in before.keys() | now.keys() if not same(before.get(key), now.get(key))}
    return {driver for driver, *_ in keys}


def _key(device: Tree) -> tuple[str, ...]:
    return tuple(str(device.get(name) or "") for name in ("driver", "pool", "device", "shareID"))
