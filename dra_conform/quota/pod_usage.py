"""The quota usage of one pod, by quota name, without what its claims use of a node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.footprint import footprint, limits, recorded
from dra_conform.kube.core import Pod
from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended
from dra_conform.kube.quantity import Quantity
from dra_conform.quota import names
from dra_conform.quota.rules import QuotaRules

ONE = Quantity.whole(1)


def pod_usage(pod: Pod, rules: QuotaRules) -> dict[str, Quantity]:
    """The pod with what its containers request and are limited to; of a finished one only that it is there.

    What claims take of nodes does not count, unless the rules say so
    (KEP-5517/accounting/quota-counts-spec-only).
    """
    if pod.status is not None and pod.status.phase in ("Succeeded", "Failed"):
        return {names.ALL_PODS: ONE}
    amounts = footprint(pod, recorded(pod, rules.footprint) if rules.claims_of_nodes else ())
    if not rules.implicit_in_pods:
        amounts = {name: amount for name, amount in amounts.items() if not name.startswith(CLASS_PREFIX)}
    most = {names.limited(name): amount for name, amount in limits(pod).items() if names.has_limits(name)}
    return {names.ALL_PODS: ONE, names.PODS: ONE, **most, **dict(_named(amounts))}


def _named(amounts: Mapping[str, Quantity]) -> Iterator[tuple[str, Quantity]]:
    """What nodes have by themselves goes by its own name, too."""
    for name, amount in amounts.items():
        if names.is_of_nodes(name):
            yield name, amount
            yield names.requested(name), amount
        elif is_extended(name):
            yield names.requested(name), amount
