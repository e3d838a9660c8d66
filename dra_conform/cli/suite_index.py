"""The index of the suite of a command, which is read without the suite if nothing has changed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from dra_conform.conformance.suite.case_ids import FormerIds
from dra_conform.conformance.suite.folders import is_suite, not_a_suite, shipped
from dra_conform.conformance.suite.index import Index
from dra_conform.kube.errors import InputError
from dra_conform.kube.printable import printable


def suite_folder(folder: str | None) -> Path:
    """Return the folder of the suite, by default of the shipped one; raises InputError."""
    if folder is not None and not is_suite(Path(folder)):
        raise InputError("--suite", None, folder, not_a_suite(Path(folder)))
    return shipped() if folder is None else Path(folder)


def sound(problems: Iterable[InputError]) -> bool:
    """Print the problems of a suite; return whether there are none."""
    known = list(problems)
    for error in known:
        print(error, file=sys.stderr)
    if known:
        print("the suite is broken", file=sys.stderr)
    return not known


def index_of(folder: str | None) -> Index | None:
    """Return the index of a suite, or print the problems of its cases and return None."""
    index = Index(suite_folder(folder))
    index.read()
    return index if sound(index.problems) else None


def print_former_ids(former_ids: FormerIds) -> None:
    """Print the current id of each case that was named by a former id."""
    for line in former_ids.notes():
        print(printable(line), file=sys.stderr)
    former_ids.used.clear()


def nothing_selected(expressions: Sequence[str], among: str = "") -> InputError:
    """Return the error for expressions that together select no case; `among` says of which cases."""
    message = f"selects no case{among}, expected at least one"
    return InputError("--select", None, " or ".join(expressions) or "(all)", message)
