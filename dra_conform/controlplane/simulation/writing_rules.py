"""The release switches for writes of the scheduler."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch


@dataclass(frozen=True, slots=True)
class WritingRules:
    """When failed writes are retried, and how long allocations are in flight."""

    faults_tried_again: bool = switch("since 1.34")
    """A write of a pod's status is attempted up to four times on server errors
    (KEP-5004/failure-handling/prebind-pod-status-update-fails)."""
    pod_conflicts_tried_again: bool = switch("since 1.36")
    """A write of a pod's status is also attempted up to four times on 409 Conflict."""
    in_flight_for_all: bool = switch("kep", "since 1.37")
    """Allocations stay in flight until all claims of the pod are written. Otherwise each allocation stays in
    flight until the write of its claim succeeds or fails (KEP-5004/scheduling-phase/reserve-in-flight)."""
    given_up_for_all: bool = switch("since 1.37")
    """An abandoned attempt removes all of the pod's claims from the claims in flight, even a claim that
    another pod's attempt has put there (KEP-5004/scheduling-phase/reserve-in-flight)."""
    written_for_each_name: bool = switch("since 1.33")
    """A claim that a pod names twice is written twice. The second write fails, first because the claim is
    allocated already, then because it is reserved for the pod (DRA/claim/shared-by-containers)."""

    @staticmethod
    def of(profile: Profile) -> WritingRules:
        """Return the switches of a profile."""
        return settled(WritingRules, profile)

    @property
    def retryable_reasons(self) -> frozenset[str]:
        """The reasons for which a write of a pod's status is retried."""
        faults = {"InternalError", "ServiceUnavailable"} if self.faults_tried_again else set()
        return frozenset(faults | ({"Conflict"} if self.pod_conflicts_tried_again else set()))
