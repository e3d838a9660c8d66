"""The common part of `allocate` and `schedule`: both apply manifests to a simulated cluster."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import msgspec
import yaml

from dra_conform.cli.progress_line import ProgressLine
from dra_conform.cli.reasons_by_node import told_by_node
from dra_conform.cli.remaining_options import add_left_options, check_left_options, show_left
from dra_conform.controlplane.dry_run import as_stored
from dra_conform.controlplane.nodes_of_slices import nodes_note, nodes_of_slices
from dra_conform.controlplane.pod_groups import GROUPS_NOTE, PodGroups
from dra_conform.controlplane.rehearsal import Question, Rehearsal, RehearsedPod, rehearse
from dra_conform.controlplane.simulation import Unsettled
from dra_conform.controlplane.template_claims import claims_of_bare_templates
from dra_conform.controlplane.unread_kinds import notes_on_kinds
from dra_conform.kube.core import Node
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_writing import encode_json
from dra_conform.kube.manifests import Loaded, load
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import KEP, PROFILES

Json = Any


@dataclass(frozen=True, slots=True)
class Preview:
    """What came of manifests, and what a user has to know of them."""

    rehearsal: Rehearsal
    notes: tuple[str, ...]


def add_preview_options(command: argparse.ArgumentParser, objects: str) -> None:
    """Add the options of both commands; `objects`: what yaml and json print."""
    command.add_argument(
        "-f",
        "--filename",
        action="append",
        required=True,
        metavar="PATH",
        help="manifests: a file, a directory, or - for standard input; may be repeated",
    )
    command.add_argument("--profile", default=KEP, choices=PROFILES, help="whose rules (kep)")
    command.add_argument(
        "-o",
        "--output",
        default="table",
        choices=("table", "yaml", "json"),
        help=f"yaml, json: {objects} as they are stored in the end",
    )
    command.add_argument("--explain", action="store_true", help="say why not, device by device")
    add_left_options(command)
    command.add_argument("--seed", type=int, default=0, help="seed of names, UIDs and share IDs (0)")


def preview(arguments: argparse.Namespace, question: Question) -> Preview:
    """Apply the manifests; raises InputError. With lone claims, a template that no pod names gets a claim."""
    check_left_options(arguments)
    with closing(ProgressLine()) as progress:
        sets = []
        for number, path in enumerate(arguments.filename):
            progress("reading manifests", number, len(arguments.filename))
            sets.append(load([path]))
        stored = as_stored([item for one in sets for item in one], question.profile, progress)
        groups = PodGroups.of(stored.objects, question.profile)
        left = iter(stored.objects)
        applied = [groups.with_claims([next(left) for _ in one]) for one in sets]
        nodes = _nodes(arguments, question, stored.objects) if question.lone_claims else ()
        used = tuple(groups.templates_used())
        bare = [*claims_of_bare_templates(stored.objects, nodes, used)] if question.lone_claims else []
        try:
            rehearsal = rehearse([*applied[:-1], [*applied[-1], *bare]], question, progress)
        except Unsettled as error:
            raise InputError(", ".join(arguments.filename), None, "", str(error)) from None
    notes = [*notes_on_kinds(stored.objects)]
    if rehearsal.nodes_made:
        notes.append(nodes_note(rehearsal.nodes_made))
    names = (f"{one.object.metadata.namespace}/{one.object.metadata.name}" for one in bare)
    notes += [f"note: no pod names ResourceClaimTemplate {name}, a claim is made from it" for name in names]
    if groups.groups:
        notes.append(GROUPS_NOTE)
    notes += [*stored.notes(question.profile), *(f"refused: {one}" for one in rehearsal.refused)]
    return Preview(rehearsal, tuple(notes))


def print_notes(notes: Sequence[str]) -> None:
    """Print what a user has to know on stderr."""
    print("\n".join(notes), end="\n" if notes else "", file=sys.stderr)


def print_objects(objects: Sequence[Mapping[str, Json]], form: str) -> None:
    """Print objects as YAML documents or as a JSON list, as any reader of JSON has them."""
    plain = msgspec.json.decode(encode_json(objects))
    if form == "json":
        print(json.dumps({"apiVersion": "v1", "kind": "List", "items": plain}, indent=2))
    else:
        print(yaml.safe_dump_all(plain, sort_keys=False), end="")


def print_refused(arguments: argparse.Namespace, subject: str, pod: RehearsedPod) -> None:
    """Print why a pod does not run; beside objects on stdout it goes to stderr."""
    refusals = sys.stdout if arguments.output == "table" else sys.stderr
    print("\n".join(_why_not(subject, pod, explain=arguments.explain)), file=refusals)


def print_left(arguments: argparse.Namespace, rehearsal: Rehearsal) -> None:
    """Print and write what is left of devices and counter sets, where that is asked for."""
    claims = (one for one in rehearsal.objects if one["kind"] == "ResourceClaim")
    show_left(arguments, map(decode, rehearsal.slices), map(decode, claims))


def devices_of(claim: Json) -> Iterator[tuple[str, str, str, Json]]:
    """Request, device, consumed capacity and result of each device that a claim has got."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    for one in (allocation.get("devices") or {}).get("results") or ():
        device = f"{one['driver']}/{one['pool']}/{one['device']}"
        device += " (admin access)" if one.get("adminAccess") else ""
        consumed = (one.get("consumedCapacity") or {}).items()
        amounts = ", ".join(f"{name} {amount}" for name, amount in consumed)
        yield one["request"], device, amounts or "-", one


def _why_not(subject: str, pod: RehearsedPod, *, explain: bool) -> Iterator[str]:
    yield f"\n{subject}"
    if pod.message:
        yield f"  {pod.message}"
    yield from told_by_node(pod.refusals)
    if pod.claims_refused and not explain:
        yield "  (--explain says why, device by device)"


def _nodes(arguments: argparse.Namespace, question: Question, loaded: Sequence[Loaded]) -> list[Node]:
    """The nodes of the manifests, or those made from slices; raises InputError for none and for another."""
    nodes = [item.object for item in loaded if isinstance(item.object, Node)]
    nodes = nodes or [decode(node) for node in nodes_of_slices(loaded)]
    names = [node.metadata.name for node in nodes]
    if not names:
        files, expected = ", ".join(arguments.filename), "expected at least one"
        raise InputError(files, None, "", f"holds no Node, and no slice that names one, {expected}")
    if question.node and question.node not in names:
        message = f"is not in the manifests, expected one of {', '.join(names)}"
        raise InputError("--node", None, question.node, message)
    return nodes
