"""The judge of a test session: one implementation, and the collected cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from dra_conform.adapters import BadSpec, explain, open_implementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import CannotStart, Identity, Implementation
from dra_conform.conformance.runner import Settings, run_case
from dra_conform.conformance.suite.loading import LoadedSuite, is_suite, load_suite
from dra_conform.conformance.suite.selection import select
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.reports import failure_lines


@dataclass(frozen=True, slots=True)
class Collected:
    """A suite with its selected cases, by file."""

    suite: LoadedSuite
    cases: dict[Path, list[Case]]


class Judge:
    """The judge of a pytest session, with its implementation.

    Its implementation starts with the first case and runs until the session ends.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.settings = Settings(
            profile=config.getoption("--profile"), strict=config.getoption("--strict-choice")
        )
        self.broken: list[str] = []
        """Problems of the suites or the selection, reported as a usage error after the collection."""
        self._spec: str = config.getoption("--implementation")
        self._in_process: bool = config.getoption("--in-process")
        self._selection: list[str] = config.getoption("--select")
        self._started: tuple[Implementation, Identity] | None = None
        self._suites: dict[Path, Collected | None] = {}

    def suite(self, root: Path) -> Collected | None:
        """Return the suite in a folder, None if it is broken."""
        if root not in self._suites:
            try:
                suite = load_suite(root)
            except (InputError, InputErrors) as error:
                self.broken.append(f"the suite {root} is broken:\n{error}")
                self._suites[root] = None
            else:
                cases = defaultdict(list)
                for case in self._selected(suite):
                    cases[root / case.source.file].append(case)
                self._suites[root] = Collected(suite, cases)
        return self._suites[root]

    def _selected(self, suite: LoadedSuite) -> Sequence[Case]:
        try:
            return select(suite.cases, self._selection, suite.former_ids.present)
        except InputError as error:
            self.broken.append(str(error))
            return ()

    def judge(self, suite: LoadedSuite, case: Case) -> CaseResult:
        """Run one case on the implementation, starting it if needed, and judge the answer."""
        if case.profiles is not None and self.settings.profile not in case.profiles:
            pytest.skip(
                f"runs only in {', '.join(sorted(case.profiles))}, the profile is {self.settings.profile}"
            )
        if self._started is None:
            try:
                implementation = open_implementation(self._spec, in_process=self._in_process)
                self._started = (implementation, implementation.start(suite.as_suite()))
            except (BadSpec, CannotStart) as error:
                pytest.exit(f"{self._spec}: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
        implementation, identity = self._started
        return run_case(implementation, identity, case, self.settings, explain)

    def close(self) -> None:
        """Close the implementation, if it was started."""
        if self._started is not None:
            self._started[0].close()


JUDGE = pytest.StashKey[Judge]()


def suite_root(path: Path) -> Path | None:
    """Return the folder of the suite to which a file belongs, None if the file is not in a suite."""
    return next((folder for folder in path.parents if is_suite(folder)), None)


def cases_in(config: pytest.Config, path: Path) -> Iterator[tuple[LoadedSuite, Case]]:
    """Yield the selected cases of a file; none if the suite is broken."""
    root = suite_root(path)
    assert root is not None
    collected = config.stash[JUDGE].suite(root)
    if collected is not None:
        for case in collected.cases.get(path, ()):
            yield collected.suite, case


class CaseFailed(Exception):  # noqa: N818 - the name says what happened
    """A case that does not pass; the message is the failure as in the terminal report."""


def raise_or_skip(result: CaseResult, suite: LoadedSuite, at: tuple[int, int] | None = None) -> None:
    """Skip the test if the case is unsupported or optional, raise CaseFailed if it does not pass.

    `at` has the index of a step and of a Then in it. With `at`, only findings of that Then and findings
    without a place fail the test.
    """
    if result.verdict is Verdict.UNSUPPORTED:
        pytest.skip(result.detail or result.verdict.value)
    if result.verdict is Verdict.PASS:
        return
    if result.verdict is Verdict.OPTIONAL:
        pytest.skip("; ".join(finding.message for finding in result.findings))
    places = [
        None if finding.step is None else (finding.case_step, finding.step) for finding in result.findings
    ]
    if at is not None and places and all(place not in (None, at) for place in places):
        return
    raise CaseFailed("\n".join(failure_lines(result, suite.catalogue)))
