"""The index of a suite: what lists, selections and test names need to know of each case.

Rows of a file are kept in a cache of the user under the digest of all that they depend on. A file with
problems is not kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.case_cache import CaseCache, FileDigests, read_cache, write_cache
from dra_conform.conformance.suite.folders import case_files
from dra_conform.kube.errors import InputError

if TYPE_CHECKING:  # imported when a file is read, because it imports all operations
    from dra_conform.conformance.suite.loading import LoadedSuite, SuiteFiles


class CaseRow(msgspec.Struct, frozen=True, array_like=True):
    """A case in the index, with members as in `Case`; `line` is that of its source."""

    id: str
    title: str
    kind: str
    requirements: tuple[str, ...]
    operation: str
    features: frozenset[str]
    profiles: frozenset[str] | None
    row: tuple[str, ...]
    line: int


class Index:
    """The rows of the files of a suite. `files` reads files that are not in the cache."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._rows: dict[str, tuple[CaseRow, ...]] = {}
        """The rows of files that were asked for, by digest."""
        self._digests = FileDigests(self.root)

    @cached_property
    def files(self) -> SuiteFiles:
        """The files of the suite."""
        loading = import_module("dra_conform.conformance.suite.loading")
        files: SuiteFiles = loading.SuiteFiles(self.root, CaseCache(self.root, self._digests))
        return files

    @property
    def problems(self) -> Sequence[InputError]:
        """The problems of the files that were read."""
        return self.files.errors if "files" in self.__dict__ else ()

    @cached_property
    def rows(self) -> list[CaseRow]:
        """The rows of all files of the suite, in order."""
        return [row for path in case_files(self.root) for row in self.rows_of(path)]

    def read(self) -> None:
        """Read the rows of all files, and keep new ones in the cache."""
        for path in case_files(self.root):
            self.rows_of(path)
        self.save()

    def rows_of(self, path: Path) -> tuple[CaseRow, ...]:
        """Return the rows of a file, without cases that have problems."""
        digest = self._digests.of(path)
        known = self._rows.get(digest) or self._cached.get(digest)
        if known is None:
            problems = len(self.files.errors)
            known = tuple(map(_row, self.files.cases_of(path)))
            if len(self.files.errors) > problems:
                return known
        self._rows[digest] = known
        return known

    def case(self, path: Path, case_id: str) -> Case:
        """Return the case with an id, read from its file."""
        return next(case for case in self.files.cases_of(path) if case.id == case_id)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all that the rows that were asked for depend on."""
        digests = "\n".join(sorted(self._rows))
        return f"sha256:{hashlib.sha256(digests.encode()).hexdigest()}"

    def suite_of(self, chosen: Callable[[Sequence[CaseRow]], Sequence[CaseRow]]) -> LoadedSuite:
        """Return the suite with the cases of those files that have a chosen case, or with all cases.

        Its fingerprint is always that of all cases. `problems` has those of all files.
        """
        self.read()
        whole = self.files.known_fingerprint
        if not whole:
            return self.files.suite(case_files(self.root))
        suite = self.files.suite(path for path in case_files(self.root) if chosen(self.rows_of(path)))
        return replace(suite, fingerprint=whole)

    def save(self) -> None:
        """Write new rows and cases to the cache."""
        if "files" in self.__dict__:
            self.files.save()
        if self._rows.keys() <= self._cached.keys():
            return
        present = set(map(self._digests.of, case_files(self.root)))
        kept = {digest: rows for digest, rows in self._cached.items() if digest in present}
        write_cache(self.root, "index", msgspec.msgpack.encode(kept | self._rows))

    @cached_property
    def _cached(self) -> dict[str, tuple[CaseRow, ...]]:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(read_cache(self.root, "index"), type=dict[str, tuple[CaseRow, ...]])
        return {}


def _row(case: Case) -> CaseRow:
    return CaseRow(
        case.id,
        case.title,
        case.kind,
        case.requirements,
        case.operation,
        case.features,
        case.profiles,
        case.row,
        case.source.line,
    )
