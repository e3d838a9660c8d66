"""The options for remaining capacity: `--left` and `--html`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from dra_conform.cli.remaining_table import left_table
from dra_conform.controlplane.remaining_capacity import left_over
from dra_conform.kube.resource import ResourceClaim, ResourceSlice
from dra_conform.reports import remaining_page
from dra_conform.reports.files import ensure_writable, write_text


def add_left_options(command: argparse.ArgumentParser) -> None:
    """Add both options to a command that allocates."""
    command.add_argument(
        "--left", action="store_true", help="also a table of what is left of each device and counter set"
    )
    command.add_argument(
        "--html",
        metavar="FILE",
        help="an HTML page of what is left: devices, shared allocations and counters as bars",
    )


def check_left_options(arguments: argparse.Namespace) -> None:
    """Raises InputError for a file that cannot be written, before anything is worked out."""
    if arguments.html:
        ensure_writable(arguments.html)


def show_left(
    arguments: argparse.Namespace, slices: Iterable[ResourceSlice], claims: Iterable[ResourceClaim]
) -> None:
    """Print and write what was asked for; the table goes to stderr where objects are on stdout."""
    if not arguments.left and not arguments.html:
        return
    pools = left_over(slices, claims)
    if arguments.left:
        table = "\n".join(left_table(pools))
        print(f"\n{table}", file=sys.stdout if arguments.output == "table" else sys.stderr)
    if arguments.html:
        title = ", ".join(Path(name).name for name in arguments.filename)
        write_text(arguments.html, remaining_page.render(pools, title))
