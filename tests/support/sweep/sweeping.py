"""Small sweeps of the built-in in this process."""

from __future__ import annotations

from dra_conform.conformance.implementation import Implementation
from dra_conform.sweep.campaign import in_this_process, opened, parts_of, start, sweep
from dra_conform.sweep.part import SweepSettings
from dra_conform.sweep.totals import SweepTotals


def swept(
    area: str,
    rows: int,
    *,
    profile: str = "kep",
    implementation: Implementation | None = None,
) -> SweepTotals:
    """Return the totals of a sweep of the built-in, or of an implementation that is not started."""
    asked = implementation or opened("builtin")
    settings = SweepSettings(area, profile, 3, False, 60_000)
    totals = SweepTotals()
    start(asked)
    try:
        parts = parts_of("builtin", settings, rows, (1, 1), keep=False)
        for result, _ in sweep(parts, {}, in_this_process(asked)):
            totals.add(result)
    finally:
        asked.close()
    return totals


def differing(totals: SweepTotals, cell: tuple[str, str, str]) -> int:
    """Return the number of rows that differ in a cell: a factor, one of its classes, and a policy class."""
    return totals.cells[cell][1]
