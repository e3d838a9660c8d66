"""What event files tell of earlier runs, whole or cut off, so that they can go on or be put together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform import __version__
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.reports.recorded_results import result_of

Json = Any


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """One implementation's run: what it said of itself, and each result by the id of its case."""

    identity: Identity
    results: dict[str, CaseResult]


def recorded_runs(
    paths: Sequence[str], suite: LoadedSuite, cases: Sequence[Case], profile: str, options: Mapping[str, str]
) -> tuple[RecordedRun, ...]:
    """The runs of event files, the first runs of all files together, and so on; later files count more.

    `cases` are those of this run, variants of `--ask-again` among them.
    Cases that were not run are left out, and so is a line that was cut off at the end of a file. Raises
    InputError where a file is none of events, or tells of another suite, profile or implementation, or of
    a run with other `options` (`Settings.options`), which would not be one with this run.
    """
    due = {"suite": f"{__version__} {suite.fingerprint}", "profile": profile, **options}
    by_id = {case.id: case for case in (*suite.cases, *cases)}
    runs: dict[int, RecordedRun] = {}
    for path in paths:
        for line, text in _lines(path):
            try:
                event = json.loads(text)
                number = event.get("run")
                if event["event"] == "run-started":
                    identity = _identity(event["implementation"])
                    known = runs.setdefault(number, RecordedRun(identity, {})).identity
                    _compare(path, line, event, due, known)
                elif event["event"] == "case-finished" and event["verdict"] != Verdict.NOT_RUN:
                    case = by_id[suite.former_ids.present(event["case"])]
                    runs[number].results[case.id] = result_of(case, profile, event)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                message = f"is no event ({type(error).__name__}: {error}), expected a line of --events"
                raise InputError(path, line, "", message) from None
    return tuple(runs[number] for number in sorted(runs))


def _lines(path: str) -> Iterator[tuple[int, str]]:
    try:
        whole = read_input(path).decode("utf-8", errors="replace")
    except OSError as error:
        problem = error.strerror or error
        raise InputError(path, None, "", f"cannot be read: {problem}, expected a file of --events") from None
    *complete, _cut_off = whole.split("\n")
    yield from enumerate(complete, start=1)


def _compare(path: str, line: int, event: Json, due: Mapping[str, str], known: Identity) -> None:
    suite = event["suite"]
    told = {"suite": f"{suite['version']} {suite['fingerprint']}", "profile": event["profile"]}
    told |= event["settings"]
    told["implementation"] = _named(_identity(event["implementation"]))
    for what, wanted in (*due.items(), ("implementation", _named(known))):
        if told[what] != wanted:
            raise InputError(path, line, what, f"is {told[what]}, expected {wanted}, as of this run")


def _named(identity: Identity) -> str:
    return f"{identity.name} {identity.version}"


def _identity(told: Json) -> Identity:
    return Identity(
        name=told["name"],
        version=told["version"],
        spec=told.get("spec", ""),
        language=told.get("language", ""),
        homepage=told.get("homepage", ""),
        source=told.get("source", ""),
        operations=frozenset(told["operations"]),
        features=dict(told["features"]),
    )
