"""A rehearsal of manifests: they are applied to a simulated cluster, and what comes of their pods is told."""

from dra_conform.controlplane.rehearsal.rehearsal import Question, Rehearsal, rehearse
from dra_conform.controlplane.rehearsal.rehearsed_pod import PodState, RehearsedPod

__all__ = ["PodState", "Question", "Rehearsal", "RehearsedPod", "rehearse"]
