"""Previews: apply manifests to a simulated cluster, and report the outcomes of pods and claims."""

from dra_conform.controlplane.rehearsal.rehearsal import Question, Rehearsal, rehearse
from dra_conform.controlplane.rehearsal.rehearsed_pod import PodState, RehearsedPod

__all__ = ["PodState", "Question", "Rehearsal", "RehearsedPod", "rehearse"]
