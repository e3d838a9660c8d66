"""Authorization of adminAccess by a namespace label (DRA/admin-access/namespace-label-required)."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.controlplane.apiserver.strategy import Review
from dra_conform.controlplane.apiserver.trees import Tree


def authorize(flags: Iterable[object], path: str, metadata: Tree, review: Review) -> None:
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
    authorize(flags, "spec.devices.requests", metadata, review)
