"""`dra-conform lint`: check the suite itself."""

from __future__ import annotations

import argparse
import sys

from dra_conform.adapters.setup_admission import inadmissible_setups
from dra_conform.adapters.specs import open_implementation
from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.suite_option import read
from dra_conform.conformance.features import usual_profile
from dra_conform.conformance.runner import answer_of
from dra_conform.conformance.suite.lint import lint, static_problems
from dra_conform.kube.listing import counted


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Check the suite: ids, requirements, outcomes, headers and language. No case may pass with its "
        "expectation negated. An API server must admit each setup, unless its case says why not."
    )
    command.add_argument("--suite", metavar="DIR", help="the folder of the suite (the shipped suite)")
    command.examples = ("dra-conform lint --suite my-suite",)
    command.exit_codes = {
        0: "no problems found",
        2: "bad usage or input",
        4: "the suite has problems",
    }
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    suite, broken = read(arguments.suite)
    if broken:  # cases cannot be judged, but the files may have more problems
        whole = not any(error.file.startswith("requirements/") for error in broken)
        problems = [*broken, *static_problems(suite, whole_catalogue=whole)]
        for problem in sorted(problems, key=lambda error: (error.file, error.line or 0)):
            print(problem, file=sys.stderr)
        print("the suite is broken", file=sys.stderr)
        return exits.SUITE_BROKEN
    builtin = open_implementation("builtin")
    builtin.start(suite.as_suite())
    problems = [
        *lint(suite, lambda case: answer_of(builtin, case, usual_profile(case))),
        *inadmissible_setups(suite.cases),
    ]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return exits.SUITE_BROKEN
    checked = f"{counted(len(suite.cases), 'case')}, {counted(len(suite.catalogue), 'requirement')}"
    print(f"{checked}: no problems found")
    return exits.OK
