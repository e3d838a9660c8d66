"""`dra-conform allocate`: show which devices the claims of manifests would get."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.preview import (
    add_preview_options,
    devices_of,
    pod_outcome,
    preview,
    preview_each,
    print_differences,
    print_objects,
    print_reasons,
    print_remaining,
)
from dra_conform.cli.printing import aligned, print_notes
from dra_conform.cli.profiles_option import profile_names, with_gates
from dra_conform.cluster_state.pods import allocation_of
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import NodeSelectorTerm
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.previews.rehearsal import PodState, PreviewOptions, Rehearsal, RehearsedPod


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Apply manifests to a simulated cluster, as dra-conform schedule does, and show which devices each "
        "ResourceClaim gets. This includes claims made from templates and for extended resources. A claim "
        "that no pod uses is allocated after all pods are scheduled, on the node of a pod without requests. "
        "The API server of the profile stores the manifests first (dra-conform admit); an object that it "
        "rejects is bad input."
    )
    command.examples = (
        "dra-conform allocate -f slices.yaml -f claims.yaml --left",
        "dra-conform allocate -f manifests/ --profile kubernetes-1.36 --explain",
    )
    command.exit_codes = {
        0: "all claims are allocated, in each of several profiles",
        1: "a claim is not allocated, or an object is rejected",
        2: "bad usage or input",
    }
    add_preview_options(command, "ResourceClaims")
    command.add_argument("--node", default="", metavar="NAME", help="allocate only on this node")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    questions = {
        name: PreviewOptions(
            with_gates(Profile.named(name), arguments.gates),
            seed=arguments.seed,
            node=arguments.node,
            unused_claims=True,
            explain=arguments.explain,
        )
        for name in profile_names(arguments, "left", "html")
    }
    if len(questions) > 1:
        return _compare(arguments, questions)
    [question] = questions.values()
    previewed = preview(arguments, question)
    rehearsal = previewed.rehearsal
    pods = [pod for pod in rehearsal.pods if pod.wants_devices]
    _check_claims(arguments, rehearsal)
    if arguments.output == "table":
        rows = list(_rows(pods, rehearsal.unused_claims))
        print("\n".join(aligned(rows)) if len(rows) > 1 else "no ResourceClaim is allocated")
    else:
        claims = [item for item in rehearsal.objects if item["kind"] == "ResourceClaim"]
        print_objects(claims, arguments.output)
    print_notes(previewed.notes)
    failed = [(subject, pod) for subject, pod in _subjects(rehearsal) if not _is_allocated(pod)]
    for subject, pod in failed:
        print_reasons(arguments, f"{subject}: not allocated", pod)
    print_remaining(arguments, rehearsal, question.profile)
    return exits.FAILURES if failed or rehearsal.rejected else exits.OK


def _compare(arguments: argparse.Namespace, questions: Mapping[str, PreviewOptions]) -> int:
    previews, rejected = preview_each(arguments, questions)
    rehearsals = {name: previewed.rehearsal for name, previewed in previews.items()}
    for rehearsal in rehearsals.values():
        _check_claims(arguments, rehearsal)
    outcomes = {
        name: {
            subject: pod_outcome("allocated" if _is_allocated(pod) else "not allocated", pod)
            for subject, pod in _subjects(rehearsal)
        }
        for name, rehearsal in rehearsals.items()
    }
    print_differences(previews, outcomes, "pods and claims without pods", ["not allocated"], "no claim")
    failed = any(
        rehearsal.rejected or not all(_is_allocated(pod) for _, pod in _subjects(rehearsal))
        for rehearsal in rehearsals.values()
    )
    return exits.USAGE if rejected else exits.FAILURES if failed else exits.OK


def _check_claims(arguments: argparse.Namespace, rehearsal: Rehearsal) -> None:
    if not list(_subjects(rehearsal)) and not rehearsal.rejected:
        message = "has no claim, expected claims or pods with claims"
        raise InputError(", ".join(arguments.filename), None, "", message)


def _subjects(rehearsal: Rehearsal) -> Iterator[tuple[str, RehearsedPod]]:
    """Yield the pods that want devices, then the claims without a pod."""
    yield from ((f"Pod {pod.key}", pod) for pod in rehearsal.pods if pod.wants_devices)
    yield from ((f"ResourceClaim {claim.key}", claim) for claim in rehearsal.unused_claims)


def _is_allocated(pod: RehearsedPod) -> bool:
    allocated = bool(pod.claims) and all(allocation_of(claim) is not None for claim in pod.claims)
    return allocated or pod.state in (PodState.RUNNING, PodState.COMPLETED)


def _rows(pods: Sequence[RehearsedPod], lone: Sequence[RehearsedPod]) -> Iterator[tuple[str, ...]]:
    """Yield each claim once: claims of pods in the order of the pods, then claims without a pod."""
    yield "CLAIM", "NODE", "REQUEST", "DEVICE", "CONSUMED", "SHARE ID"
    shown = set()
    nodes: dict[str, dict[str, None]] = {}
    for pod in (*pods, *lone):
        for claim in pod.claims:
            if pod.node:
                nodes.setdefault(claim["metadata"]["uid"], {})[pod.node] = None
    for pod in (*pods, *lone):
        for claim in pod.claims:
            key = f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"
            if allocation_of(claim) is None or key in shown:
                continue
            shown.add(key)
            node = ", ".join(nodes.get(claim["metadata"]["uid"], ())) or _nodes(claim)
            allocated = list(devices_of(claim))
            for request, device, consumed, result in allocated:
                yield key, node, request, device, consumed, result.get("shareID", "-")
            if not allocated:
                yield key, node, "(no request)", "", "", ""


def _nodes(claim: Json) -> str:
    """Return the node on which an allocated claim can be used, `all nodes`, or `several nodes`."""
    selector = decode(claim).allocation.node_selector
    if selector is None:
        return "all nodes"
    names = {_only_name(term) for term in selector.node_selector_terms}
    return (names.pop() if len(names) == 1 else "") or "several nodes"


def _only_name(term: NodeSelectorTerm) -> str:
    """Return the name of the only node that a term can match, empty without such a name."""
    named = [
        field.values[0] for field in term.match_fields if field.operator == "In" and len(field.values) == 1
    ]
    return named[0] if named else ""
