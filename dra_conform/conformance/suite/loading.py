"""Loading of the suite: cases, the catalogue, and a fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from dra_conform import __version__
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import Suite
from dra_conform.conformance.requirement import MAY, MUST, SHOULD, Requirement
from dra_conform.conformance.steps.given import Fixture
from dra_conform.conformance.steps.step import StepError
from dra_conform.conformance.suite.case_cache import CaseCache
from dra_conform.conformance.suite.case_ids import FormerIds, read_former_ids
from dra_conform.conformance.suite.catalogue import requirements_of
from dra_conform.conformance.suite.folders import (
    FOLDERS,
    case_files,
    is_suite,
    not_a_suite,
    requirement_files,
    shipped,
)
from dra_conform.conformance.suite.gherkin import feature_cases
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.conformance.suite.selection import select
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.json_values import UncheckedJson
from dra_conform.kube.manifests import loads

__all__ = ["LoadedSuite", "fingerprint", "is_suite", "load_suite", "select", "shipped"]

_Value = TypeVar("_Value", Case, Requirement)


@dataclass(frozen=True, slots=True)
class LoadedSuite:
    """A loaded suite: cases in the order of files, requirements in the order of the catalogue."""

    root: Path
    cases: tuple[Case, ...]
    catalogue: tuple[Requirement, ...]
    fingerprint: str
    former_ids: FormerIds = field(default_factory=FormerIds)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of the suite."""
        return tuple(self.root / name for name in FOLDERS)

    def as_suite(self) -> Suite:
        """Return the name, version and fingerprint of the suite, which implementations are told.

        Another suite than the shipped one has the name of its folder.
        """
        name = self.root.resolve().name if self.option else "dra-conform"
        return Suite(name, __version__, self.fingerprint, self.option)

    @property
    def option(self) -> str:
        """The value of `--suite` that names this suite, empty for the shipped suite."""
        return "" if self.root.resolve() == shipped().resolve() else str(self.root)


def load_suite(root: str | Path | None = None, *, cached: bool = False) -> LoadedSuite:
    """Load the suite of a folder, by default the shipped one; raises InputErrors with all problems.

    `cached` takes the cases of unchanged files from the user's cache.
    """
    suite, errors = read_suite(root, cached=cached)
    if errors:
        raise InputErrors(errors)
    return suite


def read_suite(
    root: str | Path | None = None, *, cached: bool = False
) -> tuple[LoadedSuite, Sequence[InputError]]:
    """Load a suite and return it with its problems; raises InputError if the folder is not a suite."""
    folder = shipped() if root is None else Path(root)
    if not is_suite(folder):
        raise InputError(str(folder), None, "", not_a_suite(folder))
    files = SuiteFiles(folder, CaseCache(folder) if cached else None)
    with without_garbage_collection():
        suite = files.suite(files.case_files())
    return suite, files.errors


class SuiteFiles:
    """The files of a suite, each read when it is needed. `errors` has all problems of the read files."""

    def __init__(self, root: Path, cache: CaseCache | None = None) -> None:
        self.root = root
        self._cache = cache
        self.errors: list[InputError] = []
        self._fixture = fixtures_of(root)
        self._cases: dict[Path, tuple[Case, ...]] = {}

    @cached_property
    def catalogue(self) -> tuple[Requirement, ...]:
        """The requirements, in the order of files."""
        catalogue: list[Requirement] = []
        for path in requirement_files(self.root):
            kept = self._cache.requirements_of(path) if self._cache is not None else None
            catalogue += self._read(path, requirements_of) if kept is None else kept
        return tuple(catalogue)

    @cached_property
    def former_ids(self) -> FormerIds:
        """The former ids of cases."""
        try:
            return read_former_ids(self.root)
        except InputError as error:
            self.errors.append(error)
            return FormerIds()

    def case_files(self) -> list[Path]:
        """Return all files with cases, in the order of the suite."""
        return case_files(self.root)

    def files_of(self, case_id: str) -> list[Path]:
        """Return the files that can have a case, by its current or former id. They need not exist."""
        name = self.former_ids.present(case_id).partition("[")[0].rpartition("/")[0]
        if not name or "\0" in name or ".." in name.split("/"):
            return []
        return [self.root / "features" / f"{name}.feature", self.root / "golden" / f"{name}.yaml"]

    def cases_of(self, path: Path) -> tuple[Case, ...]:
        """Return the cases of a file, without those with problems."""
        if path not in self._cases:
            kept = self._cache.cases_of(path) if self._cache is not None else None
            read = feature_cases if path.suffix == ".feature" else golden_cases
            cases = self._read(path, partial(read, fixture=self._fixture)) if kept is None else kept
            self.errors += _duplicates(cases)
            self._cases[path] = tuple(_with_levels(cases, self._levels))
        return self._cases[path]

    def _read(self, path: Path, read: Callable[[str, str], Iterable[_Value]]) -> Sequence[_Value]:
        values: list[_Value] = []
        problems = len(self.errors)
        _collect(self.errors, values, read, self.root, path)
        if self._cache is not None and len(self.errors) == problems:
            self._cache.keep(path, values)
        return values

    def save(self) -> None:
        """Keep what was read in the cache, if there is one."""
        if self._cache is not None:
            self._cache.save()

    @cached_property
    def _levels(self) -> dict[str, str]:
        return {requirement.id: requirement.level for requirement in self.catalogue}

    def suite(self, paths: Iterable[Path]) -> LoadedSuite:
        """Return the suite with the cases of these files, which its fingerprint is over."""
        catalogue, former_ids, paths = self.catalogue, self.former_ids, list(paths)
        cases = tuple(case for path in paths for case in self.cases_of(path))
        whole = len(paths) == len(self.case_files())
        digest = (self.known_fingerprint if whole else "") or fingerprint(cases)
        if self._cache is not None and whole and not self.errors:
            self._cache.keep_fingerprint(digest)
        self.save()
        return LoadedSuite(self.root, cases, catalogue, digest, former_ids)

    @property
    def known_fingerprint(self) -> str:
        """The fingerprint of all cases of the suite if the cache has it, else empty."""
        return self._cache.fingerprint if self._cache is not None else ""


