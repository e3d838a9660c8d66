"""The comparison of runs with a ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from dra_conform.conformance.case import Case
from dra_conform.conformance.events import Event, RunStarted
from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, CaseResult
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.reports.breadth import Breadth
from dra_conform.reports.ledger import KnownGroup, KnownPattern, Ledger, explained, known_failure
from dra_conform.reports.runs import Run, RunCollector

REASONS_LISTED = 5
"""The most reasons of a published ledger that are printed."""
DIFFERENCES_LISTED = 10
"""The most differences from a ledger that are printed, unless one more would be all."""


@dataclass(frozen=True, slots=True)
class UnexpectedResult:
    """A case whose result differs from the ledger.

    `line` is the line of the case in the ledger, None if the ledger lacks the case.
    """

    run: str
    case: str
    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class _Compared:
    """A run that was compared with a ledger, and the results that differ from it."""

    run: Run
    ledger: Ledger
    found: tuple[UnexpectedResult, ...]


class LedgerCheck:
    """Compare each run with its ledger after the last run.

    `ledger_of` returns the ledger of an implementation, None if it has none. `cases` are all cases of the
    suite, None if not all were read. `whole`: the runs have all cases of their level, so that their breadth
    and patterns without a failure count.
    """

    def __init__(
        self,
        ledger_of: Callable[[Identity], Ledger | None],
        cases: Sequence[Case] | None,
        *,
        whole: bool = True,
    ) -> None:
        self._ledger_of = ledger_of
        self._cases = cases
        self._ids = None if cases is None else frozenset(case.id for case in cases)
        self._whole = whole
        self._collector = RunCollector()
        self._ledgers: list[Ledger | None] = []
        self._compared: list[_Compared | None] = []

    def handle(self, event: Event) -> None:
        self._collector.add(event)
        if isinstance(event, RunStarted):
            self._ledgers.append(self._ledger_of(event.implementation))

    def ledger_of(self, event: RunStarted) -> Ledger | None:
        """Return the ledger of a run that starts, None if it has none."""
        ledger = self._ledger_of(event.implementation)
        covered = ledger is not None and (not ledger.published or ledger.covers(Run(event, (), 0.0)))
        return ledger if covered else None

    def known(self, run: Run) -> frozenset[str]:
        """Return the ids of the cases of a run that fail as its ledger says."""
        ledger = self.ledger_of(run.started)
        if ledger is None:
            return frozenset()
        differ = {found.case for found in unexpected_results(ledger, run, None)}
        failed = (result.case.id for result in run.results if result.verdict in CONFORMANCE_FAILURES)
        return frozenset(failed) - differ

    def close(self) -> None:
        """Compare all runs with their ledgers."""
        for run, ledger in zip(self._collector.runs(), self._ledgers, strict=False):
            if ledger is None or (ledger.published and not ledger.covers(run)):
                self._compared.append(None)
                continue
            found = [*unexpected_results(ledger, run, self._ids)]
            if self._cases is not None:
                found += patterns_without_cases(ledger, run, self._cases)
            if self._whole and not run.aborted:
                found += missing_in_run(ledger, run)
            self._compared.append(_Compared(run, ledger, tuple(found)))

    def as_expected(self, number: int) -> bool | None:
        """Whether the results of a run, by its number from 0, are as in its ledger; None without a ledger."""
        compared = self._compared[number]
        return None if compared is None else not compared.found

    def lines(self, *, every: bool = False) -> Iterator[str]:
        """Yield lines about differences from a ledger, then the number of differences in each ledger.

        Without `every`, only the first differences of a ledger have a line.
        """
        by_file: dict[str, list[_Compared]] = {}
        for compared in filter(None, self._compared):
            by_file.setdefault(compared.ledger.file, []).append(compared)
        for file, group in by_file.items():
            yield from _lines(file, group, every)


def _lines(file: str, group: Sequence[_Compared], every: bool) -> Iterator[str]:
    if group[0].ledger.published:
        for compared in group:
            yield from _introduction(compared)
    found = [difference for compared in group for difference in compared.found]
    listed = found if every or len(found) <= DIFFERENCES_LISTED + 1 else found[:DIFFERENCES_LISTED]
    for difference in listed:
        yield str(
            InputError(file, difference.line, difference.case, f"{difference.run}: {difference.message}")
        )
    if len(listed) < len(found):
        yield f"{file}: ... and {len(found) - len(listed)} more (--verbose lists all)"
    unjudged = [
        _name(compared.run)
        for compared in group
        if not any(result.verdict in JUDGED for result in compared.run.results)
    ]
    yield from (f"{file}: {name}: no case was judged" for name in unjudged)
    if found:
        differ = "result differs" if len(found) == 1 else "results differ"
        yield f"{file}: {len(found)} {differ} from the ledger"
    elif not unjudged:
        yield f"{file}: all results are as in the ledger"


def _introduction(compared: _Compared) -> Iterator[str]:
    """Yield the implementation of a published ledger, and the most frequent reasons of its failures."""
    run, ledger = compared.run, compared.ledger
    yield f"expected failures of {run.name}: {ledger.file}"
    reasons = Counter(
        known_reason(ledger, run, result) for result in run.results if result.verdict in CONFORMANCE_FAILURES
    )
    del reasons[""]
    for reason, count in reasons.most_common(REASONS_LISTED):
        yield f"  {counted(count, 'case')}: {reason}"
    if len(reasons) > REASONS_LISTED:
        rest = sum(reasons.values()) - sum(count for _, count in reasons.most_common(REASONS_LISTED))
        yield f"  {counted(rest, 'case')}: {len(reasons) - REASONS_LISTED} more reasons in the ledger"


def known_reason(ledger: Ledger, run: Run, result: CaseResult) -> str:
    """Return the reason that a ledger has for a failure, empty if it has none.

    A pattern with a deviation has the reason that the case states.
    """
    for group in ledger.groups:
        if not group.covers(run):
            continue
        if result.case.id in group.cases:
            return group.reason
        for pattern in group.matching:
            if concerns(pattern, result) and pattern.is_about(result.case):
                return result.case.deviation(pattern.deviation) if pattern.deviation else group.reason
    return ""


def _name(run: Run) -> str:
    return f"{run.name}, profile {run.started.profile}"


def unexpected_results(ledger: Ledger, run: Run, cases: Container[str] | None) -> Iterator[UnexpectedResult]:
    """Yield each result of a run that differs from the ledger. `cases` are all cases of the suite, if known.

    A case that was not run, or that the implementation declines, is not reported.
    """
    known = {
        case: (index, failure)
        for index, group in enumerate(ledger.groups)
        if group.covers(run)
        for case, failure in group.cases.items()
    }
    patterns = [pattern for _, _, pattern in patterns_of(ledger.groups, run)]

    def unexpected(case: str, message: str) -> UnexpectedResult:
        path = ("known", known[case][0], "cases", case) if case in known else ()
        line = ledger.document.line_of(path) if path and ledger.document else None
        return UnexpectedResult(_name(run), case, line, message)

    for result in run.results:
        case, now = result.case.id, known_failure(result)
        if result.verdict not in JUDGED:
            continue
        if case not in known:
            if result.verdict in CONFORMANCE_FAILURES and not explained(result, patterns):
                yield unexpected(
                    case,
                    f"the verdict is {now.verdict}, expected pass or an entry in the ledger",
                )
            continue
        before = known[case][1]
        if result.verdict not in CONFORMANCE_FAILURES:
            if ledger.groups[known[case][0]].sometimes:
                continue
            yield unexpected(
                case,
                f"the verdict is now {now.verdict}, expected {before.verdict}; remove it from the ledger",
            )
        elif now.verdict != before.verdict:
            yield unexpected(case, f"the verdict is now {now.verdict}, expected {before.verdict}")
        elif now.findings != tuple(sorted(before.findings)):
            yield unexpected(case, f"has other findings: {_change(before.findings, now.findings)}")
    for case in known:
        if cases is not None and case not in cases:
            yield unexpected(case, "is not a case of the suite; remove it from the ledger")


def patterns_without_cases(ledger: Ledger, run: Run, cases: Sequence[Case]) -> Iterator[UnexpectedResult]:
    """Yield patterns that match no case of the suite, such as those with a misspelt requirement."""
    for index, number, pattern in patterns_of(ledger.groups, run):
        if not any(map(pattern.is_about, cases)):
            line = _line(ledger, ("known", index, "matching", number))
            message = "matches no case of the suite, expected at least one"
            yield UnexpectedResult(_name(run), "a pattern", line, message)


def missing_in_run(ledger: Ledger, run: Run) -> Iterator[UnexpectedResult]:
    """Yield patterns without a failure, and a breadth that the run of all cases does not reach."""
    for index, number, pattern in patterns_of(ledger.groups, run):
        about = [
            result for result in run.results if result.verdict in JUDGED and pattern.is_about(result.case)
        ]
        expected = about and not ledger.groups[index].sometimes
        if expected and not any(concerns(pattern, result) for result in about):
            path = ("known", index, "matching", number)
            message = f"matches no failure among {counted(len(about), 'judged case')}, expected at least one"
            yield UnexpectedResult(_name(run), "a pattern", _line(ledger, path), message)
    breadth = Breadth.of(run.results)
    for index, entry in enumerate(ledger.breadth):
        if entry.covers(run) and not entry.is_reached(breadth):
            message = f"is {breadth}, expected at least {entry.share}"
            yield UnexpectedResult(_name(run), "breadth", _line(ledger, ("breadth", index)), message)


def _line(ledger: Ledger, path: tuple[str | int, ...]) -> int | None:
    return ledger.document.line_of(path) if ledger.document else None


def patterns_of(groups: Sequence[KnownGroup], run: Run) -> Iterator[tuple[int, int, KnownPattern]]:
    """Yield the patterns for a run, each with the indexes of its group and in its group."""
    for index, group in enumerate(groups):
        if group.covers(run):
            yield from ((index, number, pattern) for number, pattern in enumerate(group.matching))


def concerns(pattern: KnownPattern, result: CaseResult) -> bool:
    """Whether a pattern explains a failure or one of its findings."""
    if result.verdict not in CONFORMANCE_FAILURES:
        return False
    return not pattern.is_about_findings or any(map(pattern.explains, result.findings))


def _change(before: Sequence[str], now: Sequence[str]) -> str:
    """Describe the first new finding and the first missing finding, with the number of others."""
    new, missing = (
        [finding for finding in some if finding not in others]
        for some, others in ((now, before), (before, now))
    )
    counted = ((new, "is new"), (missing, "is missing"))
    return "; ".join(
        f"{some[0]!r} {what}" + (f" and {len(some) - 1} more" if some[1:] else "")
        for some, what in counted
        if some
    )
