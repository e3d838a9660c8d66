"""Benchmarks of sweeps: the expectations over columns, and the built-in as the implementation."""

from __future__ import annotations

import random
import time

from row import Row

from dra_conform.kube.profile import Profile
from dra_conform.sweep.areas.rounding import Rounding
from dra_conform.sweep.campaign import opened, start
from dra_conform.sweep.capacity_expectation import CapacityExpectation, capacity_columns
from dra_conform.sweep.part import SweepSettings, sweep_part
from dra_conform.sweep.row_table import PART

COPIES = 50
"""Copies of the random rows, so that a million rows need not be written in Python."""


def bench() -> list[Row]:
    """Measure rows of `rounding` per second: expected, and asked and compared."""
    return [
        Row("sweep of rounding, expectations", _expected(), "rows/s", 5_000_000),
        Row("sweep of rounding, built-in", _asked(), "rows/s of CPU time", 16_000),
    ]


def _expected() -> float:
    profile = Profile.named("kep")
    rows = Rounding().random_rows(random.Random(1), PART, profile, inadmissible=False)
    capacities, columns = capacity_columns(rows)
    expectation = CapacityExpectation(capacities, profile)
    many = columns.select("*").clear().vstack(columns)
    for _ in range(COPIES - 1):
        many.vstack(columns, in_place=True)
    many = many.rechunk()
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        expectation.of(many)
        best = min(best, time.perf_counter() - began)
    return len(many) / best


def _asked() -> float:
    settings = SweepSettings("rounding", "kep", 1, inadmissible=False, deadline_ms=60_000)
    implementation = opened("builtin")
    start(implementation)
    sweep_part(implementation, settings, 100, 1000, keep=False)
    began = time.process_time()
    sweep_part(implementation, settings, 100, PART, keep=False)
    return PART / (time.process_time() - began)
