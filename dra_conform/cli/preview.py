"""The common part of `allocate` and `schedule`: both apply manifests to a simulated cluster, in one profile
or in several, and print what differs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

import msgspec
import yaml

from dra_conform.allocator.allocation_decision import reason_lines as refusal_lines
from dra_conform.cli.parsing import add_filename_option, whole_number
from dra_conform.cli.printing import ProgressLine, print_notes
from dra_conform.cli.profiles_option import (
    Outcomes,
    add_gates_option,
    add_profiles_option,
    anonymous,
    differences,
    rejection_note,
)
from dra_conform.cli.remaining_options import add_remaining_options, check_remaining_options, show_remaining
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.kube.core import Node
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.listing import listed
from dra_conform.kube.manifests import LoadedObject, OtherObject, load
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.previews.dry_run import as_stored
from dra_conform.previews.nodes_of_slices import GET_NODES, NO_NODES_NOTE, nodes_note, nodes_of_slices
from dra_conform.previews.pod_groups import GROUPS_NOTE, PodGroups
from dra_conform.previews.rehearsal import LIMIT_RANGE, PreviewOptions, Rehearsal, RehearsedPod, rehearse
from dra_conform.previews.remaining_capacity import left_over
from dra_conform.previews.template_claims import claims_of_bare_templates
from dra_conform.previews.unread_kinds import notes_on_kinds
from dra_conform.previews.unsimulated_fields import notes_on_fields
from dra_conform.simulation import Unsettled
from dra_conform.simulation.scheduling.rejections import RejectingNodes
from dra_conform.simulation.tainted_devices import tainted_devices


def reasons_by_node(rejections: Iterable[RejectingNodes]) -> Iterator[str]:
    """Yield a line for each group of nodes, then its reasons, indented by two."""
    for rejecting in rejections:
        why = "the claims cannot be allocated" if rejecting.refusals else "too little is left"
        yield f"{_named_nodes(rejecting.nodes)}: {why}"
        yield from (f"  {line}" for line in (*refusal_lines(rejecting.refusals), *rejecting.shortages))


def _named_nodes(nodes: Sequence[str]) -> str:
    return f"node {nodes[0]}" if len(nodes) == 1 else f"{len(nodes)} nodes ({listed(nodes)})"


@dataclass(frozen=True, slots=True)
class Preview:
    """The result of applying manifests, with notes for the user."""

    rehearsal: Rehearsal
    notes: tuple[str, ...]


def add_preview_options(command: argparse.ArgumentParser, objects: str) -> None:
    """Add the options of both commands. `objects` names what `-o yaml` and `-o json` print."""
    add_filename_option(command)
    add_profiles_option(command)
    add_gates_option(command)
    command.add_argument(
        "-o",
        "--output",
        default="table",
        choices=("table", "yaml", "json"),
        help=f"yaml and json print the stored {objects} at the end",
    )
    command.add_argument(
        "--explain",
        action="store_true",
        help="print for each device why it is not allocated, how much of a resource a pod needs and how much "
        "is left, and which taint evicts a pod and why its tolerations do not apply",
    )
    add_remaining_options(command)
    command.add_argument(
        "--seed", type=whole_number, default=0, help="the seed of generated names, UIDs and share IDs (0)"
    )


def preview(arguments: argparse.Namespace, question: PreviewOptions) -> Preview:
    """Apply the manifests; raise InputError.

    If `question` allocates claims without a pod, each ResourceClaimTemplate that no pod names gets a claim.
    """
    check_remaining_options(arguments)
    with closing(ProgressLine()) as progress:
        sets = []
        for number, path in enumerate(arguments.filename):
            progress("reading manifests", number, len(arguments.filename))
            sets.append(load([path]))
        stored = as_stored([item for loaded in sets for item in loaded], question.profile, progress)
        groups = PodGroups.of(stored.objects, question.profile)
        left = iter(stored.objects)
        applied = [groups.with_claims([next(left) for _ in loaded]) for loaded in sets]
        bare = []
        if question.unused_claims:
            _check_nodes(arguments, question, stored.objects)
            bare = [*claims_of_bare_templates(stored.objects, tuple(groups.templates_used()))]
        try:
            rehearsal = rehearse([*applied[:-1], [*applied[-1], *bare]], question, progress)
        except Unsettled as error:
            raise InputError(", ".join(arguments.filename), None, "", str(error)) from None
    pods = (raw for raw in rehearsal.objects if raw["kind"] == "Pod")
    notes = [*notes_on_kinds(stored.objects, read=(LIMIT_RANGE,)), *notes_on_fields(pods)]
    if rehearsal.added_nodes:
        notes.append(nodes_note(rehearsal.added_nodes))
    elif not any(isinstance(item.object, Node) for item in stored.objects):
        notes.append(NO_NODES_NOTE)
    names = (f"{template.object.metadata.namespace}/{template.object.metadata.name}" for template in bare)
    notes += [
        f"note: no pod names ResourceClaimTemplate {name}, so one ResourceClaim is made from it"
        for name in names
    ]
    if groups.groups:
        notes.append(GROUPS_NOTE)
    notes += rehearsal.notes
    notes += [*stored.notes(question.profile), *_rejections(rehearsal, stored.objects)]
    if rehearsal.rejected:
        notes += rejection_note(arguments)
    return Preview(rehearsal, tuple(notes))


def _rejections(rehearsal: Rehearsal, loaded: Iterable[LoadedObject]) -> Iterator[str]:
    """Yield a line for each rejected object, at the last of its manifests."""
    if not rehearsal.rejected:  # reading the raw manifests takes time
        return
    known = (item for item in loaded if not isinstance(item.object, OtherObject))
    places = {key_in(item.raw): f"{item.file}:{item.line}: " for item in known}
    for key, message in rehearsal.rejected:
        kind, namespace, name = key
        named = f"{namespace}/{name}" if namespace else name
        yield f"{places.get(key, '')}{kind} {named}: rejected: {message}"


def print_objects(objects: Sequence[Mapping[str, Json]], form: str) -> None:
    """Print objects as YAML documents or as a JSON List, with plain JSON values."""
    plain = msgspec.json.decode(encode_json(objects))
    if form == "json":
        print(json.dumps({"apiVersion": "v1", "kind": "List", "items": plain}, indent=2))
    else:
        print(yaml.safe_dump_all(plain, sort_keys=False), end="")


def print_reasons(arguments: argparse.Namespace, subject: str, pod: RehearsedPod) -> None:
    """Print why a pod does not run; on stderr if stdout has the objects."""
    stream = sys.stdout if arguments.output == "table" else sys.stderr
    print("\n".join((f"\n{subject}", *(f"  {line}" for line in reason_lines(pod)))), file=stream)


def print_remaining(arguments: argparse.Namespace, rehearsal: Rehearsal, profile: Profile) -> None:
    """Print and write the remaining capacity of devices and counter sets, as requested by the options."""
    if not arguments.left and not arguments.html:
        return
    claims = (item for item in rehearsal.objects if item["kind"] == "ResourceClaim")
    slices = map(decode, rehearsal.device_objects["resourceSlices"])
    taints = tainted_devices(rehearsal.device_objects, profile, ("NoSchedule", "NoExecute"))
    show_remaining(arguments, left_over(slices, map(decode, claims), taints, profile))


def devices_of(claim: Json) -> Iterator[tuple[str, str, str, Json]]:
    """Yield request, device, consumed capacity and result for each allocated device of a claim."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    for result in (allocation.get("devices") or {}).get("results") or ():
        device = f"{result['driver']}/{result['pool']}/{result['device']}"
        device += " (admin access)" if result.get("adminAccess") else ""
        consumed = (result.get("consumedCapacity") or {}).items()
        amounts = ", ".join(f"{name} {amount}" for name, amount in consumed)
        yield result["request"], device, amounts or "-", result


