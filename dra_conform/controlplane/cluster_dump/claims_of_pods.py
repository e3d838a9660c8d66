"""The node resource usage of the claims of pods in a dump: as recorded, or else by their allocations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.controlplane.claim_accounting import AccountingFailed, usage_of_claims
from dra_conform.controlplane.cluster_dump.cluster_objects import ClusterObjects
from dra_conform.footprint import ClaimResourceUsage, claims_of, recorded
from dra_conform.footprint.device_amounts import DevicesInSlices
from dra_conform.kube.core import Pod
from dra_conform.kube.listing import counted
from dra_conform.kube.resource import AllocationResult, ResourceClaim, ResourceSlice
from dra_conform.kube.switches.node_resources import NodeResourceSwitches


class ClaimsOfPods:
    """Counts the claims of pods."""

    def __init__(self, objects: ClusterObjects, switches: NodeResourceSwitches) -> None:
        self._problems: list[str] = []
        self._unread = 0
        self._switches = switches
        self._claims: Mapping[str, ResourceClaim] = objects.by_key(ResourceClaim)
        slices = objects.all(ResourceSlice)
        self._devices = DevicesInSlices(slices, switches) if slices else None

    def of(self, pod: Pod) -> Sequence[ClaimResourceUsage]:
        """Return the usage of each claim as the status of the pod records it.

        Without a record it is computed from the allocations of the claims and the ResourceSlices.
        """
        if pod.status and pod.status.node_allocatable_resource_claim_statuses:
            usage = recorded(pod, self._switches)
            self._unread += not any(claim.resources or claim.overhead for claim in usage)
            return usage
        if self._devices is None:
            return ()
        try:
            return usage_of_claims(pod, self._allocations(pod), self._devices, self._switches)
        except AccountingFailed as error:
            key = f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"
            self._problems.append(f"note: the claims of pod {key} do not count: {error}")
            return ()

    def notes(self) -> tuple[str, ...]:
        """Return notes on claims that are not counted, for the pods so far."""
        if not self._unread:
            return tuple(self._problems)
        pods = counted(self._unread, "pod")
        unread = (
            f"note: the status of {pods} records claims in a form that the profile does not read or count"
        )
        expected = "expected --profile with the release of the cluster, --gates with its feature gates"
        return (f"{unread}, {expected}", *self._problems)

    def _allocations(self, pod: Pod) -> dict[str, AllocationResult]:
        """Return the allocations of the pod's claims by name, with that of its extended-resource claim."""
        extended = pod.status.extended_resource_claim_status if pod.status else None
        names = {name for _, name in claims_of(pod)} | ({extended.resource_claim_name} if extended else set())
        namespace = pod.metadata.namespace or "default"
        claims = {name: self._claims.get(f"{namespace}/{name}") for name in sorted(names)}
        return {
            name: claim.allocation for name, claim in claims.items() if claim is not None and claim.allocation
        }
