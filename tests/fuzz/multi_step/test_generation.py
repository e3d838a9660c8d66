"""Random multi-step scenarios: equal seeds give equal scenarios, and 500 scenarios cover everything."""

from __future__ import annotations

import pytest

from dra_conform.fuzz.multi_step.cluster_scenario import switchable
from dra_conform.fuzz.multi_step.pod_scenario_objects import DEVICES
from dra_conform.fuzz.multi_step.pod_scenarios import SWITCH
from dra_conform.fuzz.multi_step.sorts import SORTS, scenarios_of
from dra_conform.fuzz.writes.kinds import KINDS
from dra_conform.kube.json_values import encode_json
from dra_conform.kube.profile import Profile
from tests.support.fuzz.multi_step.clusters import PROFILE

VERBS = {"create", "update", "patch", "apply", "delete", "get"}


@pytest.mark.parametrize("sort", SORTS)
def test_equal_seeds_give_equal_scenarios(sort: str) -> None:
    first, again = (list(scenarios_of(sort, range(30), 7, PROFILE)) for _ in range(2))
    assert first == again
    assert first != list(scenarios_of(sort, range(30), 8, PROFILE))


@pytest.mark.parametrize("sort", SORTS)
def test_a_scenario_depends_on_its_number_alone(sort: str) -> None:
    [alone] = scenarios_of(sort, [17], 7, PROFILE)
    assert alone == list(scenarios_of(sort, range(20), 7, PROFILE))[17]


def test_500_scenarios_reach_every_kind_with_every_verb_and_every_gate() -> None:
    reached: set[tuple[str, str]] = set()
    on, off, switched = set(), set(), set()
    for scenario in scenarios_of("writes", range(500), 1, PROFILE):
        for action in scenario.actions:
            about = action.get("of") or action.get("object") or {}
            reached.add((about.get("kind", ""), action["do"]))
            switched.update(action.get("gates", ()))
        for gate, state in scenario.gates.items():
            (on if state else off).add(gate)
    gates = set(switchable(Profile.named(PROFILE)))
    assert {(kind.name, verb) for kind in KINDS for verb in VERBS - {"apply"}} <= reached
    assert {kind for kind, verb in reached if verb == "apply"} == {
        kind.name for kind in KINDS if kind.name not in ("Pod", "DeviceClass")
    }
    assert (on, off, switched) == (gates, gates, gates)


def test_2000_scenarios_of_pods_switch_each_component_beside_each_sort_of_devices() -> None:
    switched, restarted = set(), set()
    sorts = len(DEVICES)
    numbers = [number for number in range(2000) if number % SWITCH == SWITCH // 2]
    for number, scenario in zip(numbers, scenarios_of("pods", numbers, 1, PROFILE), strict=True):
        for action in scenario.actions:
            if action["do"] == "set-gates":
                switched.add((number % sorts, *action["components"]))
            elif action["do"] == "restart":
                restarted.update(action["components"])
    components = [("scheduler",), ("apiserver", "scheduler"), ("controller-manager",)]
    assert switched == {(sort, *several) for sort in range(sorts) for several in components}
    assert restarted == {"scheduler", "apiserver", "controller-manager"}


def test_no_scenario_applies_a_slice_for_all_nodes() -> None:
    """On clusters such a slice has a node selector instead, whose field ownership would differ."""
    applied = 0
    for scenario in scenarios_of("writes", range(300), 2002, PROFILE):
        everywhere: dict[str, bool] = {}
        for action in scenario.actions:
            written = action.get("object") or {}
            if written.get("kind") == "ResourceSlice":
                name, says = written["metadata"]["name"], "allNodes" in str(written)
                if action["do"] == "apply":
                    applied += 1
                    assert not everywhere.get(name)
                    assert not (says and name in everywhere)
                everywhere[name] = says or everywhere.get(name, False)
    assert applied > 20


@pytest.mark.parametrize("release", ["1.35", "1.36"])
def test_only_in_1_35_no_request_for_all_devices_consumes_counters(release: str) -> None:
    texts = [
        encode_json(scenario.actions).decode()
        for scenario in scenarios_of("pods", range(60), 1, f"kubernetes-{release}")
    ]
    counted = [text for text in texts if "consumesCounters" in text]
    assert any('"All"' in text for text in texts)
    assert any('"All"' in text for text in counted) == (release != "1.35")
