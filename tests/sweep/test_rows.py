"""Rows of sweeps: without `inadmissible`, an API server of the profile admits each capacity."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dra_conform.sweep.capacity_row import Capacity, CapacityRow
from dra_conform.sweep.footprint_row import is_stored
from dra_conform.sweep.part import SweepSettings
from dra_conform.sweep.policy_shapes import admissible
from tests.support.rows import mostly_slow


def _capacities(settings: SweepSettings) -> Iterator[Capacity]:
    """Yield the distinct capacities of rows of value classes and of random rows."""
    seen: set[int] = set()
    for row in [*settings.rows(0, 3000), *settings.rows(9, 1000)]:
        assert isinstance(row, CapacityRow)
        if id(row.capacity) not in seen:
            seen.add(id(row.capacity))
            yield row.capacity


@pytest.mark.parametrize("area", mostly_slow(["rounding", "defaults", "remaining", "notation"]))
def test_an_api_server_admits_the_capacities_of_all_rows(area: str) -> None:
    settings = SweepSettings(area, "kubernetes-1.37", 3, inadmissible=False, deadline_ms=0)
    profile = settings.release()
    assert [each.body for each in _capacities(settings) if not admissible(each, profile)] == []


def test_inadmissible_adds_rows_of_capacities_that_are_rejected() -> None:
    settings = SweepSettings("remaining", "kubernetes-1.37", 3, inadmissible=True, deadline_ms=0)
    assert not all(admissible(each, settings.release()) for each in _capacities(settings))


def test_api_servers_store_the_node_resource_usage_of_all_rows() -> None:
    settings = SweepSettings("footprint", "kubernetes-1.37", 3, inadmissible=False, deadline_ms=0)
    rows = [*settings.rows(0, 5000), *settings.rows(9, 1000)]
    assert all(is_stored(row, of_1_37=True) for row in rows)
    finer = [row for row in rows if not is_stored(row, of_1_37=False)]
    assert finer, "claims in the status of a pod have quantities below a milli-unit"
