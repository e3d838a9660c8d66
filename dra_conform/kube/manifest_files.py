"""Reading of manifest files: YAML or JSON, with several documents and `List` objects."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.input_files import MAX_BYTES, read_input
from dra_conform.kube.objects import described
from dra_conform.kube.yaml import Document, Path, parse_yaml

SUFFIXES = (".yaml", ".yml", ".json")

_EXPECT_RENDERED = "expected manifests, such as the output of helm template CHART"


@dataclass(frozen=True, slots=True)
class Manifest:
    """An object as written in a file, with at least apiVersion and kind, and its place in the document."""

    written: dict[str, Any]
    document: Document = field(repr=False, compare=False)
    path: Path = ()
    """Path of the object in its document: () or an item of a `List`."""

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
        """Return an error at a path of the object, with file and line."""
        return self.document.error((*self.path, *path), message)


def read(paths: Sequence[str]) -> tuple[Manifest, ...]:
    """Return the manifests in files and directories, as `manifests_in`; raises InputErrors."""
    errors: list[InputError] = []
    manifests = tuple(manifests_in(paths, errors))
    if errors:
        raise InputErrors(errors)
    return manifests


def manifests_in(paths: Sequence[str], errors: list[InputError]) -> Iterator[Manifest]:
    """Yield the manifests in files and directories, in order; `-` is standard input. Problems go to `errors`.

    In a directory and its subdirectories all files with one of SUFFIXES are read, ordered by name.
    """
    for path in paths:
        for name, content in contents_in(path, errors):
            yield from manifests_of_bytes(content, name, errors)


def manifests_of_bytes(content: bytes, file: str, errors: list[InputError]) -> Iterator[Manifest]:
    """Yield the manifests in the content of a file; problems go to `errors`."""
    if len(content) > MAX_BYTES:
        problem = f"is larger than {MAX_BYTES >> 20} MiB, expected a smaller file"
        errors.append(InputError(file, None, "", problem))
        return
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        errors.append(InputError(file, line, "", "is not UTF-8, expected UTF-8 text"))
        return
    yield from manifests_of(text, file, errors)


def manifests_of(text: str, file: str, errors: list[InputError]) -> Iterator[Manifest]:
    """Yield the manifests in a YAML or JSON string; problems go to `errors`."""
    try:
        documents = parse_yaml(text, file)
    except InputError as error:
        errors.append(_helm_template_error(text, file) or error)
        return
    for document in documents:
        yield from _objects(document, (), document.value, errors)


def contents_in(path: str, errors: list[InputError], most: int = MAX_BYTES) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file of a path, at most `most` bytes; problems go to `errors`.

    Standard input may have one byte more.
    """
    if not path:
        errors.append(InputError("", None, "", "is not a path, expected a file or a directory"))
        return
    if path == "-":
        yield "<stdin>", sys.stdin.buffer.read(most + 1)
        return
    for file in _files(FilePath(path), errors):
        try:
            content = read_input(file, most)
        except OSError as error:
            errors.append(InputError(str(file), None, "", f"cannot be read: {error.strerror}"))
            continue
        yield str(file), content


def files_read(paths: Sequence[str]) -> list[FilePath]:
    """Return the files whose manifests `read` returns; standard input is none of them."""
    return [file for path in paths if path not in ("", "-") for file in _files(FilePath(path), [])]


def _files(path: FilePath, errors: list[InputError]) -> Sequence[FilePath]:
    if not path.is_dir():
        return [path]
    unreadable: list[OSError] = []
    walk = os.walk(path, onerror=unreadable.append)
    files = sorted(FilePath(folder, name) for folder, _, names in walk for name in names)
    files = [file for file in files if file.suffix in SUFFIXES]
    errors += [
        InputError(str(error.filename), None, "", f"cannot be read: {error.strerror}") for error in unreadable
    ]
    special = [file for file in files if os.path.exists(file) and not os.path.isfile(file)]  # noqa: PTH110, PTH113
    if special:
        errors += [InputError(str(file), None, "", "expected a regular file") for file in special]
        files = [file for file in files if file not in special]
    charts = [file.parent for file in files if file.name == "Chart.yaml"]
    if charts:
        errors += [
            InputError(str(chart), None, "", f"is a Helm chart, {_EXPECT_RENDERED}") for chart in charts
        ]
        return []
    if not files and not unreadable and not special:
        expected = f"expected {', '.join(SUFFIXES)} files"
        errors.append(InputError(str(path), None, "", f"contains no manifest, {expected}"))
    return files


def _helm_template_error(text: str, file: str) -> InputError | None:
    """Return the error for a Helm template that was not rendered, None for any other file."""
    for number, line in enumerate(text.splitlines(), 1):
        if "{{" in line:
            return InputError(
                file, number, "", f"is a Helm template ({line.strip()[:60]}), {_EXPECT_RENDERED}"
            )
    return None


def _has_template_name(raw: dict[str, Any]) -> bool:
    """Whether the name is a quoted Helm expression, which is valid YAML."""
    metadata = raw.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else ""
    return isinstance(name, str) and "{{" in name


def _other_case(raw: dict[str, Any], missing: Sequence[str]) -> str:
    """Return a hint if a missing field is there in another case, as in `apiversion: v1`."""
    spellings = {name.lower(): name for name in missing}
    for name in raw:
        if name != (right := spellings.get(str(name).lower(), name)):
            return f" ({name} should be written {right})"
    return ""


def _objects(document: Document, path: Path, raw: Any, errors: list[InputError]) -> Iterator[Manifest]:
    if not isinstance(raw, dict):
        errors.append(document.error(path, "is not an object, expected a map with apiVersion and kind"))
        return
    wrong = [name for name in ("apiVersion", "kind") if not isinstance(raw.get(name), str)]
    missing = [name for name in wrong if raw.get(name) is None]
    if wrong and not missing:
        shown = described(raw[wrong[0]])
        errors.append(document.error((*path, wrong[0]), f"is {shown}, expected a string"))
    elif missing:
        words = f"has no {' and no '.join(missing)}, expected a Kubernetes object"
        errors.append(document.error(path, f"{words}{_other_case(raw, missing)}"))
    elif _has_template_name(raw):
        errors.append(
            document.error((*path, "metadata", "name"), f"is a Helm expression, {_EXPECT_RENDERED}")
        )
    elif raw["kind"].endswith("List") and isinstance(raw.get("items"), list):
        for index, item in enumerate(raw["items"]):
            yield from _objects(document, (*path, "items", index), item, errors)
    elif raw["kind"] == "List":
        errors.append(document.error(path, "has no list of items, expected items with Kubernetes objects"))
    else:
        yield Manifest(raw, document, path)
