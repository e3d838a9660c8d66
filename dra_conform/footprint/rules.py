"""The release switches of node resource usage."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switch_values import ContainerStatuses
from dra_conform.kube.switches import choice, gate, settled, switch

_COUNTED = gate("DRANodeAllocatableResources")


@dataclass(frozen=True, slots=True)
class FootprintRules:
    """How the node resource usage of claims is counted in a profile."""

    claims_count: bool = switch(_COUNTED)
    """The gate is on, so that claims count (KEP-5517/pod-footprint/gate-off-ignores-status)."""
    overhead: bool = switch("since 1.37")
    """Devices have nodeAllocatableResources with mappings and overhead. Otherwise they have
    nodeAllocatableResourceMappings."""
    whole_capacity: bool = switch("kep")
    """The whole capacity of an exclusively allocated device counts, otherwise this is an error
    (KEP-5517/mapping/partition-capacity-key-uses-device-capacity)."""
    any_driver: bool = switch("in 1.36")
    """Devices are looked up by pool and name without the driver
    (KEP-5517/mapping/device-resolved-by-driver-pool-and-name)."""
    earlier_allocations: bool = switch("kep", "since 1.37")
    """Claims that are allocated before the attempt count
    (KEP-5517/accounting/already-allocated-claim-counted)."""
    unreferenced_refused: bool = switch("in 1.36")
    """A claim that no container uses makes the pod unschedulable
    (KEP-5517/accounting/unreferenced-claim-still-counted)."""
    containers_once: bool = switch("kep")
    """A container that names several requests of a claim is listed once, otherwise once for each request
    (KEP-5517/status/containers-include-init-and-regular)."""
    shared_by_records: bool = switch("in 1.36")
    """A claim is in use by pods of the same node whose status records it, otherwise by all pods that name it
    (KEP-5517/shared-claim/consumer-on-another-node)."""
    shared_by_reservations: bool = switch("since 1.37")
    """The scheduler determines by `reservedFor` whether a claim is in use, otherwise by the pods
    (KEP-5517/shared-claim/inter-pod-sharing-rejected)."""
    claims_counted_anywhere: bool = switch("since 1.37")
    """An allocated claim also counts on nodes where it cannot be used, with the devices available there. It
    is an error if only some of its devices are available
    (KEP-5517/node-fit/effective-demand-against-free)."""
    overhead_shared: bool = switch("since 1.37")
    """Claims with overhead only can be shared
    (KEP-5517/shared-claim/auxiliary-claims-also-rejected)."""
    container_statuses: ContainerStatuses = choice(
        {
            ContainerStatuses.BY_CONTAINER: "from 1.33 to 1.36",
            ContainerStatuses.BY_POD: "since 1.37",
            ContainerStatuses.IGNORED: "kep",
        }
    )
    """How the resources in container statuses count for pods on nodes and for quotas
    (KEP-5517/accounting/quota-counts-spec-only)."""
    pod_level_limits: bool = switch("since 1.37")
    """The limit of each container plus its claims must not exceed the pod-level limit. Otherwise only
    requests are compared (KEP-5517/pod-level-resources/budget-compares-requests)."""

    policies: bool = switch("kep-future")
    """Devices and DeviceClasses have accounting policies, and pods can share claims (KEP-5517/policy/*)."""

    @staticmethod
    def of(profile: Profile) -> FootprintRules:
        """Return the switches of a profile with its gates."""
        return settled(FootprintRules, profile)