def fixtures_of(folder: Path) -> Fixture:
    """Return what reads the fixtures of a suite by name.

    It raises StepError for an unknown fixture, and InputError for one that is invalid.
    """

    @cache
    def fixture(name: str) -> Sequence[Mapping[str, UncheckedJson]]:
        path = folder / "fixtures" / f"{name}.yaml"
        inside = "\0" not in name and path.resolve().is_relative_to((folder / "fixtures").resolve())
        if not inside or not path.is_file():
            raise StepError(
                f"unknown fixture {name!r}, expected the name of a file in fixtures, without .yaml"
            )
        return [manifest.raw for manifest in loads(path.read_text("utf-8"), f"fixtures/{name}.yaml")]

    return fixture


def _duplicates(cases: Iterable[Case]) -> Iterator[InputError]:
    """Yield the cases of a file that have the id of an earlier case; `--resume` would mix their results."""
    first_cases: dict[str, Case] = {}
    for case in cases:
        first = first_cases.setdefault(case.id, case)
        if first is not case:
            message = f"duplicate id, expected a unique id; the first case is at {first.source}"
            yield case.error(message)


def _with_levels(cases: Sequence[Case], levels: Mapping[str, str]) -> list[Case]:
    """Return each case with the highest level of its requirements; an unknown requirement counts as MUST."""

    def level(case: Case) -> str:
        case_levels = {levels.get(name, MUST) for name in case.requirements}
        return next(
            (candidate for candidate in (MAY, SHOULD) if case_levels and case_levels <= {candidate, MAY}),
            MUST,
        )

    return [
        case if (highest := level(case)) == case.level else replace(case, level=highest) for case in cases
    ]


def read_catalogue(root: Path | None = None) -> tuple[Requirement, ...]:
    """Load the requirements of a suite, by default the shipped one; raises InputError and InputErrors."""
    folder = root or shipped()
    return tuple(
        requirement
        for path in requirement_files(folder)
        for requirement in requirements_of(path.read_text("utf-8"), path.relative_to(folder).as_posix())
    )


def _collect(errors: list[InputError], items: list[Any], read: Any, folder: Path, path: Path) -> None:
    file = path.relative_to(folder).as_posix()
    if not path.is_file():
        errors.append(InputError(file, None, "", "is not a regular file, expected a regular file"))
        return
    try:
        items += read(path.read_text("utf-8"), file)
    except InputError as error:
        errors.append(error)
    except InputErrors as error_group:
        errors += error_group.errors
    except OSError as error:
        errors.append(InputError(file, None, "", f"cannot be read: {error.strerror}"))
    except UnicodeDecodeError:
        errors.append(InputError(file, None, "", "is not UTF-8, expected UTF-8 text"))


def fingerprint(cases: Sequence[Case]) -> str:
    """Return SHA-256 over questions and expectations of cases, independent of their files.

    The keys of the hashed documents keep their former words, so that the fingerprint of an unchanged suite
    stays the same.
    """
    digest = hashlib.sha256()
    for case in sorted(cases, key=lambda case: case.id):
        content = {
            "id": case.id,
            "requirements": case.requirements,
            "objects": case.objects,
            "operation": case.operation,
            "ask": case.ask,
            "gates": case.gates,
            "profiles": sorted(case.profiles) if case.profiles is not None else None,
            "order": case.order,
            "acts": [
                {
                    "then": None if step.expectation is None else step.expectation.steps,
                    "deviations": [
                        [sorted(deviation.profiles), deviation.reason, deviation.expectation.steps]
                        for deviation in step.deviations
                    ],
                }
                for step in case.case_steps
            ],
        }
        digest.update(json.dumps(content, sort_keys=True, default=str).encode())
    return f"sha256:{digest.hexdigest()}"
