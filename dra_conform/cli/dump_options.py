"""The common part of `usage` and `footprint`: both read a dump of a cluster and print a table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from dra_conform.cli.parsing import add_filename_option
from dra_conform.cli.printing import ProgressLine
from dra_conform.cli.profiles_option import add_gates_option, add_profile_option, with_gates
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.errors import InputError
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifest_files import files_read
from dra_conform.kube.profile import Profile
from dra_conform.previews.cluster_dump import ClusterDump, read_dump
from dra_conform.previews.progress import Progress
from dra_conform.reports.bar_pages import UsageBar, render_usage
from dra_conform.reports.files import ensure_writable, is_stdout, write_bytes, write_text
from dra_conform.reports.tables import Table

_MOST_NAMES = 3
"""The number of objects that a line of a reason names."""


def add_dump_options(command: argparse.ArgumentParser, explained: str) -> None:
    """Add the options of both commands. `explained` names what `--explain` explains."""
    cluster = command.add_mutually_exclusive_group(required=True)
    add_filename_option(cluster, "the objects of a cluster", required=False)
    cluster.add_argument(
        "--kubeconfig", metavar="F", help="the kubeconfig of a cluster whose objects are listed"
    )
    command.add_argument(
        "--context", metavar="NAME", default="", help="the context of --kubeconfig (the current context)"
    )
    command.add_argument(
        "--with",
        dest="changes",
        action="append",
        default=[],
        metavar="PATH",
        help="manifests that would be applied; an object with the name of an existing one replaces it; "
        "the existing status and the node of a pod stay if the manifest has none",
    )
    add_profile_option(command, "the release or specification to follow")
    add_gates_option(command)
    command.add_argument(
        "-o",
        "--output",
        default="table",
        choices=("table", "csv", "json"),
        help="the form of the rows on standard output (table)",
    )
    command.add_argument("--explain", action="store_true", help=f"print what counts in {explained}")
    command.add_argument("--parquet", metavar="FILE", help="write the rows as a Parquet file")
    command.add_argument("--html", metavar="FILE", help="write an HTML page with bars of usage and limits")


def profile_of(arguments: argparse.Namespace) -> Profile:
    """Return the profile with the gates of the options; raise InputError."""
    return with_gates(Profile.named(arguments.profile), arguments.gates)


def read_cluster(arguments: argparse.Namespace) -> ClusterDump:
    """Check the files to write, then read the cluster and the changes; raise InputError, InputErrors."""
    inputs = _inputs(arguments)
    for path in filter(None, (arguments.parquet, arguments.html)):
        ensure_writable(path, inputs)
    if arguments.parquet and is_stdout(arguments.parquet):
        raise InputError("--parquet", None, arguments.parquet, "is standard output, expected a file")
    if [*arguments.filename, *arguments.changes].count("-") > 1:
        raise InputError("--with", None, "-", "is read twice, expected standard input only once")
    with closing(ProgressLine()) as progress, without_garbage_collection():
        return read_dump(
            arguments.filename,
            arguments.changes,
            profile_of(arguments),
            progress,
            lists=_lists(arguments, progress),
        )


def _lists(arguments: argparse.Namespace, progress: Progress) -> Iterator[tuple[str, bytes]]:
    """Yield the lists of the cluster of a kubeconfig; raise InputError."""
    if arguments.kubeconfig is None:
        if arguments.context:
            message = "selects a context of a kubeconfig, expected --kubeconfig too"
            raise InputError("--context", None, arguments.context, message)
        return
    # Only a cluster needs the adapters, and the Kubernetes client is optional.
    from dra_conform.extras import missing_client_error  # noqa: PLC0415

    problem = missing_client_error()
    if problem:
        raise InputError("--kubeconfig", None, "", problem)
    from dra_conform.adapters.live.cluster_lists import cluster_lists  # noqa: PLC0415

    try:
        yield from cluster_lists(Path(arguments.kubeconfig).expanduser(), arguments.context, progress)
    except CannotStart as error:
        raise InputError("--kubeconfig", None, "", str(error)) from None


def print_json(profile: str, rows: Sequence[Json], **members: Json) -> None:
    """Print rows and further members as a JSON document."""
    print(json.dumps({"profile": profile, "rows": rows, **members}, indent=2))


def write_files(arguments: argparse.Namespace, table: Table, bars: Sequence[UsageBar], title: str) -> None:
    """Write the files of `--parquet` and `--html`; raise InputError."""
    inputs = _inputs(arguments)
    if arguments.parquet:
        write_bytes(arguments.parquet, table.parquet(), inputs)
    if arguments.html:
        files = ", ".join(Path(name).name for name in arguments.filename or [arguments.kubeconfig])
        changes = ", ".join(Path(name).name for name in arguments.changes)
        write_text(arguments.html, render_usage(bars, title, files, changes), inputs)


def print_notes_of(dump: ClusterDump, *notes: str) -> None:
    """Print the notes of reading and further ones on stderr."""
    for note in filter(None, (*dump.notes, *notes)):
        print(note, file=sys.stderr)


def names_of(objects: Sequence[str]) -> str:
    """Return the first names, and how many there are more."""
    shown = ", ".join(objects[:_MOST_NAMES])
    more = len(objects) - _MOST_NAMES
    return f"{shown} and {more:,} more" if more > 0 else shown


def state(*, before: bool, after: bool) -> str:
    """Return the words for a limit that is exceeded now or after changes."""
    if after:
        return "over already" if before else "over"
    return "no longer over" if before else "ok"


def _inputs(arguments: argparse.Namespace) -> list[Path]:
    """Return the files that the command reads; no output may overwrite them."""
    kubeconfig = [Path(arguments.kubeconfig).expanduser()] if arguments.kubeconfig else []
    return [*files_read([*arguments.filename, *arguments.changes]), *kubeconfig]
