"""Previews: manifests are applied to a simulated cluster, and the outcome of pods and claims is reported."""

from dra_conform.controlplane.rehearsal.rehearsal import Question, Rehearsal, rehearse
from dra_conform.controlplane.rehearsal.rehearsed_pod import PodState, RehearsedPod

__all__ = ["PodState", "Question", "Rehearsal", "RehearsedPod", "rehearse"]
