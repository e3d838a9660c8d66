"""Checks of manifests that a driver publishes, as an API server of a profile stores them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dra_conform.kube.listing import counted
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceClass, ResourceSlice
from dra_conform.kube.switches.allocation import PoolSwitches
from dra_conform.kube.versions import to_v1
from dra_conform.kube.yaml import Path
from dra_conform.previews.dry_run.dry_run_result import DryRunResult
from dra_conform.previews.dry_run.execution import dry_run
from dra_conform.previews.dry_run.proposed_writes import propose
from dra_conform.previews.dry_run.written_fields import Change
from dra_conform.previews.slice_lint.devices import check_classes, check_devices
from dra_conform.previews.slice_lint.pools import check_counters, check_groups, check_pool
from dra_conform.previews.slice_lint.published import LintFinding, LintSeverity, PublishedManifests


@dataclass(frozen=True, slots=True)
class LintResult:
    """The findings in order of file and line, and how many pools, devices and DeviceClasses were checked."""

    findings: tuple[LintFinding, ...]
    pools: int
    devices: int
    classes: int

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(finding.severity is LintSeverity.ERROR for finding in self.findings)


def lint(loaded: Sequence[LoadedObject], profile: Profile) -> LintResult:
    """Check the ResourceSlices and DeviceClasses of manifests; other kinds are ignored.

    Each object is first written to the API server of the profile. What it stores is checked further; a
    rejected object is checked as written, so that the other ResourceSlices of its pool are not blamed.
    """
    relevant = [item for item in loaded if isinstance(item.object, ResourceSlice | DeviceClass)]
    results = dry_run(propose([item.manifest for item in relevant]), profile)
    findings = [*_repeated_names(relevant)]
    stored: list[LoadedObject] = []
    for item, result in zip(relevant, results, strict=True):
        findings += _admission(result)
        stored.append(_stored(item, result))
    published = PublishedManifests.of(stored)
    switches = PoolSwitches.of(profile)
    for pool in published.pools:
        findings += check_pool(pool, switches)
        findings += check_counters(pool)
        findings += check_groups(pool)
    findings += check_devices(published.pools)
    findings += check_classes(published, profile)
    return LintResult(
        tuple(sorted(findings, key=lambda found: (found.place.file, found.place.line or 0))),
        len(published.pools),
        sum(1 for pool in published.pools for _ in pool.devices()),
        len(published.classes),
    )


def _repeated_names(items: Sequence[LoadedObject]) -> Iterator[LintFinding]:
    """Yield the objects whose kind and name an earlier object has; `generateName` gives each its own."""
    first: dict[tuple[str, str], LoadedObject] = {}
    for item in items:
        name = item.object.metadata.name
        earlier = first.setdefault((item.kind, name), item)
        if name and earlier is not item:
            place = item.manifest.error(
                ("metadata", "name"),
                f"{item.kind} {name} is also in {earlier.file}:{earlier.line}, and an API server stores one "
                "of them, expected another name",
            )
            requirement = "DRIVER/slices/published" if item.kind == "ResourceSlice" else ""
            yield LintFinding(LintSeverity.ERROR, requirement, place)


def _admission(result: DryRunResult) -> Iterator[LintFinding]:
    """Yield what the API server rejects or drops; the requirements of drivers are about ResourceSlices."""
    of_slice = result.write.kind == "ResourceSlice"
    for problem in result.problems():
        yield LintFinding(LintSeverity.ERROR, "DRIVER/slices/published" if of_slice else "", problem)
    dropped: dict[tuple[str | int, str], list[Path]] = {}
    for change in result.changes:
        if change.change is Change.DROPPED:
            why = (
                f"{' and '.join(change.gates)} is off" if change.gates else change.reason.removeprefix("is ")
            )
            dropped.setdefault((change.path[-1], why), []).append(change.path)
    for (_, why), paths in dropped.items():
        more = f", like in {counted(len(paths) - 1, 'other place')}" if len(paths) > 1 else ""
        message = f"is dropped by the API server{f' ({why})' if why else ''}{more}"
        place = result.write.manifest.error(paths[0], message)
        requirement = "DRIVER/slices/dropped-fields" if of_slice else ""
        yield LintFinding(LintSeverity.ADVICE, requirement, place)


def _stored(item: LoadedObject, result: DryRunResult) -> LoadedObject:
    """Return the object as stored, with the metadata that only a stored object can have."""
    if result.stored is None:
        return item
    v1 = to_v1(dict(result.stored))
    v1["metadata"] = item.raw["metadata"]
    return replace(item, raw=v1, object=decode(v1))
