"""`dra-conform sweep`: test an implementation with millions of value combinations."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from dra_conform.adapters.limit_options import seconds
from dra_conform.adapters.specs import BadSpec
from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser, positive, whole_number
from dra_conform.cli.printing import ProgressLine
from dra_conform.cli.profiles_option import add_profile_option
from dra_conform.cli.run_options import shard
from dra_conform.cli.workers_option import configure_workers, workers
from dra_conform.conformance.implementation import CannotStart, Implementation
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.kube.printable import one_line
from dra_conform.kube.profile import Profile
from dra_conform.reports.files import write_text
from dra_conform.sweep.areas.table import AREAS
from dra_conform.sweep.campaign import (
    SweepPart,
    Swept,
    in_this_process,
    opened,
    parts_of,
    start,
    sweep,
    swept_by_worker,
)
from dra_conform.sweep.counterexample import write_case
from dra_conform.sweep.outputs import SweepFolder
from dra_conform.sweep.page import render
from dra_conform.sweep.part import SweepSettings
from dra_conform.sweep.row_table import existing_pairs
from dra_conform.sweep.totals import CauseKey, SweepTotals

SHOWN = 20
"""The maximum number of causes that are printed. The report has all causes."""


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Test an implementation with many combinations of values. Each combination is a row, one request "
        "tests thousands of rows, and each result is compared with the expected one. The first rows combine "
        "boundary values, the other rows are random."
    )
    command.examples = ("dra-conform sweep --area rounding -i exec:./adapter",)
    command.exit_codes = {
        0: "all rows are equal or differ for a known reason",
        1: "differences",
        2: "bad usage or input",
        3: "the implementation could not be run",
        5: "no row was compared",
    }
    command.add_argument(
        "-i",
        "--implementation",
        default="builtin",
        metavar="SPEC",
        help="builtin (the default), python:MODULE:ATTRIBUTE or 'exec:COMMAND ...'",
    )
    command.add_argument(
        "--area", required=True, choices=tuple(AREAS), metavar="AREA", help=f"one of {', '.join(AREAS)}"
    )
    command.add_argument(
        "--rows", type=positive, default=100_000, metavar="N", help="the number of rows (100000)"
    )
    add_profile_option(command)
    command.add_argument(
        "--seed", type=whole_number, default=0, help="the random seed; equal seeds give equal rows (0)"
    )
    command.add_argument(
        "--inadmissible", action="store_true", help="also test rows that no API server admits"
    )
    command.add_argument(
        "--deadline", type=seconds, default=60.0, metavar="SECONDS", help="the time limit of a request (60)"
    )
    command.add_argument(
        "--out", metavar="DIR", help="a new folder for rows, differences, golden cases and the HTML report"
    )
    command.add_argument("--resume", action="store_true", help="continue the sweep in the folder of --out")
    command.add_argument(
        "--shard", type=shard, metavar="I/N", default=(1, 1), help="run only part I of N equal parts"
    )
    configure_workers(command)
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    settings = SweepSettings(
        arguments.area,
        arguments.profile,
        arguments.seed,
        arguments.inadmissible,
        int(arguments.deadline * 1000),
    )
    _check(arguments)
    try:
        implementation = opened(arguments.implementation)
    except BadSpec as error:
        raise InputError("--implementation", None, "", str(error)) from None
    totals = SweepTotals()
    folder: SweepFolder | None = None
    try:
        identity = start(implementation)
        name = one_line(f"{identity.name} {identity.version}".strip())
        operation = AREAS[settings.area].operation
        if operation not in identity.operations:
            message = f"does not declare the operation {operation}, which the area {settings.area} needs"
            raise InputError("--implementation", None, arguments.implementation, message)
        folder = None if arguments.out is None else SweepFolder(Path(arguments.out), name, settings)
        done = {} if folder is None else folder.begin(resume=arguments.resume)
        for path in () if folder is None else folder.damaged:
            print(f"{path} is missing or has changed: its rows are tested again", file=sys.stderr)
        parts = list(
            parts_of(
                arguments.implementation,
                settings,
                arguments.rows,
                arguments.shard,
                keep=folder is not None,
            )
        )
        began = monotonic()
        with workers(arguments) as pool:
            run = (
                in_this_process(implementation)
                if pool is None
                else lambda left: pool.in_order(swept_by_worker, left)
            )
            _follow(sweep(parts, done, run), parts, totals, folder)
        seconds = monotonic() - began
        _finish(totals, settings, implementation, name, folder, arguments)
    except CannotStart as error:
        print(f"cannot be run: {error}", file=sys.stderr)
        return exits.NOT_RUNNABLE
    finally:
        implementation.close()
        if folder is not None:
            folder.close()
    for line in _summary(totals, settings, name, seconds):
        print(line)
    if totals.rows == totals.declined:
        return exits.INCOMPLETE
    return exits.FAILURES if totals.differing or totals.doubts else exits.OK


def _check(arguments: argparse.Namespace) -> None:
    """Raise InputError for options that exclude each other or need another option."""
    if arguments.resume and arguments.out is None:
        raise InputError("--resume", None, "", "continues a sweep, expected --out with its folder")
    profile = Profile.named(arguments.profile)
    missing = next((gate for gate in AREAS[arguments.area].gates if not profile.has(gate)), "")
    if missing:
        message = f"has no gate {missing}, which the area {arguments.area} needs, expected a later release"
        raise InputError("--profile", None, arguments.profile, message)


def _follow(
    swept: Iterator[Swept],
    parts: list[SweepPart],
    totals: SweepTotals,
    folder: SweepFolder | None,
) -> None:
    progress = ProgressLine()
    total = sum(part.count for part in parts)
    try:
        for result, rows in swept:
            totals.add(result)
            if folder is not None and rows is not None:
                folder.add(result, rows)
            progress("rows", totals.rows, total)
    except OSError as error:
        raise InputError("--out", None, "", f"cannot be written: {error.strerror or error}") from None
    finally:
        progress.close()


def _finish(
    totals: SweepTotals,
    settings: SweepSettings,
    implementation: Implementation,
    name: str,
    folder: SweepFolder | None,
    arguments: argparse.Namespace,
) -> None:
    """Write the golden cases and the report."""
    if folder is None:
        return
    command = shlex.join(
        ["dra-conform", "sweep", "-i", arguments.implementation, "--area", settings.area]
        + ["--profile", settings.profile, "--seed", str(settings.seed), "--rows", str(arguments.rows)]
        + (["--inadmissible"] if settings.inadmissible else [])
    )
    cases: dict[CauseKey, str] = {}
    for key, cause in totals.causes.items():
        path = write_case(cause, settings, implementation, command, folder.cases)
        cases[key] = path.read_text("utf-8")
    write_text(folder.report, render(totals, settings, name, cases, _pairs(totals, settings)))


def _pairs(totals: SweepTotals, settings: SweepSettings) -> str:
    existing = existing_pairs(
        settings.area, settings.release(), settings.seed, inadmissible=settings.inadmissible
    )
    return f"{len(totals.pairs & existing):,} of {len(existing):,} pairs of value classes were tested"


def _summary(totals: SweepTotals, settings: SweepSettings, name: str, seconds: float) -> Iterator[str]:
    yield (
        f"{name}, {settings.area}, profile {settings.profile}, seed {settings.seed}: "
        f"{counted(totals.rows, 'row')} in {seconds:.1f} s: {totals.equal:,} equal, "
        f"{totals.differing:,} different, {sum(totals.known.values()):,} known, {totals.declined:,} declined"
    )
    yield f"  {_pairs(totals, settings)}"
    doubts = counted(len(totals.doubts), "contradiction")
    yield f"  {counted(totals.sampled, 'row')} compared with the textbook, {doubts}"
    for reason, count in totals.repeated.items():
        yield f"  sent again: {counted(count, 'row')}, {reason}"
    for reason, count in totals.known.items():
        yield f"  known: {count:,} x {reason}"
    for cause in totals.unexplained[:SHOWN]:
        found = cause.found
        yield one_line(f"  {found.count:,} x {found.family}: {found.kind}")
        yield one_line(
            f"    such as {', '.join(found.classes)}: expected {' '.join(found.expected)}, "
            f"got {' '.join(found.actual)} {found.detail}"
        )
    for cell in totals.worst_cells() if totals.differing else ():
        yield one_line(f"  cell {cell[0]} {cell[1]}, {cell[2]}: {cell[4]:,} of {cell[3]:,} differ")
    for cause in totals.doubts.values():
        found = cause.found
        yield one_line(
            f"  the textbook says {' '.join(found.expected)}, the columns {' '.join(found.actual)}: "
            f"{counted(found.count, 'row')} such as {', '.join(found.classes)}"
        )
