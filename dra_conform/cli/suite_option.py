"""The suite of a command: all of it, or one case."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from dra_conform.cli.suite_index import (
    index_of,
    nothing_selected,
    print_former_ids,
    sound,
    suite_folder,
)
from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.suite.case_cache import CaseCache
from dra_conform.conformance.suite.index import CaseRow, Index
from dra_conform.conformance.suite.loading import LoadedSuite, SuiteFiles, read_suite, select
from dra_conform.conformance.suite.selection import reject_unknown_values
from dra_conform.kube.errors import InputError
from dra_conform.kube.garbage_collection import without_garbage_collection


def load(folder: str | None) -> LoadedSuite | None:
    """Return the suite, or print its problems and return None.

    Raises InputError if the folder is not a suite.
    """
    suite, broken = read(folder)
    return suite if sound(broken) else None


def read(folder: str | None) -> tuple[LoadedSuite, Sequence[InputError]]:
    """Return the readable part of the suite and its problems. Raises InputError if there is no suite."""
    return read_suite(None if folder is None else suite_folder(folder), cached=True)


def load_selected(folder: str | None, expressions: Sequence[str]) -> LoadedSuite | None:
    """Return the suite with at least the selected cases, or print its problems and return None.

    Files without a selected case are not read if the index knows them. Raises InputError for a folder that is
    not a suite, for a malformed expression, and if no case is selected.
    """
    index = Index(suite_folder(folder))
    with without_garbage_collection():
        former_ids = index.files.former_ids
        suite = index.suite_of(lambda rows: select(rows, expressions, former_ids.present))
    if not sound(index.problems):
        return None
    reject_unknown_values(index.rows, expressions, former_ids.present)
    if not suite.cases:
        raise nothing_selected(expressions)
    return suite


def load_case(folder: str | None, name: str, command: str) -> tuple[LoadedSuite, Case] | None:
    """Return a case by its current or former id, with the requirements and the files that can have it.

    Print problems of these files and return None. Raises InputError that names similar ids.
    """
    root = suite_folder(folder)
    files = SuiteFiles(root, CaseCache(root))
    suite = files.suite(path for path in files.files_of(name) if path.is_file())
    if not sound(files.errors):
        return None
    present = suite.former_ids.present(name)
    print_former_ids(suite.former_ids)
    case = next((case for case in suite.cases if case.id == present), None)
    if case is not None:
        return suite, case
    index = index_of(folder)
    if index is None:
        return None
    requirements = [requirement.id for requirement in suite.catalogue]
    if name in requirements:
        message = f"is a requirement, expected a case; `dra-conform show {name}` lists its cases"
        raise InputError(command, None, name, message)
    known = [row.id for row in index.rows]
    noun = "case"
    if command == "show":
        known = [*requirements, *known]
        noun = "case or requirement"
    within = [case_id for case_id in known if name in case_id]
    near = within[:3] or get_close_matches(name, known, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`dra-conform list id` lists the cases"
    raise InputError(command, None, name, f"unknown {noun}, {hint}")


def load_requirement(folder: str | None, name: str) -> tuple[Requirement, Sequence[CaseRow]] | None:
    """Return a requirement and the rows of its cases, or None if there is no such requirement."""
    index = Index(suite_folder(folder))
    requirement = next((each for each in index.files.suite(()).catalogue if each.id == name), None)
    if requirement is None:
        return None
    index.read()
    return requirement, [row for row in index.rows if name in row.requirements]
