"""Previews: apply manifests to a simulated cluster, and report the outcomes of pods and claims."""

from dra_conform.controlplane.rehearsal.pod_outcomes import PodState, RehearsedPod
from dra_conform.controlplane.rehearsal.rehearsal import Question, Rehearsal, rehearse, rehearse_upgrades

__all__ = ["PodState", "Question", "Rehearsal", "RehearsedPod", "rehearse", "rehearse_upgrades"]
