"""Gates are off if the gate on which they depend is off."""

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
def test_a_gate_is_off_if_its_dependency_is_off(gate: str, needed: str) -> None:
    gates = dict.fromkeys(GATES, True)
    found = consistent({**gates, needed: False})
    dependent = {one for one, other in PAIRS if other == needed}
    assert {name for name in GATES if not found[name]} == {needed, *dependent}
    assert not Profile.named("kep").with_gates({needed: False}).enabled(gate)


@pytest.mark.parametrize(("gate", "needed"), PAIRS)
def test_a_gate_does_not_need_its_dependents(gate: str, needed: str) -> None:
    gates = {**dict.fromkeys(GATES, True), gate: False}
    assert consistent(gates) == gates


def test_consistent_gates_are_unchanged() -> None:
    on, off = dict.fromkeys(GATES, True), dict.fromkeys(GATES, False)
    assert consistent(on) is on
    assert consistent(off) is off
    assert consistent({}) == {}


def test_a_dependency_that_does_not_exist_is_ignored() -> None:
    """DRADeviceTaintRules is newer than DRADeviceTaints, so a release may have only one of them."""
    assert consistent({RULES: True}) == {RULES: True}


def test_the_input_is_not_changed() -> None:
    gates = {RULES: True, TAINTS: False}
    assert consistent(gates) == {RULES: False, TAINTS: False}
    assert gates == {RULES: True, TAINTS: False}


@pytest.mark.parametrize("release", CHECKED_WITH)
def test_every_release_is_consistent(release: str) -> None:
    gates = defaults(release)
    assert consistent(gates) == gates
