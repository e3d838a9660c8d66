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
from dra_conform.cli.parsing import CommandParser, add_filename_option
from dra_conform.cli.printing import print_notes
from dra_conform.cli.profiles_option import (
    Outcomes,
    add_gates_option,
    add_profiles_option,
    differences,
    profile_names,
    rejection_note,
    with_gates,
)
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.errors import InputError
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted, listed
from dra_conform.kube.manifest_files import Manifest, read
from dra_conform.kube.printable import one_line
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import Admission, DryRunResult, builtin, dry_run, propose
from dra_conform.previews.dry_run.dry_run_result import machine_form
from dra_conform.previews.dry_run.proposed_writes import Proposal, ProposedWrite
from dra_conform.previews.dry_run.written_fields import Change, FieldChange

_LONGEST = 60
_SIGNS = {Change.ADDED: "+", Change.DROPPED: "-", Change.CHANGED: "~", Change.REMOVED: "-"}
_ALIKE = 3
"""The maximum number of similar changes that are listed one by one."""
_NOTES = 5
"""The maximum number of objects of --old that have a note each."""


def table(results: Sequence[DryRunResult], passed_over: Mapping[str, int], profile: Profile) -> Iterator[str]:
    """Yield a header for each object, then its changes, warnings and errors, and the totals at the end."""
    for result in results:
        first, *rest = outcome(result, profile)
        yield one_line(f"{subject(result)}: {first}")
        yield from (f"  {line}" for line in rest)
    rejected = sum(bool(result.reason) for result in results)
    unanswered = sum(bool(result.unanswered) for result in results)
    figures = f"{len(results) - rejected - unanswered} admitted, {rejected} rejected"
    yield f"{figures}, {unanswered} without an answer" if unanswered else figures
    if passed_over:
        kinds = (f"{kind} ({count})" if count > 1 else kind for kind, count in passed_over.items())
        yield f"not checked: {', '.join(kinds)}"


def subject(result: DryRunResult) -> str:
    """Return file, line and name of the object of a write."""
    return one_line(f"{result.write.manifest.file}:{result.line}: {_name(result)}")


def outcome(result: DryRunResult, profile: Profile) -> Iterator[str]:
    """Yield whether the object is admitted, then changes, warnings and errors."""
    yield _outcome(result)
    yield from _changes(result, profile)
    yield from (f"warning: {warning}" for warning in result.warnings)
    yield from map(str, result.problems())


def _name(result: DryRunResult) -> str:
    write = result.write
    name = write.full_name
    return f"{write.manifest.kind} {name}, pod template" if write.within else f"{write.kind} {name}"


def _outcome(result: DryRunResult) -> str:
    if result.unanswered:
        return f"no answer: {result.unanswered}"
    if result.reason:
        return f"rejected ({result.reason})"
    part = f"{result.write.subresource} " if result.write.subresource else ""
    return f"admitted, {part}updated" if result.write.verb == "update" else "admitted"


def _changes(result: DryRunResult, profile: Profile) -> Iterator[str]:
    """Yield a line for each change, or one line for many changes that differ only in list indexes."""
    groups: dict[tuple[str, str], list[FieldChange]] = {}
    for change in result.changes:
        path = result.shown(tuple("*" if isinstance(part, int) else part for part in change.path))
        groups.setdefault((path, _why(change, profile)), []).append(change)
    for (path, why), changes in groups.items():
        first = changes[0]
        if len(changes) > _ALIKE:
            line = result.line_of(first.path)
            yield f"{_SIGNS[first.change]} {path}: {why} ({len(changes)} times, first in line {line})"
            continue
        for change in changes:
            absent = change.change in (Change.ADDED, Change.REMOVED)
            where = "" if absent else f" (line {result.line_of(change.path)})"
            yield f"{_SIGNS[change.change]} {result.shown(change.path)}: {why}{where}"


