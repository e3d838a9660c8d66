"""Switches of the scheduler: its phases, its writes, and binding conditions."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, gate, switch, when


@dataclass(frozen=True, slots=True)
class SchedulerSwitches(Switches):
    """Which pods are attempted, and how their node is chosen."""

    READ_BY = (Reader.SCHEDULER,)

    errors_end_attempts: bool = switch("since 1.33", source="API/selector/failing-elsewhere")
    """An error on one node ends the attempt even if the claims can be allocated on another node. If off, the
    first node that fits is chosen."""
    tainted_claims_rejected: bool = switch("kep", source="DRA/taint/applies-to-all-pods-of-the-claim")
    """A pod is not scheduled with an allocated claim that has a device with an untolerated taint. If off,
    taints are only checked during allocation."""
    nodes_scored: bool = switch(
        when("kep", "since 1.35") & gate("DRAPrioritizedList"), source="DRA/prioritized-list/node-choice"
    )
    """Nodes are scored by which subrequests of prioritized lists can be allocated on them."""
    partial_allocations_scored: bool = switch(
        "kep", "until 1.34", "since 1.36", source="DRA/workflow/all-claims-of-a-pod-together"
    )
    """Nodes are scored for a pod with allocated and unallocated ResourceClaims. If off, Score fails with an
    error if more than one node passes the filters."""
    deletions_retried: bool = switch("kep", "since 1.37")
    """The deletion of an allocated ResourceClaim requeues pending pods."""
    slice_deletions_retried: bool = switch("kep", source="DRA/workflow/unmet-request-waits")
    """The deletion of a ResourceSlice requeues pending pods. If off, only its creation and changes do."""
    pod_groups: bool = switch("kep", "since 1.36", read_by=(Reader.PREVIEWS,))
    """Pods of a PodGroup share its ResourceClaims."""
    deleted_pods_uncounted: bool = switch("kep", "since 1.36", source="KEP-5075/metrics/unschedulable-pods")
    """A deleted pod is no longer counted as unschedulable. If off, it is counted until the scheduler
    restarts."""


@dataclass(frozen=True, slots=True)
class PodWriteSwitches(Switches):
    """When failed writes are retried, and how long allocations are in flight."""

    READ_BY = (Reader.SCHEDULER,)

    server_errors_retried: bool = switch(
        "since 1.34", source="KEP-5004/failure-handling/prebind-pod-status-update-fails"
    )
    """A write of a pod's status is attempted up to four times on server errors."""
    conflicts_retried: bool = switch("since 1.36")
    """A write of a pod's status is also attempted up to four times on 409 Conflict."""
    in_flight_for_all: bool = switch(
        "kep", "since 1.37", source="KEP-5004/scheduling-phase/reserve-in-flight"
    )
    """Allocations stay in flight until all claims of the pod are written. If off, each allocation stays in
    flight until the write of its claim succeeds or fails."""
    abandoned_for_all: bool = switch("since 1.37", source="KEP-5004/scheduling-phase/reserve-in-flight")
    """An aborted attempt removes all of the pod's claims from the claims in flight, even a claim that the
    attempt of another pod has put in flight."""
    written_for_each_name: bool = switch("since 1.33", source="DRA/claim/shared-by-containers")
    """A claim that a pod names twice is written twice. The second write fails, first because the claim is
    allocated already, then because it is reserved for the pod."""


@dataclass(frozen=True, slots=True)
class BindingSwitches(Switches):
    """How the binding conditions of devices are evaluated."""

    READ_BY = (Reader.SCHEDULER,)

    status_matched_by_share: bool = switch("kep", source="KEP-5075/allocation/prebind-provisioning")
    """Only the device status with the same share ID counts. If off, the first status of the device counts."""
