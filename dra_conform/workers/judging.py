"""Runs on dask workers: each worker judges its cases with an implementation that it starts."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from time import perf_counter

import msgspec

from dra_conform.adapters.builtin import explain
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance import plugin_entries
from dra_conform.conformance.allocate.variants import with_variants
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished, Event, RunFinished, RunStarted
from dra_conform.conformance.implementation import CannotStart, Identity
from dra_conform.conformance.judging import MissingAnswers, not_run
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.json_values import Json
from dra_conform.reports.recorded_results import ResultRecord, record_of, result_of
from dra_conform.workers.pool import SchedulerLost

CASES = 100
"""The number of cases in a part, about a second of a fast implementation, for any number of workers."""


@dataclass(frozen=True, slots=True)
class PartOfRun:
    """A part of a run: the ids of cases for one implementation.

    `suite` is the folder of the suite on every machine, None for the shipped suite.
    """

    spec: str
    suite: str | None
    fingerprint: str
    settings: Settings
    cases: tuple[str, ...]
    ask_again: bool


@dataclass(frozen=True, slots=True)
class JudgedPart:
    """The results of one part of a run.

    `records` are made by `record_of`; `warnings` are those of the implementation.
    """

    identity: Identity
    records: tuple[Json, ...]
    aborted: str
    gave_up: bool
    warnings: tuple[str, ...]


def judge_part(part: PartOfRun) -> JudgedPart:
    """Judge the implementation on a part; raises CannotStart, also if this worker has a different suite."""
    suite = _suite(part.suite)
    if suite.fingerprint != part.fingerprint:
        raise CannotStart(
            "the suite or the dra-conform version of a worker differs from this machine, expected equal"
        )
    cases = _cases(part.suite, part.settings.profile, ask_again=part.ask_again)
    implementation = open_implementation(part.spec, limits=Limits(memory=part.settings.memory))
    chosen = [cases[name] for name in part.cases]
    events = run(implementation, suite.as_suite(), chosen, settings=part.settings, explain=explain)
    identity, records, aborted, gave_up = None, [], "", False
    for event in events:
        match event:
            case RunStarted(implementation=started):
                identity = started
            case CaseFinished(result):
                records.append(record_of(result))
            case RunFinished(_, aborted, gave_up):
                pass
    assert identity is not None
    warnings = tuple(getattr(implementation, "warnings", ()))
    return JudgedPart(identity, tuple(records), aborted, gave_up, warnings)


def parts_of_run(
    spec: str,
    suite: LoadedSuite,
    folder: str | None,
    settings: Settings,
    cases: Sequence[Case],
    *,
    ask_again: bool,
) -> Iterator[PartOfRun]:
    """Split the cases of a run into parts of consecutive cases."""
    ids = iter(case.id for case in cases)
    while part := tuple(islice(ids, CASES)):
        yield PartOfRun(spec, folder, suite.fingerprint, settings, part, ask_again)


def events_of_parts(
    done: Iterator[JudgedPart],
    suite: LoadedSuite,
    cases: Sequence[Case],
    *,
    settings: Settings,
    started: str,
    known: Mapping[str, CaseResult],
    warnings: list[str],
) -> Generator[Event]:
    """Yield the events of one run from its judged parts, in their order, as if one process had run it.

    `known` are results of cases that are in no part. Warnings of the workers are added to `warnings`. Raises
    CannotStart if workers have different versions of the implementation.
    """
    begin = perf_counter()
    asked = [case for case in cases if case.id not in known]
    first = next(done)
    yield RunStarted(
        first.identity,
        settings.profile,
        suite.as_suite(),
        len(cases),
        suite.catalogue,
        started,
        settings.options(),
        options=settings.words(),
    )
    count = -(-len(asked) // CASES)
    by_id = {case.id: case for case in asked}
    results = _results(first, done, count, by_id, settings.profile, warnings)
    missing = MissingAnswers()
    aborted, gave_up, lost = "", False, ""
    for case in cases:
        part = None
        if case.id in known:
            result = known[case.id]
        elif lost:
            result = not_run(case, settings.profile, lost)
        else:
            try:
                result, part = next(results)
            except SchedulerLost as error:
                aborted = lost = str(error)
                result = not_run(case, settings.profile, lost)
        missing.count(result)
        if result.verdict is Verdict.NOT_RUN and part is not None:
            aborted, gave_up = aborted or part.aborted, gave_up or part.gave_up
        yield CaseFinished(result)
    alike = "" if aborted else missing.common_reason()
    yield RunFinished(perf_counter() - begin, aborted or alike, gave_up or bool(alike))


def _results(
    first: JudgedPart,
    rest: Iterator[JudgedPart],
    count: int,
    cases: Mapping[str, Case],
    profile: str,
    warnings: list[str],
) -> Iterator[tuple[CaseResult, JudgedPart]]:
    part = first
    for number in range(count):
        part = first if number == 0 else next(rest)
        if part.identity != first.identity:
            names = " and ".join(f"{known.name} {known.version}" for known in (first.identity, part.identity))
            raise CannotStart(f"workers have different implementations or features, expected equal: {names}")
        warnings += (warning for warning in part.warnings if warning not in warnings)
        for record in part.records:
            yield result_of(cases[record["case"]], profile, msgspec.convert(record, ResultRecord)), part


@cache
def _suite(folder: str | None) -> LoadedSuite:
    plugin_entries.load()
    return load_suite(folder, cached=True)


@cache
def _cases(folder: str | None, profile: str, *, ask_again: bool) -> dict[str, Case]:
    cases = _suite(folder).cases
    return {case.id: case for case in (with_variants(cases, profile) if ask_again else cases)}
