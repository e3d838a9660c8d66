"""The reasons why fields of a written object are not stored, or do not decode."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from dra_conform.controlplane.apiserver.served import versions_served
from dra_conform.controlplane.dry_run.field_changes import Change, FieldChange
from dra_conform.controlplane.dry_run.places import place_of, value_at
from dra_conform.controlplane.dry_run.proposed_writes import ProposedWrite
from dra_conform.controlplane.dry_run.switched_off import switched_off
from dra_conform.kube.field_error import ErrorType
from dra_conform.kube.objects import KINDS, DecodeErrors, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import SERVED, ConversionRefused, to_v1
from dra_conform.kube.yaml import Path, written

Json = Any

_STATUS = "is written apart from the rest (--subresource status)"
_ALL_BUT_STATUS = "is not written with the status"
_STORED = "as it is stored already"
_UNKNOWN = "is an unknown field"


def explained(
    changes: Iterable[FieldChange], write: ProposedWrite, unknown: Iterable[Path], profile: Profile
) -> Iterator[FieldChange]:
    """Changes with their gates and reasons; `unknown` are the fields that the server does not know."""
    no_fields = dict.fromkeys(unknown, f"{_UNKNOWN} in {profile.name}")
    if no_fields:
        no_fields |= unknown_fields(write)
    changes = list(changes)
    dropped = any(one.change is Change.DROPPED for one in changes)
    off = switched_off(write.object, profile) if dropped else {}
    for one in changes:
        if one.change is not Change.DROPPED:
            old = one.stored is not None and value_at(write.old, one.path) == one.stored
            yield replace(one, reason=_STORED) if old else one
        elif one.path in no_fields:
            yield replace(one, reason=no_fields[one.path])
        elif gates := next((off[path] for path in _upwards(one.path) if path in off), ()):
            yield replace(one, gates=gates)
        elif one.path[0] == "status" and not write.subresource:
            yield replace(one, reason=_STATUS)
        elif one.path[0] != "status" and write.subresource:
            yield replace(one, reason=_ALL_BUT_STATUS)
        else:
            yield one


def lost_before_validation(write: ProposedWrite, profile: Profile) -> Iterator[FieldChange]:
    """What of a refused object was not looked at: unknown fields, and those behind gates that are off.

    A gate whose feature the stored object uses drops nothing.
    """
    for path, reason in unknown_fields(write).items():
        yield FieldChange(Change.DROPPED, path, value_at(write.object, path), reason=reason)
    in_use = set() if write.old is None else set(switched_off(write.old, profile).values())
    for path, gates in switched_off(write.object, profile).items():
        if (path[0] == "status") == bool(write.subresource) and gates not in in_use:
            yield FieldChange(Change.DROPPED, path, value_at(write.object, path), gates=gates)


def explanations(write: ProposedWrite, reason: str, profile: Profile) -> Iterator[tuple[Path, str, str]]:
    """The fields that explain a refusal without field errors: place, type and detail of each."""
    if reason == "NotFound":
        versions = versions_served(write.kind, profile)
        what = f"{write.kind} in {write.api_version} is not served by {profile.name}"
        if not versions:
            yield ("kind",), ErrorType.NOT_FOUND, f"{what}, expected one of {', '.join(SERVED)}"
        elif write.api_version not in versions:
            yield ("apiVersion",), ErrorType.NOT_FOUND, f"{what}, expected {' or '.join(versions)}"
        else:
            yield from ((("apiVersion",), ErrorType.NOT_FOUND, text) for text in off_by_default(write))
    elif reason == "BadRequest":
        for place, message in _misshapen(write):
            if not message.startswith(_UNKNOWN):
                yield place, ErrorType.TYPE_INVALID, message


def off_by_default(write: ProposedWrite) -> Iterator[str]:
    """That an API server serves a version only if it is told to, as all that are not stable."""
    if re.search("alpha|beta", write.api_version):
        switch = f"--runtime-config={write.api_version}=true"
        yield f"{write.api_version} is off by default, the API server needs {switch}"


def unknown_fields(write: ProposedWrite) -> dict[Path, str]:
    """The fields that no release knows, each with what was probably meant."""
    return {place: message for place, message in _misshapen(write) if message.startswith(_UNKNOWN)}


def _misshapen(write: ProposedWrite) -> Iterator[tuple[Path, str]]:
    """Where the object does not have the shape of its kind in v1, which has all fields there are."""
    try:
        v1 = to_v1(dict(write.object))
        if (v1["apiVersion"], v1["kind"]) in KINDS:
            decode(v1)
    except DecodeErrors as error:
        for one in error.problems:
            place = place_of(written(one.path), write.object)
            yield place, one.message
    except ConversionRefused:
        return


def _upwards(path: Path) -> Iterator[Path]:
    return (path[:length] for length in range(len(path), 0, -1))
