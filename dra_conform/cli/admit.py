"""`dra-conform admit`: show how an API server would store manifests, or why it would reject them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import yaml

from dra_conform.cli import exits
from dra_conform.cli.admit_table import outcome, subject, table
from dra_conform.cli.gates_option import with_gates
from dra_conform.cli.profile_differences import Outcomes, differences
from dra_conform.cli.profiles_option import add_profiles_option, profile_names
from dra_conform.conformance.implementation import CannotStart
from dra_conform.controlplane.dry_run import Admission, DryRunResult, builtin, dry_run, propose
from dra_conform.controlplane.dry_run.dry_run_result import machine_form
from dra_conform.kube.errors import InputError
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.manifest_files import read
from dra_conform.kube.profile import Profile

BUILTIN = "builtin"


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Show for each DRA object and each pod of a workload in the manifests whether the API server admits "
        "it: the fields that it adds, the fields that it drops with the feature gate, or the errors, with "
        "file and line. Nothing is stored, and each object is checked on its own."
    )
    command.epilog = (
        "Exit codes: 0 all objects are admitted, in each of several profiles; 1 an object is rejected; 2 bad "
        "usage or input; 3 the implementation could not be run; 5 an object got no answer."
    )
    command.add_argument(
        "-f",
        "--filename",
        action="append",
        required=True,
        metavar="PATH",
        help="manifests to write: a file, a directory, or - for standard input; may be repeated",
    )
    command.add_argument(
        "--old",
        action="append",
        default=[],
        metavar="PATH",
        help="manifests of objects that the API server already stores; writing one of the same kind,"
        " namespace and name updates it",
    )
    command.add_argument("--subresource", default="", choices=("status",), help="write only this subresource")
    add_profiles_option(command)
    command.add_argument(
        "--gates", default="", metavar="A=true,B=false", help="feature gates that differ from the profile"
    )
    command.add_argument("--user", default="", metavar="NAME", help="the user that writes (an administrator)")
    command.add_argument("--group", action="append", default=[], metavar="NAME", help="a group of the user")
    command.add_argument(
        "-i",
        "--implementation",
        default=BUILTIN,
        metavar="SPEC",
        help="the implementation: builtin (the default), python:MODULE:ATTRIBUTE or 'exec:COMMAND ...'",
    )
    command.add_argument(
        "-o",
        "--output",
        default="table",
        choices=("table", "yaml", "json"),
        help="yaml prints the stored objects",
    )
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    profiles = [with_gates(Profile.named(name), arguments.gates) for name in profile_names(arguments)]
    try:
        with without_garbage_collection():
            return _dry_run(arguments, profiles)
    except CannotStart as error:
        print(f"{arguments.implementation}: cannot be run: {error}", file=sys.stderr)
        return exits.NOT_RUNNABLE


def _dry_run(arguments: argparse.Namespace, profiles: Sequence[Profile]) -> int:
    proposal = propose(read(arguments.filename), read(arguments.old), arguments.subresource)
    if not (proposal.writes or proposal.passed_over):
        raise InputError(", ".join(arguments.filename), None, "", "has no object, expected at least one")
    with _admission(arguments.implementation) as admission:
        each = {
            profile.name: list(dry_run(proposal, profile, admission, _user(arguments)))
            for profile in profiles
        }
    results = [result for several in each.values() for result in several]
    [profile, *others] = profiles
    if others:
        print("\n".join(differences(_outcomes(profiles, each), "objects")))
    elif arguments.output == "json":
        document = machine_form(results, proposal.passed_over, profile, arguments.implementation)
        print(json.dumps(document, indent=2))
    elif arguments.output == "yaml":
        stored = [
            result.stored for result in results if result.stored is not None and not result.write.within
        ]
        print(yaml.safe_dump_all(stored, sort_keys=False), end="")
        _print_rejections(results)
    else:
        print("\n".join(table(results, proposal.passed_over, profile)))
    if any(result.unanswered for result in results):
        return exits.INCOMPLETE
    return exits.FAILURES if any(result.reason for result in results) else exits.OK


def _outcomes(
    profiles: Sequence[Profile], each: Mapping[str, Sequence[DryRunResult]]
) -> Mapping[str, Outcomes]:
    return {
        profile.name: {subject(result): list(outcome(result, profile)) for result in each[profile.name]}
        for profile in profiles
    }


def _print_rejections(results: Sequence[DryRunResult]) -> None:
    for result in results:
        for problem in result.problems():
            print(problem, file=sys.stderr)
        if result.unanswered:
            print(f"{result.write.manifest.file}:{result.line}: {result.unanswered}", file=sys.stderr)


def _user(arguments: argparse.Namespace) -> Mapping[str, Any] | None:
    if arguments.group and not arguments.user:
        raise InputError(
            "--group", None, arguments.group[0], "is a group without a user, expected --user as well"
        )
    return {"name": arguments.user, "groups": arguments.group} if arguments.user else None


@contextmanager
def _admission(spec: str) -> Iterator[Admission]:
    """Open the implementation; the built-in is called directly. Raises InputError for a bad spec."""
    if spec == BUILTIN:
        yield builtin
        return
    # Imported here, because this import takes longer than an answer of the built-in.
    from dra_conform.adapters import BadSpec, open_implementation  # noqa: PLC0415
    from dra_conform.adapters.implementation_admission import ImplementationAdmission  # noqa: PLC0415

    try:
        admission = ImplementationAdmission(open_implementation(spec))
    except BadSpec as error:
        raise InputError("--implementation", None, error.spec, str(error)) from None
    try:
        yield admission
    finally:
        admission.close()
