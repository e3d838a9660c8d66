"""`dra-conform requirements`: print the coverage of requirements, feature pairs and deviations."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.suite_option import load
from dra_conform.conformance.suite.coverage import coverage
from dra_conform.conformance.suite.deviations import page, release_deviations
from dra_conform.conformance.suite.feature_pairs import CLUSTER_FEATURES, INTERACTING, pairs, triples
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.reports.files import is_stdout, write_text


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "List the requirements with the number of their cases. A requirement is covered if it has a case for "
        "each polarity that it can have: something succeeds, or something is rejected or not allocated. "
        "Requirements that no case can test are counted separately."
    )
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--pairs", action="store_true", help="print the matrix of feature interactions")
    shown.add_argument("--triples", action="store_true", help="print the interactions of three features")
    shown.add_argument(
        "--deviations",
        action="store_true",
        help="print the deviations of releases from the specification, in Markdown",
    )
    command.add_argument("--json", metavar="F", help="write the list as JSON")
    command.add_argument("--suite", metavar="DIR", help="the folder of the suite (the shipped suite)")
    command.add_argument(
        "--uncovered", action="store_true", help="list only requirements that are not covered"
    )
    command.examples = (
        "dra-conform requirements --uncovered",
        "dra-conform requirements --deviations > deviations.md",
    )
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    suite = load(arguments.suite)
    if suite is None:
        return exits.SUITE_BROKEN
    if arguments.deviations:
        return _print_deviations(suite, arguments.json)
    if arguments.pairs:
        document, show = pairs(suite.cases), _print_pairs
    elif arguments.triples:
        document, show = triples(suite.cases), _print_triples
    else:
        document, show = coverage(suite.catalogue, suite.cases), _print
    if not _written_to_stdout(arguments.json, document, suite):
        show(document, only_uncovered=arguments.uncovered)
    return exits.OK


def _print_deviations(suite: LoadedSuite, path: str | None) -> int:
    deviations = release_deviations(suite.catalogue, suite.cases)
    if not _written_to_stdout(path, {"deviations": [asdict(deviation) for deviation in deviations]}, suite):
        print(page(deviations), end="")
    return exits.OK


def _written_to_stdout(path: str | None, document: Mapping[str, Any], suite: LoadedSuite) -> bool:
    """Write the coverage as JSON if a path is given, and return whether the path is standard output."""
    if path is None:
        return False
    write_text(path, json.dumps(document, indent=2) + "\n", suite.folders)
    return is_stdout(path)


def _print(document: Mapping[str, Any], *, only_uncovered: bool) -> None:
    for requirement in document["requirements"]:
        if only_uncovered and (requirement["covered"] or requirement["untestable"]):
            continue
        mark = "covered" if requirement["covered"] else "untested" if requirement["untestable"] else "-"
        cases, accepts, rejects = len(requirement["cases"]), requirement["accepts"], requirement["rejects"]
        figures = f"{cases:3} cases, {accepts:3} accept, {rejects:3} reject"
        print(
            f"{mark:8} {requirement['level']:6} {requirement['operation']:14} {figures}  {requirement['id']}"
        )
    print()
    for group, noun in (("documents", "document"), ("levels", "level"), ("operations", "subject")):
        for name, total in document["totals"][group].items():
            print(f"{noun:10} {name:14} {_figures(total)}")
    print(f"all        {'':14} {_figures(document['totals'])}")


def _figures(total: Mapping[str, Any]) -> str:
    left = total["total"] - total["untestable"]
    separate = f", {total['untestable']} that cannot be tested" if total["untestable"] else ""
    return f"{total['covered']:4} of {left:4} covered{separate}"


def _print_pairs(document: Mapping[str, Any], *, only_uncovered: bool) -> None:
    """Print the triangles of pairs in allocations and in clusters, each with the list of uncovered pairs."""
    if not only_uncovered:
        print("cases with both features, accepting / rejecting; a pair is covered if it has both kinds")
        print()
    _print_triangle(document, INTERACTING, "pairs", only_uncovered=only_uncovered)
    if not only_uncovered:
        print()
    _print_triangle(
        document["meetings"], CLUSTER_FEATURES, "pairs in clusters", only_uncovered=only_uncovered
    )


def _print_triangle(
    document: Mapping[str, Any], features: Sequence[str], what: str, *, only_uncovered: bool
) -> None:
    rows = {tuple(row["features"]): row for row in document["pairs"]}
    if not only_uncovered:
        figures = {pair: f"{row['accepts']}/{row['rejects']}" for pair, row in rows.items()}
        width, cell = max(map(len, features)), 1 + max(map(len, figures.values()))
        print(" " * (width + 3) + "".join(f"{number:{cell}}" for number in range(1, len(features))))
        for index, feature in enumerate(features):
            cells = (figures[other, feature] for other in features[:index])
            print(
                f"{index + 1:2} {feature:{width}}{''.join(f'{figure:>{cell}}' for figure in cells)}".rstrip()
            )
        print()
    for pair, row in rows.items():
        if not row["covered"]:
            print(f"missing  {' and '.join(pair)}: {row['accepts']} accept, {row['rejects']} reject")
    total = document["totals"]
    print(f"{what} {total['covered']} of {total['total']}")


def _print_triples(document: Mapping[str, Any], *, only_uncovered: bool) -> None:
    """Print a line for each triple, then the number of covered triples: in allocations, then in clusters."""
    for what, table in (("triples", document), ("triples in clusters", document["meetings"])):
        for row in table["triples"]:
            if not (only_uncovered and row["covered"]):
                figures = f"{row['accepts']:3} accept, {row['rejects']:3} reject"
                print(f"{'covered' if row['covered'] else '-':8} {figures}  {', '.join(row['features'])}")
        print(f"{what} {table['totals']['covered']} of {table['totals']['total']}")
