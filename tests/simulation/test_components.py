"""Releases and gates of components: restarts, gate cycles, and version skew."""

from __future__ import annotations

import pytest

from dra_conform.cluster_state.components import NAMES, Components
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.support.simulation.scenarios import (
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
    observations_of,
    pod,
    results_of,
    settled,
    shared,
    slice_on,
    template,
)


class TestComponents:
    def test_components_that_are_not_named_have_the_profile_of_the_case(self) -> None:
        profile = Profile.named("kubernetes-1.37").with_gates({"DRADeviceCompatibilityGroups": True})
        observed = Components({"scheduler": {"release": "1.36"}}, profile)
        assert {name: observed[name].profile for name in NAMES if name != "scheduler"} == dict.fromkeys(
            (name for name in NAMES if name != "scheduler"), profile
        )
        assert observed["scheduler"].profile == Profile.named("kubernetes-1.36")

    def test_changed_gates_are_kept_across_releases_that_have_them(self) -> None:
        observed = Components({}, Profile.named("kubernetes-1.37"))
        observed.restart(
            ["scheduler"], {"DRAConsumableCapacity": False, "DRADeviceCompatibilityGroups": True}
        )
        observed.replace(["scheduler"], "1.36")
        assert not observed["scheduler"].profile.enabled("DRAConsumableCapacity")
        assert not observed["scheduler"].profile.has("DRADeviceCompatibilityGroups")
        observed.restore(["scheduler"])
        assert observed["scheduler"].profile.enabled("DRADeviceCompatibilityGroups")
        assert not observed["scheduler"].profile.enabled("DRAConsumableCapacity")
        assert observed["scheduler"].started == 4
        assert observed["apiserver"].started == 1

    def test_a_gate_is_on_again_with_the_gate_that_it_depends_on(self) -> None:
        profile = Profile.named("kep").with_gates({"DRADeviceTaints": False})
        observed = Components({}, profile)
        assert not observed["apiserver"].profile.enabled("DRADeviceTaintRules")
        observed.restart(["apiserver"], {"DRADeviceTaints": True})
        assert observed["apiserver"].profile == Profile.named("kep")

    def test_a_restored_component_has_the_gates_of_the_case(self) -> None:
        profile = Profile.named("kubernetes-1.37").with_gates({"DRADeviceCompatibilityGroups": True})
        observed = Components({"apiserver": {"release": "1.36"}}, profile)
        observed.restore(["apiserver"])
        assert observed["apiserver"].profile == profile

    def test_an_unknown_component_is_rejected(self) -> None:
        with pytest.raises(ValueError, match="unknown component 'etcd', expected one of apiserver"):
            Components({}, Profile.named("kep")).restart(["etcd"])


BOTH = ("apiserver", "scheduler")
SETUP = [node("n"), CLASS, slice_on("n", shared("d")), template("five", "5G"), template("two", "2G")]


def test_capacity_in_use_counts_again_after_a_gate_cycle() -> None:
    """The manual test of KEP-5075: with 5G of 10G in use, pods for 2G and 8G are Pending or run by gate."""
    off, on = (gates(*BOTH, DRAConsumableCapacity=value) for value in (False, True))
    scenario = [
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
    observations = observations_of(SETUP, *scenario)
    assert nodes_of(observations[1]) == {"p5": "n"}
    assert nodes_of(observations[4]) == {"p5": "n", "p2": None}
    assert nodes_of(observations[-1]) == {"p5": "n", "p2": "n", "p8": None}


def test_a_scheduler_with_the_gate_off_reports_a_request_for_capacity() -> None:
    setup = [*SETUP, claim("c", "5G"), claim("d")]
    observed = settled(
        setup, gates("scheduler", DRAConsumableCapacity=False), create(pod("p", "c")), create(pod("q", "d"))
    )
    assert results_of(observed, "p")[-1] == "Error"
    assert nodes_of(observed) == {"p": None, "q": "n"}
    [result] = object_in(observed, "ResourceClaim", "d")["status"]["allocation"]["devices"]["results"]
    assert "shareID" not in result


def partition(name: str, *names: str) -> Json:
    consumed = {"counterSet": "s", "counters": {"m": {"value": "1"}}}
    return {"name": name, "consumesCounters": [{**consumed, "compatibilityGroups": list(names)}]}


def publish(*devices: Json) -> list[Json]:
    """Return a pool with one ResourceSlice for counters and one for devices."""
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
    observed = settled(
        [node("n"), CLASS, claim("c"), claim("d")],
        *publish(partition("mig-0", "mig"), partition("vgpu-0", "vgpu")),
        create(pod("mig", "c")),
        create(pod("vgpu", "d")),
        components={"apiserver": apiserver, "scheduler": scheduler},
    )
    assert nodes_of(observed) == placed


def test_a_scheduler_of_an_older_release_ignores_groups_until_it_is_replaced() -> None:
    replace = {"do": "set-version", "component": "scheduler"}
    scenario = [
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
    setup = [node("n"), CLASS, claim("c"), claim("d")]
    observations = observations_of(setup, *scenario)
    assert devices_of(observations[5]) == {"c": ["mig-0"], "d": ["vgpu-0"]}
    assert devices_of(observations[-1]) == {"c": ["mig-0"]}
