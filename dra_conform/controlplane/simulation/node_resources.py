"""The remaining node resources: one ledger for pod requests and claims (KEP-5517)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dra_conform.footprint import FootprintRules, footprint, recorded
from dra_conform.footprint.amounts import NOTHING, Amounts, added
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.quantity import Quantity


def taken_by(pods: Iterable[Pod], rules: FootprintRules) -> dict[str, Quantity]:
    """What pods on a node take together, as their status records it.

    KEP-5517/accounting/ledger-is-sum-of-footprints.
    """
    return added(*(footprint(pod, recorded(pod, rules)) for pod in pods))


def lacking(wanted: Amounts, node: Node, taken: Mapping[str, Quantity]) -> list[str]:
    """The resources, by name, of which a node has too little left beside what is taken.

    Of what a node does not say how much it has, it is taken to have enough.
    """
    offered = node.status.allocatable if node.status else {}
    return [
        name
        for name in sorted(wanted)
        if name in offered and wanted[name] and wanted[name] > offered[name] - taken.get(name, NOTHING)
    ]
