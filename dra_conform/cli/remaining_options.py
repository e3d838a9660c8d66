"""The options --left and --html of previews: what is left of devices and counters, as a table or a page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from dra_conform.cli.printing import aligned
from dra_conform.kube.manifest_files import files_read
from dra_conform.previews.remaining_capacity import (
    RemainingDevice,
    RemainingPool,
    RemainingQuantity,
)
from dra_conform.reports import bar_pages
from dra_conform.reports.files import ensure_writable, write_text


def remaining_table(pools: Sequence[RemainingPool]) -> Iterator[str]:
    """Yield a line for each device and counter set, with its remaining capacity and its claims."""
    yield from aligned(_rows(pools))


def _rows(pools: Sequence[RemainingPool]) -> Iterator[tuple[str, ...]]:
    yield "NODE", "DEVICE OR COUNTER SET", "REMAINING", "ALLOCATED TO"
    for pool in pools:
        label = f"{pool.driver}/{pool.name}"
        for device in pool.devices:
            yield pool.node, f"{label}/{device.name}", _left(device), _allocated_to(device)
        for counter_set in pool.counter_sets:
            amounts = ", ".join(map(_amount, counter_set.counters))
            yield (
                pool.node,
                f"{label}/{counter_set.name} (counters)",
                amounts,
                ", ".join(counter_set.devices) or "-",
            )


def _allocated_to(device: RemainingDevice) -> str:
    allocations: dict[str, int] = {}
    for claim in device.holders:
        allocations[claim] = allocations.get(claim, 0) + 1
    claims = [
        f"{claim} ({number} shared allocations)" if number > 1 else claim
        for claim, number in allocations.items()
    ]
    return ", ".join([*claims, *(f"{claim} (admin access)" for claim in device.admins)]) or "-"


def _left(device: RemainingDevice) -> str:
    return "; ".join((_amounts_left(device), *(f"taint {taint}" for taint in device.taints)))


def _amounts_left(device: RemainingDevice) -> str:
    if device.lack:
        return f"not allocatable: {device.lack}"
    if device.capacities:
        return ", ".join(map(_amount, device.capacities))
    return "everything" if device.shared or not device.holders else "nothing"


def _amount(amount: RemainingQuantity) -> str:
    return f"{amount.name} {amount.left} of {amount.total}"


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
    """Raise InputError for a file that cannot be written or is an input, before the manifests are applied."""
    if arguments.html:
        ensure_writable(arguments.html, files_read(arguments.filename))


def show_remaining(arguments: argparse.Namespace, pools: Sequence[RemainingPool]) -> None:
    """Print and write the remaining capacity as requested; on stderr if stdout has the objects."""
    if arguments.left:
        table = "\n".join(remaining_table(pools))
        print(f"\n{table}", file=sys.stdout if arguments.output == "table" else sys.stderr)
    if arguments.html:
        title = ", ".join(Path(name).name for name in arguments.filename)
        page = bar_pages.render_remaining(pools, title)
        write_text(arguments.html, page, files_read(arguments.filename))
