"""Cases and requirements as read from their files, kept in the user's cache: to read the suite takes many
times as long.

They depend on their file, on the fixtures, and on the code that reads them. What is kept under the digest of
all of these equals what would be read.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.conformance import plugin_entries
from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.suite.folders import case_files, requirement_files

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
        if path not in self._digests and path.is_file():  # to read a FIFO could take forever
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
            temporary = Path(file.name)
            try:
                file.write(content)
                file.flush()
                temporary.replace(path)
            except BaseException:  # Also a full disk, which would stay full.
                temporary.unlink(missing_ok=True)
                raise
        total = 0
        for kept in sorted(path.parent.iterdir(), key=_modified, reverse=True):
            total += kept.stat().st_size
            if total > MAX_BYTES:
                kept.unlink()


def _modified(path: Path) -> float:
    return path.stat().st_mtime


def _path(root: Path, kind: str) -> Path:
    """Return the path of a file of the cache; raises RuntimeError if the user has no home folder.

    Each version of Python and each set of plugins has files of its own, so none replaces those of another.
    """
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dra-conform"
    readers = (sys.version, *(entry.value for entry in plugin_entries.entries()))
    key = b"\0".join((os.fsencode(root.resolve()), *map(os.fsencode, readers)))
    return folder / f"{hashlib.sha256(key).hexdigest()[:16]}.{kind}"


class _Content(msgspec.Struct, frozen=True):
    """The pickled cases or requirements of each file by its digest, and the fingerprint of all cases with the
    digest of all files with cases."""

    cases: dict[str, bytes] = {}
    fingerprint: tuple[str, str] = ("", "")


class CaseCache:
    """The cases of the files of a suite, and the fingerprint of all, by the digest of what they depend on."""

    def __init__(self, root: Path, digests: FileDigests | None = None) -> None:
        self._root = root
        self._digests = digests or FileDigests(root)
        self._new: dict[str, bytes] = {}
        self._new_fingerprint = ""

    def cases_of(self, path: Path) -> tuple[Case, ...] | None:
        """Return the cases of a file, None if the cache does not have them."""
        return self._values_of(path)

    def requirements_of(self, path: Path) -> tuple[Requirement, ...] | None:
        """Return the requirements of a file, None if the cache does not have them."""
        return self._values_of(path)

    def _values_of(self, path: Path) -> tuple[Any, ...] | None:
        content = self._kept.cases.get(self._digests.of(path))
        return None if content is None else _decoded(content)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of all cases, empty if the cache does not have it."""
        digest, fingerprint = self._kept.fingerprint
        return fingerprint if digest == self._digest else ""

    def keep(self, path: Path, values: Sequence[Case] | Sequence[Requirement]) -> None:
        """Add what was read from a file without problems, unless it has values that cannot be kept."""
        with suppress(pickle.PicklingError, TypeError, AttributeError):
            self._new[self._digests.of(path)] = pickle.dumps(tuple(values), pickle.HIGHEST_PROTOCOL)

    def keep_fingerprint(self, fingerprint: str) -> None:
        """Add the fingerprint of all cases, if no file has a problem."""
        self._new_fingerprint = fingerprint

    def save(self) -> None:
        """Write the cache if something was added, without files that are no longer in the suite."""
        if not self._new and self._new_fingerprint in ("", self.fingerprint):
            return
        present = {*map(self._digests.of, (*case_files(self._root), *requirement_files(self._root)))}
        cases = {
            digest: content for digest, content in (self._kept.cases | self._new).items() if digest in present
        }
        named = (self._digest, self._new_fingerprint) if self._new_fingerprint else self._kept.fingerprint
        self._kept = _Content(cases, named)
        write_cache(self._root, "cases", msgspec.msgpack.encode(self._kept))
        self._new = {}

    @cached_property
    def _digest(self) -> str:
        """The digest of what all cases depend on."""
        digests = "\n".join(map(self._digests.of, case_files(self._root)))
        return hashlib.sha256(digests.encode()).hexdigest()

    @cached_property
    def _kept(self) -> _Content:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(read_cache(self._root, "cases"), type=_Content)
        return _Content()


class _Unpickler(pickle.Unpickler):
    """Reads values of cases and plain values, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        if module.startswith(_MODULES):
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module}.{name}")


_MODULES = tuple(f"dra_conform.{package}." for package in CODE)
"""The modules that define values of cases; no other module is imported."""

_PLAIN = {("builtins", "frozenset"), ("msgspec._utils", "rebuild")}


def _decoded(content: bytes) -> tuple[Any, ...] | None:
    """Return the cases or requirements, None if they cannot be read."""
    try:
        values: tuple[Any, ...] = _Unpickler(io.BytesIO(content)).load()
    except Exception:  # a damaged pickle can raise any
        return None
    return values
