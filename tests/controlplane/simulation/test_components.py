"""Releases and gates of components: what restarts keep, gate cycles, and version skew."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.controlplane.simulation.components import NAMES, Components
from dra_conform.kube.profile import Profile
from tests.support.controlplane.simulation.stories import (
    CLASS,
    SETTLE,
    claim,
    create,
    delete,
    devices_of,
    gates,
    node,
    nodes_of,
    object_in,
    pod,
    results_of,
    settled,
    shared,
    slice_on,
    template,
    told,
)

Json = Any


class TestComponents:
    def test_those_not_named_are_as_the_case_has_them(self) -> None:
        profile = Profile.named("kubernetes-1.37").with_gates({"DRADeviceCompatibilityGroups": True})
        found = Components({"scheduler": {"release": "1.36"}}, profile)
        assert {name: found[name].profile for name in NAMES if name != "scheduler"} == dict.fromkeys(
            (name for name in NAMES if name != "scheduler"), profile
        )
        assert found["scheduler"].profile == Profile.named("kubernetes-1.36")

    def test_gates_are_kept_over_releases_that_know_them(self) -> None:
        found = Components({}, Profile.named("kubernetes-1.37"))
        found.restart(["scheduler"], {"DRAConsumableCapacity": False, "DRADeviceCompatibilityGroups": True})
        found.replace(["scheduler"], "1.36")
        assert not found["scheduler"].profile.enabled("DRAConsumableCapacity")
        assert not found["scheduler"].profile.has("DRADeviceCompatibilityGroups")
        found.put_back(["scheduler"])
        assert found["scheduler"].profile.enabled("DRADeviceCompatibilityGroups")
        assert not found["scheduler"].profile.enabled("DRAConsumableCapacity")
        assert found["scheduler"].started == 4
        assert found["apiserver"].started == 1

    def test_a_gate_that_needs_another_comes_back_with_it(self) -> None:
        profile = Profile.named("kep").with_gates({"DRADeviceTaints": False})
        found = Components({}, profile)
        assert not found["apiserver"].profile.enabled("DRADeviceTaintRules")
        found.restart(["apiserver"], {"DRADeviceTaints": True})
        assert found["apiserver"].profile == Profile.named("kep")

    def test_what_is_put_back_has_the_gates_of_the_case(self) -> None:
        profile = Profile.named("kubernetes-1.37").with_gates({"DRADeviceCompatibilityGroups": True})
        found = Components({"apiserver": {"release": "1.36"}}, profile)
        found.put_back(["apiserver"])
        assert found["apiserver"].profile == profile

    def test_an_unknown_component_is_said_to_be_none(self) -> None:
        with pytest.raises(ValueError, match="unknown component 'etcd', expected one of apiserver"):
            Components({}, Profile.named("kep")).restart(["etcd"])


BOTH = ("apiserver", "scheduler")
GIVEN = [node("n"), CLASS, slice_on("n", shared("d")), template("five", "5G"), template("two", "2G")]


def test_capacity_in_use_counts_again_after_a_gate_cycle() -> None:
    """The manual test of KEP-5075: 10G, 5G used; off: 2G waits; on: 8G waits, 2G runs."""
    off, on = (gates(*BOTH, DRAConsumableCapacity=value) for value in (False, True))
    story = [
        create(pod("p5", templates=["five"])),
        SETTLE,
        off,
        create(pod("p2", "two")),
        SETTLE,
        on,
        create(claim("two", "2G")),
        create(claim("eight", "8G")),
        create(pod("p8", "eight")),
        SETTLE,
    ]
    observations = told(GIVEN, *story)
    assert nodes_of(observations[1]) == {"p5": "n"}
    assert nodes_of(observations[4]) == {"p5": "n", "p2": None}
    assert nodes_of(observations[-1]) == {"p5": "n", "p2": "n", "p8": None}


def test_a_scheduler_with_the_gate_off_reports_a_request_for_capacity() -> None:
    given = [*GIVEN, claim("c", "5G"), claim("d")]
    found = settled(
        given, gates("scheduler", DRAConsumableCapacity=False), create(pod("p", "c")), create(pod("q", "d"))
    )
    assert results_of(found, "p")[-1] == "Error"
    assert nodes_of(found) == {"p": None, "q": "n"}
    [result] = object_in(found, "ResourceClaim", "d")["status"]["allocation"]["devices"]["results"]
    assert "shareID" not in result


def partition(name: str, *names: str) -> Json:
    consumed = {"counterSet": "s", "counters": {"m": {"value": "1"}}}
    return {"name": name, "consumesCounters": [{**consumed, "compatibilityGroups": list(names)}]}


def publish(*devices: Json) -> list[Json]:
    """A pool of a slice with counters and one with devices, written by the driver."""
    counters = slice_on("n", sharedCounters=[{"name": "s", "counters": {"m": {"value": "9"}}}])
    del counters["spec"]["devices"]
    both = [counters, slice_on("n", *devices)]
    both[0]["metadata"]["name"] = "counters"
    for one in both:
        one["spec"]["pool"]["resourceSliceCount"] = 2
    return [create(one) for one in both]


OLD = {"release": "1.36"}
OFF = {"release": "1.37", "gates": {"DRADeviceCompatibilityGroups": False}}
ON = {"release": "1.37", "gates": {"DRADeviceCompatibilityGroups": True}}
BY_COUNTERS = {"mig": "n", "vgpu": "n"}


@pytest.mark.parametrize(
    ("apiserver", "scheduler", "placed"),
    [
        (OLD, OLD, BY_COUNTERS),
        (OLD, OFF, BY_COUNTERS),
        (OLD, ON, BY_COUNTERS),
        (OFF, OLD, BY_COUNTERS),
        (OFF, OFF, BY_COUNTERS),
        (OFF, ON, BY_COUNTERS),
        (ON, OLD, BY_COUNTERS),
        (ON, OFF, {"mig": None, "vgpu": None}),
        (ON, ON, {"mig": "n", "vgpu": None}),
    ],
)
def test_the_version_skew_table_of_kep_5963(apiserver: Json, scheduler: Json, placed: Json) -> None:
    found = settled(
        [node("n"), CLASS, claim("c"), claim("d")],
        *publish(partition("mig-0", "mig"), partition("vgpu-0", "vgpu")),
        create(pod("mig", "c")),
        create(pod("vgpu", "d")),
        components={"apiserver": apiserver, "scheduler": scheduler},
    )
    assert nodes_of(found) == placed


def test_a_scheduler_of_an_older_release_ignores_groups_until_it_is_replaced() -> None:
    replace = {"do": "set-version", "component": "scheduler"}
    story = [
        *publish(partition("mig-0", "mig"), partition("vgpu-0", "vgpu"), partition("vgpu-1", "vgpu")),
        {**replace, "release": "1.36"},
        create(pod("p", "c")),
        create(pod("q", "d")),
        SETTLE,
        delete("Pod", "p"),
        delete("Pod", "q"),
        replace,
        SETTLE,
        create(pod("p", "c")),
        create(pod("q", "d")),
        SETTLE,
    ]
    given = [node("n"), CLASS, claim("c"), claim("d")]
    observations = told(given, *story)
    assert devices_of(observations[5]) == {"c": ["mig-0"], "d": ["vgpu-0"]}
    assert devices_of(observations[-1]) == {"c": ["mig-0"]}
