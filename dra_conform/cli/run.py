"""`dra-conform run`: judge implementations against the suite."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest
from pathlib import Path

from dra_conform.adapters.builtin import explain
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import BadSpec, files_of, open_implementation
from dra_conform.cli import exits
from dra_conform.cli.configuration import find
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.printing import ProgressLine
from dra_conform.cli.run_checks import (
    NO_LEDGER,
    compared_with_ledger,
    ledger_handler,
    print_unknown_names,
    reason_without_cases,
    with_breadth,
)
from dra_conform.cli.run_options import add_options, report_paths, selection_words
from dra_conform.cli.suite_index import nothing_selected, print_former_ids
from dra_conform.cli.suite_option import load, load_selected
from dra_conform.cli.workers_option import configure_workers, judged_by_workers, reject_with_workers, workers
from dra_conform.conformance.allocate.variants import with_variants
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import (
    CaseFinished,
    Event,
    Handler,
    KnownFailures,
    RunFinished,
    RunStarted,
)
from dra_conform.conformance.implementation import CannotStart, Identity, Implementation
from dra_conform.conformance.levels import at_level
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, select
from dra_conform.conformance.suite.selection import reject_unknown_values
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, JUDGED, Verdict
from dra_conform.extras import missing_client_error
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.reports import markdown
from dra_conform.reports.breadth import BreadthCheck
from dra_conform.reports.handlers import handlers_for
from dra_conform.reports.ledger_check import LedgerCheck
from dra_conform.reports.ledger_update import LedgerUpdate
from dra_conform.reports.recorded_runs import RecordedRun, recorded_runs


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    add_options(command)
    configure_workers(command)
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    suite = _suite(arguments)
    if suite is None:
        return exits.SUITE_BROKEN
    cases = _cases(arguments, suite)
    reject_with_workers(arguments, "--max-failures", "--in-process")
    if arguments.list:
        for case in cases:
            print(f"{case.id}  {case.source}  {' '.join(case.requirements)}")
        return exits.OK
    if arguments.plan:
        return _plan(cases)
    return _judge(arguments, suite, cases, arguments.implementation or ["builtin"])


def _judge(
    arguments: argparse.Namespace, suite: LoadedSuite, cases: Sequence[Case], specs: Sequence[str]
) -> int:
    """Judge implementations one after the other; return the exit code."""
    settings = _settings(arguments)
    implementations = _implementations(arguments, specs)
    recorded = recorded_runs(arguments.resume, suite, cases, settings.profile, settings.options())
    check = ledger_handler(arguments, suite)
    print_former_ids(suite.former_ids)
    if len(recorded) > len(specs):
        message = f"has {len(recorded)} runs, expected at most {len(specs)}, the number of implementations"
        raise InputError("--resume", None, "", message)
    breadth = BreadthCheck(arguments.min_breadth, arguments.require)
    handlers = [
        *_report_handlers(arguments, suite, specs, check),
        breadth,
        *([] if check is None else [check]),
    ]
    codes = []
    with workers(arguments) as pool, ExitStack() as ending:
        for handler in handlers:
            ending.callback(handler.close)
        for spec, implementation, before in zip_longest(specs, implementations, recorded[: len(specs)]):
            known = before.results if before else {}
            started = datetime.now(UTC).isoformat(timespec="seconds")
            warnings: list[str] = []
            if pool is not None and not all(case.id in known for case in cases):
                events = judged_by_workers(
                    pool,
                    arguments,
                    spec,
                    suite,
                    cases,
                    settings=settings,
                    started=started,
                    known=known,
                    warnings=warnings,
                )
            else:
                # The implementation starts even if no case is left, to compare its identity with the results.
                events = run(
                    implementation,
                    suite.as_suite(),
                    cases,
                    settings=settings,
                    catalogue=suite.catalogue,
                    explain=explain,
                    started=started,
                    known=known,
                )
            with closing(events):  # so that processes end before reports are written
                described = map(partial(_described, arguments, check, suite.root), events)
                codes.append(_follow(spec, described, handlers, before, cases))
            for warning in (*warnings, *getattr(implementation, "warnings", ())):
                print(f"{spec}: warning: {warning}", file=sys.stderr)
    return with_breadth(breadth, compared_with_ledger(check, codes, verbose=arguments.verbose))


def _settings(arguments: argparse.Namespace) -> Settings:
    return Settings(
        profile=arguments.profile,
        strict=arguments.strict_choice,
        seed=arguments.seed,
        deadline_ms=int(arguments.deadline * 1000),
        max_failures=arguments.max_failures,
        memory=arguments.memory,
        in_process=arguments.in_process,
    )


def _implementations(arguments: argparse.Namespace, specs: Sequence[str]) -> list[Implementation]:
    """Open the implementations. Raises InputError for a specification that cannot be opened."""
    limits = Limits(memory=arguments.memory)
    try:
        return [open_implementation(spec, limits=limits, in_process=arguments.in_process) for spec in specs]
    except BadSpec as error:
        raise InputError("--implementation", None, "", str(error)) from None


def _report_handlers(
    arguments: argparse.Namespace,
    suite: LoadedSuite,
    specs: Sequence[str],
    check: LedgerCheck | LedgerUpdate | None,
) -> list[Handler]:
    """Return the handlers of the terminal and of the requested reports. Raises InputError."""
    reports = report_paths(arguments)
    if reports["badge"] is not None and len(specs) > 1:
        raise InputError(
            "--badge", None, "", f"shows one implementation, but {len(specs)} are given; expected one"
        )
    inputs = _files_read(suite, arguments, specs)
    known = check.known if isinstance(check, LedgerCheck) else lambda _: frozenset[str]()
    handlers = handlers_for(
        **reports,
        stream=sys.stdout,
        verbose=arguments.verbose,
        known=known,
        inputs=inputs,
    )
    summary = os.environ.get(markdown.STEP_SUMMARY)
    return [*handlers, markdown.StepSummary(summary, known)] if summary else handlers


def _suite(arguments: argparse.Namespace) -> LoadedSuite | None:
    """Return the suite, only with the files of selected cases if nothing else is looked up in it."""
    looked_up = arguments.resume or arguments.expect or arguments.workers or arguments.cluster
    with closing(ProgressLine()) as progress:
        progress.begin("reading the suite")
        if arguments.select and not looked_up:
            return load_selected(arguments.suite, arguments.select)
        suite = load(arguments.suite)
        if suite is not None:
            reject_unknown_values(suite.cases, arguments.select, suite.former_ids.present)
        return suite


def _cases(arguments: argparse.Namespace, suite: LoadedSuite) -> list[Case]:
    """Return the cases to run; raises InputError if there is none."""
    cases = applicable(select(suite.cases, arguments.select, suite.former_ids.present), arguments.profile)
    cases = at_level(cases, arguments.level)
    if not cases:
        among = f" of profile {arguments.profile} and level {arguments.level}"
        raise nothing_selected(arguments.select, among)
    part, parts = arguments.shard
    if part > len(cases):
        message = f"has no case, expected at most {counted(len(cases), 'part')}"
        raise InputError("--shard", None, f"{part}/{parts}", message)
    cases = cases[part - 1 :: parts]
    return list(with_variants(cases, arguments.profile)) if arguments.ask_again else cases


def _files_read(suite: LoadedSuite, arguments: argparse.Namespace, specs: Sequence[str]) -> list[Path]:
    """Return the files and folders that a run reads or executes; no report may overwrite them."""
    configuration = find(Path.cwd())
    files = [configuration.file] if configuration is not None else []
    named = [*arguments.resume, *([arguments.expect] if arguments.expect not in (None, NO_LEDGER) else [])]
    return [*suite.folders, *files, *map(Path, named), *(path for spec in specs for path in files_of(spec))]


def _plan(cases: Sequence[Case]) -> int:
    problem = missing_client_error()
    if problem:
        raise InputError("--plan", None, "", problem)
    from dra_conform.adapters.live.plan import plan  # noqa: PLC0415 - the client is optional

    for line in plan(cases):
        print(line)
    return exits.OK


def _check_resumed(started: RunStarted, before: RecordedRun) -> None:
    now, then = started.implementation, before.identity
    if (now.name, now.version) != (then.name, then.version):
        message = f"is a run of {then.name} {then.version}, expected a run of {now.name} {now.version}"
        raise InputError("--resume", None, "", message)
    declared = [(one.operations, one.features, one.components) for one in (now, then)]
    if declared[0] != declared[1]:
        message = f"is a run of {then.name} with other operations, features or components, expected the same"
        raise InputError("--resume", None, "", message)
    if now.spec != then.spec:
        message = f"is a run of {then.spec!r}, expected a run of {now.spec!r}, which has the same name"
        raise InputError("--resume", None, "", message)


def _described(
    arguments: argparse.Namespace, check: LedgerCheck | LedgerUpdate | None, root: Path, event: Event
) -> Event:
    """Add to the start of a run how its cases were selected, and its ledger of known failures."""
    if not isinstance(event, RunStarted):
        return event
    ledger = check.ledger_of(event) if isinstance(check, LedgerCheck) else None
    known = None
    if ledger is not None:
        file = str(Path(ledger.file).relative_to(root)) if ledger.published else ledger.file
        known = KnownFailures(file, ledger.published)
    return replace(event, level=arguments.level, selection=selection_words(arguments), known_failures=known)


def _follow(
    spec: str,
    events: Iterable[Event],
    handlers: Sequence[Handler],
    before: RecordedRun | None,
    cases: Sequence[Case],
) -> int:
    failures = not_run = judged = 0
    gave_up, why = False, ""
    declared: Identity | None = None
    try:
        for event in events:
            if isinstance(event, RunStarted):
                why = "" if event.total else reason_without_cases(event.implementation, cases)
                declared = event.implementation
                if before:
                    _check_resumed(event, before)
            for handler in handlers:
                handler.handle(event)
            if isinstance(event, CaseFinished):
                failures += event.result.verdict in CONFORMANCE_FAILURES
                not_run += event.result.verdict is Verdict.NOT_RUN
                judged += event.result.verdict in JUDGED
            elif isinstance(event, RunFinished):
                gave_up = event.gave_up
    except CannotStart as error:
        print(f"{spec}: cannot be run: {str(error).removeprefix(f'{spec}: ')}", file=sys.stderr)
        return exits.NOT_RUNNABLE
    if declared:
        print_unknown_names(spec, declared)
    if gave_up:
        return exits.NOT_RUNNABLE
    if not judged:
        print(f"{spec}: no case was judged{why}", file=sys.stderr)
    if not_run or not judged:
        return exits.INCOMPLETE
    return exits.FAILURES if failures else exits.OK
