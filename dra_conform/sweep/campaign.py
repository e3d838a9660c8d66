"""The execution of a sweep: its parts in order, in this process or on workers, after those of an interrupted
sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import polars as pl

from dra_conform import __version__
from dra_conform.adapters.builtin import builtin_with
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.implementation import Identity, Implementation, Suite
from dra_conform.kube.column_use import ColumnUse
from dra_conform.sweep.part import PartResult, SweepSettings, sweep_part
from dra_conform.sweep.row_table import PART

LIMITS = Limits(restarts=100_000, crashes_in_a_row=1000)
"""Limits with many restarts, because the search for the rows that crash a process crashes it many times."""


@dataclass(frozen=True, slots=True)
class SweepPart:
    """A part of a sweep for a worker: its number, its number of rows, and whether the worker returns the
    rows."""

    spec: str
    settings: SweepSettings
    part: int
    count: int
    keep: bool


Swept = tuple[PartResult, pl.DataFrame | None]
"""The result of a part, and its rows as columns if they are kept."""


def opened(spec: str) -> Implementation:
    """Return the implementation of a spec, not started; raises BadSpec.

    `builtin` answers with the rules for one value, because the columns are what is expected. It gets requests
    without a copy, since runs of the suite check that it leaves its input unchanged.
    """
    if spec == "builtin":
        return InProcessImplementation(partial(builtin_with, ColumnUse.NEVER), spec=spec, trusted=True)
    return open_implementation(spec, limits=LIMITS)


def start(implementation: Implementation) -> Identity:
    """Start an implementation for a sweep; raises CannotStart."""
    return implementation.start(Suite("dra-conform sweep", __version__, f"sha256:{'0' * 64}"))


def parts_of(
    spec: str, settings: SweepSettings, rows: int, shard: tuple[int, int], *, keep: bool
) -> Iterator[SweepPart]:
    """Yield the parts of a sweep of `rows` rows that belong to shard I of N."""
    number, shards = shard
    for part in range(number - 1, -(-rows // PART), shards):
        yield SweepPart(spec, settings, part, min(PART, rows - part * PART), keep)


def sweep(
    parts: Iterable[SweepPart],
    done: Mapping[int, PartResult],
    run: Callable[[Iterable[SweepPart]], Iterator[Swept]],
) -> Iterator[Swept]:
    """Yield the results of all parts in order, from `done` if a part is complete, otherwise from `run`."""
    parts = list(parts)
    remaining = run(part for part in parts if not _is_done(part, done))
    for part in parts:
        yield (done[part.part], None) if _is_done(part, done) else next(remaining)


def in_this_process(implementation: Implementation) -> Callable[[Iterable[SweepPart]], Iterator[Swept]]:
    """Return a function for `sweep` that runs parts on a started implementation."""
    return partial(map, partial(_ask, implementation))


def swept_by_worker(part: SweepPart) -> Swept:
    """Run a part on a worker, with an implementation of its own, and compare the results; raises
    CannotStart."""
    implementation = opened(part.spec)
    try:
        start(implementation)
        return _ask(implementation, part)
    finally:
        implementation.close()


def _ask(implementation: Implementation, part: SweepPart) -> Swept:
    return sweep_part(implementation, part.settings, part.part, part.count, keep=part.keep)


def _is_done(part: SweepPart, done: Mapping[int, PartResult]) -> bool:
    return part.part in done and done[part.part].rows == part.count
