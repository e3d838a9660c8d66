"""The options `--workers` and `--cluster`, which distribute the work of a campaign."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dra_conform.conformance.case import Case
from dra_conform.conformance.events import Event
from dra_conform.conformance.runner import Settings
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult
from dra_conform.extras import install_command
from dra_conform.kube.errors import InputError

if TYPE_CHECKING:
    from dra_conform.workers.pool import WorkerPool


def configure_workers(command: argparse.ArgumentParser) -> None:
    """Add both options."""
    group = command.add_argument_group("many processes")
    who = group.add_mutually_exclusive_group()
    who.add_argument(
        "--workers", type=_workers, default=0, metavar="N", help="run in N processes on this machine"
    )
    who.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="run on the workers of a dask scheduler"
    )


@contextmanager
def workers(arguments: argparse.Namespace) -> Iterator[WorkerPool | None]:
    """Open the requested workers, or yield None without either option. Raises InputError."""
    if not (arguments.workers or arguments.cluster):
        yield None
        return
    if importlib.util.find_spec("distributed") is None:
        option = "--cluster" if arguments.cluster else "--workers"
        message = f"needs dask.distributed, expected: {install_command('distributed')}"
        raise InputError(option, None, "", message)
    from dra_conform.workers.pool import worker_pool  # noqa: PLC0415 - the library is optional

    with worker_pool(arguments.cluster, arguments.workers) as pool:
        yield pool


def reject_with_workers(arguments: argparse.Namespace, *options: str) -> None:
    """Raise InputError if an option is given that works only in a single process."""
    for option in options:
        if (arguments.workers or arguments.cluster) and getattr(arguments, option[2:].replace("-", "_")):
            message = "works only in one process, expected neither --workers nor --cluster"
            raise InputError(option, None, "", message)


def judged_by_workers(
    pool: WorkerPool,
    arguments: argparse.Namespace,
    spec: str,
    suite: LoadedSuite,
    cases: Sequence[Case],
    *,
    settings: Settings,
    started: str,
    known: Mapping[str, CaseResult],
    warnings: list[str],
) -> Generator[Event]:
    """Yield the events of a run that workers judge, except its `known` cases. Warnings go to `warnings`."""
    from dra_conform.workers.judging import events_of_parts, judge_part, parts_of_run  # noqa: PLC0415

    remaining = [case for case in cases if case.id not in known]
    folder = str(Path(arguments.suite).resolve()) if arguments.suite else None
    parts = parts_of_run(spec, suite, folder, settings, remaining, ask_again=arguments.ask_again)
    return events_of_parts(
        pool.in_order(judge_part, parts),
        suite,
        cases,
        settings=settings,
        started=started,
        known=known,
        warnings=warnings,
    )


def _workers(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1024):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes, expected 1 to 1024")
    return int(text)
