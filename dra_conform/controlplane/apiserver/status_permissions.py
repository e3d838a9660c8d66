"""Permissions for parts of a claim's status (gate DRAResourceClaimGranularStatusAuthorization, since 1.36).

Beside the permission to write the status at all, who allocates or reserves needs one for
`resourceclaims/binding`, and who reports about devices one for `resourceclaims/driver` by the name of each
driver. Who is not in the group `system:masters` has neither here.
"""

from __future__ import annotations

from dra_conform.controlplane.apiserver.strategy import Review
from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.controlplane.apiserver.walk import same

_GATE = "DRAResourceClaimGranularStatusAuthorization"
_BINDING = (
    'changing status.allocation or status.reservedFor requires resource="resourceclaims/binding" permission'
)
_REPORTS = 'changing status.devices requires resource="resourceclaims/driver" permission for driver '


def authorize(status: Tree, stored: Tree, review: Review) -> None:
    """Refuse what the user changes of a status without a permission for it."""
    if not review.profile.enabled(_GATE) or review.user.may_everything:
        return
    if any(not same(status.get(name), stored.get(name)) for name in ("allocation", "reservedFor")):
        review.errors.forbidden("status.allocation", _BINDING)
    if review.profile.enabled("DRAResourceClaimDeviceStatus") and "allocation" in status:
        for driver in sorted(_drivers_with_changes(status, stored)):
            review.errors.forbidden("status.devices", f"{_REPORTS}{driver!r}")


def _drivers_with_changes(status: Tree, stored: Tree) -> set[str]:
    """Those of reports that are new, gone, or others than they were."""
    before, now = ({_key(one): one for one in each.get("devices") or []} for each in (stored, status))
    keys = {key for key in before.keys() | now.keys() if not same(before.get(key), now.get(key))}
    return {driver for driver, *_ in keys}


def _key(report: Tree) -> tuple[str, ...]:
    return tuple(str(report.get(name) or "") for name in ("driver", "pool", "device", "shareID"))
