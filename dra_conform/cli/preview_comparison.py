"""Previews in several profiles, and what differs between them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from dra_conform.cli.preview import Preview, devices_of, preview, reason_lines
from dra_conform.cli.printing import print_notes
from dra_conform.cli.profile_differences import Outcomes, differences
from dra_conform.controlplane.rehearsal import PreviewOptions, RehearsedPod
from dra_conform.kube.errors import InputError, InputErrors


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
        print(f"{name}: the manifests are rejected, so that it is not compared\n{failure}", file=sys.stderr)
    return previews, bool(failures)


def print_differences(
    previews: Mapping[str, Preview], outcomes: Mapping[str, Outcomes], noun: str, absent: str = ""
) -> None:
    """Print the outcomes that differ between profiles, as `differences` does, and the notes that differ."""
    common = set.intersection(*(set(previewed.notes) for previewed in previews.values()))
    print_notes([note for note in next(iter(previews.values())).notes if note in common])
    print("\n".join(differences(outcomes, noun, absent)))
    for name, previewed in previews.items():
        own = [note.removeprefix("note: ") for note in previewed.notes if note not in common]
        print_notes([f"{name}: {note}" for note in own])


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
