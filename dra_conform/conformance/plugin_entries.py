"""The entry points of plugins. Nothing else is imported if there are none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path

GROUP = "dra_conform.plugins"
"""The group of entry points."""


@cache
def entries() -> tuple[metadata.EntryPoint, ...]:
    """Return the entry points of all plugins by name."""
    return tuple(sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name))


def load() -> None:
    """Load all plugins, once; raises BadPlugin."""
    if entries():
        import_module("dra_conform.conformance.plugins").load_plugins()


def code() -> Iterator[bytes]:
    """Yield the source code of the packages of all plugins; caches depend on it."""
    for entry in entries():
        spec = find_spec(entry.module.partition(".")[0])
        if spec is None:
            continue
        folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
        paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
        if not folders and spec.origin:
            paths = [Path(spec.origin)]
        yield entry.value.encode()
        yield from (path.read_bytes() for path in paths)


class BadPlugin(Exception):  # noqa: N818 - the name says what happened
    """A plugin that cannot be loaded, or that redefines what exists; the message names its entry point."""
