"""Gates that need another one are off with it."""

from __future__ import annotations

import pytest

from dra_conform.kube.gates import CHECKED_WITH, GATES, consistent, defaults
from dra_conform.kube.profile import Profile

BINDING, STATUS = "DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"
GROUPS, PARTITIONS = "DRADeviceCompatibilityGroups", "DRAPartitionableDevices"
GRANULAR = "DRAResourceClaimGranularStatusAuthorization"
RULES, TAINTS = "DRADeviceTaintRules", "DRADeviceTaints"
RANGE, CONSUMABLE = "DRAFractionalCapacityRange", "DRAConsumableCapacity"
PAIRS = [(BINDING, STATUS), (GROUPS, PARTITIONS), (RULES, TAINTS), (RANGE, CONSUMABLE), (GRANULAR, STATUS)]


@pytest.mark.parametrize(("gate", "needed"), PAIRS)
def test_a_gate_is_off_without_the_one_it_needs(gate: str, needed: str) -> None:
    gates = dict.fromkeys(GATES, True)
    found = consistent({**gates, needed: False})
    dependent = {one for one, other in PAIRS if other == needed}
    assert {name for name in GATES if not found[name]} == {needed, *dependent}
    assert not Profile.named("kep").with_gates({needed: False}).enabled(gate)


@pytest.mark.parametrize(("gate", "needed"), PAIRS)
def test_the_needed_gate_needs_nothing(gate: str, needed: str) -> None:
    gates = {**dict.fromkeys(GATES, True), gate: False}
    assert consistent(gates) == gates


def test_what_is_consistent_stays_as_it_is() -> None:
    on, off = dict.fromkeys(GATES, True), dict.fromkeys(GATES, False)
    assert consistent(on) is on
    assert consistent(off) is off
    assert consistent({}) == {}


def test_a_gate_that_a_release_does_not_have_is_no_lack() -> None:
    """DRADeviceTaintRules came after DRADeviceTaints, and either may be all there is."""
    assert consistent({RULES: True}) == {RULES: True}


def test_the_table_is_not_touched() -> None:
    gates = {RULES: True, TAINTS: False}
    assert consistent(gates) == {RULES: False, TAINTS: False}
    assert gates == {RULES: True, TAINTS: False}


@pytest.mark.parametrize("release", CHECKED_WITH)
def test_every_release_is_consistent(release: str) -> None:
    gates = defaults(release)
    assert consistent(gates) == gates
