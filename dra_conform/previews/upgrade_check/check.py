"""An upgrade check of manifests: every step between two releases, in the API server and in the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.profile import Profile
from dra_conform.previews.nodes_of_slices import nodes_note
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.previews.unread_kinds import notes_on_kinds
from dra_conform.previews.upgrade_check.cluster_findings import ClusterFindings
from dra_conform.previews.upgrade_check.findings import UpgradeFinding, UpgradeSeverity, UpgradeStep
from dra_conform.previews.upgrade_check.written_objects import WrittenObjects

_SEVERITIES = tuple(UpgradeSeverity)


@dataclass(frozen=True, slots=True)
class UpgradeCheck:
    """The findings of all steps, the worst first in each step, and notes for the user.

    `rejected`: the problems of objects that every release rejects, as `file:line: path: message`.
    """

    findings: tuple[UpgradeFinding, ...]
    notes: tuple[str, ...]
    rejected: tuple[str, ...]


def check_upgrade(
    loaded: Sequence[LoadedObject],
    profiles: Sequence[Profile],
    seconds: int = 0,
    progress: Progress = no_progress,
) -> UpgradeCheck:
    """Return what differs for the objects of manifests from each profile to the next one.

    Each step replaces all components at once. `seconds` is the time that passes after each step. Raises
    InputError as `rehearse` does, and Unsettled.
    """
    written = WrittenObjects([item.manifest for item in loaded])
    cluster = ClusterFindings(loaded, profiles, seconds, progress)
    steps = [UpgradeStep(before, after) for before, after in pairwise(profiles)]
    with without_garbage_collection():
        findings = [
            finding
            for number, step in enumerate(steps)
            for finding in _in_order([*written.findings(step), *cluster.findings(step, number)])
        ]
        rejected = tuple(map(str, written.rejected_in(profiles)))
    notes = [*notes_on_kinds(loaded)]
    if cluster.added_nodes:
        notes.append(nodes_note(cluster.added_nodes))
    return UpgradeCheck(tuple(findings), tuple(notes), rejected)


def _in_order(findings: Sequence[UpgradeFinding]) -> Iterator[UpgradeFinding]:
    """Yield the findings of a step by severity, file and line."""
    return iter(
        sorted(findings, key=lambda each: (_SEVERITIES.index(each.severity), each.file, each.line or 0))
    )


FORMAT = "dra-conform-upgrade-check/1"


def machine_form(check: UpgradeCheck, profiles: Sequence[Profile]) -> dict[str, Any]:
    """Return the report with the releases in the order of the steps, and every finding."""
    return {
        "format": FORMAT,
        "releases": [{"release": profile.release, "gates": dict(profile.gates)} for profile in profiles],
        "rejected": list(check.rejected),
        "findings": [_finding(finding) for finding in check.findings],
        "notes": list(check.notes),
    }


def _finding(finding: UpgradeFinding) -> dict[str, Any]:
    return {
        "from": finding.step.before.release,
        "to": finding.step.after.release,
        "severity": str(finding.severity),
        "aspect": str(finding.aspect),
        "scope": str(finding.scope),
        "file": finding.file,
        "line": finding.line,
        "kind": finding.kind,
        "name": finding.name,
        "path": finding.path,
        "before": finding.before,
        "after": finding.after,
        "causes": [
            {
                "kind": str(cause.kind),
                "name": cause.name,
                "words": cause.words,
                "requirements": list(cause.requirements),
            }
            for cause in finding.causes
        ],
    }
