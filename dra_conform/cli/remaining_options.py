"""The options for remaining capacity: `--left` and `--html`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from dra_conform.cli.remaining_table import remaining_table
from dra_conform.controlplane.remaining_capacity import left_over
from dra_conform.kube.resource import ResourceClaim, ResourceSlice
from dra_conform.reports import remaining_page
from dra_conform.reports.files import ensure_writable, write_text


def add_remaining_options(command: argparse.ArgumentParser) -> None:
    """Add both options to a command."""
    command.add_argument(
        "--left", action="store_true", help="also print the remaining capacity of each device and counter set"
    )
    command.add_argument(
        "--html",
        metavar="FILE",
        help="write an HTML page of the remaining capacity of devices and counters",
    )


def check_remaining_options(arguments: argparse.Namespace) -> None:
    """Raise InputError for a file that cannot be written, before the manifests are applied."""
    if arguments.html:
        ensure_writable(arguments.html)


def show_remaining(
    arguments: argparse.Namespace, slices: Iterable[ResourceSlice], claims: Iterable[ResourceClaim]
) -> None:
    """Print and write the remaining capacity as requested; on stderr if stdout has the objects."""
    if not arguments.left and not arguments.html:
        return
    pools = left_over(slices, claims)
    if arguments.left:
        table = "\n".join(remaining_table(pools))
        print(f"\n{table}", file=sys.stdout if arguments.output == "table" else sys.stderr)
    if arguments.html:
        title = ", ".join(Path(name).name for name in arguments.filename)
        write_text(arguments.html, remaining_page.render(pools, title))
