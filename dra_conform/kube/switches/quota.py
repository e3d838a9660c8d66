"""Switches of quota usage."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, area, gate, switch, when
from dra_conform.kube.switches.node_resources import NodeResourceSwitches


@dataclass(frozen=True, slots=True)
class QuotaSwitches(Switches):
    """How the quota usage of claims and pods is counted."""

    READ_BY = (Reader.QUOTA,)

    adjusted: bool = switch(
        when("kep", "since 1.35") & gate("DRAExtendedResource"),
        source="KEP-5004/quota/worked-example-after-adjustment",
    )
    """Claims also count in the quotas of extended resources."""
    implicit_in_pods: bool = switch(
        "kep",
        "since 1.35",
        source="KEP-5004/quota/key-prefix",
        read_by=(Reader.QUOTA, Reader.CONTROLLERS),
    )
    """Pods count in the quotas of implicit extended resources that they request. If off, these names have no
    quota."""
    first_claim_only: bool = switch("kep", "since 1.36", source="KEP-5004/quota/no-double-count")
    """If the status of a pod names no extended-resource claim, only its oldest one counts with the pod."""
    node_resources: NodeResourceSwitches = area(NodeResourceSwitches)
    """How the node resource usage of claims is recorded."""
    node_resources_counted: bool = switch("kep-future", source="KEP-5517/accounting/quota-includes-dra")
    """The node resource usage of a pod's claims counts like requests."""
