"""The checks of `dra-conform run` after the runs: the ledger and the required breadth, with exit codes by
severity."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from dra_conform.adapters.unknown_names import has_no_operation, unknown_names
from dra_conform.cli import exits
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.levels import ALL
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.kube.printable import printable
from dra_conform.reports.breadth import BreadthCheck
from dra_conform.reports.files import ensure_writable
from dra_conform.reports.ledger import UNEXPLAINED, Ledger, read_ledger
from dra_conform.reports.ledger_check import LedgerCheck
from dra_conform.reports.ledger_update import LedgerUpdate
from dra_conform.reports.published_ledgers import published_ledgers

NO_LEDGER = "none"
"""The value of --expect with which every failure counts, also a known one of a published ledger."""

_SEVERITY = (exits.OK, exits.FAILURES, exits.INCOMPLETE, exits.NOT_RUNNABLE)


def rank(code: int) -> int:
    """Return how severe an exit code is."""
    return _SEVERITY.index(code)


def ledger_handler(arguments: argparse.Namespace, suite: LoadedSuite) -> LedgerCheck | LedgerUpdate | None:
    """Return the handler that compares runs with ledgers, or that updates the ledger of --expect.

    Without --expect, runs are compared with the published ledgers of the suite. None for `--expect none`.
    """
    whole = not arguments.select and arguments.shard == (1, 1)
    path: str | None = arguments.expect
    present = suite.former_ids.present
    if arguments.update and path in (None, NO_LEDGER):
        message = "updates a ledger, expected --expect with the file of the ledger"
        raise InputError("--update", None, "", message)
    if arguments.reason != UNEXPLAINED and not arguments.update:
        message = "is the reason of failures that --update adds, expected --update too"
        raise InputError("--reason", None, arguments.reason, message)
    if path == NO_LEDGER:
        return None
    if path is None:
        whole = whole and arguments.level == ALL
        return LedgerCheck(published_ledgers(suite.root, present), None, whole=whole)
    fresh = arguments.update and not Path(path).exists()
    ledger = Ledger(path, ()) if fresh else read_ledger(path, present)
    if not arguments.update:
        return LedgerCheck(lambda _: ledger, suite.cases, whole=whole)
    ensure_writable(path, suite.folders)
    return LedgerUpdate(ledger, suite.cases, arguments.reason, whole=whole)


_SPECS = {"driver": "-i driver:FILE", "kubelet": "-i kubelet:exec:PROGRAM"}
"""The implementations that are judged by the cases of a subject. Others belong to the control plane."""


def reason_without_cases(identity: Identity, cases: Iterable[Case]) -> str:
    """Return why an implementation got none of the cases, as the end of a message."""
    if has_no_operation(identity):
        names = (name for name in unknown_names(identity) if name.kind == "operation")
        listed = ", ".join(f"{name.name} ({name.question})" if name.near else name.name for name in names)
        return f": it only declares operations that do not exist: {listed}"
    return _other_subjects(cases)


def print_unknown_names(spec: str, identity: Identity) -> None:
    """Print a warning for each declared name that does not exist, if the implementation gets cases."""
    for name in () if has_no_operation(identity) else unknown_names(identity):
        meant = f"; {name.question}" if name.question else ""
        print(printable(f"{spec}: warning: {name.problem} and is ignored{meant}"), file=sys.stderr)


def _other_subjects(cases: Iterable[Case]) -> str:
    """Say of cases that an implementation did not get which implementations get them."""
    counts = Counter(OPERATIONS[case.operation].subject for case in cases)
    named = (
        f"{counted(count, 'case')} about the {name}{f' ({_SPECS[name]})' if name in _SPECS else ''}"
        for name, count in counts.items()
    )
    return f": it is not the subject of the selected cases, {', '.join(named)}" if counts else ""


def with_breadth(check: BreadthCheck, code: int) -> int:
    """Print where too few cases were judged; return the exit code."""
    problems = check.problems()
    for problem in problems:
        print(printable(problem), file=sys.stderr)
    return max(code, exits.FAILURES, key=rank) if problems else code


def compared_with_ledger(
    check: LedgerCheck | LedgerUpdate | None, codes: Sequence[int], *, verbose: bool
) -> int:
    """Print the differences from ledgers; return the exit code of all runs. Known failures do not count.

    `codes` has the exit code of each run.
    """
    worst = max(codes, key=rank)
    if check is None:
        return worst
    for line in check.lines(every=verbose) if isinstance(check, LedgerCheck) else check.lines():
        print(printable(line), file=sys.stderr)
    if rank(worst) > rank(exits.FAILURES):
        return worst
    expected = (check.as_expected(number) for number in range(len(codes)))
    by_ledger = {True: exits.OK, False: exits.FAILURES}
    return max(
        (code if known is None else by_ledger[known] for code, known in zip(codes, expected, strict=True)),
        key=rank,
    )