def _why(change: FieldChange, profile: Profile) -> str:
    """Describe the change of a field with its reason.

    Values of fields that are dropped because of a feature gate are omitted, because they are long.
    """
    match change:
        case FieldChange(gates=gates) if gates:
            return f"dropped, {profile.why_off(gates)}"
        case FieldChange(change=Change.DROPPED, reason=reason):
            return f"dropped, it {reason}" if reason else f"dropped: {_value(change.written)}"
        case FieldChange(change=Change.REMOVED):
            return f"removed by the update: {_value(change.stored)}"
        case FieldChange(change=Change.CHANGED):
            text = f"{_value(change.written)} becomes {_value(change.stored)}"
        case _:
            text = _value(change.stored)
    return f"{text}, {change.reason}" if change.reason else text


def _value(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


BUILTIN = "builtin"


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Show for each DRA object and each pod of a workload in the manifests whether the API server admits "
        "it: the fields that it adds, the fields that it drops with the feature gate, or the errors, with "
        "file and line. Nothing is stored, and each object is checked on its own."
    )
    command.examples = (
        "dra-conform admit -f manifests/",
        "dra-conform admit -f slices.yaml --profile kubernetes-1.34,kubernetes-1.37",
    )
    command.exit_codes = {
        0: "all objects are admitted, in each of several profiles",
        1: "an object is rejected",
        2: "bad usage or input",
        3: "the implementation could not be run",
        5: "an object got no answer",
    }
    add_filename_option(command, "manifests to write")
    command.add_argument(
        "--old",
        action="append",
        default=[],
        metavar="PATH",
        help="manifests of objects that the API server already stores; writing one of the same kind,"
        " namespace and name updates it; Namespaces count with their labels",
    )
    command.add_argument("--subresource", default="", choices=("status",), help="write only this subresource")
    add_profiles_option(command)
    add_gates_option(command)
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
    olds = read(arguments.old)
    proposal = propose(read(arguments.filename), olds, arguments.subresource)
    if not (proposal.writes or proposal.passed_over):
        raise InputError(", ".join(arguments.filename), None, "", "has no object, expected at least one")
    if arguments.old:
        _check_olds(arguments, olds, proposal)
    with _admission(arguments.implementation) as admission:
        each = {
            profile.name: list(dry_run(proposal, profile, admission, _user(arguments)))
            for profile in profiles
        }
    results = [result for several in each.values() for result in several]
    [profile, *others] = profiles
    if others:
        print(
            "\n".join(differences(_outcomes(profiles, each), "objects", failures=["rejected", "no answer"]))
        )
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
        notes = rejection_note(arguments) if any(result.reason for result in results) else ()
        print("\n".join([*table(results, proposal.passed_over, profile), *notes]))
    if any(result.unanswered for result in results):
        return exits.INCOMPLETE
    return exits.FAILURES if any(result.reason for result in results) else exits.OK


def _check_olds(arguments: argparse.Namespace, olds: Sequence[Manifest], proposal: Proposal) -> None:
    """Print a note for the objects of --old that no manifest updates; raise InputError if it has no other."""
    if len(proposal.not_updated) == len(olds):
        message = "has no object that a manifest of --filename updates, expected an object of equal kind, "
        message += f"namespace and name, or a Namespace; it has: {_names(olds) or 'no object'}"
        raise InputError(", ".join(arguments.old), None, "", message)
    notes = [
        one_line(f"note: {each.file}:{each.line}: {_names([each])}: no manifest of --filename updates it")
        for each in proposal.not_updated
    ]
    if len(notes) > _NOTES + 1:
        more = counted(len(notes) - _NOTES, "further object")
        notes[_NOTES:] = [f"note: no manifest of --filename updates {more} of --old"]
    print_notes(notes)


def _names(manifests: Sequence[Manifest]) -> str:
    """Return the kinds and names of objects, at most four of them."""
    writes = (ProposedWrite(manifest, manifest.written) for manifest in manifests)
    return listed([f"{write.kind} {write.full_name}" for write in writes])


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
    from dra_conform.adapters.implementation_admission import ImplementationAdmission  # noqa: PLC0415
    from dra_conform.adapters.specs import BadSpec, open_implementation  # noqa: PLC0415

    try:
        admission = ImplementationAdmission(open_implementation(spec))
    except BadSpec as error:
        raise InputError("--implementation", None, "", str(error)) from None
    try:
        yield admission
    finally:
        admission.close()
