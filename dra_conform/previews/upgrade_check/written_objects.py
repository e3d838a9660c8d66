"""What the API servers of two releases store of each written object, and of objects that exist already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from dra_conform.kube.json_values import Json
from dra_conform.kube.manifest_files import Manifest
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.values import AdminAccessLabel
from dra_conform.kube.yaml import Path
from dra_conform.previews.dry_run import DryRunResult, Proposal, dry_run, propose
from dra_conform.previews.dry_run.written_fields import Change, field_changes, value_at
from dra_conform.previews.upgrade_check.existing_objects import ExistingObject, carried
from dra_conform.previews.upgrade_check.findings import (
    Aspect,
    CauseKind,
    DifferenceCause,
    Scope,
    StateByChange,
    UpgradeFinding,
    UpgradeSeverity,
    UpgradeStep,
    gate_cause,
    shown,
)
from dra_conform.previews.upgrade_check.release_servers import SIMULATED, ReleaseServers

ALLOWED: Mapping[str, str] = {str(label): "true" for label in AdminAccessLabel}


_OF_COMPONENTS = ("metadata", "status")
"""The fields that components write in a cluster, so that a field may disappear without an upgrade."""
_TIME = "timeAdded"
"""A field that each API server sets to its own time if it is not written."""


class WrittenObjects:
    """The objects of manifests, which are created in each release and updated after each step.

    Namespaces that no manifest has allow admin access in every release. Existing objects are created in the
    first of the `profiles`.
    """

    def __init__(
        self,
        manifests: Sequence[Manifest],
        profiles: Sequence[Profile],
        servers: ReleaseServers = SIMULATED,
    ) -> None:
        proposal = propose(manifests)
        created = {write.new_namespace for write in proposal.writes}
        namespaces = (_allowing(raw, created) for raw in proposal.namespaces)
        self._proposal = replace(proposal, namespaces=tuple(namespaces))
        self._profiles = profiles
        self._servers = servers
        self._created: dict[Profile, list[DryRunResult]] = {}

    @property
    def passed_over(self) -> Mapping[str, int]:
        """The number of objects that are not checked, by `apiVersion kind`."""
        return self._proposal.passed_over

    def rejected(self) -> Iterator[DryRunResult]:
        """Yield what the last release answers to each object that every release rejects."""
        for results in zip(*map(self._created_in, self._profiles), strict=True):
            if all(result.reason for result in results):
                yield results[-1]

    def unanswered(self) -> Iterator[str]:
        """Yield the objects that an API server does not answer, with the reason."""
        for results in zip(*map(self._created_in, self._profiles), strict=True):
            first = next((result for result in results if result.unanswered), None)
            if first is not None:
                yield f"{first.write.manifest.file}:{first.line}: {first.unanswered}"

    def findings(self, step: UpgradeStep, number: int) -> Iterator[UpgradeFinding]:
        """Yield what differs in a step between the objects of the manifests; the first step has number 0."""
        created = zip(*map(self._created_in, (step.before, step.after)), strict=True)
        for (before, after), stored in zip(created, self._existing, strict=True):
            existing = ExistingObject(step, self._proposal, before.write, stored[number], self._servers)
            yield from _Comparison(step, self._proposal, before, after, existing).findings()

    @cached_property
    def _existing(self) -> list[tuple[Json, ...]]:
        """Each object as it is stored in each release."""
        first = self._created_in(self._profiles[0])
        return [tuple(carried(created, self._profiles)) for created in first]

    def _created_in(self, profile: Profile) -> list[DryRunResult]:
        if profile not in self._created:
            self._created[profile] = list(dry_run(self._proposal, profile, self._servers.admission))
        return self._created[profile]


def _allowing(raw: Mapping[str, Json], created: set[str]) -> Mapping[str, Json]:
    metadata = raw["metadata"]
    return raw if metadata["name"] in created else {**raw, "metadata": {**metadata, "labels": ALLOWED}}


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The creation of one object before and after a step, and the object that already exists."""

    step: UpgradeStep
    proposal: Proposal
    before: DryRunResult
    after: DryRunResult
    existing: ExistingObject

    def findings(self) -> Iterator[UpgradeFinding]:
        """Yield the differences of new objects, and of an existing object after the step."""
        if self.before.unanswered or self.after.unanswered:
            return
        yield from self._new_objects()
        if self.existing.stored is None:
            return
        if self.existing.update_breaks and (self.before.reason or not self.after.reason):
            yield from self._rejected_updates()
        yield from self._unknown_fields()

    def _new_objects(self) -> Iterator[UpgradeFinding]:
        states = StateByChange(self.step, self._created_in if self._servers.simulated else None)
        if self.before.reason and self.after.reason:
            return
        if self.before.reason:
            for problem in self.before.problems():
                why = _unserved(self.before, self.step.before) or states.cause(_admitted)
                before = f"rejected: {problem.message}"
                yield self._finding(
                    problem.path, UpgradeSeverity.NOTE, Scope.NEW, before, "admitted", why, problem.line
                )
        elif self.after.reason:
            scope = Scope.ALL if self.existing.update_breaks else Scope.NEW
            for problem in self.after.problems():
                why = _unserved(self.after, self.step.after) or states.cause(_rejected)
                after = f"rejected: {problem.message}"
                yield self._finding(
                    problem.path, UpgradeSeverity.ERROR, scope, "admitted", after, why, problem.line
                )
        else:
            yield from self._changed_fields(states)

    def _rejected_updates(self) -> Iterator[UpgradeFinding]:
        """Yield the errors of writing the manifest again, such as a field that a new gate would now store."""
        updates = StateByChange(self.step, self.existing.updated if self._servers.simulated else None)
        why = updates.cause(_rejected)
        for problem in self.existing.update.problems():
            before, after = "update admitted", f"update rejected: {problem.message}"
            line = problem.line
            yield self._finding(problem.path, UpgradeSeverity.ERROR, Scope.EXISTING, before, after, why, line)

    def _changed_fields(self, states: StateByChange[DryRunResult]) -> Iterator[UpgradeFinding]:
        """Yield the fields of a new object that are stored differently."""
        for change in field_changes(self.before.stored, self.after.stored):
            path, stored = change.path, change.stored
            written = value_at(self.after.write.object, path) is not None
            if path[-1] == _TIME and not written:
                continue
            scope, severity = Scope.NEW, UpgradeSeverity.CHANGE
            before, after = shown(change.written), shown(stored)
            why: DifferenceCause | None = None
            if change.change is Change.DROPPED and written:
                severity, after = UpgradeSeverity.ERROR, "dropped"
                why = _cause_of_drop(self.after, path, self.step)
                if self.existing.loses(path):
                    continue  # The finding on the existing object names new objects too.
                if self.existing.has(path) and value_at(self.existing.update.stored, path) is None:
                    scope = Scope.ALL
            elif change.change is Change.ADDED and written:
                severity, before = UpgradeSeverity.NOTE, "dropped"
                why = _cause_of_drop(self.before, path, self.step)
            why = why or states.cause(partial(_stores, path, stored))
            line = self.after.line_of(path)
            yield self._finding(self.after.shown(path), severity, scope, before, after, why, line)

    def _unknown_fields(self) -> Iterator[UpgradeFinding]:
        """Yield the stored fields that the API types after the step do not have."""
        for change in field_changes(*self.existing.served):
            if change.change is not Change.DROPPED:
                continue
            if not self._servers.simulated and change.path[0] in _OF_COMPONENTS:
                continue
            release = self.step.after.release
            why = DifferenceCause(CauseKind.FIELD, str(change.path[-1]), f"is an unknown field in {release}")
            new = value_at(self.before.stored, change.path) is not None
            scope = Scope.ALL if new else Scope.EXISTING
            path, line = self.after.shown(change.path), self.after.line_of(change.path)
            yield self._finding(path, UpgradeSeverity.ERROR, scope, shown(change.written), "lost", why, line)

    def _created_in(self, profile: Profile) -> DryRunResult:
        writes = (self.before.write,)
        [result] = dry_run(replace(self.proposal, writes=writes), profile, self._servers.admission)
        return result

    @property
    def _servers(self) -> ReleaseServers:
        return self.existing.servers

    def _finding(
        self,
        path: str,
        severity: UpgradeSeverity,
        scope: Scope,
        before: str,
        after: str,
        why: DifferenceCause | None,
        line: int | None,
    ) -> UpgradeFinding:
        write = self.after.write
        name = f"{write.namespace}/{write.name}" if write.namespace else write.name
        kind = f"{write.manifest.kind} (pod template)" if write.within else write.kind
        causes = () if why is None else (why,)
        file = write.manifest.file
        return UpgradeFinding(
            self.step, severity, Aspect.STORED, scope, file, line, kind, name, path, before, after, causes
        )


def _rejected(result: DryRunResult) -> bool:
    return bool(result.reason)


def _admitted(result: DryRunResult) -> bool:
    return not result.reason


def _stores(path: Path, value: Json, result: DryRunResult) -> bool:
    return not result.reason and bool(value_at(result.stored, path) == value)


def _unserved(result: DryRunResult, profile: Profile) -> DifferenceCause | None:
    """Return the cause of the rejection of an API version that is not served."""
    if result.reason != "NotFound":
        return None
    version = result.write.api_version
    return DifferenceCause(CauseKind.VERSION, version, f"is not served by {profile.release}")


def _cause_of_drop(result: DryRunResult, path: Path, step: UpgradeStep) -> DifferenceCause | None:
    """Return the feature gate that drops a field in one of the releases, None if no gate drops it."""
    for change in result.changes:
        if change.path == path[: len(change.path)] or path == change.path[: len(path)]:
            differing = [g for g in change.gates if step.before.enabled(g) != step.after.enabled(g)]
            if differing:
                return gate_cause(differing[0], step.before, step.after)
            if change.reason:
                name = str(change.path[-1])
                return DifferenceCause(CauseKind.FIELD, name, change.reason)
    return None
