"""Manifest files as objects: YAML or JSON, many documents, lists."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.input_files import MAX_BYTES, read_input
from dra_conform.kube.yaml import Document, Path, parse_yaml

SUFFIXES = (".yaml", ".yml", ".json")

_RENDERED = "expected manifests, such as helm template CHART prints"


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object as it is written, with at least apiVersion and kind, and where it stands."""

    written: dict[str, Any]
    document: Document = field(repr=False, compare=False)
    path: Path = ()
    """Where in the document it stands: () or an entry of a list."""

    @property
    def api_version(self) -> str:
        return str(self.written["apiVersion"])

    @property
    def kind(self) -> str:
        return str(self.written["kind"])

    @property
    def file(self) -> str:
        return self.document.file

    @property
    def line(self) -> int:
        return self.document.line_of(self.path)

    def error(self, path: Path, message: str) -> InputError:
        """An error at a place of the object."""
        return self.document.error((*self.path, *path), message)


def read(paths: Sequence[str]) -> tuple[Manifest, ...]:
    """The objects of files and directories, as `manifests_in` has them; raises InputErrors."""
    errors: list[InputError] = []
    found = tuple(manifests_in(paths, errors))
    if errors:
        raise InputErrors(errors)
    return found


def manifests_in(paths: Sequence[str], errors: list[InputError]) -> Iterator[Manifest]:
    """The objects of files and directories (`-` is standard input), in order; problems are added to `errors`.

    Of a directory all files with a manifest's suffix are read, by name, those of its folders too.
    """
    for path in paths:
        for name, text in _texts(path, errors):
            yield from manifests_of(text, name, errors)


def manifests_of(text: str, file: str, errors: list[InputError]) -> Iterator[Manifest]:
    """The objects of a text; problems are added to `errors`."""
    try:
        documents = parse_yaml(text, file)
    except InputError as error:
        errors.append(_of_helm(text, file) or error)
        return
    for document in documents:
        yield from _objects(document, (), document.value, errors)


def _texts(path: str, errors: list[InputError]) -> Iterator[tuple[str, str]]:
    if path == "-":
        yield from _decoded("<stdin>", sys.stdin.buffer.read(MAX_BYTES + 1), errors)
        return
    for one in _files(FilePath(path), errors):
        try:
            content = read_input(one)
        except OSError as error:
            errors.append(InputError(str(one), None, "", f"cannot be read: {error.strerror}"))
            continue
        yield from _decoded(str(one), content, errors)


def _files(place: FilePath, errors: list[InputError]) -> Sequence[FilePath]:
    if not place.is_dir():
        return [place]
    files = sorted(one for one in place.rglob("*") if one.suffix in SUFFIXES and not one.is_dir())
    odd = [one for one in files if one.exists() and not one.is_file()]
    if odd:
        errors += [InputError(str(one), None, "", "is no regular file, expected one") for one in odd]
        files = [one for one in files if one not in odd]
    charts = [one.parent for one in files if one.name == "Chart.yaml"]
    if charts:
        errors += [InputError(str(chart), None, "", f"is a Helm chart, {_RENDERED}") for chart in charts]
        return []
    if not files:
        expected = f"expected {', '.join(SUFFIXES)} files"
        errors.append(InputError(str(place), None, "", f"holds no manifest, {expected}"))
    return files


def _decoded(name: str, content: bytes, errors: list[InputError]) -> Iterator[tuple[str, str]]:
    if len(content) > MAX_BYTES:
        errors.append(InputError(name, None, "", f"is larger than {MAX_BYTES >> 20} MiB, expected less"))
        return
    try:
        yield name, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        errors.append(InputError(name, line, "", "is not UTF-8, expected UTF-8 text"))


def _of_helm(text: str, file: str) -> InputError | None:
    """The error of a file of a chart that is given as it is, before helm has filled it in."""
    for number, line in enumerate(text.splitlines(), 1):
        if "{{" in line:
            return InputError(file, number, "", f"is a Helm template ({line.strip()[:60]}), {_RENDERED}")
    return None


def _is_of_helm(raw: dict[str, Any]) -> bool:
    """Whether the name is left to helm, in quotes, so that the file can be read all the same."""
    metadata = raw.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else ""
    return isinstance(name, str) and "{{" in name


def _objects(document: Document, path: Path, raw: Any, errors: list[InputError]) -> Iterator[Manifest]:
    if not isinstance(raw, dict):
        errors.append(document.error(path, "is not an object, expected a map with apiVersion and kind"))
        return
    missing = [name for name in ("apiVersion", "kind") if not isinstance(raw.get(name), str)]
    if missing:
        errors.append(
            document.error(path, f"has no {' and no '.join(missing)}, expected a Kubernetes object")
        )
    elif _is_of_helm(raw):
        errors.append(document.error((*path, "metadata", "name"), f"is of a Helm template, {_RENDERED}"))
    elif raw["kind"].endswith("List") and isinstance(raw.get("items"), list):
        for index, item in enumerate(raw["items"]):
            yield from _objects(document, (*path, "items", index), item, errors)
    else:
        yield Manifest(raw, document, path)
