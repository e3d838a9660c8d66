"""Digests of all that the cases of a file depend on, and the user's cache of what was read.

Cases depend on their file, on the fixtures, and on the code that reads them. What is kept under the digest of
all of these equals what would be read.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from functools import cached_property
from importlib import metadata
from pathlib import Path

from dra_conform.conformance import plugin_entries

CODE = ("conformance", "kube", "capacity", "cel", "footprint", "quota")
"""The packages that read cases."""

_LIBRARIES = ("gherkin-official", "msgspec", "pyyaml")


MAX_BYTES = 200 * 2**20
"""The size of the cache, which keeps the newest files. The shipped suite has 15 MiB."""


class FileDigests:
    """The digests of the files of a suite, each computed when it is needed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._digests: dict[Path, str] = {}

    def of(self, path: Path) -> str:
        """Return the digest of what the cases of a file depend on, empty for a file that cannot be read."""
        if path not in self._digests:
            name = os.fsencode(path.relative_to(self._root).as_posix())
            with suppress(OSError):
                content = b"\0".join((self._common, name, path.read_bytes()))
                self._digests[path] = hashlib.sha256(content).hexdigest()
        return self._digests.get(path, "")

    @cached_property
    def _common(self) -> bytes:
        """The digest of what the cases of all files depend on."""
        digest = hashlib.sha256(sys.version.encode())
        for name in _LIBRARIES:
            digest.update(metadata.version(name).encode())
        package = Path(__file__).parents[2]
        paths = [path for name in CODE for path in sorted((package / name).rglob("*.py"))]
        paths += sorted((self._root / "fixtures").rglob("*.yaml"))
        for path in paths:
            digest.update(b"\0".join((os.fsencode(path), path.read_bytes())))
        for content in plugin_entries.code():
            digest.update(content)
        return digest.digest()


def read_cache(root: Path, kind: str) -> bytes:
    """Return a file of the cache, empty if there is none or if others than the user could have written it."""
    with suppress(OSError, RuntimeError), _path(root, kind).open("rb") as file:
        known = os.fstat(file.fileno())
        if known.st_uid == os.geteuid() and not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return file.read()
    return b""


def write_cache(root: Path, kind: str, content: bytes) -> None:
    """Write a file of the cache. Without a home folder, or one that can be written, there is no cache."""
    with suppress(OSError, RuntimeError):
        path = _path(root, kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
        total = 0
        for kept in sorted(path.parent.iterdir(), key=_modified, reverse=True):
            total += kept.stat().st_size
            if total > MAX_BYTES:
                kept.unlink()


def _modified(path: Path) -> float:
    return path.stat().st_mtime


def _path(root: Path, kind: str) -> Path:
    """Return the path of a file of the cache; raises RuntimeError if the user has no home folder."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dra-conform"
    return folder / f"{hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:16]}.{kind}"
