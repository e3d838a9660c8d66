"""`dra-conform footprint`: show the node resource usage of a cluster, now and after changes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import fields
from heapq import nlargest

from dra_conform.cli import exits
from dra_conform.cli.dump_options import (
    add_dump_options,
    print_json,
    print_notes_of,
    profile_of,
    read_cluster,
    state,
    write_files,
)
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.printing import aligned
from dra_conform.kube.listing import counted, listed
from dra_conform.kube.quantity import Quantity
from dra_conform.previews.cluster_dump.node_rows import NodeRow, NodeUsage, PodRow, node_usage
from dra_conform.reports.bar_pages import UsageBar
from dra_conform.reports.tables import Cell, Table

NODE_COLUMNS = (
    "node",
    "resource",
    "before",
    "after",
    "claims",
    "allocatableBefore",
    "allocatable",
    "overBefore",
    "over",
)
"""The columns of CSV, JSON and Parquet for nodes."""
POD_COLUMNS = (
    "namespace",
    "pod",
    "node",
    "resource",
    "containers",
    "claims",
    "podLevel",
    "overhead",
    "total",
)
"""The columns of CSV, JSON and Parquet for pods."""

_QUANTITIES = frozenset(
    {"before", "after", "claims", "allocatableBefore", "allocatable"}
    | {"containers", "podLevel", "overhead", "total"}
)
_SHOWN = 5
"""The number of pods that explain a node."""


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Count the node resources that the pods of a cluster use (KEP-5517): containers, init containers and "
        "sidecars, claims whose devices map to node allocatable resources, pod-level requests and overhead. "
        "Compare the total of each node with what is allocatable, now and after changes. Claims count as the "
        "status of the pod records them, or else by their allocations and the ResourceSlices."
    )
    command.examples = (
        "dra-conform footprint --kubeconfig ~/.kube/config",
        "dra-conform footprint -f cluster.json --with workload.yaml --explain",
    )
    command.exit_codes = {
        0: "no node is over",
        1: "a node is over",
        2: "bad usage or input",
        5: "no node was compared, because no pod is on a node with allocatable resources in the input",
    }
    command.add_argument("--by", default="node", choices=("node", "pod"), help="the rows to print (node)")
    add_dump_options(command, "each node that is over")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    profile = profile_of(arguments)
    dump = read_cluster(arguments)
    usage = node_usage(dump, profile)
    over = [row for row in usage.rows if row.over]
    table = _node_table(usage.rows) if arguments.by == "node" else _pod_table(usage)
    explained = _largest(usage, over) if arguments.explain or arguments.html else {}
    write_files(arguments, table, [*_bars(usage, explained)], "Node resource usage")
    print_notes_of(dump, *usage.problems, _unplaced(usage), _not_compared(usage))
    if arguments.output == "csv":
        print(table.csv(), end="")
    elif arguments.output == "json":
        print_json(arguments.profile, [*table.objects()])
    else:
        rows = _node_rows(usage, changed=bool(arguments.changes))
        print("\n".join(aligned(rows if arguments.by == "node" else _pod_rows(usage))))
        print(_summary(usage, over))
        for row in over if arguments.explain else ():
            head = f"Node {row.node}: {row.resource}: {row.after} used, {row.allocatable} allocatable"
            print("\n".join(["", head, *(f"  {line}" for line in explained[row])]))
    if over:
        return exits.FAILURES
    return exits.OK if arguments.by == "pod" or _compared(usage) else exits.INCOMPLETE


def _compared(usage: NodeUsage) -> set[str]:
    """Return the nodes whose usage is compared with what is allocatable."""
    return {row.node for row in usage.rows if row.allocatable is not None}


def _node_table(rows: Sequence[NodeRow]) -> Table:
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        names = (each.name for each in fields(row))
        cells.append((*(getattr(row, name) for name in names), row.over_before, row.over))
    return Table(NODE_COLUMNS, _QUANTITIES, cells)


def _pod_table(usage: NodeUsage) -> Table:
    names = [each.name for each in fields(PodRow)]
    rows = [tuple(getattr(row, name) for name in names) for row in usage.pod_rows()]
    return Table(POD_COLUMNS, _QUANTITIES, rows)


def _node_rows(usage: NodeUsage, *, changed: bool) -> Iterator[tuple[str, ...]]:
    after = ("AFTER",) if changed else ()
    yield "NODE", "RESOURCE", "USED", *after, "BY CLAIMS", "ALLOCATABLE", "STATE"
    for row in usage.rows:
        used = (str(row.before), str(row.after)) if changed else (str(row.after),)
        limit = "-" if row.allocatable is None else str(row.allocatable)
        words = "-" if row.allocatable is None else state(before=row.over_before and changed, after=row.over)
        yield row.node, row.resource, *used, str(row.claims), limit, words


def _pod_rows(usage: NodeUsage) -> Iterator[tuple[str, ...]]:
    yield "POD", "NODE", "RESOURCE", "CONTAINERS", "CLAIMS", "POD LEVEL", "OVERHEAD", "TOTAL"
    for row in usage.pod_rows():
        pod_level = "-" if row.pod_level is None else str(row.pod_level)
        parts = str(row.containers), str(row.claims), pod_level, str(row.overhead), str(row.total)
        yield f"{row.namespace}/{row.pod}", row.node or "-", row.resource, *parts


def _summary(usage: NodeUsage, over: Sequence[NodeRow]) -> str:
    return f"{len({row.node for row in over})} of {counted(len(_compared(usage)), 'compared node')} over"


def _largest(usage: NodeUsage, over: Sequence[NodeRow]) -> dict[NodeRow, list[str]]:
    """Return for each exceeded resource of a node a line for each of the pods that use most of it."""
    wanted = {(row.node, row.resource): row for row in over}
    users: dict[NodeRow, list[PodRow]] = {row: [] for row in over}
    for pod_row in usage.pod_rows() if over else ():
        row = wanted.get((pod_row.node, pod_row.resource))
        if row is not None:
            users[row].append(pod_row)
    return {row: [*_lines(row, rows)] for row, rows in users.items()}


def _lines(row: NodeRow, users: Sequence[PodRow]) -> Iterator[str]:
    largest = nlargest(_SHOWN, users, key=lambda each: each.total)
    yield from (_line(each) for each in largest)
    rest = [each.total.nano for each in users if each not in largest]
    if rest:
        yield f"{counted(len(rest), 'further pod')}: {Quantity(sum(rest), row.after.format)}"


def _line(row: PodRow) -> str:
    parts = f"containers {row.containers}, claims {row.claims}, overhead {row.overhead}"
    if row.pod_level is not None:
        parts = f"pod level {row.pod_level} in place of containers {row.containers} and claims {row.claims}"
        parts += f", overhead {row.overhead} (KEP-5517/pod-level-resources/pod-level-wins)"
    return f"pod {row.namespace}/{row.pod}: {row.total}: {parts}"


def _bars(usage: NodeUsage, explained: dict[NodeRow, list[str]]) -> Iterator[UsageBar]:
    for row in usage.rows:
        if row.allocatable is not None:
            reasons = tuple(explained.get(row, ()))
            yield UsageBar(f"Node {row.node}", row.resource, row.before, row.after, row.allocatable, reasons)


def _unplaced(usage: NodeUsage) -> str:
    if not usage.unplaced:
        return ""
    where = "dra-conform schedule shows where they would run"
    return f"note: pods without a node, which count on none ({where}): {usage.unplaced:,}"


def _not_compared(usage: NodeUsage) -> str:
    if not usage.rows:
        return "note: no node is compared, because no pod is on a node"
    nodes = sorted({row.node for row in usage.rows} - _compared(usage))
    if not nodes:
        return ""
    return f"note: not compared, because the input has no Node or no status.allocatable: {listed(nodes)}"
