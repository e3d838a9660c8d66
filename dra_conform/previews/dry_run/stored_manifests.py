"""Manifests as an API server stores them, for commands that use the stored objects."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dra_conform.apiserver.kinds import STRATEGIES, versions_served
from dra_conform.apiserver.metadata import DELETION
from dra_conform.kube.codec import plain
from dra_conform.kube.core import Pod, PodSpec
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject, OtherObject
from dra_conform.kube.objects import DecodeErrors, decode, encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches
from dra_conform.kube.switches.features import FeatureSwitches
from dra_conform.kube.versions import from_v1, to_v1
from dra_conform.previews.dry_run.dry_run_result import DryRunResult
from dra_conform.previews.dry_run.execution import dry_run
from dra_conform.previews.dry_run.explanations import is_unknown
from dra_conform.previews.dry_run.proposed_writes import Proposal, ProposedWrite, namespace, pod_in
from dra_conform.previews.progress import Progress, no_progress
from dra_conform.simulation.known_fields import known_to

_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class StoredManifests:
    """The stored objects; `gates` are the disabled gates for which fields were dropped.

    `unserved` has the kinds in API versions that the release does not serve, by these versions and those in
    which the objects are read.
    `unknown` names the dropped fields that the release does not have, with their kind and without indices.
    `rejections` has the problems of the objects that the API server rejects, which are not in `objects`.
    """

    objects: tuple[LoadedObject, ...]
    gates: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    unserved: Mapping[tuple[str, str], Collection[str]] = field(default_factory=dict)
    rejections: tuple[InputError, ...] = ()

    def notes(self, profile: Profile) -> Iterator[str]:
        """Yield notes for users about dropped fields and about DeviceTaintRules without effect."""
        if self.gates:
            yield (
                f"note: fields are dropped because {profile.why_off(self.gates)} "
                "(dra-conform admit lists the fields)"
            )
        for (written, read), kinds in sorted(self.unserved.items()):
            yield (
                f"note: {profile.name} does not serve {written}, so these kinds are read as {read}: "
                f"{', '.join(sorted(kinds))}"
            )
        if self.unknown:
            yield (
                f"note: {profile.name} does not have these fields, so they are dropped: "
                f"{', '.join(self.unknown)}"
            )
        rules = any(item.kind == "DeviceTaintRule" for item in self.objects)
        if rules and not FeatureSwitches.of(profile).device_taint_rules:
            gate = "DRADeviceTaintRules" if profile.enabled("DRADeviceTaints") else "DRADeviceTaints"
            yield f"note: DeviceTaintRules have no effect, because {profile.why_off([gate])}"


def as_stored(
    loaded: Sequence[LoadedObject], profile: Profile, progress: Progress = no_progress
) -> StoredManifests:
    """Return the objects as the API server of a profile stores them; raise InputErrors with all rejections.

    See `stored_in`.
    """
    stored = stored_in(loaded, profile, progress)
    if stored.rejections:
        raise InputErrors(stored.rejections)
    return stored


def stored_in(
    loaded: Sequence[LoadedObject], profile: Profile, progress: Progress = no_progress
) -> StoredManifests:
    """Return the objects that the API server of a profile admits, as it stores them.

    Each object is written in the newest API version that the release serves. Every namespace allows admin
    access. A written status and deletionTimestamp are kept, since they describe an existing object.
    Workloads are kept unchanged if their pods are admitted. Raises InputErrors for a status with an empty
    required field.
    """
    writes = [_write(item, profile) for item in loaded]
    proposed = tuple(write for write in writes if write is not None)
    names = sorted({write.namespace for write in proposed if write.namespace})
    labels = {str(ApiServerSwitches.of(profile).admin_label): "true"}
    proposal = Proposal(proposed, tuple(namespace(name, labels) for name in names), {})
    results = []
    for result in dry_run(proposal, profile):
        results.append(result)
        progress("checking manifests", len(results), len(proposed))
    remaining = iter(results)
    objects = [
        item if write is None else _stored(item, next(remaining))
        for item, write in zip(loaded, writes, strict=True)
    ]
    off = {gate for result in results for change in result.changes for gate in change.gates}
    empty = [problem for item in objects if item is not None for problem in _empty_fields(item, profile)]
    if empty:
        raise InputErrors(empty)
    unknown = {
        f"{result.write.kind} {_INDEX.sub('', result.shown(change.path))}"
        for result in results
        for change in result.changes
        if is_unknown(change)
    }
    return StoredManifests(
        tuple(item for item in objects if item is not None),
        tuple(sorted(off)),
        tuple(sorted(unknown)),
        _unserved(loaded, profile),
        tuple(problem for result in results for problem in result.problems()),
    )


def _unserved(loaded: Iterable[LoadedObject], profile: Profile) -> dict[tuple[str, str], set[str]]:
    """Return the kinds in API versions that the release does not serve, by these and by the versions read."""
    unserved: dict[tuple[str, str], set[str]] = {}
    for item in loaded:
        versions = () if isinstance(item.object, OtherObject) else versions_served(item.kind, profile)
        written = str(item.manifest.api_version)
        if versions and written not in versions:
            unserved.setdefault((written, versions[0]), set()).add(item.kind)
    return unserved


def stored_pod_spec(pod: Pod, item: LoadedObject, profile: Profile) -> PodSpec:
    """Return the spec of a pod of a workload as the API server stores it, with defaults; raise InputErrors.

    `item` is the workload.
    """
    written: dict[str, Json] = {"apiVersion": "v1", "kind": "Pod", **encode(pod)}
    (result,) = dry_run(Proposal((ProposedWrite(item.manifest, written),), (), {}), profile)
    if result.stored is None:
        raise InputErrors(result.problems())
    stored: Pod = decode(dict(result.stored))
    return stored.spec


def _write(item: LoadedObject, profile: Profile) -> ProposedWrite | None:
    """Return the write of a manifest, None for a kind that the API server does not validate."""
    pod = pod_in(item.manifest)
    if pod is not None:
        return ProposedWrite(item.manifest, plain(pod.object), within=pod.within)
    versions = () if isinstance(item.object, OtherObject) else versions_served(item.kind, profile)
    return ProposedWrite(item.manifest, from_v1(plain(item.raw), versions[0])) if versions else None


def _stored(item: LoadedObject, result: DryRunResult) -> LoadedObject | None:
    if result.stored is None:
        return None
    if result.write.within:
        return item
    status = {"status": item.raw["status"]} if "status" in item.raw else {}
    stored = to_v1(dict(result.stored))
    deletion = {name: value for name, value in item.raw["metadata"].items() if name in DELETION}
    v1 = {**stored, "metadata": {**stored["metadata"], **deletion}, **status}
    return replace(item, raw=v1, object=decode(v1))


def _empty_fields(item: LoadedObject, profile: Profile) -> Iterator[InputError]:
    """Yield the required fields of the status that are empty, which an API server does not store.

    The status of an existing object is not validated, and API types read an empty string as a missing field.
    """
    if not _has_empty_string(item.raw.get("status")) or item.kind not in STRATEGIES:
        return
    try:
        decode(known_to(item.raw, profile))
    except DecodeErrors as error:
        for problem in error.problems:
            yield item.manifest.error(problem.path, problem.message.replace("is missing", "is empty"))


def _has_empty_string(value: Json) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_empty_string, value.values()))
    if isinstance(value, list):
        return any(map(_has_empty_string, value))
    return bool(value == "")
