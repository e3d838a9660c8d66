"""What one pod counts, by quota name. Only its spec matters, not what its claims take of a node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.footprint import footprint
from dra_conform.kube.core import Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended
from dra_conform.kube.quantity import Quantity
from dra_conform.quota import names


def pod_usage(pod: Pod, *, implicit_names: bool) -> dict[str, Quantity]:
    """The pod and what its containers request, nothing once it is finished.

    `implicit_names`: implicit names of classes count, else only other extended resources
    (KEP-5517/accounting/quota-counts-spec-only).
    """
    if pod.status is not None and pod.status.phase in ("Succeeded", "Failed"):
        return {}
    amounts = footprint(pod, ())
    if not implicit_names:
        amounts = {name: amount for name, amount in amounts.items() if not name.startswith(CLASS_PREFIX)}
    return {names.PODS: Quantity.whole(1), **dict(_named(amounts))}


def _named(amounts: Mapping[str, Quantity]) -> Iterator[tuple[str, Quantity]]:
    """What nodes have by themselves goes by its own name, too."""
    for name, amount in amounts.items():
        if names.is_of_nodes(name):
            yield name, amount
            yield names.requested(name), amount
        elif is_extended(name):
            yield names.requested(name), amount
