"""The release switches of node resource usage."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import gate, settled, switch

_COUNTED = gate("DRANodeAllocatableResources")


@dataclass(frozen=True, slots=True)
class FootprintRules:
    """How what claims take of a node is counted in a profile."""

    claims_count: bool = switch(_COUNTED)
    """Claims count at all (KEP-5517/pod-footprint/gate-off-ignores-status)."""
    overhead: bool = switch("since 1.37")
    """Devices say in nodeAllocatableResources what they are and what their users need besides."""
    whole_capacity: bool = switch("kep")
    """Of a device allocated whole its own capacity counts, else that is an error.

    KEP-5517/mapping/partition-capacity-key-uses-device-capacity.
    """
    any_driver: bool = switch("in 1.36")
    """Devices are looked up by pool and name only.

    KEP-5517/mapping/device-resolved-by-driver-pool-and-name.
    """
    earlier_allocations: bool = switch("kep", "since 1.37")
    """Claims that were allocated before count (KEP-5517/accounting/already-allocated-claim-counted)."""
    unreferenced_refused: bool = switch("in 1.36")
    """A claim that no container uses makes the pod unschedulable.

    KEP-5517/accounting/unreferenced-claim-still-counted.
    """
    containers_once: bool = switch("kep")
    """A container that names several requests of a claim is listed once, else once for each.

    KEP-5517/status/containers-include-init-and-regular.
    """
    shared_by_records: bool = switch("in 1.36")
    """A claim is taken by pods of the same node that record it, else by every pod that names it.

    KEP-5517/shared-claim/consumer-on-another-node.
    """
    shared_by_reservations: bool = switch("since 1.37")
    """The scheduler takes it from the reservations of the claim that others use it, else from pods.

    KEP-5517/shared-claim/inter-pod-sharing-rejected.
    """
    claims_counted_anywhere: bool = switch("since 1.37")
    """A claim that is allocated counts also on nodes where it cannot be used, with those of its devices that
    the node reaches; where it reaches not all of them, that is an error
    (KEP-5517/node-fit/effective-demand-against-free)."""
    overhead_shared: bool = switch("since 1.37")
    """Claims that bring overhead only may be shared.

    KEP-5517/shared-claim/auxiliary-claims-also-rejected.
    """

    policies: bool = switch("kep-future")
    """Devices and classes say how amounts are counted, and pods may share claims (KEP-5517/policy/*)."""

    @staticmethod
    def of(profile: Profile) -> FootprintRules:
        """Those of a profile with its gates."""
        return settled(FootprintRules, profile)
