"""`dra-conform requirements`: every requirement, its cases, covered or not."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from dra_conform.cli import exits
from dra_conform.cli.run import load
from dra_conform.conformance.coverage import coverage
from dra_conform.reports import write_text


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "requirements",
        help="list the requirements, their cases, and what is covered",
        description="Every requirement of the documents with its cases. A requirement is covered when it has "
        "a case for every polarity it can have: a value accepted, a value refused.",
    )
    command.add_argument("--json", metavar="F", help="write the list as JSON")
    command.add_argument("--suite", metavar="DIR", help="the suite's folder, instead of the one shipped")
    command.add_argument("--uncovered", action="store_true", help="only those that are not covered")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    suite = load(arguments.suite)
    if suite is None:
        return exits.SUITE_BROKEN
    document = coverage(suite.catalogue, suite.cases)
    if arguments.json:
        write_text(arguments.json, json.dumps(document, indent=2) + "\n")
    _print(document, only_uncovered=arguments.uncovered)
    return exits.OK


def _print(document: Mapping[str, Any], *, only_uncovered: bool) -> None:
    for one in document["requirements"]:
        if one["covered"] and only_uncovered:
            continue
        mark = "covered" if one["covered"] else "-"
        figures = f"{len(one['cases']):3} cases, {one['accepts']:3} accept, {one['refuses']:3} refuse"
        print(f"{mark:8} {one['level']:6} {one['operation']:14} {figures}  {one['id']}")
    print()
    for group in ("documents", "levels", "operations"):
        for name, total in document["totals"][group].items():
            print(f"{group[:-1]:10} {name:14} {total['covered']:4} of {total['total']:4} covered")
    total = document["totals"]
    print(f"all        {'':14} {total['covered']:4} of {total['total']:4} covered")
