"""`dra-conform requirements`: print the coverage of requirements, feature pairs and deviations."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dra_conform.cli import exits
from dra_conform.cli.run import load
from dra_conform.conformance.suite.coverage import coverage
from dra_conform.conformance.suite.deviations import departures, page
from dra_conform.conformance.suite.feature_pairs import INTERACTING, pairs, triples
from dra_conform.conformance.suite.interacting_features import MEETING
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.reports.files import is_stdout, write_text


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Every requirement of the documents with its cases. A requirement is covered when it has "
        "a case for every polarity it can have: a value accepted, a value rejected. What no "
        "implementation behind a protocol could show is counted separately."
    )
    shown = command.add_mutually_exclusive_group()
    shown.add_argument(
        "--pairs", action="store_true", help="print the matrix of feature interactions instead"
    )
    shown.add_argument(
        "--triples", action="store_true", help="print the interactions of three features instead"
    )
    shown.add_argument(
        "--departures",
        action="store_true",
        help="print the deviations of releases from the documents instead, in Markdown",
    )
    command.add_argument("--json", metavar="F", help="write the list as JSON")
    command.add_argument("--suite", metavar="DIR", help="the suite's folder, instead of the one shipped")
    command.add_argument("--uncovered", action="store_true", help="only those that are not covered")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    suite = load(arguments.suite)
    if suite is None:
        return exits.SUITE_BROKEN
    if arguments.departures:
        return _tell_departures(suite, arguments.json)
    if arguments.pairs:
        document, tell = pairs(suite.cases), _print_pairs
    elif arguments.triples:
        document, tell = triples(suite.cases), _print_triples
    else:
        document, tell = coverage(suite.catalogue, suite.cases), _print
    if not _written_to_stdout(arguments.json, document, suite):
        tell(document, only_uncovered=arguments.uncovered)
    return exits.OK


def _tell_departures(suite: LoadedSuite, path: str | None) -> int:
    found = departures(suite.catalogue, suite.cases)
    if not _written_to_stdout(path, {"departures": [asdict(one) for one in found]}, suite):
        print(page(found), end="")
    return exits.OK


def _written_to_stdout(path: str | None, document: Mapping[str, Any], suite: LoadedSuite) -> bool:
    """Write the document where a path is given; whether that is standard output, where it stands alone."""
    if path is None:
        return False
    write_text(path, json.dumps(document, indent=2) + "\n", suite.folders)
    return is_stdout(path)


def _print(document: Mapping[str, Any], *, only_uncovered: bool) -> None:
    for one in document["requirements"]:
        if only_uncovered and (one["covered"] or one["unshowable"]):
            continue
        mark = "covered" if one["covered"] else "unshown" if one["unshowable"] else "-"
        figures = f"{len(one['cases']):3} cases, {one['accepts']:3} accept, {one['refuses']:3} refuse"
        print(f"{mark:8} {one['level']:6} {one['operation']:14} {figures}  {one['id']}")
    print()
    for group in ("documents", "levels", "operations"):
        for name, total in document["totals"][group].items():
            print(f"{group[:-1]:10} {name:14} {_figures(total)}")
    print(f"all        {'':14} {_figures(document['totals'])}")


def _figures(total: Mapping[str, Any]) -> str:
    left = total["total"] - total["unshowable"]
    apart = f", {total['unshowable']} that cannot be shown" if total["unshowable"] else ""
    return f"{total['covered']:4} of {left:4} covered{apart}"


def _print_pairs(document: Mapping[str, Any], *, only_uncovered: bool) -> None:
    """Two triangles, of pairs in allocations and in clusters, each with those not covered by name."""
    if not only_uncovered:
        print("cases that use both features and accept / fail; a pair is covered when it has both")
        print()
    _print_triangle(document, INTERACTING, "pairs", only_uncovered=only_uncovered)
    if not only_uncovered:
        print()
    _print_triangle(document["meetings"], MEETING, "pairs in clusters", only_uncovered=only_uncovered)


def _print_triangle(
    document: Mapping[str, Any], features: Sequence[str], what: str, *, only_uncovered: bool
) -> None:
    rows = {tuple(row["features"]): row for row in document["pairs"]}
    if not only_uncovered:
        figures = {pair: f"{row['accepts']}/{row['refuses']}" for pair, row in rows.items()}
        width, cell = max(map(len, features)), 1 + max(map(len, figures.values()))
        print(" " * (width + 3) + "".join(f"{number:{cell}}" for number in range(1, len(features))))
        for index, feature in enumerate(features):
            beside = (figures[other, feature] for other in features[:index])
            print(f"{index + 1:2} {feature:{width}}{''.join(f'{one:>{cell}}' for one in beside)}".rstrip())
        print()
    for pair, row in rows.items():
        if not row["covered"]:
            print(f"missing  {' and '.join(pair)}: {row['accepts']} accept, {row['refuses']} refuse")
    total = document["totals"]
    print(f"{what} {total['covered']} of {total['total']}")


def _print_triples(document: Mapping[str, Any], *, only_uncovered: bool) -> None:
    """A line each, then how many are covered, first in allocations and then in clusters."""
    for what, table in (("triples", document), ("triples in clusters", document["meetings"])):
        for row in table["triples"]:
            if not (only_uncovered and row["covered"]):
                figures = f"{row['accepts']:3} accept, {row['refuses']:3} refuse"
                print(f"{'covered' if row['covered'] else '-':8} {figures}  {', '.join(row['features'])}")
        print(f"{what} {table['totals']['covered']} of {table['totals']['total']}")
