"""`dra-conform schedule`: where would the pods of these manifests run, and with which devices?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import yaml

from dra_conform.cli import exits
from dra_conform.cli.alignment import aligned
from dra_conform.cli.gates_option import with_gates
from dra_conform.cli.left_options import add_left_options, check_left_options, show_left
from dra_conform.cli.told_by_node import told_by_node
from dra_conform.controlplane.dry_run import as_stored
from dra_conform.controlplane.nodes_of_slices import nodes_note
from dra_conform.controlplane.parts import NotSimulated
from dra_conform.controlplane.pod_groups import GROUPS_NOTE, PodGroups
from dra_conform.controlplane.rehearsal import PodState, Rehearsal, RehearsedPod, rehearse
from dra_conform.controlplane.unread_kinds import notes_on_kinds
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_writing import encode_json
from dra_conform.kube.manifests import Loaded, load
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import KEP, PROFILES, Profile


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Apply manifests to a simulated cluster and say where their pods run, with which devices, and why "
        "the others do not. What stands behind one -f is applied together, then the cluster settles before "
        "the next one comes, as with one kubectl apply after the other. Workloads count as their pods. "
        "Where the manifests hold no Node, those that slices name are made."
    )
    command.epilog = (
        "Exit codes: 0 every pod runs, 1 some do not, 2 bad usage or input, or what is not simulated."
    )
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
        "--gates", default="", metavar="A=true,B=false", help="feature gates other than the profile has them"
    )
    command.add_argument(
        "-o",
        "--output",
        default="table",
        choices=("table", "yaml", "json"),
        help="yaml, json: pods and claims as they are stored in the end",
    )
    command.add_argument("--explain", action="store_true", help="say why not, device by device")
    add_left_options(command)
    command.add_argument(
        "--wait", type=_seconds, default=0, metavar="SECONDS", help="so many seconds pass at the end (0)"
    )
    command.add_argument("--seed", type=int, default=0, help="seed of names, UIDs and share IDs (0)")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    check_left_options(arguments)
    profile = with_gates(Profile.named(arguments.profile), arguments.gates)
    sets = [load([path]) for path in arguments.filename]
    stored = as_stored([item for one in sets for item in one], profile)
    groups = PodGroups.of(stored.objects, profile)
    left: Iterator[Loaded] = iter(stored.objects)
    try:
        rehearsal = rehearse(
            [groups.with_claims([next(left) for _ in one]) for one in sets],
            profile,
            seconds=arguments.wait,
            seed=arguments.seed,
        )
    except NotSimulated as error:
        raise InputError(", ".join(arguments.filename), None, "", f"is not simulated: {error}") from None
    if not rehearsal.pods:
        raise InputError(
            ", ".join(arguments.filename),
            None,
            "",
            "holds no pod, expected pods or workloads with pods (dra-conform allocate takes claims alone)",
        )
    notes = [*notes_on_kinds(stored.objects), *([GROUPS_NOTE] if groups.groups else [])]
    if rehearsal.nodes_made:
        notes.append(nodes_note(rehearsal.nodes_made))
    notes += [*stored.notes(profile), *(f"refused: {one}" for one in rehearsal.refused)]
    print("\n".join(notes), end="\n" if notes else "", file=sys.stderr)
    failed = [pod for pod in rehearsal.pods if pod.state is not PodState.RUNNING]
    if arguments.output == "table":
        print("\n".join(aligned(_rows(rehearsal))))
    elif arguments.output == "yaml":
        print(yaml.safe_dump_all(_plain(rehearsal.objects), sort_keys=False), end="")
    else:
        print(json.dumps({"apiVersion": "v1", "kind": "List", "items": _plain(rehearsal.objects)}, indent=2))
    reasons = sys.stdout if arguments.output == "table" else sys.stderr
    for pod in failed:
        print("\n".join(_why_not(pod, explain=arguments.explain)), file=reasons)
    claims = [decode(one) for one in rehearsal.objects if one["kind"] == "ResourceClaim"]
    show_left(arguments, map(decode, rehearsal.slices), claims)
    return exits.FAILURES if failed or rehearsal.refused else exits.OK


def _plain(objects: Sequence[Mapping[str, Any]]) -> Any:
    """Objects as any reader of JSON has them."""
    return msgspec.json.decode(encode_json(objects))


_LONGEST = 366 * 24 * 60 * 60
"""Seconds of the simulated clock: a year."""


def _seconds(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) < 12 and int(text) <= _LONGEST):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds, expected 0 to {_LONGEST}")
    return int(text)


def _rows(rehearsal: Rehearsal) -> Iterator[tuple[str, ...]]:
    yield "POD", "STATE", "NODE", "CLAIM", "REQUEST", "DEVICE", "CONSUMED"
    for pod in rehearsal.pods:
        head = pod.key, pod.state.value, pod.node or "-"
        rows = list(_devices(pod)) or [("-", "-", "-", "-")]
        yield from ((*head, *row) for row in rows[:1])
        yield from (("", "", "", *row) for row in rows[1:])


def _devices(pod: RehearsedPod) -> Iterator[tuple[str, ...]]:
    for claim in pod.claims:
        allocation = (claim.get("status") or {}).get("allocation") or {}
        for one in (allocation.get("devices") or {}).get("results") or ():
            device = f"{one['driver']}/{one['pool']}/{one['device']}"
            device += " (admin access)" if one.get("adminAccess") else ""
            consumed = (one.get("consumedCapacity") or {}).items()
            amounts = ", ".join(f"{name} {amount}" for name, amount in consumed)
            yield claim["metadata"]["name"], one["request"], device, amounts or "-"


def _why_not(pod: RehearsedPod, *, explain: bool) -> Iterator[str]:
    yield f"\nPod {pod.key}: {pod.state.value}"
    if pod.message:
        yield f"  {pod.message}"
    refusals = pod.refusals or {}
    if explain:
        told = {node: ("the claims do not fit", *map("  {}".format, said)) for node, said in refusals.items()}
        yield from told_by_node(told)
    if refusals and not explain:
        yield "  (--explain says why, device by device)"
