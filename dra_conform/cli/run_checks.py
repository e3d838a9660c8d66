"""The checks of `dra-conform run` after the runs: the ledger and the required breadth, with exit codes by
severity."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dra_conform.cli import exits
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.kube.errors import InputError
from dra_conform.kube.printable import printable
from dra_conform.reports.breadth import BreadthCheck
from dra_conform.reports.files import ensure_writable
from dra_conform.reports.ledger import Ledger, read_ledger
from dra_conform.reports.ledger_check import LedgerCheck

_SEVERITY = (exits.OK, exits.FAILURES, exits.INCOMPLETE, exits.NOT_RUNNABLE)


def rank(code: int) -> int:
    """Return how severe an exit code is."""
    return _SEVERITY.index(code)


def ledger_of(arguments: argparse.Namespace, suite: LoadedSuite) -> Ledger | None:
    """Return the named ledger, or an empty ledger if --update creates the file; None without --expect."""
    path: str | None = arguments.expect
    if path is None:
        if arguments.update:
            raise InputError(
                "--update", None, "", "updates a ledger, expected --expect with the file of the ledger"
            )
        return None
    fresh = arguments.update and not Path(path).exists()
    return Ledger(path, ()) if fresh else read_ledger(path, suite.former_ids.present)


def ledger_check(
    arguments: argparse.Namespace, suite: LoadedSuite, ledger: Ledger | None
) -> LedgerCheck | None:
    """Return the handler that compares runs with the ledger, None without a ledger."""
    if ledger is None:
        return None
    if arguments.update:
        ensure_writable(ledger.file, suite.folders)
    cases = [case.id for case in suite.cases]
    whole = not arguments.select and arguments.shard == (1, 1)
    return LedgerCheck(ledger, cases, update=arguments.update, reason=arguments.reason, whole=whole)


def with_breadth(check: BreadthCheck, code: int) -> int:
    """Print where too few cases were judged; return the exit code."""
    problems = check.problems()
    for problem in problems:
        print(printable(problem), file=sys.stderr)
    return max(code, exits.FAILURES, key=rank) if problems else code


def compared_with_ledger(check: LedgerCheck | None, code: int) -> int:
    """Print the differences from the ledger; return the exit code, in which known failures do not count."""
    if check is None:
        return code
    for line in check.lines():
        print(printable(line), file=sys.stderr)
    if rank(code) > rank(exits.FAILURES):
        return code
    return exits.FAILURES if check.found else exits.OK
