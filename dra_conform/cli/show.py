"""`dra-conform show`: print one case with its requirements, its setup as manifests, or one requirement."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import groupby

import yaml

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.profiles_option import add_profile_option
from dra_conform.cli.suite_option import load_case, load_requirement
from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.suite.index import CaseRow
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.kube.errors import InputError
from dra_conform.kube.listing import counted
from dra_conform.kube.printable import printable
from dra_conform.kube.profile import PROFILES
from dra_conform.reports.failure_explanation import Again, case_command, requirement_command
from dra_conform.reports.plain import plain


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Print one case: its requirements, setup, actions and expectations. With --manifests, print the "
        "setup as YAML manifests instead, to change it or to apply it to a cluster. For a requirement, print "
        "its statement and its cases."
    )
    command.add_argument(
        "case",
        metavar="ID",
        help="the id of a case or a requirement, from a report or from `dra-conform list id`",
    )
    add_profile_option(command)
    command.add_argument("--manifests", action="store_true", help="print the setup as YAML manifests")
    command.add_argument("--suite", metavar="DIR", help="the folder of the suite (the shipped suite)")
    command.examples = (
        "dra-conform show dra/claims/only-device-in-use",
        "dra-conform show dra/claims/only-device-in-use --manifests > objects.yaml",
        "dra-conform show DRA/claim/exclusive-between-claims",
    )
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    try:
        found = load_case(arguments.suite, arguments.case, "show")
    except InputError:
        known = load_requirement(arguments.suite, arguments.case)
        if known is None or arguments.manifests:
            raise
        again = requirement_command(arguments.case, arguments.profile, Again(suite=arguments.suite or ""))
        print("\n".join(_requirement_lines(*known, again)))
        return exits.OK
    if found is None:
        return exits.SUITE_BROKEN
    suite, case = found
    lines = _manifests(case) if arguments.manifests else case_lines(case, suite, arguments.profile)
    print("\n".join(lines))
    return exits.OK


def case_lines(case: Case, suite: LoadedSuite, profile: str) -> Iterator[str]:
    """Yield a case in words, with its requirements and the command that runs it."""
    catalogue = {requirement.id: requirement for requirement in suite.catalogue}
    yield from (printable(case.id), f"  {printable(case.title)}", f"  {case.source}", "")
    for name in case.requirements:
        if name in catalogue:
            yield from _requirement(catalogue[name])
    if case.rule:
        yield from (f"Rule: {printable(case.rule)}", "")
    steps = (
        line
        for step, thens in zip(case.case_steps, case.steps(profile), strict=True)
        for line in (step.words, *thens)
    )
    for line in (*case.given, *steps):
        yield "  " + printable(line).replace("\n", "\n    ")
    deviation = case.deviation(profile)
    if deviation:
        yield f"  {profile} deviates from the specification: {deviation}"
    if case.profiles is not None and profile not in case.profiles:
        profiles = ", ".join(profile for profile in PROFILES if profile in case.profiles)
        yield f"  This case does not run in {profile}, only in {profiles}."
    gates = ", ".join(f"{gate}={str(on).lower()}" for gate, on in sorted(case.gates.items()))
    if gates:
        yield f"  Feature gates: {gates}"
    yield from ("", case_command(case.id, profile, Again(suite=suite.option)))


def _requirement(requirement: Requirement) -> Iterator[str]:
    yield f"{requirement.id} ({requirement.level}, {requirement.document}, {requirement.section})"
    yield f"  {printable(requirement.statement)}"
    if requirement.interpretation:
        yield f"  Interpretation: {printable(requirement.interpretation)}"
    yield ""


def _requirement_lines(requirement: Requirement, cases: Sequence[CaseRow], again: str) -> Iterator[str]:
    """Yield a requirement, the cases of each title, and the command that runs them."""
    yield from _requirement(requirement)
    if requirement.link:
        yield from (f"  {printable(requirement.link)}", "")
    if requirement.untestable:
        yield f"No case can test it: {printable(requirement.untestable)}"
        return
    yield counted(len(cases), "case")
    for title, rows in groupby(cases, key=lambda row: row.title):
        yield f"  {printable(title)}"
        yield from (f"    {printable(row.id)}" for row in rows)
    yield from ("", again)


def _manifests(case: Case) -> Iterator[str]:
    yield f"# Setup of the case {printable(case.id)}. Its actions:"
    for step in case.case_steps:
        yield f"# {printable(step.words)}"
    for objects in case.objects.values():
        for manifest in objects:
            yield "---"
            yield yaml.safe_dump(plain(manifest), sort_keys=False, allow_unicode=False).rstrip("\n")
