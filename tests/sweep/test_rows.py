"""Rows of sweeps: without `inadmissible`, an API server of the profile admits each capacity."""

from __future__ import annotations

import pytest

from dra_conform.sweep.part import SweepSettings
from dra_conform.sweep.policy_shapes import admissible


@pytest.mark.parametrize("area", ["rounding", "defaults", "remaining", "notation"])
def test_an_api_server_admits_the_capacities_of_all_rows(area: str) -> None:
    settings = SweepSettings(area, "kubernetes-1.37", 3, inadmissible=False, deadline_ms=0)
    profile = settings.release()
    rows = [*settings.rows(0, 3000), *settings.rows(9, 1000)]
    distinct = {id(row.capacity): row.capacity for row in rows}
    assert [each.body for each in distinct.values() if not admissible(each, profile)] == []


def test_inadmissible_adds_rows_of_capacities_that_are_rejected() -> None:
    settings = SweepSettings("remaining", "kubernetes-1.37", 3, inadmissible=True, deadline_ms=0)
    capacities = [row.capacity for row in settings.rows(0, 3000)]
    assert not all(admissible(each, settings.release()) for each in capacities)
