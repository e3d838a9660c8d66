"""`dra-conform list`: print the values that `--select` accepts, with the number of cases."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

from dra_conform.cli import exits
from dra_conform.cli.parsing import CommandParser
from dra_conform.cli.printing import aligned
from dra_conform.cli.profiles_option import add_profile_option
from dra_conform.cli.suite_index import index_of, nothing_selected, print_former_ids
from dra_conform.conformance.case import applicable
from dra_conform.conformance.suite.case_ids import read_former_ids
from dra_conform.conformance.suite.index import CaseRow
from dra_conform.conformance.suite.selection import FIELDS, reject_unknown_values, select
from dra_conform.kube.listing import counted

_MANY = 30
"""The number of values above which the overview omits the values of a field."""


def configure(command: CommandParser) -> None:
    """Describe the command and its options."""
    command.description = (
        "List the values of a field for `--select`, each with the number of its cases; `id` lists the cases. "
        "Without FIELD, list the values of all fields that have at most 30."
    )
    command.add_argument("field", nargs="?", choices=FIELDS, help=", ".join(FIELDS), metavar="FIELD")
    add_profile_option(command, "only cases of this profile")
    command.add_argument(
        "--select",
        action="append",
        metavar="EXPR",
        default=[],
        help="only cases that match this expression, as in `run`",
    )
    command.add_argument("--suite", metavar="DIR", help="the folder of the suite (the shipped suite)")
    command.examples = (
        "dra-conform list requirement --select document:KEP-5075",
        "dra-conform list id --select 'feature:device-taints and operation:allocate'",
    )
    command.set_defaults(command=_command)


def _command(arguments: argparse.Namespace) -> int:
    index = index_of(arguments.suite)
    if index is None:
        return exits.SUITE_BROKEN
    former_ids = read_former_ids(index.root)
    reject_unknown_values(index.rows, arguments.select, former_ids.present)
    cases = applicable(select(index.rows, arguments.select, former_ids.present), arguments.profile)
    print_former_ids(former_ids)
    if not cases:
        raise nothing_selected(arguments.select, f" of profile {arguments.profile}")
    if arguments.field == "id":
        for case in cases:
            print(f"{case.id}  {case.title}")
    elif arguments.field:
        print("\n".join(aligned(_values(arguments.field, cases))))
    else:
        print("\n".join(_overview(cases)))
    return exits.OK


def _values(field: str, cases: Sequence[CaseRow]) -> list[tuple[str, str]]:
    counts = Counter(value for case in cases for value in set(FIELDS[field](case)))
    return [(f"{field}:{value}", str(count)) for value, count in sorted(counts.items())]


def _overview(cases: Sequence[CaseRow]) -> Iterator[str]:
    for field in FIELDS:
        rows = _values(field, cases)
        if len(rows) > _MANY:
            yield f"{field}:  {len(rows)} values, see `dra-conform list {field}`"
        else:
            yield f"{field}:"
            yield from (f"  {line}" for line in aligned(rows))
    yield counted(len(cases), "case")
