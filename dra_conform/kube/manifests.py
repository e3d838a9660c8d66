"""Reading manifests: files, directories, standard input; YAML or JSON; many documents and lists."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.objects import KINDS, DecodeErrors, decode
from dra_conform.kube.versions import ConversionRefused, to_v1
from dra_conform.kube.yaml import Document, Path, parse_yaml, without_collection

SUFFIXES = (".yaml", ".yml", ".json")
MAX_BYTES = 256 * 2**20


@dataclass(frozen=True, slots=True)
class OtherObject:
    """An object of a kind that takes no part in allocation."""

    raw: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Loaded:
    """One object with its v1 form as struct and as plain value, and where it stands."""

    object: Any
    api_version: str
    kind: str
    raw: dict[str, Any]
    document: Document = field(repr=False, compare=False)
    path: Path = ()
    """Where in the document it stands: () or an entry of a list."""

    @property
    def file(self) -> str:
        return self.document.file

    @property
    def line(self) -> int:
        return self.document.line_of(self.path)


def load(paths: Sequence[str]) -> tuple[Loaded, ...]:
    """The objects of files and directories (`-` is standard input), in order; raises InputErrors.

    Of a directory all files with a manifest's suffix are read, by name, those of its folders too.
    """
    loaded: list[Loaded] = []
    errors: list[InputError] = []
    for path in paths:
        for name, text in _texts(path, errors):
            _take(text, name, loaded, errors)
    if errors:
        raise InputErrors(errors)
    return tuple(loaded)


def loads(text: str, file: str = "<text>") -> tuple[Loaded, ...]:
    """The objects of a text; raises InputErrors with all problems."""
    loaded: list[Loaded] = []
    errors: list[InputError] = []
    _take(text, file, loaded, errors)
    if errors:
        raise InputErrors(errors)
    return tuple(loaded)


def _texts(path: str, errors: list[InputError]) -> Iterator[tuple[str, str]]:
    if path == "-":
        yield from _decoded("<stdin>", sys.stdin.buffer.read(MAX_BYTES + 1), errors)
        return
    place = FilePath(path)
    files = (
        sorted(one for one in place.rglob("*") if one.suffix in SUFFIXES and one.is_file())
        if place.is_dir()
        else [place]
    )
    if not files:
        errors.append(InputError(path, None, "", f"holds no manifest, expected {', '.join(SUFFIXES)} files"))
    for one in files:
        try:
            with one.open("rb") as stream:
                content = stream.read(MAX_BYTES + 1)
        except OSError as error:
            errors.append(InputError(str(one), None, "", f"cannot be read: {error.strerror}"))
            continue
        yield from _decoded(str(one), content, errors)


def _decoded(name: str, content: bytes, errors: list[InputError]) -> Iterator[tuple[str, str]]:
    if len(content) > MAX_BYTES:
        errors.append(InputError(name, None, "", f"is larger than {MAX_BYTES >> 20} MiB, expected less"))
        return
    try:
        yield name, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        errors.append(InputError(name, line, "", "is not UTF-8, expected UTF-8 text"))


def _take(text: str, file: str, loaded: list[Loaded], errors: list[InputError]) -> None:
    try:
        documents = parse_yaml(text, file)
    except InputError as error:
        errors.append(error)
        return
    with without_collection():
        for document in documents:
            _take_object(document, (), document.value, loaded, errors)


def _take_object(
    document: Document, path: Path, raw: Any, loaded: list[Loaded], errors: list[InputError]
) -> None:
    if not isinstance(raw, dict):
        errors.append(document.error(path, "is not an object, expected a map with apiVersion and kind"))
        return
    missing = [name for name in ("apiVersion", "kind") if not isinstance(raw.get(name), str)]
    if missing:
        errors.append(
            document.error(path, f"has no {' and no '.join(missing)}, expected a Kubernetes object")
        )
        return
    if raw["kind"].endswith("List") and isinstance(raw.get("items"), list):
        for index, item in enumerate(raw["items"]):
            _take_object(document, (*path, "items", index), item, loaded, errors)
        return
    try:
        v1 = to_v1(raw)
        known = (v1["apiVersion"], v1["kind"]) in KINDS
        if not known:
            _refuse_misplaced(v1["apiVersion"], v1["kind"])
        built = decode(v1) if known else OtherObject(v1)
    except ConversionRefused as error:
        errors.append(document.error((*path, *error.path), error.message))
    except DecodeErrors as error:
        errors += [document.error((*path, *one.path), one.message) for one in error.problems]
    else:
        name = getattr(getattr(built, "metadata", None), "name", "-")
        generated = getattr(getattr(built, "metadata", None), "generate_name", "")
        if not name and not generated:
            errors.append(document.error((*path, "metadata", "name"), "is empty, expected a name"))
            return
        loaded.append(Loaded(built, v1["apiVersion"], v1["kind"], v1, document, path))


def _refuse_misplaced(api_version: str, kind: str) -> None:
    """A kind of ours under another version of Kubernetes itself is a slip, not an object to pass over."""
    if "." in api_version:
        return
    for known_version, known_kind in KINDS:
        if kind == known_kind:
            raise ConversionRefused(("apiVersion",), f"{api_version} has no {kind}, expected {known_version}")
