"""Event files of earlier runs, complete or truncated, from which runs are resumed or merged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from dra_conform import __version__
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.reports.recorded_results import ResultRecord, result_of


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


_EXPECTED = "expected a line that --events wrote"


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
    was cut off at the end of a file. Raises InputError if a file has no events, or if its suite, profile,
    implementation or `options` (`Settings.options`) differ from those of this run.
    """
    due = {"suite": f"{__version__} {suite.fingerprint}", "profile": profile, **options}
    by_id = {case.id: case for case in (*suite.cases, *cases)}
    runs: dict[int, RecordedRun] = {}
    for path in paths:
        for line, text in _lines(path):
            try:
                event = msgspec.json.decode(text, type=_Event)
                if event.event == "run-started":
                    start = msgspec.json.decode(text, type=_RunStarted)
                    known = runs.setdefault(event.run, RecordedRun(start.implementation.identity(), {}))
                    _compare(path, line, start, due, known.identity)
                elif event.event == "case-finished":
                    record = msgspec.json.decode(text, type=ResultRecord)
                    if record.verdict is not Verdict.NOT_RUN:
                        case = by_id[suite.former_ids.present(record.case)]
                        runs[event.run].results[case.id] = result_of(case, profile, record)
            except msgspec.DecodeError as error:
                raise InputError(path, line, "", f"is not an event ({error}), {_EXPECTED}") from None
            except RecursionError:
                raise InputError(path, line, "", f"is nested too deeply, {_EXPECTED}") from None
            except KeyError as error:
                message = f"names the unknown case or run {error}, {_EXPECTED} for this suite"
                raise InputError(path, line, "", message) from None
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
    of_file["implementation"] = _named(start.implementation.identity())
    for what, wanted in (*due.items(), ("implementation", _named(known))):
        if (recorded := of_file.get(what)) != wanted:
            raise InputError(path, line, what, f"is {recorded}, expected {wanted} as in this run")


def _named(identity: Identity) -> str:
    return f"{identity.name} {identity.version}"