def reason_lines(pod: RehearsedPod) -> Iterator[str]:
    """Yield why a pod does not run."""
    if pod.message:
        yield pod.message
    yield from pod.reasons
    yield from reasons_by_node(pod.rejections)
    if pod.unexplained:
        yield "(--explain prints the reasons)"


def _check_nodes(
    arguments: argparse.Namespace, question: PreviewOptions, loaded: Sequence[LoadedObject]
) -> None:
    """Raise InputError if no Node and no ResourceSlice names a node, or if `--node` names none of them."""
    names = [item.object.metadata.name for item in loaded if isinstance(item.object, Node)]
    names = names or [node["metadata"]["name"] for node in nodes_of_slices(loaded)]
    if not names:
        files = ", ".join(arguments.filename)
        expected = f"expected at least one, such as in the output of {GET_NODES}"
        raise InputError(files, None, "", f"has no Node and no ResourceSlice with a nodeName, {expected}")
    if question.node and question.node not in names:
        message = f"is not in the manifests, expected one of {', '.join(names)}"
        raise InputError("--node", None, question.node, message)


def preview_each(
    arguments: argparse.Namespace, questions: Mapping[str, PreviewOptions]
) -> tuple[Mapping[str, Preview], bool]:
    """Apply the manifests in each of several profiles; return also whether a profile rejects some.

    The errors of such a profile are printed. Raises InputError or InputErrors if all profiles reject some.
    """
    previews: dict[str, Preview] = {}
    failures: dict[str, InputError | InputErrors] = {}
    for name, question in questions.items():
        try:
            previews[name] = preview(arguments, question)
        except (InputError, InputErrors) as error:
            failures[name] = error
    if not previews:
        raise next(iter(failures.values()))
    for name, failure in failures.items():
        print(f"{name} is not compared, because it rejects the manifests\n{failure}", file=sys.stderr)
    return previews, bool(failures)


def print_differences(
    previews: Mapping[str, Preview],
    outcomes: Mapping[str, Outcomes],
    noun: str,
    failures: Sequence[str],
    absent: str = "",
) -> None:
    """Print the outcomes that differ between profiles, as `differences` does, and the notes that differ."""
    common = set.intersection(*(set(previewed.notes) for previewed in previews.values()))
    print_notes([note for note in next(iter(previews.values())).notes if note in common])
    print("\n".join(differences(outcomes, noun, absent, failures)))
    for name, previewed in previews.items():
        own = [note.removeprefix("note: ") for note in previewed.notes if note not in common]
        print_notes([f"{name}: {anonymous(note, name)}" for note in own])


def pod_outcome(state: str, pod: RehearsedPod) -> list[str]:
    """Return the lines that describe a pod for a comparison, without random suffixes of names."""
    lines = [f"{state} on {pod.node}" if pod.node else state, *reason_lines(pod)]
    for claim in pod.claims:
        lines += (
            f"ResourceClaim {claim['metadata']['name']}, request {request}: {device}"
            + (f", consumes {consumed}" if consumed != "-" else "")
            for request, device, consumed, _ in devices_of(claim)
        )
    for name, stem in pod.generated.items():
        lines = [line.replace(name, f"{stem}*") for line in lines]
    return lines
