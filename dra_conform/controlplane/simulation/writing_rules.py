"""The release switches of the scheduler's writes."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch


@dataclass(frozen=True, slots=True)
class WritingRules:
    """What the scheduler does with writes that fail, and until when allocations are in flight."""

    faults_tried_again: bool = switch("since 1.34")
    """The status of a pod is written up to four times while the API server is at fault
    (KEP-5004/failure-handling/prebind-pod-status-update-fails)."""
    pod_conflicts_tried_again: bool = switch("since 1.36")
    """So it is where it meets a conflict."""
    in_flight_for_all: bool = switch("kep", "since 1.37")
    """Allocations stay in flight until all claims of the pod are written, else each until its own claim is,
    or cannot be (KEP-5004/scheduling-phase/reserve-in-flight)."""
    given_up_for_all: bool = switch("since 1.37")
    """A pod that is given up ends what is in flight of its claims, also of one that another pod waits for
    (KEP-5004/scheduling-phase/reserve-in-flight)."""
    written_for_each_name: bool = switch("since 1.33")
    """A claim that a pod names twice is written twice, and the second write is refused: first since the
    claim is allocated, then since it is reserved for the pod (DRA/claim/shared-by-containers)."""

    @staticmethod
    def of(profile: Profile) -> WritingRules:
        """Those of a profile."""
        return settled(WritingRules, profile)

    @property
    def tried_again(self) -> frozenset[str]:
        """The reasons for which a write of the status of a pod is made again."""
        faults = {"InternalError", "ServiceUnavailable"} if self.faults_tried_again else set()
        return frozenset(faults | ({"Conflict"} if self.pod_conflicts_tried_again else set()))
