"""From a scenario to the smallest near it, and from there to a golden case that replays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
import yaml

from dra_conform.adapters import open_implementation
from dra_conform.fuzz.campaign.finds import CampaignCounts, Find, find_differences, shows
from dra_conform.fuzz.campaign.golden_finds import replayed, write
from dra_conform.fuzz.campaign.steps_of_scenarios import given, when
from dra_conform.fuzz.campaign.two_implementations import TwoImplementations
from dra_conform.fuzz.comparison.replies import Difference
from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES
from dra_conform.fuzz.generation.strategies import stream
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.scaling import quantities
from dra_conform.fuzz.shrinking.shrink import shrink
from dra_conform.fuzz.shrinking.simplifications import simpler
from dra_conform.kube.quantity import Quantity
from tests.fuzz.textbook_scenarios import textbook_worlds


def _has_mode_all(scenario: Scenario) -> bool:
    return "allocation-mode-all" in scenario.case("x").features


def _has_step(scenario: Scenario) -> bool:
    return '"step"' in repr(scenario).replace("'", '"')


def _has_large_amount(scenario: Scenario) -> bool:
    return any(Quantity.parse(text).nano >= 1 << 60 for _, text in quantities(scenario.objects))


def _says(word: str) -> Callable[[Scenario], bool]:
    return lambda one: word in json.dumps(one.objects)


def _holds_something(scenario: Scenario) -> bool:
    return any("status" in claim for claim in scenario.objects["resourceClaims"])


@pytest.mark.parametrize(
    ("keeps", "devices", "claims"),
    [
        (lambda _: True, 0, 1),
        (_has_mode_all, 0, 1),
        (_has_step, 1, 1),
        (_has_large_amount, 1, 1),
        (_holds_something, 0, 2),
        (lambda one: len(one.claims) > 1, 0, 2),
        (lambda one: len(one.objects["nodes"]) > 1, 0, 1),
        (lambda one: bool(one.gates), 0, 1),
        (_says("consumesCounters"), 1, 1),
        (_says("sharedCounters"), 0, 1),
        (_says("compatibilityGroups"), 1, 1),
        (_says("tolerations"), 0, 1),
        (_says('"taints"'), 1, 1),
        (_says("DeviceTaintRule"), 0, 1),
        (_says("adminAccess"), 0, 1),
        (_says("bindsToNode"), 1, 1),
        (_says('"bools"'), 1, 1),
        (_says("opaque"), 0, 1),
        (_says("perDeviceNodeSelection"), 0, 1),
        (_says("nodeSelector"), 1, 1),
        (_says("firstAvailable"), 0, 1),
        (lambda one: one.size()[0] > 16, 17, 1),
    ],
)
def test_nothing_is_left_that_is_not_needed(
    keeps: Callable[[Scenario], bool], devices: int, claims: int
) -> None:
    found = islice((one for one in stream(2, KNOWN_FEATURES) if keeps(one)), 3)
    for scenario in found:
        small = shrink(scenario, keeps)
        assert keeps(small)
        assert small.size()[0] <= devices or (devices > 16 and small.size() == scenario.size())
        assert small.size()[1] == claims
        assert shrink(small, keeps) == small


def _large() -> Scenario:
    return next(one for one in stream(4, KNOWN_FEATURES) if one.size() >= (4, 4))


def test_shrinking_ends_and_keeps_to_its_limit() -> None:
    scenario = _large()
    asked: list[Scenario] = []

    def shows_always(candidate: Scenario) -> bool:
        asked.append(candidate)
        return True

    shrink(scenario, shows_always, limit=5)
    assert len(asked) == 5


def test_what_cannot_be_simpler_stays() -> None:
    scenario = _large()
    assert shrink(scenario, lambda candidate: False) == scenario


def test_the_scenario_itself_is_not_changed() -> None:
    for scenario in islice(stream(9, KNOWN_FEATURES), 5):
        before = repr(scenario)
        assert list(simpler(scenario))
        assert repr(scenario) == before


@pytest.mark.parametrize("short", [True, False])
def test_steps_say_the_scenario(short: bool) -> None:
    both = _both("tests.quality.wrong:RoundsDown")
    for scenario in islice(stream(6, KNOWN_FEATURES), 120):
        text = _written(scenario, short=short)
        again = replayed(text)
        assert (again.claims, again.node, again.gates) == (scenario.claims, scenario.node, scenario.gates)
        assert _plain(again) == _plain(scenario)
        if not short:
            assert sorted(_all(again)) == sorted(_all(scenario))
        assert _outcome(both.compare_one(again)) == _outcome(both.compare_one(scenario))


def _outcome(difference: object) -> object:
    return difference.signature if isinstance(difference, Difference) else difference


def _all(scenario: Scenario) -> Iterator[str]:
    for collection in scenario.objects.values():
        yield from (json.dumps(one, sort_keys=True) for one in collection if one["kind"] != "DeviceClass")


def _plain(scenario: Scenario) -> str:
    """The objects but for what a short step says otherwise: names of slices, share IDs, what holders asked."""
    objects = json.loads(json.dumps(scenario.objects))
    for claim in objects["resourceClaims"]:
        for result in claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ()):
            result["shareID"] = bool(result.get("shareID"))
            claim["spec"] = {}
    objects["resourceSlices"] = sorted(
        json.dumps(one["spec"], sort_keys=True) for one in objects["resourceSlices"]
    )
    return json.dumps({**objects, "deviceClasses": []}, sort_keys=True)


def _written(scenario: Scenario, *, short: bool) -> str:
    case = {
        "case": "x",
        "title": "x",
        "requirements": [],
        "given": given(scenario, short=short),
        "when": when(scenario),
        "then": [{"not-allocated": True}],
    }
    return yaml.safe_dump({"document": "KEP-5075", "area": "fuzz", "title": "x", "cases": [case]})


def _both(wrong: str) -> TwoImplementations:
    specs = ("builtin", f"python:{wrong}")
    both = TwoImplementations(
        (open_implementation(specs[0]), open_implementation(specs[1])), specs, profile="kep"
    )
    both.start()
    return both


FOUND = ("RoundsDown", "ForgetsDefault", "ComparesWithTotal", "SharesExclusive", "IgnoresDistinct")


@pytest.mark.parametrize("name", FOUND)
def test_the_hunt_finds_a_wrong_allocator_and_the_file_replays(name: str, tmp_path: Path) -> None:
    both = _both(f"tests.quality.wrong:{name}")
    finds = find_differences(
        both, islice(textbook_worlds(0), 500), CampaignCounts(), strict=False, go_on=lambda: True
    )
    find = next(find for find in finds if find is not None)
    devices, claims = find.scenario.size()
    assert devices <= 2
    assert claims <= 2
    assert 1 in find.difference.wrong
    path = write(find, both, "dra-conform fuzz", tmp_path)
    text = path.read_text("utf-8")
    assert shows(both, replayed(text), find.difference)
    assert f"# python:tests.quality.wrong:{name}: " in text
    path.write_text("mine", "utf-8")
    assert write(find, both, "dra-conform fuzz", tmp_path) == path
    assert path.read_text("utf-8") == "mine"


def test_a_tally_counts_every_scenario_once() -> None:
    both = _both("tests.quality.right:LastFitting")
    counts = CampaignCounts()
    finds: list[Find | None] = list(
        find_differences(both, islice(textbook_worlds(0), 150), counts, strict=False, go_on=lambda: True)
    )
    assert finds == [None] * 150
    assert counts.choices > 5
    assert not counts.disagreements
    assert counts.cases == 150 == counts.agreed + counts.choices + counts.unsupported
    strict = CampaignCounts()
    found = next(
        find
        for find in find_differences(
            both, islice(textbook_worlds(0), 150), strict, strict=True, go_on=lambda: True
        )
        if find is not None
    )
    assert found.difference.kind == "choice"
    assert strict.choices == 0


def test_the_hunt_stops_when_told() -> None:
    both = _both("tests.quality.textbook:Textbook")
    counts = CampaignCounts()
    assert (
        len(
            list(
                find_differences(
                    both, textbook_worlds(0), counts, strict=False, go_on=lambda: counts.cases < 10
                )
            )
        )
        == 10
    )
