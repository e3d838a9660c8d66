"""Cases as read from their files, kept in the user's cache: to read the suite takes many times as long."""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.file_digests import CODE, FileDigests, read_cache, write_cache
from dra_conform.conformance.suite.folders import case_files


class _Content(msgspec.Struct, frozen=True):
    """The pickled cases of each file by its digest, and the fingerprint of all cases with the digest of all
    files."""

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
        content = self._kept.cases.get(self._digests.of(path))
        return None if content is None else _decoded(content)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of all cases, empty if the cache does not have it."""
        digest, fingerprint = self._kept.fingerprint
        return fingerprint if digest == self._digest else ""

    def keep(self, path: Path, cases: Sequence[Case]) -> None:
        """Add the cases of a file without problems. Cases with values that cannot be kept are not added."""
        with suppress(pickle.PicklingError, TypeError, AttributeError):
            self._new[self._digests.of(path)] = pickle.dumps(tuple(cases), pickle.HIGHEST_PROTOCOL)

    def keep_fingerprint(self, fingerprint: str) -> None:
        """Add the fingerprint of all cases, if no file has a problem."""
        self._new_fingerprint = fingerprint

    def save(self) -> None:
        """Write the cache if something was added, without files that are no longer in the suite."""
        if not self._new and self._new_fingerprint in ("", self.fingerprint):
            return
        present = {*map(self._digests.of, case_files(self._root))}
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


def _decoded(content: bytes) -> tuple[Case, ...] | None:
    """Return the cases, None if they cannot be read."""
    try:
        cases: tuple[Case, ...] = _Unpickler(io.BytesIO(content)).load()
    except Exception:  # a damaged pickle can raise any
        return None
    return cases
