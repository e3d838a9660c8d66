"""Random scenarios have all outcomes, and each feature influences the outcome of some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice

import pytest

from dra_conform.adapters.builtin import Builtin
from dra_conform.conformance.features import needed_gates
from dra_conform.fuzz.comparison.replies import ComparedAllocations
from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES
from dra_conform.fuzz.generation.strategies import stream
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.profile import Profile
from tests.support.fuzz.generation.without_feature import REMOVALS, without
from tests.support.rows import mostly_slow

BUILTIN = Builtin()
PROFILE = Profile.named("kubernetes-1.37")


def _gates(scenario: Scenario) -> Mapping[str, bool]:
    return {**dict.fromkeys(needed_gates(scenario.case("x")), True), **scenario.gates}


def _answer(scenario: Scenario, gates: Mapping[str, bool]) -> tuple[str, ComparedAllocations | None]:
    case = scenario.case("x")
    body = BUILTIN.allocate(case.objects, case.ask, PROFILE.with_gates(gates))
    found = body.get("allocations")
    return str(body["outcome"]), None if found is None else ComparedAllocations.of(
        found, case.objects["nodes"]
    )


@pytest.mark.slow
def test_every_outcome_occurs_in_a_tenth_of_the_scenarios() -> None:
    outcomes = Counter(
        _answer(scenario, _gates(scenario))[0] for scenario in islice(stream(0, KNOWN_FEATURES), 1000)
    )
    assert min(outcomes[name] for name in ("allocated", "unallocatable", "errored")) >= 100, outcomes


PARTNERS = {"list-attributes": {"match-attribute"}}


@pytest.mark.parametrize("count", [100, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("feature", mostly_slow(sorted(KNOWN_FEATURES)))
def test_every_feature_influences_the_outcome(feature: str, count: int) -> None:
    """Without the feature, at least one in twenty scenarios that have it has a different outcome."""
    features = frozenset({feature} | PARTNERS.get(feature, set()))
    having = [
        scenario for scenario in islice(stream(1, features), count) if feature in scenario.case("x").features
    ]
    decided = sum(
        _answer(scenario, _gates(scenario)) != _answer(without(scenario, feature), _gates(scenario))
        for scenario in having
    )
    assert decided * 20 >= len(having) > count / 5, (decided, len(having))


def test_all_features_can_be_removed() -> None:
    assert REMOVALS.keys() == KNOWN_FEATURES
