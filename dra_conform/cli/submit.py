"""`dra-conform submit`: write a result for publication, or check published results."""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import combinations
from pathlib import Path

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.suite_option import load
from dra_conform.conformance.case import applicable
from dra_conform.conformance.levels import at_level
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.requirement import MAY
from dra_conform.conformance.runner import about_subjects
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.listing import listed
from dra_conform.kube.printable import printable
from dra_conform.reports import ai_conformance, headline
from dra_conform.reports.files import ensure_writable, write_text
from dra_conform.reports.recorded_runs import run_of_report
from dra_conform.reports.runs import Run
from dra_conform.reports.submission import SUBJECTS, Submission, submission_of
from dra_conform.reports.submission_files import read_submission, submitted_files, write_submission


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Write the result of a run for publication: RELEASE/IMPLEMENTATION/VERSION.yaml, README.md and a "
        "badge. PATH is a report of `run --json` over the shipped suite. With --check, PATH is a file or a "
        "folder of such results. With --ai-conformance, write a page of evidence for the requirement "
        "dra_support of CNCF's Kubernetes AI conformance instead."
    )
    command.add_argument(
        "paths", nargs="+", metavar="PATH", help="a JSON report, or published results with --check"
    )
    command.add_argument("--check", action="store_true", help="check published results instead")
    command.add_argument(
        "--ai-conformance",
        metavar="F",
        help="write the page of evidence for one report of a cluster run to F",
    )
    command.add_argument(
        "--into", default="reports", metavar="DIR", help="the folder to write to (%(default)s)"
    )
    command.add_argument(
        "--contact",
        action="append",
        default=[],
        metavar="WHO",
        help="an address or account for questions; may be repeated",
    )
    command.add_argument("--organization", default="", metavar="NAME", help="who makes the implementation")
    command.add_argument("--url", default="", metavar="URL", help="its home page (the one that it declares)")
    command.add_argument("--subject", choices=SUBJECTS, help="what it is (derived from its operations)")
    command.add_argument(
        "--build",
        action="append",
        default=[],
        metavar="COMMAND",
        help="a command that is needed before the run; may be repeated",
    )
    command.examples = (
        "dra-conform submit report.json --contact @me --build 'make adapter'",
        "dra-conform submit --check reports",
    )
    command.exit_codes = {
        0: "written or valid",
        1: "written, but a scenario of --ai-conformance fails",
        2: "bad usage or input",
    }
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    if arguments.ai_conformance is not None:
        return _write_evidence(arguments)
    return _check(arguments) if arguments.check else _write(arguments)


def _write_evidence(arguments: argparse.Namespace) -> int:
    if arguments.check or len(arguments.paths) > 1:
        raise InputError("--ai-conformance", None, "", "reads one report, expected one PATH and no --check")
    suite = load(None)
    if suite is None:
        return exits.SUITE_BROKEN
    [path] = arguments.paths
    target = ensure_writable(arguments.ai_conformance, [Path(path)])
    run = run_of_report(path, suite)
    cases = applicable(suite.cases, run.started.profile)
    write_text(target, ai_conformance.render(path, run, cases))
    print(printable(arguments.ai_conformance))
    return exits.OK if ai_conformance.passes(run) else exits.FAILURES


def _check(arguments: argparse.Namespace) -> int:
    suite = load(None)
    if suite is None:
        return exits.SUITE_BROKEN
    problems: list[InputError] = []
    for path in arguments.paths:
        for file in submitted_files(Path(path)):
            try:
                submission = read_submission(file).submission
                note = _compare_with_suite(file, submission, suite)
            except InputError as error:
                problems.append(error)
            else:
                cases = submission.cases
                print(printable(f"{file}: {cases.correctness} correct, {cases.breadth} breadth{note}"))
    if problems:
        raise InputErrors(problems)
    return exits.OK


def _compare_with_suite(file: Path, submission: Submission, suite: LoadedSuite) -> str:
    """Raise InputError if the suite does not have the cases and requirements of a result.

    Return a note if the result is of another suite.
    """
    if submission.tool.suite != suite.fingerprint:
        return "; of another suite, so its number of cases was not checked"
    known = {requirement.id for requirement in suite.catalogue}
    for name in submission.failed:
        if name not in known:
            raise InputError(
                str(file), None, f"failed[{name}]", "is unknown, expected a requirement of the suite"
            )
    cases = at_level(applicable(suite.cases, submission.profile), submission.level)
    optional = [case for case in cases if case.level_in(submission.profile) == MAY]
    all_cases, may_cases = (
        Counter(OPERATIONS[case.operation].subject for case in some) for some in (cases, optional)
    )
    counts = submission.cases
    found = counts.judged + counts.declined + counts.not_applicable
    # An implementation can have several subjects. Optional behavior that it does not provide has no count.
    allowed = (
        range(
            sum(all_cases[name] - may_cases[name] for name in names),
            sum(all_cases[name] for name in names) + 1,
        )
        for count in range(1, len(all_cases) + 1)
        for names in combinations(all_cases, count)
    )
    if not any(found in numbers for numbers in allowed):
        expected = " or ".join(f"{size:,} about {subject}" for subject, size in all_cases.items())
        message = f"has {found:,} cases, expected all of level {submission.level}: {expected}"
        raise InputError(str(file), None, "cases", message)
    return ""


def _write(arguments: argparse.Namespace) -> int:
    if not arguments.contact:
        raise InputError("--contact", None, "", "is missing, expected an address or an account for questions")
    suite = load(None)
    if suite is None:
        return exits.SUITE_BROKEN
    submissions = []  # Nothing is written if one of the reports cannot be submitted.
    for path in arguments.paths:
        run = run_of_report(path, suite)
        for option in sorted({"--select", "--shard"}.intersection(run.started.options)):
            message = f"has {option}, expected a report of all cases of a level, so that its breadth is true"
            raise InputError(path, None, "options", message)
        _reject_missing_results(path, run, suite)
        submission = submission_of(
            run,
            subject=arguments.subject or "",
            contact=arguments.contact,
            organization=arguments.organization,
            url=arguments.url,
            build=arguments.build,
        )
        submissions.append((submission, headline.badge_svg([run])))
    for submission, badge in submissions:
        print(printable(str(write_submission(Path(arguments.into), submission, badge))))
    return exits.OK


def _reject_missing_results(path: str, run: Run, suite: LoadedSuite) -> None:
    """Raise InputError unless the run has a result for each case of its profile, level and subjects."""
    started = run.started
    cases = at_level(applicable(suite.cases, started.profile), started.level)
    present = {result.case.id for result in run.results if result.verdict is not Verdict.NOT_RUN}
    due = (case.id for case in about_subjects(cases, started.implementation))
    missing = [case for case in due if case not in present]
    if missing:
        message = f"{listed(missing)}: no result, expected one for each case of level {started.level}"
        raise InputError(path, None, "results", message)
