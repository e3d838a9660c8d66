"""How many devices a scenario waits for, and which scenarios are repeated."""

from __future__ import annotations

from dra_conform.adapters.driver.device_counts import DeviceCounts
from dra_conform.conformance.driver.actions import DriverQuestion, StartDriver

PLAIN = DriverQuestion((StartDriver(),))
SHARED = DriverQuestion((StartDriver(),), needs=("shares", "health"))


def test_the_most_devices_of_earlier_scenarios_are_expected() -> None:
    counts = DeviceCounts()
    assert counts.expected(PLAIN) == 0
    assert not counts.learn(PLAIN, 0, 8, 8)
    assert not counts.learn(PLAIN, 0, 4, 4)
    assert counts.expected(PLAIN) == 8


def test_each_variant_has_its_own_number() -> None:
    counts = DeviceCounts()
    counts.learn(PLAIN, 0, 8, 8)
    assert counts.expected(SHARED) == 0


def test_a_scenario_with_a_late_pool_is_repeated_with_all_devices() -> None:
    counts = DeviceCounts()
    assert counts.learn(PLAIN, 0, 4, 8)
    assert counts.expected(PLAIN) == 8
    assert not counts.learn(PLAIN, 8, 8, 8)


def test_a_scenario_of_a_driver_that_adds_devices_while_it_runs_is_not_repeated_again() -> None:
    counts = DeviceCounts()
    assert counts.learn(PLAIN, 0, 4, 5)
    assert not counts.learn(PLAIN, 5, 4, 5)
    assert counts.expected(PLAIN) == 4
    assert not counts.learn(PLAIN, 4, 4, 6)
    assert counts.expected(PLAIN) == 4
