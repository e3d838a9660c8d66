"""Manifests as the structs of their kinds, in v1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.garbage import without_collection
from dra_conform.kube.manifest_files import Manifest, manifests_in, manifests_of
from dra_conform.kube.objects import KINDS, DecodeErrors, decode
from dra_conform.kube.versions import ConversionRefused, to_v1


@dataclass(frozen=True, slots=True)
class OtherObject:
    """An object of a kind that takes no part in allocation."""

    raw: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Loaded:
    """One object with its v1 form as struct and as plain value, and the manifest it comes from."""

    object: Any
    api_version: str
    kind: str
    raw: dict[str, Any]
    manifest: Manifest

    @property
    def file(self) -> str:
        return self.manifest.file

    @property
    def line(self) -> int:
        return self.manifest.line


def load(paths: Sequence[str]) -> tuple[Loaded, ...]:
    """The objects of files and directories (`-` is standard input), in order; raises InputErrors."""
    errors: list[InputError] = []
    return _loaded(manifests_in(paths, errors), errors)


def loads(text: str, file: str = "<text>") -> tuple[Loaded, ...]:
    """The objects of a text; raises InputErrors with all problems."""
    errors: list[InputError] = []
    return _loaded(manifests_of(text, file, errors), errors)


def _loaded(manifests: Iterable[Manifest], errors: list[InputError]) -> tuple[Loaded, ...]:
    loaded: list[Loaded] = []
    with without_collection():
        for manifest in manifests:
            _take(manifest, loaded, errors)
    if errors:
        raise InputErrors(errors)
    return tuple(loaded)


def _take(manifest: Manifest, loaded: list[Loaded], errors: list[InputError]) -> None:
    try:
        v1 = to_v1(manifest.written)
        known = (v1["apiVersion"], v1["kind"]) in KINDS
        if not known:
            _refuse_misplaced(v1["apiVersion"], v1["kind"])
        built = decode(v1) if known else OtherObject(v1)
    except ConversionRefused as error:
        errors.append(manifest.error(error.path, error.message))
    except DecodeErrors as error:
        errors += [manifest.error(one.path, one.message) for one in error.problems]
    else:
        name = getattr(getattr(built, "metadata", None), "name", "-")
        generated = getattr(getattr(built, "metadata", None), "generate_name", "")
        if not name and not generated:
            errors.append(manifest.error(("metadata", "name"), "is empty, expected a name"))
            return
        loaded.append(Loaded(built, v1["apiVersion"], v1["kind"], v1, manifest))


def _refuse_misplaced(api_version: str, kind: str) -> None:
    """A kind of ours under another version of Kubernetes itself is a slip, not an object to pass over."""
    if "." in api_version:
        return
    for known_version, known_kind in KINDS:
        if kind == known_kind:
            raise ConversionRefused(("apiVersion",), f"{api_version} has no {kind}, expected {known_version}")
