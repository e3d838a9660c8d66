"""Switches of the features that kubelets declare."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, gate, switch, when

_NODE_RESOURCES = gate("DRANodeAllocatableResources")


@dataclass(frozen=True, slots=True)
class DeclaredFeatureSwitches(Switches):
    """The features that kubelets declare, and whether the API server requires them."""

    READ_BY = (Reader.KUBELET,)

    resizes_declared: bool = switch("kep", "since 1.36")
    """Kubelets declare their gates for pod resize, which are on by default."""
    node_resources_declared: bool = switch(when("kep", "since 1.37") & _NODE_RESOURCES)
    """Kubelets declare support for devices that map to node allocatable resources."""
    node_resources_required: bool = switch(
        when("since 1.37") & _NODE_RESOURCES,
        source="KEP-5517/feature-gate/components",
        read_by=(Reader.API_SERVER,),
    )
    """A ResourceSlice with devices that map to node allocatable resources is rejected unless its nodes
    declare the feature."""
