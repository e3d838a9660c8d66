"""Benchmarks of sweeps: the expectations over columns, and the built-in as the implementation."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from measured_command import measured
from row import Row

from dra_conform.kube.profile import Profile
from dra_conform.sweep.areas.rounding import Rounding
from dra_conform.sweep.campaign import opened, start
from dra_conform.sweep.capacity_expectation import CapacityExpectation, capacity_columns
from dra_conform.sweep.part import SweepSettings, sweep_part
from dra_conform.sweep.row_table import PART

FEW, MANY = 2 * PART, 10 * PART
FLAT = 115
"""Upper bound of the memory with many rows, in percent of that with few rows."""

COPIES = 50
"""Copies of the random rows, so that a million rows need not be written in Python."""


def bench() -> list[Row]:
    """Measure rows of `rounding` per second of CPU time: expected, asked and compared, and by the command.

    The ratio to the textbook is of one run, so that it does not depend on the machine or its load.
    """
    rows = []
    for name in ("kep", "kubernetes-1.37"):
        rate, ratio = _expected(Profile.named(name))
        rows += [
            Row(f"sweep of rounding, expectations, {name}", rate, "rows/s of CPU time", 5_000_000),
            Row(f"sweep of rounding, columns by textbook, {name}", ratio, "times faster", 50),
        ]
    return [*rows, Row("sweep of rounding, built-in", _asked(), "rows/s of CPU time", 16_000), *_command()]


def _expected(profile: Profile) -> tuple[float, float]:
    """Return the expected rows per second of CPU time of all threads, and the ratio to the textbook."""
    area = Rounding()
    rows = area.random_rows(random.Random(1), PART, profile, inadmissible=False)
    capacities, columns = capacity_columns(rows)
    expectation = CapacityExpectation(capacities, profile)
    many = pl.concat([columns] * COPIES, rechunk=True)
    rate = len(many) / _fastest(lambda: expectation.of(many))
    return rate, rate * _fastest(lambda: [area.textbook(row, profile) for row in rows]) / len(rows)


def _fastest(work: Callable[[], object]) -> float:
    """Return the lowest CPU time of three runs, in seconds."""
    used = []
    for _ in range(3):
        began = time.process_time()
        work()
        used.append(time.process_time() - began)
    return min(used)


def _asked() -> float:
    settings = SweepSettings("rounding", "kep", 1, inadmissible=False, deadline_ms=60_000)
    implementation = opened("builtin")
    start(implementation)
    sweep_part(implementation, settings, 100, 1000, keep=False)
    return PART / _fastest(lambda: sweep_part(implementation, settings, 100, PART, keep=False))


def _command() -> Iterator[Row]:
    """Measure the command with few and with many rows. Its rate does not include its start."""
    with TemporaryDirectory() as folder:
        few, many = (
            measured(["sweep", "--area", "rounding", "--rows", str(rows)], Path(folder, "output"))
            for rows in (FEW, MANY)
        )
    rate = (MANY - FEW) / (many.cpu - few.cpu)
    yield Row(f"sweep of rounding, command, {MANY:,} rows", rate, "rows/s of CPU time", 16_667)
    yield Row(f"sweep of rounding, command, {MANY:,} rows: CPU", many.cpu, "s", 0)
    growth = 100 * many.memory / few.memory
    yield Row(f"sweep of rounding, memory, {MANY:,} to {FEW:,} rows", growth, "%", FLAT, at_most=True)
