"""The reasons why fields of a written object are not stored or cannot be decoded, such as a gate that is
off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dra_conform.apiserver import (
    claim_status,
    device_class,
    pod_spec,
    pod_status,
    resource_claim,
    resource_claim_template,
    resource_slice,
)
from dra_conform.apiserver.gated_fields import GatedField
from dra_conform.apiserver.kinds import versions_served
from dra_conform.kube.errors import ErrorType
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import KINDS, DecodeErrors, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import SERVED, UnservedVersion, to_v1
from dra_conform.kube.yaml import Path, written
from dra_conform.previews.dry_run.proposed_writes import ProposedWrite
from dra_conform.previews.dry_run.written_fields import Change, FieldChange, place_of, value_at

_GATED: Mapping[str, Sequence[GatedField]] = {
    "DeviceClass": device_class.GATED,
    "Pod": (*pod_spec.GATED, *pod_status.GATED),
    "ResourceClaim": (*resource_claim.SPEC_GATED, *claim_status.GATED),
    "ResourceClaimTemplate": resource_claim_template.SPEC_GATED,
    "ResourceSlice": resource_slice.GATED,
}


def _disabled_fields(written: Mapping[str, Json], profile: Profile) -> dict[Path, tuple[str, ...]]:
    """Return the fields that are dropped from a new object, by path, with the gates that are off."""
    disabled: dict[Path, tuple[str, ...]] = {}
    for field in _GATED.get(written["kind"], ()):
        off = tuple(gate for gate in field.gates if not profile.enabled(gate))
        if off and field.dropped_by(profile):
            steps = _steps(field, written["apiVersion"])
            disabled |= dict.fromkeys(_paths(written, steps, ()), off)
    return disabled


def _steps(field: GatedField, api_version: str) -> tuple[str, ...]:
    """Return the path elements of the field in an API version."""
    path = field.path
    if api_version.endswith("/v1beta1"):
        path = path.replace("spec.devices.*.", "spec.devices.*.basic.").replace(".exactly.", ".")
    return tuple(path.split("."))


def _paths(value: Json, steps: Sequence[str], place: Path) -> Iterator[Path]:
    if not steps:
        if value is not None:
            yield place
        return
    step, *rest = steps
    if step == "*":
        for key, item in _items(value):
            yield from _paths(item, rest, (*place, key))
    elif isinstance(value, Mapping) and step in value:
        yield from _paths(value[step], rest, (*place, step))


def _items(value: Json) -> Iterable[tuple[str | int, Json]]:
    if isinstance(value, Mapping):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


_STATUS = "is only written with --subresource status"
_NOT_STATUS = "is not written with --subresource status"
_STORED = "keeps the value of the stored object"
_UNKNOWN = "is an unknown field"


def explained(
    changes: Iterable[FieldChange], write: ProposedWrite, unknown: Iterable[Path], profile: Profile
) -> Iterator[FieldChange]:
    """Yield the changes with their gates and reasons; `unknown` are the fields unknown to the server."""
    no_fields = dict.fromkeys(unknown, f"{_UNKNOWN} in {profile.name}")
    if no_fields:
        no_fields |= unknown_fields(write)
    changes = list(changes)
    dropped = any(change.change is Change.DROPPED for change in changes)
    off = _disabled_fields(write.object, profile) if dropped else {}
    for change in changes:
        if change.change is not Change.DROPPED:
            is_old = change.stored is not None and value_at(write.old, change.path) == change.stored
            yield replace(change, reason=_STORED) if is_old else change
        elif change.path in no_fields:
            yield replace(change, reason=no_fields[change.path])
        elif gates := next((off[path] for path in _with_parents(change.path) if path in off), ()):
            yield replace(change, gates=gates)
        elif change.path[0] == "status" and not write.subresource:
            yield replace(change, reason=_STATUS)
        elif change.path[0] != "status" and write.subresource:
            yield replace(change, reason=_NOT_STATUS)
        else:
            yield change


def lost_before_validation(write: ProposedWrite, profile: Profile) -> Iterator[FieldChange]:
    """Yield the fields of a rejected object that were dropped before validation.

    They are unknown fields and fields of disabled gates, except gates whose feature the stored object uses.
    """
    for path, reason in unknown_fields(write).items():
        yield FieldChange(Change.DROPPED, path, value_at(write.object, path), reason=reason)
    in_use = set() if write.old is None else set(_disabled_fields(write.old, profile).values())
    for path, gates in _disabled_fields(write.object, profile).items():
        if (path[0] == "status") == bool(write.subresource) and gates not in in_use:
            yield FieldChange(Change.DROPPED, path, value_at(write.object, path), gates=gates)


def explanations(write: ProposedWrite, reason: str, profile: Profile) -> Iterator[tuple[Path, str, str]]:
    """Yield path, error type and detail of the fields that explain a rejection without field errors."""
    if reason == "NotFound":
        versions = versions_served(write.kind, profile)
        problem = f"{write.kind} in {write.api_version} is not served by {profile.name}"
        if not versions:
            yield ("kind",), ErrorType.NOT_FOUND, f"{problem}, expected one of {', '.join(SERVED)}"
        elif write.api_version not in versions:
            yield ("apiVersion",), ErrorType.NOT_FOUND, f"{problem}, expected {' or '.join(versions)}"
        else:
            yield from ((("apiVersion",), ErrorType.NOT_FOUND, text) for text in off_by_default(write))
    elif reason == "BadRequest":
        for place, message in _undecodable(write):
            if not message.startswith(_UNKNOWN):
                yield place, ErrorType.TYPE_INVALID, message


def off_by_default(write: ProposedWrite) -> Iterator[str]:
    """Yield a warning if the API version is alpha or beta, which API servers do not serve by default."""
    if re.search("alpha|beta", write.api_version):
        switch = f"--runtime-config={write.api_version}=true"
        yield f"{write.api_version} is off by default, the API server needs {switch}"


def version_conflicts(write: ProposedWrite) -> Iterator[str]:
    """Yield a warning if an API server rejects the write because of its `metadata.resourceVersion`."""
    version, stored = (
        value_at(raw, ("metadata", "resourceVersion"))
        for raw in (write.manifest.written if write.within else write.object, write.old or {})
    )
    if write.old is None and version not in (None, "", "0"):
        yield (
            f"metadata.resourceVersion is {version}, so a cluster rejects the create: "
            "resourceVersion should not be set on objects to be created"
        )
    elif version and stored and version != stored:
        yield (
            f"metadata.resourceVersion is {version}, and {stored} in the stored object, so a cluster rejects "
            "the update: 409 Conflict, the object has been modified"
        )


def is_unknown(change: FieldChange) -> bool:
    """Whether a field was dropped because the API server does not know it."""
    return change.change is Change.DROPPED and change.reason.startswith(_UNKNOWN)


def unknown_fields(write: ProposedWrite) -> dict[Path, str]:
    """Return the fields that no release knows, each with a message that suggests the intended field."""
    return {place: message for place, message in _undecodable(write) if message.startswith(_UNKNOWN)}


def _undecodable(write: ProposedWrite) -> Iterator[tuple[Path, str]]:
    """Yield the fields that cannot be decoded as v1, which has the fields of all versions."""
    try:
        v1 = to_v1(dict(write.object))
        if (v1["apiVersion"], v1["kind"]) in KINDS:
            decode(v1)
    except DecodeErrors as error:
        for problem in error.problems:
            place = place_of(written(problem.path), write.object)
            yield place, problem.message
    except UnservedVersion:
        return


def _with_parents(path: Path) -> Iterator[Path]:
    return (path[:length] for length in range(len(path), 0, -1))
