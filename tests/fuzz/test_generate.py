"""Scenarios are deterministic, valid as the API server stores them, small, and of the features asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest
from hypothesis import find, settings

from dra_conform.fuzz.generate import KNOWN, scenario
from dra_conform.fuzz.scenario import Scenario, T
from dra_conform.fuzz.strategies import scenarios, stream
from dra_conform.kube.objects import decode
from dra_conform.kube.validation import validate


def _random(seed: int, features: frozenset[str] = KNOWN) -> Scenario:
    source = Random(seed)

    def choose(options: Sequence[T], /) -> T:
        return source.choice(options)

    return scenario(choose, features)


def test_every_object_is_valid_and_every_reference_holds() -> None:
    for one in islice(stream(1, KNOWN), 400):
        for collection in one.objects.values():
            for raw in collection:
                assert validate(decode(raw)) == []
        claims = {f"default/{claim['metadata']['name']}": claim for claim in one.objects["resourceClaims"]}
        assert set(one.claims) <= claims.keys()
        assert all("status" not in claims[name] for name in one.claims)
        assert one.node in {node["metadata"]["name"] for node in one.objects["nodes"]}
        devices, claimed = one.size()
        assert 1 <= devices <= 10  # six, and some of them also in slices of another generation
        assert 1 <= claimed <= 6


def test_equal_seeds_give_equal_scenarios_and_others_do_not() -> None:
    first = list(islice(stream(7, KNOWN), 300))
    assert first == list(islice(stream(7, KNOWN), 300))
    other = list(islice(stream(8, KNOWN), 300))
    assert sum(one == two for one, two in zip(first, other, strict=True)) < 5


def test_scenarios_differ() -> None:
    texts = Counter(repr(one) for one in islice(stream(0, KNOWN), 500))
    assert len(texts) > 450


@pytest.mark.parametrize("features", [frozenset({one}) for one in sorted(KNOWN)] + [frozenset(), KNOWN])
def test_only_the_features_asked_for_and_all_of_them_appear(features: frozenset[str]) -> None:
    met: set[str] = set()
    for seed in range(300):
        met |= _random(seed, features).case("x").features
    assert met == features


def test_amounts_are_at_the_boundaries() -> None:
    asked: Counter[str] = Counter()
    for seed in range(400):
        one = _random(seed, frozenset({"consumable-capacity"}))
        values = {
            capacity["value"]
            for published in one.objects["resourceSlices"]
            for device in published["spec"]["devices"]
            for capacity in device.get("capacity", {}).values()
        }
        for claim in one.objects["resourceClaims"]:
            for request in claim["spec"]["devices"]["requests"]:
                amounts = request["exactly"].get("capacity", {}).get("requests", {})
                asked.update("whole" if text in values else "other" for text in amounts.values())
    assert min(asked["whole"], asked["other"]) > 30


def test_scenarios_are_a_strategy_for_hypothesis() -> None:
    found = find(scenarios(KNOWN), lambda one: len(one.claims) == 2, settings=settings(database=None))
    assert len(found.claims) == 2
    assert len(found.objects["nodes"]) == 1
