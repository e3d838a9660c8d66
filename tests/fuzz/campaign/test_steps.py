"""The steps of a golden case express the whole scenario, in short form and as objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

import pytest
import yaml

from dra_conform.fuzz.campaign.golden_counterexamples import replayed_scenario
from dra_conform.fuzz.campaign.steps_of_scenarios import given_steps, when_step
from dra_conform.fuzz.comparison.difference import Difference
from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES
from dra_conform.fuzz.generation.strategies import stream
from dra_conform.fuzz.scenario import Scenario
from tests.support.fuzz.campaign.starting import started


@pytest.mark.slow
@pytest.mark.parametrize("short", [True, False])
def test_steps_express_the_scenario(short: bool) -> None:
    both = started("tests.faulty.implementations.allocators:RoundsDown")
    for scenario in islice(stream(6, KNOWN_FEATURES), 120):
        text = _written(scenario, short=short)
        again = replayed_scenario(text)
        assert (again.claims, again.node, again.gates) == (scenario.claims, scenario.node, scenario.gates)
        assert _plain(again) == _plain(scenario)
        if not short:
            assert sorted(_all(again)) == sorted(_all(scenario))
        assert _outcome(both.compare_one(again)) == _outcome(both.compare_one(scenario))


def _outcome(difference: object) -> object:
    return difference.signature if isinstance(difference, Difference) else difference


def _all(scenario: Scenario) -> Iterator[str]:
    for collection in scenario.objects.values():
        yield from (json.dumps(item, sort_keys=True) for item in collection if item["kind"] != "DeviceClass")


def _plain(scenario: Scenario) -> str:
    """Return the objects without values that short steps change: slice names, share IDs, allocated requests."""
    objects = json.loads(json.dumps(scenario.objects))
    for claim in objects["resourceClaims"]:
        for result in claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ()):
            result["shareID"] = bool(result.get("shareID"))
            claim["spec"] = {}
    objects["resourceSlices"] = sorted(
        json.dumps(resource_slice["spec"], sort_keys=True) for resource_slice in objects["resourceSlices"]
    )
    return json.dumps({**objects, "deviceClasses": []}, sort_keys=True)


def _written(scenario: Scenario, *, short: bool) -> str:
    case = {
        "case": "x",
        "title": "x",
        "requirements": [],
        "given": given_steps(scenario, short=short),
        "when": when_step(scenario),
        "then": [{"nothingAllocated": True}],
    }
    return yaml.safe_dump({"document": "KEP-5075", "area": "fuzz", "title": "x", "cases": [case]})
