"""An upgrade check of manifests: every step between two releases, in the API server and in the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.listing import listed
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.profile import Profile
from dra_conform.previews.nodes_of_slices import nodes_note
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.previews.rehearsal import LIMIT_RANGE
from dra_conform.previews.unread_kinds import notes_on_kinds
from dra_conform.previews.upgrade_check.cluster_findings import ClusterFindings
from dra_conform.previews.upgrade_check.cluster_states import ClusterStates, simulated_states
from dra_conform.previews.upgrade_check.findings import FoundBy, UpgradeFinding, UpgradeSeverity, UpgradeStep
from dra_conform.previews.upgrade_check.live_clusters import LiveUpgrade, ReleaseClusters
from dra_conform.previews.upgrade_check.written_objects import WrittenObjects

_SEVERITIES = tuple(UpgradeSeverity)


@dataclass(frozen=True, slots=True)
class UpgradeCheck:
    """The findings of all steps, the worst first in each step, and notes for the user.

    `rejected`: the problems of objects that every release rejects, as `file:line: path: message`;
    `rejected_objects` is the number of these objects.
    """

    findings: tuple[UpgradeFinding, ...]
    notes: tuple[str, ...]
    rejected: tuple[str, ...]
    rejected_objects: int


def check_upgrade(
    loaded: Sequence[LoadedObject],
    profiles: Sequence[Profile],
    seconds: int = 0,
    progress: Progress = no_progress,
    clusters: ReleaseClusters | None = None,
) -> UpgradeCheck:
    """Return what differs for the objects of manifests from each profile to the next one.

    Each step replaces all components at once. `seconds` is the time that passes after each step. With
    `clusters` the upgrade is also done with control planes, and each finding says where it was found. Raises
    InputError as `rehearse` does, and Unsettled.
    """
    manifests = [item.manifest for item in loaded]
    with without_garbage_collection():
        states = simulated_states(loaded, profiles, seconds, progress)
        check = _found(loaded, profiles, states, WrittenObjects(manifests, profiles))
        if clusters is not None:
            live = LiveUpgrade(loaded, profiles, seconds, clusters, progress)
            observed = _found(
                loaded, profiles, live.states, WrittenObjects(manifests, profiles, live.servers)
            )
            findings = _in_order(compared(check.findings, observed.findings), profiles)
            check = replace(observed, findings=findings)
    notes = [*notes_on_kinds(loaded, read=(LIMIT_RANGE,)), *states.notes, *check.notes]
    if states.added_nodes:
        notes.append(nodes_note(states.added_nodes))
    return replace(check, notes=tuple(notes))


def _found(
    loaded: Sequence[LoadedObject],
    profiles: Sequence[Profile],
    states: ClusterStates,
    written: WrittenObjects,
) -> UpgradeCheck:
    """Return the findings of all steps in order, and notes on what was not compared."""
    cluster = ClusterFindings(loaded, states)
    findings = [
        finding
        for number, step in enumerate(UpgradeStep(*each) for each in pairwise(profiles))
        for finding in (*written.findings(step, number), *cluster.findings(step, number))
    ]
    rejected = tuple(written.rejected())
    notes = [f"note: not checked on the control planes: {each}" for each in written.unanswered()]
    if cluster.moved:
        moved = listed(tuple(cluster.moved))
        notes.append(
            f"note: pods on other nodes, possibly by chance, are not compared on the control planes: {moved}"
        )
    problems = tuple(str(problem) for result in rejected for problem in result.problems())
    return UpgradeCheck(_in_order(findings, profiles), tuple(notes), problems, len(rejected))


def _in_order(findings: Iterable[UpgradeFinding], profiles: Sequence[Profile]) -> tuple[UpgradeFinding, ...]:
    """Return the findings by step, severity, file and line."""
    titles = [UpgradeStep(*each).title for each in pairwise(profiles)]
    return tuple(
        sorted(
            findings,
            key=lambda each: (
                titles.index(each.step.title),
                _SEVERITIES.index(each.severity),
                each.file,
                each.line or 0,
            ),
        )
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
        **({"foundBy": str(finding.found_by)} if finding.found_by else {}),
        **(
            {"simulated": dict(zip(("before", "after"), finding.simulated, strict=True))}
            if finding.simulated
            else {}
        ),
    }


def compared(simulated: Sequence[UpgradeFinding], live: Sequence[UpgradeFinding]) -> Iterator[UpgradeFinding]:
    """Yield the findings of both, each with where it was found.

    A finding of both has the values of the control planes, and the cause that the simulation has found.
    """
    unmatched = {_identity(finding): finding for finding in simulated}
    for finding in live:
        other = unmatched.pop(_identity(finding), None)
        if other is None:
            yield replace(finding, found_by=FoundBy.LIVE)
            continue
        values = other.before, other.after
        differing = values if values != (finding.before, finding.after) else None
        causes = finding.causes or other.causes
        yield replace(finding, causes=causes, found_by=FoundBy.BOTH, simulated=differing)
    for finding in unmatched.values():
        yield replace(finding, found_by=FoundBy.SIMULATION)


def _identity(finding: UpgradeFinding) -> tuple[str, ...]:
    place = finding.kind, finding.name, finding.path
    return (finding.step.title, finding.severity, finding.aspect, finding.scope, *place)
