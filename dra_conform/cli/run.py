"""`dra-conform run`: judge implementations against the suite."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

from dra_conform.adapters import BadSpec, explain, open_implementation
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.remembered import Remembered
from dra_conform.adapters.specs import files_of, needs_client
from dra_conform.cli import exits
from dra_conform.cli import option_values as values
from dra_conform.cli.workers_option import configure_workers, judged_by_workers, refuse_with_workers, workers
from dra_conform.conformance.asked_again import asked_again
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished, Event, Handler, RunFinished, RunStarted
from dra_conform.conformance.implementation import CannotStart
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite, is_suite, load_suite, select
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, Verdict
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.profile import KEP, PROFILES
from dra_conform.reports import handlers_for
from dra_conform.reports.recorded import RecordedRun, recorded_runs


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    command.description = "Put the cases of the suite to implementations and judge their answers."
    command.epilog = (
        "Exit codes: 0 all pass, 1 conformance failures, 2 bad usage or input, "
        "3 the implementation could not be run, 4 the suite is broken, 5 incomplete."
    )
    command.add_argument(
        "-i",
        "--implementation",
        action="append",
        metavar="SPEC",
        help="builtin (the default), python:MODULE:ATTRIBUTE, 'exec:COMMAND ...' or cluster:KUBECONFIG; "
        "may be repeated",
    )
    command.add_argument(
        "--in-process",
        action="store_true",
        help="run python:MODULE:ATTRIBUTE in this process, for a debugger; nothing guards us from it then",
    )
    command.add_argument("--profile", default=KEP, choices=PROFILES, help="what counts as right (kep)")
    command.add_argument(
        "--select",
        metavar="EXPR",
        default="",
        help="which cases, such as 'requirement:KEP-5075/rounding/* and not kind:golden'",
    )
    for name, what in (
        ("json", "the results as JSON"),
        ("html", "the compliance report, one self-contained page"),
        ("junit", "JUnit XML"),
        ("markdown", "a summary in Markdown"),
        ("events", "events as NDJSON, written as they happen"),
    ):
        command.add_argument(f"--{name}", metavar="F", help=what)
    command.add_argument(
        "--strict-choice", action="store_true", help="also compare choices between equally valid answers"
    )
    command.add_argument(
        "--ask-again",
        action="store_true",
        help="ask each case of allocate a second time, and with its objects in another order",
    )
    command.add_argument(
        "--max-failures", type=values.count, default=0, metavar="N", help="stop after N failures"
    )
    command.add_argument(
        "--deadline", type=values.seconds, default=2.0, metavar="SECONDS", help="time a case has (2)"
    )
    command.add_argument("--seed", type=int, default=0, help="the random seed implementations are given (0)")
    command.add_argument("--suite", metavar="DIR", help="the suite's folder, instead of the one shipped")
    command.add_argument(
        "--resume",
        action="append",
        metavar="EVENTS",
        default=[],
        help="take over the results of this file of --events, and run only what is missing; may be repeated",
    )
    command.add_argument(
        "--shard",
        type=values.shard,
        metavar="I/N",
        default=(1, 1),
        help="run only part I of N of the cases",
    )
    command.add_argument(
        "--memory",
        type=values.memory,
        default=0,
        metavar="AMOUNT",
        help="what each process may hold, such as 512Mi",
    )
    command.add_argument("--list", action="store_true", help="list the selected cases and stop")
    command.add_argument(
        "--plan", action="store_true", help="list what the selected stories would make on a cluster, and stop"
    )
    command.add_argument("-v", "--verbose", action="store_true", help="print every case")
    configure_workers(command)
    command.set_defaults(command=_command)


def load(folder: str | None) -> LoadedSuite | None:
    """The suite, or None after printing what is broken in it; raises InputError for a folder that is none."""
    if folder is not None and not is_suite(Path(folder)):
        message = "is not a suite, expected a folder with features, golden and requirements"
        raise InputError("--suite", None, folder, message)
    try:
        return load_suite(folder)
    except (InputError, InputErrors) as broken:
        for error in broken.errors if isinstance(broken, InputErrors) else (broken,):
            print(error, file=sys.stderr)
        print("the suite is broken", file=sys.stderr)
        return None


def _command(arguments: argparse.Namespace) -> int:
    suite = load(arguments.suite)
    if suite is None:
        return exits.SUITE_BROKEN
    cases = applicable(select(suite.cases, arguments.select), arguments.profile)
    part, parts = arguments.shard
    cases = cases[part - 1 :: parts]
    if not cases:
        raise InputError(
            "--select", None, arguments.select or "(all)", "selects no case, expected at least one"
        )
    if arguments.ask_again:
        cases = list(asked_again(cases, arguments.profile))
    refuse_with_workers(arguments, "--max-failures", "--in-process")
    if arguments.list:
        for case in cases:
            print(f"{case.id}  {case.source}  {' '.join(case.requirements)}")
        return exits.OK
    if arguments.plan:
        return _plan(cases)
    specs: list[str] = arguments.implementation or ["builtin"]
    settings = Settings(
        profile=arguments.profile,
        strict=arguments.strict_choice,
        seed=arguments.seed,
        deadline_ms=int(arguments.deadline * 1000),
        max_failures=arguments.max_failures,
        memory=arguments.memory,
        in_process=arguments.in_process,
    )
    try:
        limits = Limits(memory=arguments.memory)
        implementations = [
            open_implementation(spec, limits=limits, in_process=arguments.in_process) for spec in specs
        ]
    except BadSpec as error:
        raise InputError("--implementation", None, error.spec, str(error)) from None
    recorded = recorded_runs(arguments.resume, suite, cases, settings.profile, settings.options())
    if len(recorded) > len(specs):
        message = f"holds {len(recorded)} runs, expected no more than the implementations, {len(specs)}"
        raise InputError("--resume", None, "", message)
    handlers = handlers_for(
        json=arguments.json,
        html=arguments.html,
        junit=arguments.junit,
        markdown=arguments.markdown,
        events=arguments.events,
        stream=sys.stdout,
        verbose=arguments.verbose,
        inputs=_read(suite, arguments.resume, specs),
    )
    codes = []
    with workers(arguments) as pool, ExitStack() as ending:
        for handler in handlers:
            ending.callback(handler.close)
        for spec, opened, before in zip_longest(specs, implementations, recorded[: len(specs)]):
            known = before.results if before else {}
            complete = all(case.id in known for case in cases)
            implementation = Remembered(before.identity) if before and complete else opened
            warnings: list[str] = []
            started = datetime.now(UTC).isoformat(timespec="seconds")
            if pool is not None and not complete:
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
            codes.append(_follow(spec, events, handlers, before))
            for warning in (*warnings, *getattr(implementation, "warnings", ())):
                print(f"{spec}: warning: {warning}", file=sys.stderr)
    return max(codes, key=_rank)


def _read(suite: LoadedSuite, resumed: Sequence[str], specs: Sequence[str]) -> list[Path]:
    """The files and folders that a run reads, and the programs it runs; an output may not replace them."""
    return [*suite.folders, *map(Path, resumed), *(path for spec in specs for path in files_of(spec))]


def _plan(cases: Sequence[Case]) -> int:
    problem = needs_client()
    if problem:
        raise InputError("--plan", None, "", problem)
    from dra_conform.adapters.live.plan import plan  # noqa: PLC0415 - the client is optional

    for line in plan(cases):
        print(line)
    return exits.OK


_SEVERITY = (exits.OK, exits.FAILURES, exits.INCOMPLETE, exits.NOT_RUNNABLE)


def _rank(code: int) -> int:
    return _SEVERITY.index(code)


def _check_resumed(started: RunStarted, before: RecordedRun) -> None:
    now, then = started.implementation, before.identity
    if (now.name, now.version) != (then.name, then.version):
        message = f"is a run of {then.name} {then.version}, expected one of {now.name} {now.version}"
        raise InputError("--resume", None, "", message)
    if (now.operations, now.features) != (then.operations, then.features):
        message = f"is a run of {then.name} with other operations or features, expected those that it has now"
        raise InputError("--resume", None, "", message)


def _follow(
    spec: str, events: Generator[Event], handlers: Sequence[Handler], before: RecordedRun | None
) -> int:
    failures = not_run = 0
    gave_up = False
    try:
        with closing(events):  # so that its processes are gone before the reports are written
            for event in events:
                if isinstance(event, RunStarted) and before:
                    _check_resumed(event, before)
                for handler in handlers:
                    handler.handle(event)
                if isinstance(event, CaseFinished):
                    failures += event.result.verdict in CONFORMANCE_FAILURES
                    not_run += event.result.verdict is Verdict.NOT_RUN
                elif isinstance(event, RunFinished):
                    gave_up = event.gave_up
    except CannotStart as error:
        print(f"{spec}: cannot be run: {error}", file=sys.stderr)
        return exits.NOT_RUNNABLE
    if gave_up:
        return exits.NOT_RUNNABLE
    if not_run:
        return exits.INCOMPLETE
    return exits.FAILURES if failures else exits.OK
