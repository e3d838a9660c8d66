"""`dra-conform allocate`: what would the claims of these manifests get?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from dra_conform.allocator import Decision, Failed, Unallocatable
from dra_conform.allocator.grouped_refusals import grouped, told
from dra_conform.cli import exits
from dra_conform.cli.alignment import aligned
from dra_conform.cli.left_options import add_left_options, check_left_options, show_left
from dra_conform.cli.told_by_node import told_by_node
from dra_conform.controlplane.cluster import Cluster
from dra_conform.controlplane.dry_run import as_stored
from dra_conform.controlplane.nodes_of_slices import nodes_note, nodes_of_slices
from dra_conform.controlplane.placement import Placement, place
from dra_conform.controlplane.pod_groups import GROUPS_NOTE, PodGroups
from dra_conform.controlplane.unread_kinds import notes_on_kinds
from dra_conform.kube.codec import to_builtins
from dra_conform.kube.errors import InputError
from dra_conform.kube.manifests import load
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import KEP, PROFILES, Profile
from dra_conform.kube.resource import DeviceRequestAllocationResult, ResourceClaim


def configure(command: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Allocate the claims of manifests, and those made from templates for pods and for "
        "the pods of workloads, on the first node that fits, and print status.allocation. Extended resources "
        "that device classes serve get a claim; the pods of a PodGroup share its claims. The objects count "
        "as the API server of the profile stores them (dra-conform admit); what it refuses is bad input. Of "
        "what a pod says of nodes, nodeName, nodeSelector and required node affinity count."
    )
    command.epilog = "Exit codes: 0 everything is allocated, 1 something is not, 2 bad usage or input."
    command.add_argument(
        "-f",
        "--filename",
        action="append",
        required=True,
        metavar="PATH",
        help="manifests: a file, a directory, or - for standard input; may be repeated",
    )
    command.add_argument("--node", default="", metavar="NAME", help="only this node")
    command.add_argument("--profile", default=KEP, choices=PROFILES, help="whose rules (kep)")
    command.add_argument("-o", "--output", default="table", choices=("table", "yaml", "json"))
    command.add_argument("--explain", action="store_true", help="say why not, device by device")
    add_left_options(command)
    command.add_argument("--seed", type=int, default=0, help="seed of the share IDs (0)")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    check_left_options(arguments)
    profile = Profile.named(arguments.profile)
    stored = as_stored(load(arguments.filename), profile)
    groups = PodGroups.of(stored.objects, profile)
    made_nodes = [decode(node) for node in nodes_of_slices(stored.objects)]
    described = Cluster.of(groups.with_claims(stored.objects), made_nodes)
    cluster, bare = described.with_bare_templates(tuple(groups.templates_used()))
    _refuse_unknown_node(cluster, arguments)
    placements = list(
        place(
            cluster,
            profile,
            node=arguments.node,
            explain=arguments.explain,
            seed=arguments.seed,
        )
    )
    if not placements:
        raise InputError(
            ", ".join(arguments.filename), None, "", "holds no claim, expected claims or pods with claims"
        )
    if arguments.output == "table":
        _print_table(placements)
    else:
        _print_objects(placements, arguments.output)
    notes = [*notes_on_kinds(stored.objects)]
    if made_nodes:
        notes.append(nodes_note([node.metadata.name for node in made_nodes]))
    notes += [f"note: no pod names ResourceClaimTemplate {key}, a claim is made from it" for key in bare]
    if groups.groups:
        notes.append(GROUPS_NOTE)
    notes += stored.notes(profile)
    if any(
        device.node_allocatable_resource_mappings or device.node_allocatable_resources
        for one in cluster.slices
        for device in one.spec.devices
    ):
        notes.append(
            "note: devices map to resources of the node (KEP-5517); what the node itself has left "
            "is not counted yet"
        )
    print("\n".join(notes), end="\n" if notes else "", file=sys.stderr)
    refusals = sys.stdout if arguments.output == "table" else sys.stderr
    for placement in placements:
        if not placement.node and not _was_done(placement):
            print("\n".join(_refusal(placement, explain=arguments.explain)), file=refusals)
    show_left(arguments, cluster.slices, _claims(placements).values())
    return exits.OK if all(p.node or _was_done(p) for p in placements) else exits.FAILURES


def _refuse_unknown_node(cluster: Cluster, arguments: argparse.Namespace) -> None:
    names = [node.metadata.name for node in cluster.nodes]
    if not names:
        raise InputError(
            ", ".join(arguments.filename),
            None,
            "",
            "holds no Node, and no slice that names one, expected at least one",
        )
    if arguments.node and arguments.node not in names:
        raise InputError(
            "--node", None, arguments.node, f"is not in the manifests, expected one of {', '.join(names)}"
        )


def _was_done(placement: Placement) -> bool:
    return bool(placement.claims) and all(claim.allocation is not None for claim in placement.claims)


def _print_table(placements: Sequence[Placement]) -> None:
    rows = [("CLAIM", "NODE", "REQUEST", "DEVICE", "CONSUMED", "SHARE")]
    shown = set()
    for placement in placements:
        for claim in placement.claims:
            if claim.allocation is None or claim.key in shown:
                continue
            shown.add(claim.key)
            rows += [
                (claim.key, placement.node or "(already)", *_cells(one))
                for one in claim.allocation.devices.results
            ] or [(claim.key, placement.node, "(no request)", "", "", "")]
    if len(rows) == 1:
        return
    print("\n".join(aligned(rows)))


def _cells(result: DeviceRequestAllocationResult) -> tuple[str, str, str, str]:
    consumed = ", ".join(f"{name} {amount}" for name, amount in (result.consumed_capacity or {}).items())
    device = f"{result.driver}/{result.pool}/{result.device}"
    if result.admin_access:
        device += " (admin access)"
    return result.request, device, consumed or "-", result.share_id or "-"


def _print_objects(placements: Sequence[Placement], form: str) -> None:
    documents = [
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **_body(claim)}
        for claim in _claims(placements).values()
    ]
    if form == "json":
        print(json.dumps({"apiVersion": "v1", "kind": "List", "items": documents}, indent=2))
    else:
        print(yaml.safe_dump_all(documents, sort_keys=False), end="")


def _claims(placements: Sequence[Placement]) -> dict[str, ResourceClaim]:
    """Each claim as it is in the end."""
    return {claim.key: claim for placement in placements for claim in placement.claims}


def _body(claim: ResourceClaim) -> dict[str, Any]:
    body: dict[str, Any] = to_builtins(claim)
    return body


def _refusal(placement: Placement, *, explain: bool) -> Iterator[str]:
    yield f"\n{placement.subject}: not allocated"
    if placement.obstacle:
        yield f"  {placement.obstacle}"
    reasons = {attempt.node: _reasons(attempt.decision, explain=explain) for attempt in placement.attempts}
    yield from told_by_node(reasons)
    if not explain and any(isinstance(one.decision, Unallocatable) for one in placement.attempts):
        yield "  (--explain says why, device by device)"


def _reasons(decision: Decision, *, explain: bool) -> tuple[str, ...]:
    match decision:
        case Failed(category=category, message=message):
            said = f"error {category}: {message}"
        case _:
            said = "nothing fits"
    trace = decision.trace if explain else ()
    return said, *(f"  {line}" for line in told(grouped(trace)))
