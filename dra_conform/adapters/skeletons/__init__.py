"""Skeletons: of adapters, one folder for each language, and of plugins."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from dra_conform.kube.errors import InputError


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A skeleton, with the spec of its adapter, relative to its folder, and an optional build command."""

    spec: str
    allocator: str
    """The file whose allocator the author replaces."""
    build: str = ""


SKELETONS: Mapping[str, Skeleton] = {
    "python": Skeleton("python:allocator:FirstFitAllocator", "allocator.py"),
    "go": Skeleton("exec:./adapter", "allocator.go", "go build -o adapter ."),
    "node": Skeleton("exec:node adapter.mjs", "allocator.mjs"),
    "rust": Skeleton("exec:target/release/adapter", "src/allocator.rs", "cargo build --release"),
}
"""The skeletons by language; the files are in the folder of that name."""


def write(language: str, folder: Path) -> list[Path]:
    """Write the skeleton of a language into a folder; raises InputError instead of overwriting a file."""
    return write_files({folder / name: text for name, text in files_of(resources.files(__name__) / language)})


def write_files(files: Mapping[Path, str]) -> list[Path]:
    """Write new files and return their paths; raises InputError instead of overwriting a file.

    A link counts as a file, also one without a target. After an error, none of the files is left.
    """
    for path in files:
        if os.path.lexists(path):
            raise InputError(str(path), None, "", "exists already, expected a folder without this file")
    written: list[Path] = []
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as stream:  # follows no link
                written.append(path)
                stream.write(text)
        except OSError as error:
            for partial in written:
                partial.unlink(missing_ok=True)
            raise InputError(
                str(path.parent), None, "", f"cannot be written: {error.strerror}, expected a folder"
            ) from None
    return list(files)


def files_of(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the files below a folder, each with its relative path and its text."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from files_of(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_text("utf-8")
