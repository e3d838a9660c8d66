"""Runs read back from JSON reports, for commands that compute other figures than a report has."""

from __future__ import annotations

import msgspec

from dra_conform.conformance.events import RunStarted
from dra_conform.conformance.implementation import Suite
from dra_conform.conformance.levels import ALL
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import read_input
from dra_conform.kube.printable import printable
from dra_conform.reports.json_report import FORMAT
from dra_conform.reports.recorded import ImplementationRecord
from dra_conform.reports.recorded_results import ResultRecord, result_of
from dra_conform.reports.runs import Run

_EXPECTED = "expected a report of one run that --json wrote"


class _ReportedRun(msgspec.Struct, frozen=True):
    format: str
    implementation: ImplementationRecord
    profile: str
    suite: Suite
    started: str
    seconds: float
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
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(path, None, "", f"is not a report ({printable(str(error))}), {_EXPECTED}") from None
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
    results = []
    for index, record in enumerate(reported.results):
        case = cases.get(record.case)
        if case is None:
            message = (
                f"unknown case {record.case!r}, expected cases of the suite without variants of --ask-again"
            )
            raise InputError(path, None, f"results[{index}].case", message)
        results.append(result_of(case, reported.profile, record))
    return tuple(results)
