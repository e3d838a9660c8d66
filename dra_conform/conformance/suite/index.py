"""The index of a suite: what lists, selections and test names need to know of each case.

Rows of a file are kept in a cache of the user, under SHA-256 of all that they depend on: the file, the
fixtures, and the code that reads them. So a row of the cache equals the row that would be read. A file with
problems is not kept. The fingerprint of all cases is kept in the same cache.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from dra_conform.conformance import plugin_entries
from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.folders import case_files
from dra_conform.kube.errors import InputError

if TYPE_CHECKING:  # imported when a file is read, because it imports all operations
    from dra_conform.conformance.suite.loading import LoadedSuite, SuiteFiles

_CODE = ("conformance", "kube", "capacity", "cel", "footprint")
"""The packages that read cases."""

_LIBRARIES = ("gherkin-official", "msgspec", "pyyaml")


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


class _Cache(msgspec.Struct, frozen=True):
    """The rows of each file of a suite, and the fingerprint of its cases, by the digest of what they depend
    on."""

    rows: dict[str, tuple[CaseRow, ...]] = {}
    fingerprints: dict[str, str] = {}


class Index:
    """The rows of the files of a suite. `files` reads files that are not in the cache."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._rows: dict[str, tuple[CaseRow, ...]] = {}
        """The rows of files that were asked for, by digest."""
        self._digests: dict[Path, str] = {}

    @cached_property
    def files(self) -> SuiteFiles:
        """The files of the suite."""
        loading = import_module("dra_conform.conformance.suite.loading")
        files: SuiteFiles = loading.SuiteFiles(self.root)
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
        digest = self._digest(path)
        known = self._rows.get(digest) or self._cached.rows.get(digest)
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
        whole = self._cached.fingerprints.get(self.fingerprint)
        if whole is None:
            suite = self.files.suite(case_files(self.root))
            if not self.problems:
                self._write(self._rows, {self.fingerprint: suite.fingerprint})
            return suite
        suite = self.files.suite(path for path in case_files(self.root) if chosen(self.rows_of(path)))
        return replace(suite, fingerprint=whole)

    def save(self) -> None:
        """Write the rows to the cache, if some are new. A folder that cannot be written has no cache."""
        if self._rows.keys() <= self._cached.rows.keys():
            return
        present = set(map(self._digest, case_files(self.root)))
        kept = {digest: rows for digest, rows in self._cached.rows.items() if digest in present}
        self._write(kept | self._rows, self._cached.fingerprints)

    def _write(self, rows: Mapping[str, tuple[CaseRow, ...]], fingerprints: Mapping[str, str]) -> None:
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._path.parent, delete=False) as file:
                file.write(msgspec.msgpack.encode(_Cache(dict(rows), dict(fingerprints))))
            Path(file.name).replace(self._path)

    @cached_property
    def _cached(self) -> _Cache:
        with suppress(OSError, msgspec.MsgspecError):
            return msgspec.msgpack.decode(self._path.read_bytes(), type=_Cache)
        return _Cache()

    @cached_property
    def _path(self) -> Path:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dra-conform"
        return folder / f"{hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]}.msgpack"

    def _digest(self, path: Path) -> str:
        """Return the digest of what the rows of a file depend on, empty for a file that cannot be read."""
        if path not in self._digests:
            name = os.fsencode(path.relative_to(self.root).as_posix())
            with suppress(OSError):
                content = b"\0".join((self._common, name, path.read_bytes()))
                self._digests[path] = hashlib.sha256(content).hexdigest()
        return self._digests.get(path, "")

    @cached_property
    def _common(self) -> bytes:
        """The digest of what the rows of all files depend on."""
        digest = hashlib.sha256(sys.version.encode())
        for name in _LIBRARIES:
            digest.update(metadata.version(name).encode())
        package = Path(__file__).parents[2]
        paths = [path for name in _CODE for path in sorted((package / name).rglob("*.py"))]
        paths += sorted((self.root / "fixtures").rglob("*.yaml"))
        for path in paths:
            digest.update(b"\0".join((os.fsencode(path), path.read_bytes())))
        for content in plugin_entries.code():
            digest.update(content)
        return digest.digest()


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
