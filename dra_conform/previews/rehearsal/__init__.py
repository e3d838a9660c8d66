"""Previews: apply manifests to a simulated cluster, and report the outcomes of pods and claims."""

from dra_conform.previews.rehearsal.limit_ranges import KIND as LIMIT_RANGE
from dra_conform.previews.rehearsal.manifest_sets import objects_to_apply
from dra_conform.previews.rehearsal.pod_outcomes import PodState, RehearsedPod, why_not_tried
from dra_conform.previews.rehearsal.rehearsal import (
    PreviewOptions,
    Rehearsal,
    rehearse,
    rehearse_upgrades,
)

__all__ = [
    "LIMIT_RANGE",
    "PodState",
    "PreviewOptions",
    "Rehearsal",
    "RehearsedPod",
    "objects_to_apply",
    "rehearse",
    "rehearse_upgrades",
    "why_not_tried",
]
