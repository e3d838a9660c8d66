"""Manifests decoded into the v1 structs of their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.manifest_files import Manifest, manifests_in, manifests_of, manifests_of_bytes
from dra_conform.kube.objects import KINDS, DecodeErrors, Problem, decode, described
from dra_conform.kube.versions import UnservedVersion, to_v1


@dataclass(frozen=True, slots=True)
class OtherObject:
    """An object of a kind that allocation does not use, as plain JSON."""

    raw: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoadedObject:
    """An object in v1, as a struct (`object`) and as plain JSON (`raw`), with its manifest."""

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


def load(paths: Sequence[str]) -> tuple[LoadedObject, ...]:
    """Return the objects of files and directories, in order; `-` is standard input. Raises InputErrors."""
    errors: list[InputError] = []
    return _loaded(manifests_in(paths, errors), errors)


def load_bytes(content: bytes, file: str) -> tuple[LoadedObject, ...]:
    """Return the objects of the content of a YAML or JSON file; raises InputErrors with all problems."""
    errors: list[InputError] = []
    return _loaded(manifests_of_bytes(content, file, errors), errors)


def loads(text: str, file: str = "<text>") -> tuple[LoadedObject, ...]:
    """Return the objects of a YAML or JSON string; raises InputErrors with all problems."""
    errors: list[InputError] = []
    return _loaded(manifests_of(text, file, errors), errors)


def _loaded(manifests: Iterable[Manifest], errors: list[InputError]) -> tuple[LoadedObject, ...]:
    loaded: list[LoadedObject] = []
    with without_garbage_collection():
        for manifest in manifests:
            _load_manifest(manifest, loaded, errors)
    if errors:
        raise InputErrors(errors)
    return tuple(loaded)


def _load_manifest(manifest: Manifest, loaded: list[LoadedObject], errors: list[InputError]) -> None:
    try:
        v1 = to_v1(manifest.written)
        known = (v1["apiVersion"], v1["kind"]) in KINDS
        if not known:
            _check_api_version(v1["apiVersion"], v1["kind"])
            _check_metadata(v1.get("metadata"))
        decoded = decode(v1) if known else OtherObject(v1)
    except UnservedVersion as error:
        errors.append(manifest.error(error.path, error.message))
    except DecodeErrors as error:
        errors += [manifest.error(problem.path, problem.message) for problem in error.problems]
    else:
        name = getattr(getattr(decoded, "metadata", None), "name", "-")
        generate_name = getattr(getattr(decoded, "metadata", None), "generate_name", "")
        if not name and not generate_name:
            errors.append(manifest.error(("metadata", "name"), "is empty, expected a name"))
            return
        loaded.append(LoadedObject(decoded, v1["apiVersion"], v1["kind"], v1, manifest))


def _check_metadata(metadata: Any) -> None:
    """Raise DecodeErrors unless the metadata of an object of an unknown kind is a map or missing."""
    if metadata is not None and not isinstance(metadata, dict):
        raise DecodeErrors((Problem(("metadata",), f"is {described(metadata)}, expected a map"),))


def _check_api_version(api_version: str, kind: str) -> None:
    """Raise UnservedVersion for a known kind with the apiVersion of another built-in API group.

    Such an object is a mistake and must not be ignored. Groups with a dot belong to custom resources.
    """
    if "." in api_version:
        return
    for known_version, known_kind in KINDS:
        if kind == known_kind:
            raise UnservedVersion(("apiVersion",), f"{api_version} has no {kind}, expected {known_version}")
