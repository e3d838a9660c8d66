from __future__ import annotations

from dataclasses import dataclass

import pytest

from dra_conform.kube.profile import PROFILES, Profile
from dra_conform.kube.switches.declarations import area, choice, gate, settled, switch, when


@dataclass(frozen=True, slots=True)
class Inner:
    early: bool = switch("until 1.34")


@dataclass(frozen=True, slots=True)
class Table:
    right: bool = switch("kep", "since 1.36")
    gated: bool = switch(when("since 1.34") & gate("DRAAdminAccess"))
    without: bool = switch(when("kep") & ~gate("DRAAdminAccess"))
    size: str = choice({"small": "until 1.35", "large": gate("DRAConsumableCapacity")})
    inner: Inner = area(Inner)


def test_the_values_of_a_profile() -> None:
    assert settled(Table, Profile.named("kep")) == Table(True, False, False, "large", Inner(False))
    assert settled(Table, Profile.named("kubernetes-1.34")) == Table(False, True, False, "small", Inner(True))
    assert settled(Table, Profile.named("kubernetes-1.37")) == Table(True, True, False, "large", Inner(False))


def test_switches_use_the_gates_of_the_profile() -> None:
    off = {"DRAAdminAccess": False}
    assert not settled(Table, Profile.named("kubernetes-1.36").with_gates(off)).gated
    assert settled(Table, Profile.named("kep").with_gates(off)).without


def test_an_open_range_includes_unknown_releases() -> None:
    later = Profile("somewhere", "1.99", {"DRAConsumableCapacity": True})
    assert settled(Table, later) == Table(True, False, False, "large", Inner(False))


def test_values_are_computed_once() -> None:
    assert all(
        settled(Table, Profile.named(name)) is settled(Table, Profile.named(name)) for name in PROFILES
    )


def test_a_choice_needs_a_condition_that_holds() -> None:
    off = Profile.named("kubernetes-1.36").with_gates({"DRAConsumableCapacity": False})
    with pytest.raises(ValueError, match=r"the values small, large holds in kubernetes-1\.36"):
        settled(Table, off)


@pytest.mark.parametrize("text", ["since 1.32", "1.36", "from 1.36"])
def test_unknown_ranges_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"is|names"):
        when(text)


def test_conditions_have_words() -> None:
    condition = when("kep", "since 1.36") & gate("A", "B") & ~gate("C")
    assert condition.words == "kep, since 1.36 with A and B without C"
