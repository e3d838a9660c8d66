"""The comparison of runs with a ledger, and its update."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from dra_conform.conformance.events import Event
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, CaseResult
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.reports.breadth import Breadth
from dra_conform.reports.causes import causes
from dra_conform.reports.figures import percent
from dra_conform.reports.ledger import (
    KnownBreadth,
    KnownFailure,
    KnownGroup,
    KnownPattern,
    Ledger,
    explained,
    known_failure,
    write_ledger,
)
from dra_conform.reports.runs import Run, RunCollector

ONE_ENTRY = 10
"""The least number of failures of one result part that `--update` writes as one pattern."""


@dataclass(frozen=True, slots=True)
class UnexpectedResult:
    """A case whose result differs from the ledger.

    `line` is the line of the case in the ledger, None if the ledger lacks the case.
    """

    run: str
    case: str
    line: int | None
    message: str


class LedgerCheck:
    """Compare runs with the ledger after the last run.

    `found` has the results that differ from the ledger. `whole`: the runs have all cases of their level, so
    that their breadth and patterns without a failure count.
    """

    def __init__(
        self, ledger: Ledger, cases: Iterable[str], *, update: bool, reason: str, whole: bool = True
    ) -> None:
        self._ledger = ledger
        self._cases = tuple(cases)
        self._update = update
        self._reason = reason
        self._whole = whole
        self._collector = RunCollector()
        self._unjudged: list[str] = []
        self.found: list[UnexpectedResult] = []

    def handle(self, event: Event) -> None:
        self._collector.add(event)

    def close(self) -> None:
        """Compare all runs with the ledger, or write the new ledger."""
        groups, breadth = self._ledger.groups, self._ledger.breadth
        for run in self._collector.runs():
            whole = self._whole and not run.aborted
            if self._update:
                groups = updated(groups, run, self._cases, self._reason, whole=whole)
                breadth = _updated_breadth(breadth, run) if whole else breadth
            else:
                self.found += unexpected_results(self._ledger, run, self._cases)
                if whole:
                    self.found += missing_in_run(self._ledger, run)
            if not any(result.verdict in JUDGED for result in run.results):
                self._unjudged.append(_name(run))
        if self._update:
            write_ledger(self._ledger.file, groups, breadth)

    def lines(self) -> Iterator[str]:
        """Yield a line for each difference from the ledger, then their number."""
        file = self._ledger.file
        if self._update:
            yield f"{file}: written"
            return
        for difference in self.found:
            yield str(
                InputError(file, difference.line, difference.case, f"{difference.run}: {difference.message}")
            )
        yield from (f"{file}: {run}: no case was judged" for run in self._unjudged)
        if self.found:
            differ = "result differs" if len(self.found) == 1 else "results differ"
            yield f"{file}: {len(self.found)} {differ} from the ledger"
        elif not self._unjudged:
            yield f"{file}: all results are as in the ledger"


def _name(run: Run) -> str:
    return f"{run.name}, profile {run.started.profile}"


def unexpected_results(ledger: Ledger, run: Run, cases: Iterable[str]) -> Iterator[UnexpectedResult]:
    """Yield each result of a run that differs from the ledger. `cases` are all cases of the suite.

    A case that was not run, or that the implementation declines, is not reported.
    """
    known = {
        case: (index, failure)
        for index, group in enumerate(ledger.groups)
        if group.covers(run)
        for case, failure in group.cases.items()
    }
    patterns = [pattern for _, _, pattern in _patterns(ledger.groups, run)]

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
                    case, f"is {now.verdict} and not in the ledger, expected pass or an entry in the ledger"
                )
            continue
        before = known[case][1]
        if result.verdict not in CONFORMANCE_FAILURES:
            yield unexpected(
                case, f"is now {now.verdict}, expected {before.verdict}; remove it from the ledger"
            )
        elif now.verdict != before.verdict:
            yield unexpected(case, f"is now {now.verdict}, expected {before.verdict}")
        elif now.findings != tuple(sorted(before.findings)):
            yield unexpected(case, f"has other findings: {_change(before.findings, now.findings)}")
    in_suite = set(cases)
    for case in known:
        if case not in in_suite:
            yield unexpected(case, "is not a case of the suite; remove it from the ledger")


def missing_in_run(ledger: Ledger, run: Run) -> Iterator[UnexpectedResult]:
    """Yield patterns without a failure, and a breadth that the run of all cases does not reach."""
    for index, number, pattern in _patterns(ledger.groups, run):
        about = [result for result in run.results if result.verdict in JUDGED and pattern.is_about(result)]
        if about and not any(_concerns(pattern, result) for result in about):
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


def _patterns(groups: Sequence[KnownGroup], run: Run) -> Iterator[tuple[int, int, KnownPattern]]:
    """Yield the patterns for a run, each with the indexes of its group and in its group."""
    for index, group in enumerate(groups):
        if group.covers(run):
            yield from ((index, number, pattern) for number, pattern in enumerate(group.matching))


def _concerns(pattern: KnownPattern, result: CaseResult) -> bool:
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


def updated(
    groups: Sequence[KnownGroup], run: Run, cases: Iterable[str], reason: str, *, whole: bool = True
) -> tuple[KnownGroup, ...]:
    """Update groups after a run: keep reasons, add failures with `reason`, remove cases that pass.

    Many failures of one result part become one pattern. Patterns without a failure are removed if the run is
    `whole`. Declined cases stay.
    """
    patterns = [pattern for _, _, pattern in _patterns(groups, run)]
    failing = {
        result.case.id: known_failure(result)
        for result in run.results
        if result.verdict in CONFORMANCE_FAILURES and not explained(result, patterns)
    }
    judged = {result.case.id for result in run.results if result.verdict in JUDGED}
    in_suite = set(cases)
    kept: list[KnownGroup] = []
    for group in groups:
        if not group.covers(run):
            kept.append(group)
            continue
        still = {
            case: failing.pop(case, failure)
            for case, failure in group.cases.items()
            if case in in_suite and (case in failing or case not in judged)
        }
        matching = tuple(pattern for pattern in group.matching if not whole or _is_used(pattern, run))
        if still or matching:
            kept.append(msgspec.structs.replace(group, cases=still, matching=matching))
    identity, profile = run.started.implementation, run.started.profile
    new = _new_patterns(run, failing)
    failing = _without(failing, run, new)
    if failing or new:
        kept.append(
            KnownGroup(
                reason=reason, implementation=identity.name, profile=profile, cases=failing, matching=new
            )
        )
    return tuple(kept)


def _is_used(pattern: KnownPattern, run: Run) -> bool:
    about = [result for result in run.results if result.verdict in JUDGED and pattern.is_about(result)]
    return not about or any(_concerns(pattern, result) for result in about)


def _new_patterns(run: Run, failing: Mapping[str, KnownFailure]) -> tuple[KnownPattern, ...]:
    """Return a pattern for each result part with many failures that are not known."""
    return tuple(
        KnownPattern(part=cause.part)
        for cause in causes(run.results)
        if cause.part and sum(result.case.id in failing for result in cause.results) >= ONE_ENTRY
    )


def _without(
    failing: Mapping[str, KnownFailure], run: Run, patterns: Sequence[KnownPattern]
) -> dict[str, KnownFailure]:
    known = {result.case.id for result in run.results if explained(result, patterns)} if patterns else set()
    return {case: failure for case, failure in failing.items() if case not in known}


def _updated_breadth(before: Sequence[KnownBreadth], run: Run) -> tuple[KnownBreadth, ...]:
    """Replace the breadth of such runs by that of this run; a run that judged nothing changes nothing."""
    now = Breadth.of(run.results)
    if not now.judged:
        return tuple(before)
    started = run.started
    entry = KnownBreadth(
        implementation=started.implementation.name,
        profile=started.profile,
        level=started.level,
        share=percent(now.judged, now.applicable),
    )
    return (*(other for other in before if not other.covers(run)), entry)
