"""`dra-conform explain`: run one case on an implementation, and print the verdict and the reasons."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import yaml

from dra_conform.adapters.specs import BadSpec, open_implementation
from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.profiles_option import add_profile_option
from dra_conform.cli.show import case_lines
from dra_conform.cli.suite_option import load_case
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import CannotStart, Implementation, Observed, Reply, Request
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.runner import Settings, run_case
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.printable import printable
from dra_conform.reports.failure import failure_lines
from dra_conform.reports.failure_explanation import Again
from dra_conform.reports.plain import plain


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Run one case on an implementation. If it fails, print the requirement, the case, the expected and "
        "the actual result, the findings, and the decisions of the built-in allocator. Otherwise print the "
        "case and the answer."
    )
    command.add_argument(
        "case", metavar="CASE", help="the id of a case, from a report or from `dra-conform list id`"
    )
    command.add_argument(
        "-i",
        "--implementation",
        metavar="SPEC",
        default="builtin",
        help="the implementation, as in `run` (%(default)s)",
    )
    command.add_argument(
        "--in-process",
        action="store_true",
        help="run python:MODULE:ATTRIBUTE in this process, for a debugger",
    )
    add_profile_option(command)
    command.add_argument("--suite", metavar="DIR", help="the folder of the suite (the shipped suite)")
    command.examples = ("dra-conform explain dra/claims/only-device-in-use -i exec:./adapter",)
    command.exit_codes = {
        0: "the case passes, or the implementation declines it",
        1: "the case fails",
        2: "bad usage or input",
        3: "the implementation could not be run",
        4: "the suite is broken",
    }
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    found = load_case(arguments.suite, arguments.case, "explain")
    if found is None:
        return exits.SUITE_BROKEN
    suite, case = found
    spec: str = arguments.implementation
    try:
        implementation = open_implementation(spec, in_process=arguments.in_process)
    except BadSpec as error:
        raise InputError("--implementation", None, "", str(error)) from None
    try:
        return _explain(implementation, spec, case, suite, arguments.profile)
    except CannotStart as error:
        print(f"{spec}: cannot be run: {str(error).removeprefix(f'{spec}: ')}", file=sys.stderr)
        return exits.NOT_RUNNABLE


def _explain(implementation: Implementation, spec: str, case: Case, suite: LoadedSuite, profile: str) -> int:
    replies: list[Reply] = []
    observed = Observed(implementation, replies.append)
    identity = observed.start(suite.as_suite())
    try:
        result = run_case(observed, identity, case, Settings(profile), _builtin_decision)
        if result.verdict in CONFORMANCE_FAILURES:
            print("\n".join(failure_lines(result, suite.catalogue, Again(spec, suite.option))))
            return exits.FAILURES
        print("\n".join(case_lines(case, suite, profile)))
        print(f"\n{printable(f'{identity.name} {identity.version}')}: {result.verdict}")
        if result.verdict is Verdict.PASS:
            print("\n".join(_answer_lines(case, replies[-1])))
        elif result.verdict is Verdict.OPTIONAL:
            print("\n".join(f"  {printable(finding.message)}" for finding in result.findings))
        else:
            print(f"  {printable(result.detail)}")
        return exits.NOT_RUNNABLE if result.verdict is Verdict.NOT_RUN else exits.OK
    finally:
        observed.close()


def _builtin_decision(request: Request) -> tuple[str, ...]:
    # Imported for a failure only: the built-in takes longer to import than most cases to run.
    from dra_conform.adapters.builtin import explain  # noqa: PLC0415

    return explain(request)


def _answer_lines(case: Case, reply: Reply) -> Iterator[str]:
    document = plain(OPERATIONS[case.operation].actual(reply.answer))
    for line in yaml.safe_dump(document, sort_keys=False).splitlines():
        yield f"  {printable(line)}"
