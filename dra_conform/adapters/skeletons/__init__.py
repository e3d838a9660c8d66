"""Adapter skeletons, one folder for each language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from dra_conform.kube.errors import InputError


@dataclass(frozen=True, slots=True)
class Skeleton:
    """`spec` names the adapter in its own folder; `build` is the command that makes it, empty for none."""

    spec: str
    allocator: str
    """The file with the part to replace."""
    build: str = ""


SKELETONS: Mapping[str, Skeleton] = {
    "python": Skeleton("python:allocator:Allocator", "allocator.py"),
    "go": Skeleton("exec:./adapter", "allocator.go", "go build -o adapter ."),
    "node": Skeleton("exec:node adapter.mjs", "allocator.mjs"),
    "rust": Skeleton("exec:target/release/adapter", "src/allocator.rs", "cargo build --release"),
}
"""The skeleton of each language, whose files lie in the folder of its name."""


def write(language: str, folder: Path) -> list[Path]:
    """Write the files of a language into a folder; raises InputError before anything is overwritten."""
    files = {folder / name: text for name, text in _files(resources.files(__name__) / language)}
    for path in files:
        if path.exists():
            raise InputError(str(path), None, "", "is there already, expected a folder without it")
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(str(folder), None, "", f"cannot be written: {error.strerror}") from None
    return list(files)


def _files(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, str]]:
    for one in sorted(folder.iterdir(), key=lambda it: it.name):
        if one.is_dir():
            if one.name != "__pycache__":
                yield from _files(one, f"{prefix}{one.name}/")
        else:
            yield prefix + one.name, one.read_text("utf-8")
