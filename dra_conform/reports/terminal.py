"""The terminal report: progress during the run, then failures and a summary."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from shutil import get_terminal_size
from time import monotonic
from typing import TextIO

from dra_conform.conformance.events import CaseFinished, CaseJudged, Event, RunFinished, RunStarted
from dra_conform.conformance.levels import ALL
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.listing import counted
from dra_conform.kube.printable import one_line, printable
from dra_conform.kube.profile import Profile
from dra_conform.reports import failure_explanation, figures
from dra_conform.reports.advice import advice
from dra_conform.reports.causes import Cause, causes_of
from dra_conform.reports.comparison import matrix_lines
from dra_conform.reports.failure import WIDTH, Style, lines, wrapped
from dra_conform.reports.headline import headline
from dra_conform.reports.runs import KnownFailures, Run, RunCollector

SCREENS = 100
"""The most lines about one run, two screens of 50; `--verbose` shows all failures in full."""
EXAMPLE = 45
"""The most lines of one failure."""
CAUSES_LISTED = 5
"""The most causes without an example, unless one more would be all."""
CASES_LISTED = 2
"""The most cases listed after the example of a cause."""
REASONS_LISTED = 3
"""The most reasons why cases are unsupported."""
_EVERY = 0.1
_EVERY_IN_FILES = 60.0
"""Seconds between two progress lines: on a terminal, which overwrites them, and in a file."""


class Terminal:
    """A handler that prints to a stream, with colours and a progress line if it is a terminal.

    Known failures, of which `known` returns the ids, are only counted, unless verbose.
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        verbose: bool = False,
        known: KnownFailures = lambda _: frozenset(),
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._stream = stream
        self._verbose = verbose
        self._live = stream.isatty() and environment.get("TERM") != "dumb"
        self._width = min(WIDTH, get_terminal_size().columns) if self._live else WIDTH
        self._style = Style(on=self._live and not environment.get("NO_COLOR"))
        self._clock = clock
        self._drawn = float("-inf")
        self._collector = RunCollector(known)
        self._counts: Counter[Verdict] = Counter()
        self._early: set[str] = set()
        self._total = 0

    def handle(self, event: Event) -> None:
        run = self._collector.add(event)
        match event:
            case RunStarted():
                self._start(event)
            case CaseJudged(result):
                self._early.add(result.case.id)
                self._case(result)
            case CaseFinished(result) if result.case.id not in self._early:
                self._case(result)
            case RunFinished():
                self._erase()
        if run is not None:
            self._finish(run)

    def close(self) -> None:
        """Print the results of an interrupted run, and compare several runs."""
        before = self._total
        runs = self._collector.runs()
        if before:
            self._erase()
            self._finish(runs[-1])
        if len(runs) > 1:
            self._print(self._style.faint("=" * self._width))
            for line in matrix_lines(runs):
                self._print(line)

    def _start(self, event: RunStarted) -> None:
        self._counts.clear()
        self._early.clear()
        self._drawn = float("-inf") if self._live else self._clock()
        self._total = max(event.total, 1)
        identity = event.implementation
        name = one_line(f"{identity.name} {identity.version}".strip())
        suite = f"suite {event.suite.version} {event.suite.fingerprint.removeprefix('sha256:')[:12]}"
        profile = Profile.named(event.profile).title
        level = "" if event.level == ALL else f"level {event.level}, "
        self._print(
            f"{self._style.strong(name)}, profile {profile}, {level}{counted(event.total, 'case')}, {suite}"
        )
        for component, command in identity.components.items():
            self._print(printable(f"  {component} under test: {command}"))
        for line in wrapped(Run(event, (), 0.0).known_failures, "  "):
            self._print(line)

    def _case(self, result: CaseResult) -> None:
        self._counts[result.verdict] += 1
        if self._verbose:
            self._erase()
            mark = self._style.verdict(result.verdict, f"{result.verdict.value:<13}")
            self._print(f"  {mark} {printable(result.case.id)}")
        if self._clock() - self._drawn >= (_EVERY if self._live else _EVERY_IN_FILES):
            self._drawn = self._clock()
            self._progress(result.case.id)

    def _progress(self, case: str) -> None:
        done = sum(self._counts.values())
        failed = sum(self._counts[verdict] for verdict in CONFORMANCE_FAILURES)
        line = f"  {done}/{self._total}  {done * 100 // self._total} %  failed {failed}  "
        if self._live:
            self._write("\r\x1b[2K" + (line + printable(case))[: self._width - 1])
        elif not self._verbose:
            self._print(line.rstrip())

    def _finish(self, run: Run) -> None:
        self._total = 0
        grouped = [cause for cause in causes_of(run) if self._verbose or not cause.known]
        summary = [self._style.faint("=" * self._width), *self._summary(run)]
        if self._verbose:
            for cause in grouped:
                self._print_lines(_cause_lines(cause, run, self._style, self._width))
                for result in cause.results:
                    self._print_lines(self._failure(result, run))
        else:
            self._print_lines(self._causes(grouped, run, SCREENS - len(summary)))
        self._print_lines(summary)

    def _causes(self, grouped: Sequence[Cause], run: Run, budget: int) -> Iterator[str]:
        """Yield causes with their examples while the budget of lines lasts, then causes without examples."""
        budget -= 4 * min(len(grouped), CAUSES_LISTED + 1) + 2
        shown = 0
        for cause in grouped:
            heading = list(_cause_lines(cause, run, self._style, self._width))
            block = [*heading, *self._failure(cause.example, run), *self._other_cases(cause)]
            if shown and len(block) > budget:
                break
            if len(block) > max(budget, EXAMPLE):
                block = [*heading, *self._shortened(cause.example, run), *self._other_cases(cause)]
            budget -= len(block)
            shown += 1
            yield from block
        yield from self._listed(grouped[shown:])

    def _listed(self, grouped: Sequence[Cause]) -> Iterator[str]:
        """Yield two or three lines for each of the next causes."""
        if not grouped:
            return
        rest = sum(len(cause.results) for cause in grouped)
        yield self._style.strong(f"{counted(rest, 'more case')} failed (--verbose shows all in full):")
        listed = grouped if len(grouped) <= CAUSES_LISTED + 1 else grouped[:CAUSES_LISTED]
        for cause in listed:
            number = f"  {len(cause.results):>4}  "
            yield from wrapped(printable(cause.feature or cause.requirement or cause.example.case.id), number)
            yield from wrapped(cause.message or cause.verdict, "        ")[:2]
        if len(listed) < len(grouped):
            yield f"  ... and {counted(len(grouped) - len(listed), 'more cause')}"

    def _failure(self, result: CaseResult, run: Run) -> Iterator[str]:
        catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
        yield self._style.faint("-" * self._width)
        yield from lines(result, catalogue, self._style, failure_explanation.again_of(run.started))

    def _shortened(self, result: CaseResult, run: Run) -> Sequence[str]:
        """Return the beginning of a failure and the command that runs it again."""
        block = list(self._failure(result, run))
        if len(block) <= EXAMPLE:
            return block
        left_out = len(block) - EXAMPLE + 3
        return [*block[: EXAMPLE - 3], f"    ... {left_out} more lines: --verbose", *block[-2:]]

    def _other_cases(self, cause: Cause) -> Iterator[str]:
        """Yield the ids of further cases of a cause, with their messages if they differ."""
        others = cause.results[1:]
        if others:
            more = "1 more case fails" if len(others) == 1 else f"{len(others)} more cases fail"
            yield f"  {self._style.strong(f'{more} with this cause')}"
        for result in others[:CASES_LISTED]:
            yield from wrapped(printable(result.case.id), "    ")
            if (message := cause.message_of(result)) != cause.message:
                yield from wrapped(message, "      ")[:2]
        if len(others) > CASES_LISTED:
            yield f"    ... and {len(others) - CASES_LISTED} more (--verbose shows all in full)"

    def _print_lines(self, block: Iterable[str]) -> None:
        for line in block:
            self._print(line)

    def _summary(self, run: Run) -> Iterable[str]:
        style = self._style
        failed = figures.failures(run.results)
        total = len(run.results)
        passed = sum(result.verdict is Verdict.PASS for result in run.results)
        yield style.strong(printable(f"{run.name}, profile {run.started.profile}"))
        rows = figures.requirement_results(run)
        for share in headline(run, rows).shares:
            yield f"  {share.name.lower():<13} {share.figure:>11}  {share.meaning}"
        yield f"  cases         {total:,} in {run.seconds:.1f} s"
        for verdict, count in figures.counts(run.results).items():
            if count:
                yield style.verdict(verdict, f"    {verdict.value:<13} {count:>6,}")
            if verdict is Verdict.UNSUPPORTED:
                for reason, cases in figures.reasons_unsupported(run.results)[:REASONS_LISTED]:
                    yield from wrapped(f"{cases:>6,}  {reason}", "      ")[:1]
        tallies = {name: figures.tally(some) for name, some in figures.by_document(rows).items()}
        covered = {name: counts for name, counts in tallies.items() if counts.covered}
        if len(covered) > 1:
            yield "  requirements by document"
            width = max(map(len, covered))
            for name, counts in covered.items():
                passed_of = f"{counts.passed:>4} passed of {counts.covered:>4} covered"
                yield f"    {name:<{width}}  {passed_of}, of {counts.total} in total"
        deviating = sum(bool(result.deviation) for result in run.results)
        if deviating:
            expect = "case expects" if deviating == 1 else "cases expect"
            yield f"  deviations    {deviating} {expect} a deviation of the release from the specification"
        if run.aborted:
            yield from wrapped(f"incomplete    {printable(run.aborted)}", "  ")
        if failed:
            yield style.verdict(Verdict.FAIL, f"  {len(failed):,} of {counted(total, 'case')} failed")
            if run.known and run.started.known_failures is not None:
                listed = "" if self._verbose else "; --verbose shows them"
                file = printable(run.started.known_failures.file)
                known = "is a known failure" if len(run.known) == 1 else "are known failures"
                yield from wrapped(f"{len(run.known)} of them {known} of {file}{listed}", "    ")
            if recommended := figures.only_recommended(failed):
                yield f"    {recommended}"
            yield from _with_gates_off(failed)
        elif run.aborted:
            yield style.verdict(
                Verdict.NOT_RUN, f"  none of {counted(total, 'case')} failed, but the run is incomplete"
            )
        elif not total:
            yield style.verdict(Verdict.NOT_RUN, "  no case was judged")
        elif passed == total:
            yield style.verdict(
                Verdict.PASS, "  the case passes" if total == 1 else f"  all {counted(total, 'case')} pass"
            )
        elif optional := sum(result.verdict is Verdict.OPTIONAL for result in run.results):
            yield f"  no case failed, {optional} show that optional behavior (MAY) is not provided"
        else:
            yield f"  no case failed, {total - passed:,} without an answer to judge"

    def _erase(self) -> None:
        if self._live:
            self._write("\r\x1b[2K")

    def _print(self, line: str) -> None:
        self._write(line + "\n")

    def _write(self, text: str) -> None:
        encoding = getattr(self._stream, "encoding", None) or "utf-8"
        self._stream.write(text.encode(encoding, "replace").decode(encoding))
        self._stream.flush()


