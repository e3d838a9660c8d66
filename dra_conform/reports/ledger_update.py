"""The update of a ledger from runs (`run --expect LEDGER --update`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from dra_conform.conformance.case import Case
from dra_conform.conformance.events import Event
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED
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
from dra_conform.reports.ledger_check import concerns, patterns_of
from dra_conform.reports.runs import Run, RunCollector

ONE_ENTRY = 10
"""The least number of failures of one result part that `--update` writes as one pattern."""


class LedgerUpdate:
    """Write the failures and the breadth of all runs into the ledger after the last run.

    `cases` are all cases of the suite. `whole`: the runs have all cases of their level, so that their breadth
    and patterns without a failure count.
    """

    def __init__(self, ledger: Ledger, cases: Sequence[Case], reason: str, *, whole: bool = True) -> None:
        self._ledger = ledger
        self._cases = cases
        self._reason = reason
        self._whole = whole
        self._collector = RunCollector()
        self._new_failures = 0
        self._new_causes = 0

    def handle(self, event: Event) -> None:
        self._collector.add(event)

    def close(self) -> None:
        """Write the new ledger. Without a run no file is written."""
        groups, breadth = self._ledger.groups, self._ledger.breadth
        runs = self._collector.runs()
        if not runs:
            return
        for run in runs:
            whole = self._whole and not run.aborted
            listed = _listed(groups)
            groups = updated(groups, run, self._cases, self._reason, whole=whole)
            new = {case for _, _, case in _listed(groups) - listed}
            self._new_failures += len(new)
            self._new_causes += sum(
                any(result.case.id in new for result in cause.results) for cause in causes(run.results)
            )
            breadth = _updated_breadth(breadth, run) if whole else breadth
        write_ledger(self._ledger.file, groups, breadth)

    def lines(self) -> Iterator[str]:
        """Yield what was written, and that failures of several causes have one reason."""
        if self._collector.runs():
            yield f"{self._ledger.file}: written"
        if self._new_causes > 1:
            yield (
                f"{self._ledger.file}: {self._new_failures} new failures of {self._new_causes} causes "
                "have one reason; give the cases of each cause a group with its own reason"
            )

    def as_expected(self, number: int) -> bool | None:
        """Return True: what was written is expected from now on."""
        return True


def updated(
    groups: Sequence[KnownGroup], run: Run, cases: Sequence[Case], reason: str, *, whole: bool = True
) -> tuple[KnownGroup, ...]:
    """Update groups after a run: keep reasons, add failures with `reason`, remove cases that pass.

    Many failures of one result part become one pattern. Patterns without a case are removed, and patterns
    without a failure if the run is `whole`. Declined cases stay.
    """
    patterns = [pattern for _, _, pattern in patterns_of(groups, run)]
    failing = {
        result.case.id: known_failure(result)
        for result in run.results
        if result.verdict in CONFORMANCE_FAILURES and not explained(result, patterns)
    }
    judged = {result.case.id for result in run.results if result.verdict in JUDGED}
    in_suite = {case.id for case in cases}
    kept: list[KnownGroup] = []
    for group in groups:
        if not group.covers(run):
            kept.append(group)
            continue
        still = {
            case: failing.pop(case, failure)
            for case, failure in group.cases.items()
            if case in in_suite and (case in failing or case not in judged or group.sometimes)
        }
        matching = tuple(
            pattern
            for pattern in group.matching
            if any(map(pattern.is_about, cases)) and (not whole or group.sometimes or _is_used(pattern, run))
        )
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


def _listed(groups: Sequence[KnownGroup]) -> frozenset[tuple[str, str, str]]:
    """Return the listed cases, each with the implementation and the profile of its group."""
    return frozenset((group.implementation, group.profile, case) for group in groups for case in group.cases)


def _is_used(pattern: KnownPattern, run: Run) -> bool:
    about = [result for result in run.results if result.verdict in JUDGED and pattern.is_about(result.case)]
    return not about or any(concerns(pattern, result) for result in about)


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
