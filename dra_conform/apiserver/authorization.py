"""Authorization of writes beyond the permission to write the object.

`adminAccess` needs a namespace label (DRA/admin-access/namespace-label-required). With the gate
DRAResourceClaimGranularStatusAuthorization (since 1.36), a change of allocation or reservations needs a
permission for
`resourceclaims/binding`. A change of device status needs one for `resourceclaims/driver` with the name
of the driver.
Here, only users of the group `system:masters` have these permissions.
"""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.apiserver.strategy import Review
from dra_conform.apiserver.trees import Tree
from dra_conform.apiserver.walk import same


def authorize_admin_access(flags: Iterable[object], path: str, metadata: Tree, review: Review) -> None:
    """Report an error for the first adminAccess that is set, unless the object's namespace has the label.

    `flags` are the `adminAccess` values of the items of the list at `path`.
    """
    first = next((index for index, flag in enumerate(flags) if flag is True), None)
    if first is None:
        return
    path = f"{path}[{first}].adminAccess"
    namespace, label = metadata.get("namespace", ""), review.switches.admin_label
    labels = review.surroundings.namespaces.get(namespace)
    if labels is None:
        detail = f'could not retrieve namespace to verify admin access: namespaces "{namespace}" not found'
        review.errors.internal(path, detail)
    elif labels.get(label) != "true":
        detail = f"admin access to devices requires the `{label}: true` label on the containing namespace"
        review.errors.forbidden(path, detail)


def authorize_spec(spec: Tree, metadata: Tree, review: Review) -> None:
    """Authorize the requests of a claim spec; the API server reports claim paths for templates too."""
    requests = spec.get("devices", {}).get("requests", [])
    flags = (request.get("exactly", {}).get("adminAccess") for request in requests)
    authorize_admin_access(flags, "spec.devices.requests", metadata, review)


_GATE = "DRAResourceClaimGranularStatusAuthorization"
_BINDING = (
    'changing status.allocation or status.reservedFor requires resource="resourceclaims/binding" permission'
)
_DEVICES = 'changing status.devices requires resource="resourceclaims/driver" permission for driver '


def authorize_status(status: Tree, stored: Tree, review: Review) -> None:
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
