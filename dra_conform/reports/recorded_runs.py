"""Earlier runs, read back from event files, complete or truncated, or from JSON reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from dra_conform import __version__
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import RunStarted
from dra_conform.conformance.implementation import Identity, Suite
from dra_conform.conformance.levels import ALL
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.kube.printable import printable
from dra_conform.reports.json_report import FORMAT
from dra_conform.reports.recorded_results import ResultRecord, Seconds, result_of
from dra_conform.reports.runs import Run


class _Event(msgspec.Struct, frozen=True):
    """The fields that every event has."""

    event: str
    run: int = 0


class _Suite(msgspec.Struct, frozen=True):
    version: str
    fingerprint: str


class ImplementationRecord(msgspec.Struct, frozen=True):
    """An implementation in the form that `json_report.implementation` writes."""

    name: str
    version: str
    operations: frozenset[str]
    features: dict[str, str]
    spec: str = ""
    language: str = ""
    homepage: str = ""
    source: str = ""
    components: dict[str, str] = {}

    def identity(self) -> Identity:
        return Identity(**msgspec.structs.asdict(self))


class _RunStarted(msgspec.Struct, frozen=True):
    implementation: ImplementationRecord
    profile: str
    suite: _Suite
    settings: dict[str, str]


_EXPECTED_EVENTS = "expected a line that --events wrote"
_NO_EVENT = (
    "has no event, expected a file that --events wrote; a run that was killed before its first event has no "
    "results, so run without this file"
)


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """The recorded run of one implementation: its identity, and its results by case id."""

    identity: Identity
    results: dict[str, CaseResult]


def recorded_runs(
    paths: Sequence[str], suite: LoadedSuite, cases: Sequence[Case], profile: str, options: Mapping[str, str]
) -> tuple[RecordedRun, ...]:
    """Read runs from event files.

    The n-th runs of all files are merged; a later file overrides an earlier one. `cases` are the cases of
    this run, including variants of `--ask-again`. Cases that were not run are omitted, and so is a line that
    was cut off at the end of a file. A file may have only the event `end`, if no run could be started.

    Raises InputError if a file has no events, or a case twice in one run, or if its suite, profile,
    implementation or `options` (`Settings.options`) differ from those of this run. A file that a run leaves
    behind which is killed before its first event, empty or with a line that was cut off, has no events: a
    missing result must not look like a run to continue.
    """
    due = {"suite": f"{__version__} {suite.fingerprint}", "profile": profile, **options}
    by_id = {case.id: case for case in (*suite.cases, *cases)}
    runs: dict[int, RecordedRun] = {}
    for path in paths:
        found = False
        finished: dict[int, set[str]] = {}
        for line, text in _lines(path):
            try:
                event = msgspec.json.decode(text, type=_Event)
                found = found or event.event in ("run-started", "end")
                if event.event == "run-started":
                    start = msgspec.json.decode(text, type=_RunStarted)
                    finished[event.run] = set()  # Concatenated files have a run several times.
                    known = runs.setdefault(event.run, RecordedRun(start.implementation.identity(), {}))
                    _compare(path, line, start, due, known.identity)
                elif event.event == "case-finished":
                    record = msgspec.json.decode(text, type=ResultRecord)
                    case_id = suite.former_ids.present(record.case)
                    if case_id in finished[event.run]:
                        message = f"is a second result of {case_id!r}, expected one result for each case"
                        raise InputError(path, line, "case", message)
                    finished[event.run].add(case_id)
                    if record.verdict is not Verdict.NOT_RUN:
                        runs[event.run].results[case_id] = result_of(by_id[case_id], profile, record)
            except msgspec.DecodeError as error:
                raise InputError(path, line, "", f"is not an event ({error}), {_EXPECTED_EVENTS}") from None
            except RecursionError:
                raise InputError(path, line, "", f"is nested too deeply, {_EXPECTED_EVENTS}") from None
            except KeyError as error:
                message = f"names the unknown case or run {error}, {_EXPECTED_EVENTS} for this suite"
                raise InputError(path, line, "", message) from None
        if not found:
            raise InputError(path, None, "", _NO_EVENT)
    return tuple(runs[number] for number in sorted(runs))


def _lines(path: str) -> Iterator[tuple[int, str]]:
    try:
        whole = read_input(path).decode("utf-8", errors="replace")
    except OSError as error:
        problem = error.strerror or error
        raise InputError(
            path, None, "", f"cannot be read: {problem}, expected a file that --events wrote"
        ) from None
    *complete, _cut_off = whole.split("\n")
    yield from enumerate(complete, start=1)


def _compare(path: str, line: int, start: _RunStarted, due: Mapping[str, str], known: Identity) -> None:
    of_file = {"suite": f"{start.suite.version} {start.suite.fingerprint}", "profile": start.profile}
    of_file |= start.settings
    of_file |= _described(start.implementation.identity())
    for what, wanted in {**due, **_described(known)}.items():
        if (recorded := of_file.get(what)) != wanted:
            raise InputError(path, line, what, f"is {recorded}, expected {wanted} as in this run")


def _described(identity: Identity) -> dict[str, str]:
    """Return what runs of one implementation have in common, by the path of the field of an event."""
    return {
        "implementation": f"{identity.name} {identity.version}",
        "implementation.spec": identity.spec,
        "implementation.operations": ", ".join(sorted(identity.operations)),
        "implementation.features": _pairs(identity.features),
        "implementation.components": _pairs(identity.components),
    }


def _pairs(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in sorted(values.items())) or "empty"


_EXPECTED_REPORT = "expected a report of one run that --json wrote"


class _ReportedRun(msgspec.Struct, frozen=True):
    format: str
    implementation: ImplementationRecord
    profile: str
    suite: Suite
    started: str
    seconds: Seconds
    complete: bool
    results: tuple[ResultRecord, ...]
    level: str = ALL
    options: tuple[str, ...] = ()


def run_of_report(path: str, suite: LoadedSuite) -> Run:
    """Read the run of a JSON report.

    Raises InputError if the file is no such report, has several runs or an incomplete one, or if it is a
    report of another suite.
    """
    try:
        content = read_input(path)
        reported = msgspec.json.decode(content, type=_ReportedRun)
    except OSError as error:
        raise InputError(path, None, "", f"cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            path, None, "", f"is not a report ({printable(str(error))}), {_EXPECTED_REPORT}"
        ) from None
    if reported.format != FORMAT:
        raise InputError(path, None, "format", f"is {reported.format!r}, expected {FORMAT}")
    if not reported.complete:
        raise InputError(path, None, "complete", "is false, expected a report of a complete run")
    if reported.suite.fingerprint != suite.fingerprint:
        message = f"is {reported.suite.fingerprint}, expected {suite.fingerprint}, the suite of this release"
        raise InputError(path, None, "suite.fingerprint", message)
    return Run(
        RunStarted(
            reported.implementation.identity(),
            reported.profile,
            suite.as_suite(),
            len(reported.results),
            suite.catalogue,
            reported.started,
            level=reported.level,
            options=reported.options,
        ),
        _results(path, reported, suite),
        reported.seconds,
    )


def _results(path: str, reported: _ReportedRun, suite: LoadedSuite) -> tuple[CaseResult, ...]:
    cases = {case.id: case for case in suite.cases}
    results: dict[str, CaseResult] = {}
    for index, record in enumerate(reported.results):
        case = cases.get(record.case)
        if case is None:
            message = (
                f"unknown case {record.case!r}, expected cases of the suite without variants of --ask-again"
            )
            raise InputError(path, None, f"results[{index}].case", message)
        if case.id in results:
            message = f"is a second result of {record.case!r}, expected one result for each case"
            raise InputError(path, None, f"results[{index}].case", message)
        results[case.id] = result_of(case, reported.profile, record)
    return tuple(results.values())
