"""The judge of a test session: one implementation, and the collected cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from _pytest.outcomes import Skipped

from dra_conform import __version__
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import BadSpec, open_implementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import RunStarted
from dra_conform.conformance.implementation import (
    Answer,
    CannotStart,
    Identity,
    Implementation,
    Observed,
    Reply,
    Suite,
)
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.runner import Settings, run_case
from dra_conform.conformance.suite.case_ids import FormerIds, read_former_ids
from dra_conform.conformance.suite.folders import is_suite, shipped
from dra_conform.conformance.suite.index import CaseRow, Index
from dra_conform.conformance.suite.selection import reject_unknown_values, select
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.reports.failure import failure_lines
from dra_conform.reports.failure_explanation import Again, headline
from dra_conform.reports.figures import cited
from dra_conform.reports.ledger import Ledger, read_ledger
from dra_conform.reports.ledger_check import known_reason, unexpected_results
from dra_conform.reports.runs import Run


class Judge:
    """The judge of a pytest session, with its implementation.

    Its implementation starts with the first case and runs until the session ends.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.settings = Settings(
            profile=config.getoption("--profile"),
            strict=config.getoption("--strict-choice"),
            deadline_ms=int(config.getoption("--dra-deadline") * 1000),
            memory=config.getoption("--dra-memory"),
        )
        self.answer: Answer | None = None
        """The answer to the last case, None if there is none."""
        self._selection_problem = ""
        self._spec: str = config.getoption("--implementation")
        self._in_process: bool = config.getoption("--in-process")
        self._selection: list[str] = config.getoption("--select")
        ledger: str | None = config.getoption("--dra-expect")
        self._ledger = None if ledger is None else read_ledger(ledger)
        self._started: tuple[Implementation, Identity] | None = None
        self._suites: dict[Path, Index] = {}
        self._former_ids: dict[Path, FormerIds] = {}

    def rows(self, path: Path) -> Sequence[CaseRow]:
        """Return the selected cases of a file of a suite, as rows of its index."""
        index = self._index(path)
        if index.root not in self._former_ids:
            self._former_ids[index.root] = read_former_ids(index.root)
        present = self._former_ids[index.root].present
        try:
            return select(index.rows_of(path), self._selection, present)
        except InputError as error:
            self._selection_problem = str(error)
            return ()

    def case(self, path: Path, row: CaseRow) -> Case:
        """Return a case of a file of a suite."""
        return self._index(path).case(path, row.id)

    def catalogue(self, path: Path) -> Sequence[Requirement]:
        """Return the requirements of the suite of a file, those of the shipped suite for other files."""
        return self._index(path).files.catalogue

    def _index(self, path: Path) -> Index:
        root = suite_root(path) or shipped()
        if root not in self._suites:
            self._suites[root] = Index(root)
        return self._suites[root]

    @property
    def has_suites(self) -> bool:
        """Whether cases of a suite were collected."""
        return bool(self._suites)

    def collected(self, *, own_scenarios: bool) -> list[str]:
        """Keep the rows of the collected cases; return the problems of suites, selection and ledger.

        `own_scenarios`: Python files bind scenarios, whose cases are not known yet.
        """
        for index in self._suites.values():
            index.save()
        broken = [
            f"the suite {root} is broken:\n" + "\n".join(map(str, index.problems))
            for root, index in self._suites.items()
            if index.problems
        ]
        if not broken and not self._selection_problem:
            self._check_selection()
        unknown = (
            [] if broken or self._ledger is None else [*self._unknown_in(self._ledger.file, own_scenarios)]
        )
        return [*broken, *filter(None, [self._selection_problem]), *unknown]

    def _check_selection(self) -> None:
        """Note a value of `--select` that no case of the suites matches, also of files not collected."""
        rows = [row for index in self._suites.values() for row in index.rows]
        if not rows or any(index.problems for index in self._suites.values()):
            return
        try:
            reject_unknown_values(rows, self._selection, self._present)
        except InputError as error:
            self._selection_problem = str(error)

    def _unknown_in(self, file: str, own_scenarios: bool) -> Iterator[str]:
        """Read the ledger with the current ids of cases; yield a problem for each case that no suite has.

        A ledger without a case of the collected suites can have those of scenarios that Python files bind. No
        case is reported either if no suite is collected, as in a session of other tests.
        """
        try:
            ledger = self._ledger = read_ledger(file, self._present)
        except InputError as error:
            yield str(error)
            return
        rows = {row.id for index in self._suites.values() for row in index.rows}
        cases = (case for group in ledger.groups for case in group.cases)
        if not rows or (own_scenarios and rows.isdisjoint(cases)):
            return
        for number, group in enumerate(ledger.groups):
            for case in sorted(group.cases.keys() - rows):
                line = ledger.document.line_of(("known", number, "cases", case)) if ledger.document else None
                yield str(InputError(file, line, case, "is not a case of the suite, expected one"))

    def _present(self, case_id: str) -> str:
        """Return the current id of a case of any suite for a former id."""
        named = (former_ids.present(case_id) for former_ids in self._former_ids.values())
        return next((current for current in named if current != case_id), case_id)

    def judge(self, case: Case) -> CaseResult:
        """Run one case on the implementation, starting it if needed, and judge the answer."""
        if case.profiles is not None and self.settings.profile not in case.profiles:
            profiles = ", ".join(sorted(case.profiles))
            raise CaseSkipped(f"runs only in {profiles}, the profile is {self.settings.profile}")
        if self._started is None:
            try:
                opened = open_implementation(
                    self._spec, limits=Limits(memory=self.settings.memory), in_process=self._in_process
                )
                self._started = (Observed(opened, self._keep_answer), opened.start(self._suite()))
            except BadSpec as error:
                pytest.exit(f"--implementation: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
            except CannotStart as error:
                problem = str(error).removeprefix(f"{self._spec}: ")
                pytest.exit(f"{self._spec}: {problem}", returncode=pytest.ExitCode.USAGE_ERROR)
        implementation, identity = self._started
        self.answer = None
        from dra_conform.adapters.builtin import explain  # noqa: PLC0415 - other sessions have the plugin, too

        return run_case(implementation, identity, case, self.settings, explain)

    def _keep_answer(self, reply: Reply) -> None:
        self.answer = reply.answer

    def _suite(self) -> Suite:
        """Return the collected cases as an implementation sees them."""
        fingerprints = sorted(index.fingerprint for index in self._suites.values())
        return Suite("dra-conform", __version__, fingerprints[0] if fingerprints else "sha256:")

    def settle(self, result: CaseResult, test: pytest.Item, at: tuple[int, int] | None = None) -> None:
        """End a test as its result says: pass, skip, xfail for a known failure, or raise CaseFailed.

        `at` is as in `raise_or_skip`.
        """
        if self._ledger is not None and self._started is not None:
            self._compare(self._ledger, self._started[1], result)
        raise_or_skip(result, lambda: self.catalogue(test.path), at, self._again(test))

    def _again(self, test: pytest.Item) -> Again:
        """Return what runs a case again: `dra-conform run` for a case of a suite, pytest for any other."""
        if test.path.suffix == ".py":
            return Again(self._spec, options=self.settings.words(), test=test.nodeid)
        root = suite_root(test.path)
        suite = "" if root in (None, shipped()) else str(root)
        return Again(self._spec, suite, self.settings.words())

    def _compare(self, ledger: Ledger, identity: Identity, result: CaseResult) -> None:
        """Raise CaseFailed if a result differs from the ledger, xfail the test if it is a known failure."""
        case = result.case.id
        run = Run(RunStarted(identity, result.profile, self._suite(), 1, (), ""), (result,), result.seconds)
        difference = next(
            (found for found in unexpected_results(ledger, run, [case]) if found.case == case), None
        )
        if difference is not None:
            if difference.line is not None:
                raise CaseFailed(f"{ledger.file}:{difference.line}: {case}: {difference.message}")
        elif result.verdict in CONFORMANCE_FAILURES:
            pytest.xfail(known_reason(ledger, run, result))

    def close(self) -> None:
        """Close the implementation, if it was started, and keep the cases that were read."""
        for index in self._suites.values():
            index.save()
        if self._started is not None:
            self._started[0].close()


JUDGE = pytest.StashKey[Judge]()


def suite_root(path: Path) -> Path | None:
    """Return the folder of the suite to which a file belongs, None if the file is not in a suite."""
    return _root_above(path.parent)


@cache
def _root_above(folder: Path) -> Path | None:
    return next((parent for parent in (folder, *folder.parents) if is_suite(parent)), None)


class CaseFailed(Exception):  # noqa: N818 - the name says what happened
    """A case that does not pass; the message is the failure as in the terminal report.

    `summary` is one line for pytest's summary and for JUnit, by default the first line of the message.
    """

    def __init__(self, message: str, summary: str = "") -> None:
        super().__init__(message)
        self.summary = summary or message.partition("\n")[0]


class CaseSkipped(Skipped):
    """A case that ends its test as skipped. `judged`: the implementation has answered, and was judged."""

    def __init__(self, reason: str, *, judged: bool = False) -> None:
        super().__init__(reason)
        self.judged = judged


def raise_or_skip(
    result: CaseResult,
    catalogue: Callable[[], Sequence[Requirement]],
    at: tuple[int, int] | None = None,
    again: Again | None = None,
) -> None:
    """Raise CaseSkipped if the case is unsupported or optional, CaseFailed if it does not pass.

    `at` has the index of a step and of a Then in it. With `at`, only findings of that Then and findings
    without a place fail the test. `again` is for the command that runs the case again.
    """
    if result.verdict is Verdict.UNSUPPORTED:
        raise CaseSkipped(result.detail or result.verdict.value)
    if result.verdict is Verdict.PASS:
        return
    if result.verdict is Verdict.OPTIONAL:
        raise CaseSkipped("; ".join(finding.message for finding in result.findings), judged=True)
    places = [
        None if finding.step is None else (finding.case_step, finding.step) for finding in result.findings
    ]
    if at is not None and places and all(place not in (None, at) for place in places):
        return
    violated = f" ({', '.join(cited(result))})" if cited(result) else ""
    summary = f"{headline(result) or result.verdict.value}{violated}"
    raise CaseFailed("\n".join(failure_lines(result, catalogue(), again)), summary)
