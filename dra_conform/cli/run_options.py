"""The options of `dra-conform run`: what is judged, limits, and the reports with their files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from dra_conform.adapters.limit_options import memory_in_bytes, seconds
from dra_conform.cli.parsing import CommandParser, natural_number, suggestion, whole_number
from dra_conform.cli.profiles_option import add_profile_option
from dra_conform.conformance.features import FEATURES, RESULT_PARTS
from dra_conform.conformance.levels import ALL, LEVELS
from dra_conform.kube.errors import InputError
from dra_conform.reports.files import ensure_folder
from dra_conform.reports.ledger import UNEXPLAINED

REPORTS = {
    "json": "report.json",
    "html": "report.html",
    "summary": "summary.html",
    "junit": "junit.xml",
    "markdown": "report.md",
    "events": "events.ndjson",
    "matrix": "matrix.svg",
    "badge": "badge.svg",
}
"""The file of each report in the folder of `--report-dir`."""

_HELP = {
    "json": "write the results as JSON",
    "html": "write the HTML report as one page of at most 3 MB, or as a folder of pages if F ends in /",
    "summary": "write a summary on one A4 page as HTML",
    "junit": "write JUnit XML",
    "markdown": "write a summary in Markdown of at most 20 kB",
    "events": "write events as NDJSON during the run",
    "matrix": "write the matrix of features by implementations as SVG",
    "badge": "write a badge: F ends in .svg, or in .json for shields.io",
}


def add_report_options(command: argparse._ActionsContainer) -> None:
    """Describe an option for each report, and the two that name several reports at once."""
    for name, what in _HELP.items():
        command.add_argument(f"--{name}", metavar="F", help=what)
    command.add_argument(
        "--report",
        action="extend",
        type=_names,
        metavar="NAMES",
        default=[],
        help=f"write several reports into --report-dir: some of {','.join(REPORTS)}",
    )
    command.add_argument(
        "--report-dir",
        metavar="DIR",
        help=f"the folder in which --report writes {', '.join(REPORTS.values())} (the current folder)",
    )


def report_paths(arguments: argparse.Namespace) -> Mapping[str, str | None]:
    """Return the path of each report, None for a report that is not requested.

    Raises InputError if there is no such folder, if `--report-dir` has no effect, or if a report has an
    option of its own, too.
    """
    paths: dict[str, str | None] = {name: getattr(arguments, name) for name in REPORTS}
    if arguments.report_dir is not None and not arguments.report:
        message = "needs the names of reports, expected --report, such as --report html,junit"
        raise InputError("--report-dir", None, arguments.report_dir, message)
    if not arguments.report:
        return paths
    folder = Path(arguments.report_dir or ".")
    ensure_folder(str(folder))
    for name in arguments.report:
        if getattr(arguments, name):
            message = f"is also requested by --{name}, expected one of these options"
            raise InputError("--report", None, name, message)
        paths[name] = str(folder / REPORTS[name])
    return paths


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in REPORTS:
            message = f"{name!r} is not a report, expected some of {','.join(REPORTS)}"
            raise argparse.ArgumentTypeError(message)
    return names


def add_options(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = "Run the cases of the suite on implementations and judge the answers."
    command.examples = (
        "dra-conform run -i exec:./adapter --level core --html report.html",
        "dra-conform run -i driver:driver.yaml --select operation:driver",
        "dra-conform run -i kube:v1.37.1 --profile kubernetes-1.37 --report html,junit --report-dir out",
        "dra-conform run -i cluster:$HOME/.kube/config --select operation:cluster --plan",
    )
    command.exit_codes = {
        0: "all judged cases pass, except for known failures of a ledger and optional behavior (MAY)",
        1: "a case fails, or too few cases are judged",
        2: "bad usage or input",
        3: "the implementation could not be run, or has the same fault in all cases",
        4: "the suite is broken",
        5: "incomplete: the run ended early, or judged no case",
    }
    judged = command.add_argument_group("implementation under test")
    cases = command.add_argument_group("expected behavior and selection of cases")
    ledger = command.add_argument_group("known failures")
    limits = command.add_argument_group("limits")
    long = command.add_argument_group("long runs")
    other = command.add_argument_group("other output")
    judged.add_argument(
        "-i",
        "--implementation",
        action="append",
        metavar="SPEC",
        help="builtin (the default), python:MODULE:ATTRIBUTE, 'exec:COMMAND ...', driver:FILE, "
        "kube:VERSION or cluster:KUBECONFIG; may be repeated",
    )
    judged.add_argument(
        "--in-process",
        action="store_true",
        help="run python:MODULE:ATTRIBUTE in this process, for a debugger; a crash or hang then ends the run",
    )
    add_profile_option(cases)
    cases.add_argument(
        "--select",
        action="append",
        metavar="EXPR",
        default=[],
        help="the cases to run, such as 'requirement:KEP-5075/rounding/* and not kind:golden'; if repeated, "
        "a case that any expression selects is run",
    )
    cases.add_argument(
        "--level",
        choices=LEVELS,
        default=ALL,
        help="core: what every implementation must do, a good start; extended: all MUST requirements with "
        "all features; all: also SHOULD and MAY requirements (all)",
    )
    add_report_options(command.add_argument_group("reports"))
    cases.add_argument(
        "--strict-choice", action="store_true", help="also judge choices between equally valid answers"
    )
    cases.add_argument(
        "--ask-again",
        action="store_true",
        help="run each allocation case again unchanged, renamed and reordered, and expect equal answers",
    )
    stopping = long.add_mutually_exclusive_group()
    stopping.add_argument(
        "--max-failures", type=natural_number, default=0, metavar="N", help="stop after N failures"
    )
    stopping.add_argument(
        "-x",
        "--exitfirst",
        action="store_const",
        const=1,
        dest="max_failures",
        help="stop after the first failure",
    )
    limits.add_argument(
        "--min-breadth",
        type=_share,
        metavar="PERCENT",
        default=Fraction(0),
        help="fail if less than this percentage of the applicable cases is judged, such as 80%%",
    )
    limits.add_argument(
        "--require",
        action="append",
        metavar="FEATURE",
        default=[],
        type=_feature,
        help="fail if no case of this feature is judged, or a smaller percentage than --min-breadth; "
        "may be repeated",
    )
    ledger.add_argument(
        "--expect",
        metavar="LEDGER",
        help="the ledger of known failures; only other failures count. `none`: all failures count (the "
        "ledger that the suite has for this version of the implementation)",
    )
    ledger.add_argument(
        "--update",
        action="store_true",
        help="write the current failures to the ledger; existing reasons are kept",
    )
    ledger.add_argument(
        "--reason",
        default=UNEXPLAINED,
        metavar="TEXT",
        help="the reason of failures that --update adds (%(default)s)",
    )
    limits.add_argument(
        "--deadline", type=seconds, default=2.0, metavar="SECONDS", help="the time limit of a case (2)"
    )
    limits.add_argument(
        "--seed", type=whole_number, default=0, help="the random seed for implementations (0)"
    )
    cases.add_argument("--suite", metavar="DIR", help="the folder of the suite (the shipped suite)")
    long.add_argument(
        "--resume",
        action="append",
        metavar="EVENTS",
        default=[],
        help="use the results in this file, written by --events, and run only the missing cases; "
        "may be repeated",
    )
    long.add_argument(
        "--shard",
        type=shard,
        metavar="I/N",
        default=(1, 1),
        help="run only part I of N equal parts of the cases",
    )
    limits.add_argument(
        "--memory",
        type=memory_in_bytes,
        default=0,
        metavar="AMOUNT",
        help="the memory limit of each process, such as 512Mi",
    )
    other.add_argument("--list", action="store_true", help="list the selected cases and stop")
    other.add_argument(
        "--plan",
        action="store_true",
        help="list the objects that the selected scenarios would create on a cluster, and stop",
    )
    other.add_argument(
        "-v", "--verbose", action="store_true", help="print each case, and all failures in full"
    )


def selection_words(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the options that select cases as words of the command line; defaults are left out."""
    words = ["--level", arguments.level] if arguments.level != ALL else []
    for expression in arguments.select:
        words += ["--select", expression]
    words += ["--shard", "{}/{}".format(*arguments.shard)] if arguments.shard != (1, 1) else []
    return (*words, *(["--ask-again"] if arguments.ask_again else []))


def _share(text: str) -> Fraction:
    digits = text.removesuffix("%")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", digits) or Fraction(digits) > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage, expected 0% to 100%")
    if 0 < Fraction(digits) < 1 and digits == text:
        raise argparse.ArgumentTypeError(f"{text!r} is less than 1 %, expected a percentage such as 80%")
    return Fraction(digits) / 100


def _feature(text: str) -> str:
    known = (*FEATURES, *RESULT_PARTS)
    if text not in known:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a feature, expected one of {', '.join(known)}{suggestion(text, known)}"
        )
    return text


def shard(text: str) -> tuple[int, int]:
    """Parse `I/N`, part I of N, as the type of an argument."""
    part, _, parts = text.partition("/")
    numbers = [int(digits) for digits in (part, parts) if digits.isascii() and digits.isdigit()]
    if len(numbers) != 2 or not 1 <= numbers[0] <= numbers[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is not a part, expected I/N such as 2/3")
    return numbers[0], numbers[1]
