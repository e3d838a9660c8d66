"""Shrinking of scenarios."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice

import pytest

from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES
from dra_conform.fuzz.generation.strategies import stream
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.plainer_values import quantities
from dra_conform.fuzz.shrinking.shrink import shrink, simplifications
from dra_conform.kube.quantity import Quantity
from tests.support.rows import mostly_slow


def _has_mode_all(scenario: Scenario) -> bool:
    return "allocation-mode-all" in scenario.case("x").features


def _has_step(scenario: Scenario) -> bool:
    return '"step"' in repr(scenario).replace("'", '"')


def _has_large_amount(scenario: Scenario) -> bool:
    return any(Quantity.parse(text).nano >= 1 << 60 for _, text in quantities(scenario.objects))


def _says(word: str) -> Callable[[Scenario], bool]:
    return lambda scenario: word in json.dumps(scenario.objects)


def _asks(word: str) -> Callable[[Scenario], bool]:
    """Return a predicate: a claim to allocate contains the word. Allocated claims do not matter."""
    return lambda scenario: any(
        word in json.dumps(claim["spec"])
        for claim in scenario.objects["resourceClaims"]
        if f"default/{claim['metadata']['name']}" in scenario.claims
    )


def _holds_something(scenario: Scenario) -> bool:
    return any("status" in claim for claim in scenario.objects["resourceClaims"])


@pytest.mark.parametrize(
    ("keeps", "devices", "claims"),
    mostly_slow(
        [
            (lambda _: True, 0, 1),
            (_has_mode_all, 0, 1),
            (_has_step, 1, 1),
            (_has_large_amount, 1, 1),
            (_holds_something, 0, 2),
            (lambda scenario: len(scenario.claims) > 1, 0, 2),
            (lambda scenario: len(scenario.objects["nodes"]) > 1, 0, 1),
            (lambda scenario: bool(scenario.gates), 0, 1),
            (_says("consumesCounters"), 1, 1),
            (_says("sharedCounters"), 0, 1),
            (_says("compatibilityGroups"), 1, 1),
            (_says("tolerations"), 0, 1),
            (_says('"taints"'), 1, 1),
            (_says("DeviceTaintRule"), 0, 1),
            (_asks("adminAccess"), 0, 1),
            (_says("bindsToNode"), 1, 1),
            (_says('"bools"'), 1, 1),
            (_says("opaque"), 0, 1),
            (_says("perDeviceNodeSelection"), 0, 1),
            (_says("nodeSelector"), 1, 1),
            (_says("firstAvailable"), 0, 1),
            (lambda scenario: scenario.size()[0] > 16, 17, 1),
        ],
        4,
    ),
)
def test_shrinking_removes_everything_that_is_not_needed(
    keeps: Callable[[Scenario], bool], devices: int, claims: int
) -> None:
    found = islice((scenario for scenario in stream(2, KNOWN_FEATURES) if keeps(scenario)), 3)
    for scenario in found:
        small = shrink(scenario, keeps)
        assert keeps(small)
        left = small.size()[0]
        long = {
            len(resource_slice["spec"].get("devices", ()))
            for resource_slice in scenario.objects["resourceSlices"]
        }
        assert left <= devices or (devices > 16 and left in long)  # a long list goes as a whole, or stays
        assert small.size()[1] == claims
        assert shrink(small, keeps) == small


def _large() -> Scenario:
    return next(scenario for scenario in stream(4, KNOWN_FEATURES) if scenario.size() >= (4, 4))


def test_shrinking_ends_at_its_limit() -> None:
    scenario = _large()
    asked: list[Scenario] = []

    def shows_always(candidate: Scenario) -> bool:
        asked.append(candidate)
        return True

    shrink(scenario, shows_always, limit=5)
    assert len(asked) == 5
    assert shrink(scenario, shows_always, longest=-1) == scenario
    assert len(asked) == 5


def test_a_minimal_scenario_stays() -> None:
    scenario = _large()
    assert shrink(scenario, lambda candidate: False) == scenario


def test_the_scenario_itself_is_not_changed() -> None:
    for scenario in islice(stream(9, KNOWN_FEATURES), 2):
        before = repr(scenario)
        assert list(simplifications(scenario))
        assert repr(scenario) == before
