"""Switches of node resource usage by claims (KEP-5517)."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, choice, gate, switch
from dra_conform.kube.switches.values import ContainerStatuses


@dataclass(frozen=True, slots=True)
class NodeResourceSwitches(Switches):
    """How the node resource usage of claims is counted (KEP-5517)."""

    READ_BY = (Reader.NODE_RESOURCES,)

    claims_count: bool = switch(
        gate("DRANodeAllocatableResources"),
        source="KEP-5517/pod-footprint/gate-off-ignores-status",
        read_by=(Reader.NODE_RESOURCES, Reader.JUDGE),
    )
    """The claims of a pod count in its node resource usage."""
    overhead: bool = switch("since 1.37")
    """Devices have nodeAllocatableResources with mappings and overhead. If off, they have
    nodeAllocatableResourceMappings."""
    whole_capacity: bool = switch(
        "kep", source="KEP-5517/mapping/partition-capacity-key-uses-device-capacity"
    )
    """A mapping with capacityKey counts the whole capacity of an exclusively allocated device. If off, it is
    an error."""
    any_driver: bool = switch("in 1.36", source="KEP-5517/mapping/device-resolved-by-driver-pool-and-name")
    """Devices are looked up by pool and name without the driver."""
    earlier_allocations: bool = switch(
        "kep",
        "since 1.37",
        source="KEP-5517/accounting/already-allocated-claim-counted",
        read_by=(Reader.SCHEDULER, Reader.JUDGE),
    )
    """Claims that were allocated before the scheduling attempt count in node resource usage."""
    unreferenced_rejected: bool = switch(
        "in 1.36", source="KEP-5517/accounting/unreferenced-claim-still-counted"
    )
    """A claim that no container uses makes the pod unschedulable."""
    containers_once: bool = switch("kep", source="KEP-5517/status/containers-include-init-and-regular")
    """A container that names several requests of a claim is listed once. If off, it is listed once for each
    request."""
    shared_by_records: bool = switch(
        "in 1.36",
        source="KEP-5517/shared-claim/consumer-on-another-node",
        read_by=(Reader.NODE_RESOURCES, Reader.SCHEDULER),
    )
    """A claim is in use by the pods of the same node whose status records the claim. If off, it is in use by
    all pods that reference it."""
    shared_by_reservations: bool = switch(
        "since 1.37", source="KEP-5517/shared-claim/inter-pod-sharing-rejected", read_by=(Reader.SCHEDULER,)
    )
    """The scheduler determines from `reservedFor` whether a claim is in use. If off, it determines this from
    the pods."""
    claims_counted_anywhere: bool = switch(
        "since 1.37", source="KEP-5517/node-fit/effective-demand-against-free", read_by=(Reader.SCHEDULER,)
    )
    """An allocated claim also counts on nodes where it cannot be used, with the devices available there. It
    is an error if only some of its devices are available."""
    overhead_shared: bool = switch(
        "since 1.37", source="KEP-5517/shared-claim/auxiliary-claims-also-rejected"
    )
    """Pods can share a claim whose devices have only an overhead and no mapping."""
    container_statuses: ContainerStatuses = choice(
        {
            ContainerStatuses.BY_CONTAINER: "from 1.33 to 1.36",
            ContainerStatuses.BY_POD: "since 1.37",
            ContainerStatuses.IGNORED: "kep",
        },
        source="KEP-5517/accounting/quota-counts-spec-only",
        read_by=(Reader.NODE_RESOURCES, Reader.QUOTA),
    )
    """How the resources in container statuses count for pods on nodes and for quotas."""
    pod_level_limits: bool = switch(
        "since 1.37", source="KEP-5517/pod-level-resources/budget-compares-requests"
    )
    """The limit of each container plus its claims must not exceed the pod-level limit. If off, only requests
    are compared."""
    policies: bool = switch(
        "kep-future",
        source="KEP-5517/policy/*",
        read_by=(Reader.NODE_RESOURCES, Reader.SCHEDULER, Reader.KUBELET, Reader.JUDGE),
    )
    """Devices and DeviceClasses have accounting policies, and pods can share claims."""