def _cause_lines(cause: Cause, run: Run, style: Style, width: int) -> Iterable[str]:
    """Return the number of failures, what is wrong, the violated requirement, and what to do."""
    count = len(cause.results)
    be = "is" if cause.also == 1 else "are"
    more = f" ({cause.also} more {be} listed under another cause)" if cause.also else ""
    heading = f"{count} {'case fails' if count == 1 else 'cases fail'}{more}"
    violated = cause.feature or cause.requirement or cause.verdict.removeprefix("fail: ")
    yield style.faint("=" * width)
    yield from wrapped(style.strong(f"{heading}: {printable(violated)}"), "")
    yield from wrapped(printable(cause.message), "  ")
    yield from wrapped(printable(advice(cause, run)), "  ") if advice(cause, run) else ()


def _with_gates_off(failed: Iterable[CaseResult]) -> Iterable[str]:
    """Describe the failed cases that disable a feature gate, which an allocator without gates cannot pass."""
    gates = [[name for name, on in result.case.gates.items() if not on] for result in failed]
    concerned = sum(map(bool, gates))
    if concerned:
        named = Counter(name for names in gates for name in names).most_common()
        gates_text = ", ".join(f"{name} in {count}" for name, count in named)
        yield from wrapped(f"a feature gate is disabled in {concerned} of them: {gates_text}", "    ")
