"""`dra-conform schedule`: show where the pods of manifests would run, and with which devices."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser, add_wait_option
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
from dra_conform.kube.errors import InputError
from dra_conform.kube.profile import Profile
from dra_conform.previews.rehearsal import PodState, PreviewOptions, Rehearsal, RehearsedPod

_DONE = (PodState.RUNNING, PodState.COMPLETED)
"""The states of pods that ran or run."""


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Apply manifests to a simulated cluster, and show where the pods run, with which devices, and why "
        "other pods do not run. The manifests of one -f are applied together. Then the cluster reaches a "
        "steady state before the next -f, as with several kubectl apply. A workload counts as its pods. If "
        "the manifests have no Node, the nodes that ResourceSlices name are created."
    )
    command.examples = (
        "dra-conform schedule -f inventory.yaml -f workload.yaml --explain",
        "dra-conform schedule -f manifests/ --profile kubernetes-1.35,kubernetes-1.37",
    )
    command.exit_codes = {
        0: "all pods run or are completed, in each of several profiles",
        1: "a pod does not run, or an object is rejected",
        2: "bad usage, bad input, or a feature that is not simulated",
    }
    add_preview_options(command, "pods and claims")
    add_wait_option(command, "let simulated time pass at the end (0)")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    questions = {
        name: PreviewOptions(
            with_gates(Profile.named(name), arguments.gates),
            seconds=arguments.wait,
            seed=arguments.seed,
            explain=arguments.explain,
        )
        for name in profile_names(arguments, "left", "html")
    }
    if len(questions) > 1:
        return _compare(arguments, questions)
    [question] = questions.values()
    previewed = preview(arguments, question)
    rehearsal = previewed.rehearsal
    _check_pods(arguments, rehearsal)
    print_notes(previewed.notes)
    if arguments.output == "table":
        print("\n".join(aligned(_rows(rehearsal))))
    else:
        print_objects(rehearsal.objects, arguments.output)
    failed = [pod for pod in rehearsal.pods if pod.state not in _DONE]
    for pod in failed:
        print_reasons(arguments, f"Pod {pod.key}: {pod.state.value}", pod)
    print_remaining(arguments, rehearsal, question.profile)
    return exits.FAILURES if failed or rehearsal.rejected else exits.OK


def _compare(arguments: argparse.Namespace, questions: Mapping[str, PreviewOptions]) -> int:
    previews, rejected = preview_each(arguments, questions)
    rehearsals = {name: previewed.rehearsal for name, previewed in previews.items()}
    for rehearsal in rehearsals.values():
        _check_pods(arguments, rehearsal)
    outcomes = {
        name: {f"Pod {pod.key}": pod_outcome(pod.state.value, pod) for pod in rehearsal.pods}
        for name, rehearsal in rehearsals.items()
    }
    print_differences(previews, outcomes, "pods", [state.value for state in PodState if state not in _DONE])
    failed = any(
        rehearsal.rejected or any(pod.state not in _DONE for pod in rehearsal.pods)
        for rehearsal in rehearsals.values()
    )
    return exits.USAGE if rejected else exits.FAILURES if failed else exits.OK


def _check_pods(arguments: argparse.Namespace, rehearsal: Rehearsal) -> None:
    if not rehearsal.pods:
        reasons = "; ".join(note.removeprefix("note: ") for note in rehearsal.notes)
        expected = ", expected pods or workloads (dra-conform allocate accepts claims without pods)"
        why = f": {reasons}" if reasons else expected
        raise InputError(", ".join(arguments.filename), None, "", f"has no pod{why}")


def _rows(rehearsal: Rehearsal) -> Iterator[tuple[str, ...]]:
    yield "POD", "STATE", "NODE", "CLAIM", "REQUEST", "DEVICE", "CONSUMED"
    for pod in rehearsal.pods:
        head = pod.key, pod.state.value, pod.node or "-"
        rows = list(_devices(pod)) or [("-", "-", "-", "-")]
        yield from ((*head, *row) for row in rows[:1])
        yield from (("", "", "", *row) for row in rows[1:])


def _devices(pod: RehearsedPod) -> Iterator[tuple[str, ...]]:
    for claim in pod.claims:
        for request, device, consumed, _ in devices_of(claim):
            yield claim["metadata"]["name"], request, device, consumed
