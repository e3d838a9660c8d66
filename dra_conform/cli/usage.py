"""`dra-conform usage`: show what the ResourceQuotas of a cluster count, now and after changes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from dra_conform.cli import exits
from dra_conform.cli.dump_options import (
    add_dump_options,
    names_of,
    print_json,
    print_notes_of,
    profile_of,
    read_cluster,
    state,
    write_files,
)
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.printing import aligned
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted
from dra_conform.kube.quantity import Quantity
from dra_conform.previews.cluster_dump.quota_rows import (
    QuotaRow,
    QuotaUsage,
    UsageReason,
    quota_usage,
    usage_reasons,
)
from dra_conform.reports.bar_pages import UsageBar
from dra_conform.reports.tables import Cell, Table

COLUMNS = ("namespace", "quota", "name", "before", "after", "hardBefore", "hard", "overBefore", "over")
"""The columns of CSV, JSON and Parquet."""

_QUANTITIES = frozenset({"before", "after", "hardBefore", "hard"})

Reasons = Mapping[QuotaRow, Sequence[UsageReason]]


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "Count the quota usage of all ResourceClaims and pods of a cluster, by namespace and ResourceQuota, "
        "and what it would be after changes. The usage is computed from the objects; status.used is not "
        "read. Objects without metadata.uid are new: the API server of the profile stores them first."
    )
    command.examples = (
        "dra-conform usage --kubeconfig ~/.kube/config",
        "dra-conform usage -f cluster.json --with workload.yaml --explain",
    )
    command.exit_codes = {
        0: "no limit is exceeded",
        1: "a limit is exceeded, or a quota rejects a new pod without a request",
        2: "bad usage or input",
        5: "no limit was compared, because no ResourceQuota in the input has a limit that is counted",
    }
    add_dump_options(command, "each limit that is exceeded")
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    dump = read_cluster(arguments)
    usage = quota_usage(dump, profile_of(arguments))
    over = [row for row in usage.rows if row.over]
    wanted = arguments.explain or arguments.html or arguments.output == "json"
    reasons = {row: usage_reasons(usage, row) for row in over} if wanted else {}
    table = Table(COLUMNS, _QUANTITIES, [_cells(row) for row in usage.rows])
    write_files(arguments, table, [*_bars(usage, reasons)], "Quota usage")
    limited = sum(row.hard is not None for row in usage.rows)
    rejections = _rejections(usage) if arguments.output == "csv" else ()
    print_notes_of(dump, _uncounted(usage), "" if limited else _not_compared(usage), *rejections)
    if arguments.output == "csv":
        print(table.csv(), end="")
    elif arguments.output == "json":
        print_json(arguments.profile, [*_objects(table, usage, reasons)], rejected=_rejected_pods(usage))
    else:
        print("\n".join(_table(usage, over, limited, changed=bool(arguments.changes))))
        for row in over if arguments.explain else ():
            print("\n".join(["", _heading(row), *(f"  {line}" for line in _lines(reasons[row]))]))
    if over or usage.rejected:
        return exits.FAILURES
    return exits.OK if limited else exits.INCOMPLETE


def _cells(row: QuotaRow) -> tuple[Cell, ...]:
    limits = row.hard_before, row.hard, row.over_before, row.over
    return (row.namespace, row.quota, row.name, row.before, row.after, *limits)


def _table(usage: QuotaUsage, over: Sequence[QuotaRow], limited: int, *, changed: bool) -> Iterator[str]:
    yield from aligned(_rows(usage, changed=changed))
    yield f"{len(over)} of {counted(limited, 'limit')} exceeded" if limited else "no limit was compared"
    yield from _rejections(usage)


def _rejections(usage: QuotaUsage) -> Iterator[str]:
    for each in usage.rejected:
        pods = names_of([f"{each.namespace}/{pod}" for pod in each.pods])
        yield f"{counted(len(each.pods), 'new pod')} would be rejected ({pods}): {each.message}"


def _rejected_pods(usage: QuotaUsage) -> list[Json]:
    return [
        {"namespace": each.namespace, "quota": each.quota, "message": each.message, "pods": list(each.pods)}
        for each in usage.rejected
    ]


def _rows(usage: QuotaUsage, *, changed: bool) -> Iterator[tuple[str, ...]]:
    after = ("AFTER",) if changed else ()
    yield "NAMESPACE", "QUOTA", "NAME", "USED", *after, "HARD", "STATE"
    for row in usage.rows:
        used = (str(row.before), str(row.after)) if changed else (str(row.after),)
        limit = "-" if row.hard is None else str(row.hard)
        if row.hard_before is not None and row.hard_before != row.hard:
            limit = f"{row.hard_before} -> {limit}"
        words = "-" if row.hard is None else state(before=row.over_before and changed, after=row.over)
        yield row.namespace, row.quota or "-", row.name, *used, limit, words


def _heading(row: QuotaRow) -> str:
    return f"ResourceQuota {row.namespace}/{row.quota}: {row.name}: {row.after} used, hard {row.hard}"


def _lines(reasons: Sequence[UsageReason]) -> Iterator[str]:
    for reason in reasons:
        source = f" ({reason.requirement})" if reason.requirement else ""
        total = Quantity(reason.total, reason.each.format)
        number = counted(len(reason.objects), reason.kind)
        count = (
            f"{number}, {reason.each} each, {total} together"
            if len(reason.objects) > 1
            else f"{number}, {total}"
        )
        yield f"{count}: {reason.why}{source}"
        yield f"  {names_of(reason.objects)}"


def _bars(usage: QuotaUsage, reasons: Reasons) -> Iterator[UsageBar]:
    for row in usage.rows:
        if row.hard is not None:
            group = f"{row.namespace}, ResourceQuota {row.quota}"
            lines = tuple(line.strip() for line in _lines(reasons.get(row, ())))
            yield UsageBar(group, row.name, row.before, row.after, row.hard, lines)


def _objects(table: Table, usage: QuotaUsage, reasons: Reasons) -> Iterator[Json]:
    for row, cells in zip(usage.rows, table.objects(), strict=True):
        explained = [
            {
                "kind": reason.kind,
                "objects": list(reason.objects),
                "each": str(reason.each),
                "why": reason.why,
                "requirement": reason.requirement,
            }
            for reason in reasons.get(row, ())
        ]
        yield {**cells, "reasons": explained} if explained else cells


def _uncounted(usage: QuotaUsage) -> str:
    return f"note: not counted: {', '.join(usage.uncounted)}" if usage.uncounted else ""


def _not_compared(usage: QuotaUsage) -> str:
    if usage.quotas:
        return "note: no limit is compared, because no ResourceQuota has a limit that is counted"
    return "note: no limit is compared, because there is no ResourceQuota in the input"
