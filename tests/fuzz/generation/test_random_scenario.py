"""Random scenarios are deterministic, valid in stored form, small, and have the requested features."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from random import Random

import pytest
from hypothesis import find, settings

from dra_conform.apiserver import Admitted, Surroundings, Verb, WriteRequest, admit
from dra_conform.conformance.features import GATES
from dra_conform.fuzz.generation.chance import T
from dra_conform.fuzz.generation.profile_fields import IN_EVERY_PROFILE, ProfileFields
from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES, random_scenario
from dra_conform.fuzz.generation.strategies import scenarios, stream
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from tests.support.rows import mostly_slow

KEP_PROFILE = Profile.named("kep")
NAMESPACES = Surroundings({"default": {"resource.k8s.io/admin-access": "true"}})
CROWDS = {32, 33, 34, 40, 65, 129, 140}
MOST_CLAIMS = 6 + 16
"""The numbers of claims to allocate and of allocated claims in a crowd."""


def _random(
    seed: int, features: frozenset[str] = KNOWN_FEATURES, profile_fields: ProfileFields = IN_EVERY_PROFILE
) -> Scenario:
    source = Random(seed)

    def choose(options: Sequence[T], /) -> T:
        return source.choice(options)

    return random_scenario(choose, features, profile_fields)


MEANT = {
    "Invalid: value cannot be represented as a milli value",
    "Forbidden: too complex, exceeds cost limit",
    "Required: ",  # a counter set without counters
}
"""Errors for which the API server rejects an object that allocators still accept."""


def _errors(raw: Json) -> set[str]:
    answer = admit(WriteRequest(Verb.CREATE, raw), NAMESPACES, KEP_PROFILE)
    if isinstance(answer, Admitted):
        return set()
    return {f"{error.type}: {error.detail}" for error in answer.errors} or {answer.message}


def test_every_object_is_valid_and_every_reference_results() -> None:
    for scenario in islice(stream(1, KNOWN_FEATURES), 60):
        for collection in scenario.objects.values():
            for raw in collection:
                assert _errors(raw) <= MEANT
        claims = {
            f"default/{claim['metadata']['name']}": claim for claim in scenario.objects["resourceClaims"]
        }
        assert set(scenario.claims) <= claims.keys()
        assert all("status" not in claims[name] for name in scenario.claims)
        assert scenario.node in {node["metadata"]["name"] for node in scenario.objects["nodes"]}
        devices, claimed = scenario.size()
        assert 1 <= devices <= 10 or devices in CROWDS  # six devices, and some again in other generations
        assert 1 <= claimed <= MOST_CLAIMS


def test_equal_seeds_give_equal_scenarios_and_others_do_not() -> None:
    first = list(islice(stream(7, KNOWN_FEATURES), 100))
    assert first == list(islice(stream(7, KNOWN_FEATURES), 100))
    other = list(islice(stream(8, KNOWN_FEATURES), 100))
    assert sum(left == two for left, two in zip(first, other, strict=True)) < 5


def test_scenarios_differ() -> None:
    texts = Counter(repr(scenario) for scenario in islice(stream(0, KNOWN_FEATURES), 200))
    assert len(texts) > 180


@pytest.mark.parametrize(
    "features", [frozenset({feature}) for feature in sorted(KNOWN_FEATURES)] + [frozenset(), KNOWN_FEATURES]
)
def test_only_the_features_asked_for_and_all_of_them_appear(features: frozenset[str]) -> None:
    met: set[str] = set()
    for seed in range(400):
        met |= _random(seed, features).case("x").features
    implied = {"partitionable-devices"} if "compatibility-groups" in features else set()
    assert met == features | implied


def test_amounts_are_at_the_boundaries() -> None:
    asked: Counter[str] = Counter()
    for seed in range(400):
        scenario = _random(seed, frozenset({"consumable-capacity"}))
        values = {
            capacity["value"]
            for device in _devices(scenario)
            for capacity in device.get("capacity", {}).values()
        }
        for request in _requested(scenario):
            amounts = request.get("capacity", {}).get("requests", {})
            asked.update("whole" if text in values else "other" for text in amounts.values())
    assert min(asked["whole"], asked["other"]) > 30


def test_consumed_counters_just_fit_or_just_exceed() -> None:
    found: Counter[str] = Counter()
    for seed in range(400):
        scenario = _random(seed, frozenset({"partitionable-devices"}))
        there = {
            (entry["name"], counter): _nano(value)
            for published in scenario.objects["resourceSlices"]
            for entry in published["spec"].get("sharedCounters", ())
            for counter, value in entry["counters"].items()
        }
        taken = [
            ((entry["counterSet"], counter), _nano(value))
            for device in _devices(scenario)
            for entry in device.get("consumesCounters", ())
            for counter, value in entry["counters"].items()
        ]
        for (name, first), (other, second) in combinations(taken, 2):
            if name == other and name in there:
                over = first + second - there[name]
                found["just fits" if over == 0 else "just over" if 0 < over * 4 < there[name] else ""] += 1
    assert min(found["just fits"], found["just over"]) > 100


def _nano(counter: Json) -> int:
    return Quantity.parse(counter["value"]).nano


def _devices(scenario: Scenario) -> Iterator[Json]:
    for published in scenario.objects["resourceSlices"]:
        yield from published["spec"].get("devices", ())


def _requested(scenario: Scenario) -> Iterator[Json]:
    for claim in scenario.objects["resourceClaims"]:
        for request in claim["spec"]["devices"]["requests"]:
            yield from (request["exactly"],) if "exactly" in request else request["firstAvailable"]


def _results(scenario: Scenario) -> Iterator[Json]:
    for claim in scenario.objects["resourceClaims"]:
        yield from claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ())


def _pools(scenario: Scenario) -> dict[tuple[str, str], list[Json]]:
    pools: dict[tuple[str, str], list[Json]] = {}
    for published in scenario.objects["resourceSlices"]:
        spec = published["spec"]
        pools.setdefault((spec["driver"], spec["pool"]["name"]), []).append(spec)
    return pools


def _repeated(specs: Sequence[Json], field: str) -> bool:
    newest = max(spec["pool"]["generation"] for spec in specs)
    names = [
        item["name"] for spec in specs for item in spec.get(field, ()) if spec["pool"]["generation"] == newest
    ]
    return len(set(names)) < len(names)


def _unknown_counters(specs: Sequence[Json]) -> bool:
    known = {
        (entry["name"], counter)
        for spec in specs
        for entry in spec.get("sharedCounters", ())
        for counter in entry["counters"]
    }
    return any(
        (entry["counterSet"], counter) not in known
        for spec in specs
        for device in spec.get("devices", ())
        for entry in device.get("consumesCounters", ())
        for counter in entry["counters"]
    )


def _short(specs: Sequence[Json]) -> int:
    """Return how many slices the newest generation lacks."""
    newest = [
        spec for spec in specs if spec["pool"]["generation"] == max(o["pool"]["generation"] for o in specs)
    ]
    return int(newest[0]["pool"]["resourceSliceCount"]) - len(newest)


def _any_pool(found: Callable[[list[Json]], object]) -> Callable[[Scenario], bool]:
    return lambda scenario: any(found(specs) for specs in _pools(scenario).values())


def _has_counters(scenario: Scenario) -> bool:
    return any("sharedCounters" in published["spec"] for published in scenario.objects["resourceSlices"])


TEXTS: Mapping[str, tuple[str, ...]] = {
    "labels": ("matchExpressions",),
    "names of nodes": ("matchFields",),
    "all nodes": ('"allNodes": true',),
    "tolerates a value": ("tolerations", '"operator": "Equal"'),
    "tolerates for a time": ("tolerationSeconds",),
    "a rule for a device": ("deviceSelector", '"device": "d'),
    "a rule for all": ('"deviceSelector": {}',),
    "admin access": ('"adminAccess": true',),
    "no admin access, in words": ('"adminAccess": false',),
    "match on lists": ('"ints": [', "matchAttribute"),
    "distinct on lists": ('"ints": [', "distinctAttribute"),
    "includes": (".includes(",),
    "binding conditions": ('"bindingConditions": ["',),
    "no binding conditions, in words": ('"bindingConditions": []',),
    "bound to the node": ('"bindsToNode": true',),
    "more than a claim may have": ('"count": 33',),
    **{
        f"taint {effect}": ("taint", f'"effect": "{effect}"')
        for effect in ("NoSchedule", "NoExecute", "None")
    },
    **{f"a list of {kind}": (f'"{kind}": [',) for kind in ("ints", "bools", "strings", "versions")},
}
"""Strings that must occur in the JSON of the objects."""

NOT_OF_ALLOCATORS = {"DRAExtendedResource", "DRANodeAllocatableResources"}
"""Gates of pods and nodes, which do not influence an allocation."""

FACTS: Mapping[str, Callable[[Scenario], bool]] = {
    "two counter sets": lambda scenario: any(
        len(device.get("consumesCounters", ())) == 2 for device in _devices(scenario)
    ),
    "a shared device on counters": lambda scenario: any(
        device.get("allowMultipleAllocations") and device.get("consumesCounters")
        for device in _devices(scenario)
    ),
    "two drivers with one pool name and counters": lambda scenario: (
        len({name for _, name in _pools(scenario)}) < len(_pools(scenario)) and _has_counters(scenario)
    ),
    "two pools of one driver with counters": lambda scenario: (
        len({name for _, name in _pools(scenario)}) == 2 and _has_counters(scenario)
    ),
    "a device there twice": _any_pool(lambda specs: _repeated(specs, "devices")),
    "a counter set there twice": _any_pool(lambda specs: _repeated(specs, "sharedCounters")),
    "an unknown counter": _any_pool(_unknown_counters),
    "slices missing": _any_pool(lambda specs: _short(specs) > 0),
    "slices too many": _any_pool(lambda specs: _short(specs) < 0),
    "two generations": _any_pool(lambda specs: len({spec["pool"]["generation"] for spec in specs}) > 1),
    "slices on two nodes": _any_pool(
        lambda specs: len({spec.get("nodeName") for spec in specs} - {None}) > 1
    ),
    "devices on several nodes": lambda scenario: (
        len({device.get("nodeName") for device in _devices(scenario)} - {None}) > 1
    ),
    "two groups": lambda scenario: any(
        len(entry.get("compatibilityGroups", ())) == 2
        for device in _devices(scenario)
        for entry in device.get("consumesCounters", ())
    ),
    "no groups beside groups": lambda scenario: (
        len(
            {
                bool(entry.get("compatibilityGroups"))
                for device in _devices(scenario)
                for entry in device.get("consumesCounters", ())
            }
        )
        == 2
    ),
    "several taints": lambda scenario: any(
        len(device.get("taints", ())) > 1 for device in _devices(scenario)
    ),
    "tolerates any key": lambda scenario: any(
        "key" not in toleration
        for requested in _requested(scenario)
        for toleration in requested.get("tolerations", ())
    ),
    "a rule for none": lambda scenario: any(
        "deviceSelector" not in rule["spec"] for rule in scenario.objects.get("deviceTaintRules", ())
    ),
    "rules off": lambda scenario: scenario.gates.get("DRADeviceTaintRules") is False,
    "admin access beside none": lambda scenario: (
        len({requested.get("adminAccess") for requested in _requested(scenario)}) > 1
    ),
    "admin access to all": lambda scenario: any(
        requested.get("adminAccess") and requested["allocationMode"] == "All"
        for requested in _requested(scenario)
    ),
    "allocated with admin access": lambda scenario: any(
        result.get("adminAccess") for result in _results(scenario)
    ),
    "allocated and gone": lambda scenario: any(result["device"] == "gone" for result in _results(scenario)),
    "configuration of a class": lambda scenario: any(
        it["spec"].get("config") for it in scenario.objects["deviceClasses"]
    ),
    "configuration of a claim": lambda scenario: any(
        it["spec"]["devices"].get("config") for it in scenario.objects["resourceClaims"]
    ),
    "configuration of a subrequest": lambda scenario: any(
        "/" in name
        for it in scenario.objects["resourceClaims"]
        for entry in it["spec"]["devices"].get("config", ())
        for name in entry.get("requests", ())
    ),
    "many devices": lambda scenario: scenario.size()[0] in CROWDS,
    **{
        f"{gate} off": lambda scenario, gate=gate: scenario.gates.get(gate) is False  # type: ignore[misc] # binds the loop's name
        for gate in {*GATES.values(), "DRAResourceClaimDeviceStatus"} - NOT_OF_ALLOCATORS
    },
    "a gate on": lambda scenario: (
        True in scenario.gates.values() and "deviceTaintRules" not in scenario.objects
    ),
}


@pytest.mark.slow
def test_every_variant_occurs() -> None:
    made = [_random(seed) for seed in range(3000)]
    texts = [json.dumps(item.objects) for item in made]
    seen = {fact: sum(map(holds, made)) for fact, holds in FACTS.items()}
    seen |= {
        fact: sum(all(word in text for word in words) for text in texts) for fact, words in TEXTS.items()
    }
    assert {fact: times for fact, times in seen.items() if times < 5} == {}


@pytest.mark.parametrize("name", mostly_slow(["kep", "kubernetes-1.34", "kubernetes-1.37"]))
def test_some_fields_occur_only_in_some_profiles(name: str) -> None:
    profile_fields = ProfileFields.of(Profile.named(name))
    features = frozenset({"compatibility-groups", "device-taints", "cel-selectors"})
    texts = [json.dumps(_random(seed, features, profile_fields).objects) for seed in range(800)]
    documents = name == "kep"
    assert any('"compatibilityGroups": {' in text for text in texts) == documents
    for field in ('"deviceSelector": {"deviceClassName"', '"selectors": [{"cel"'):
        rules = [text[text.find('"deviceTaintRules"') : text.find('"resourceClaims"')] for text in texts]
        assert any(field in rule for rule in rules) == (documents or name == "kubernetes-1.34")


@pytest.mark.slow
def test_scenarios_are_a_strategy_for_hypothesis() -> None:
    found = find(
        scenarios(KNOWN_FEATURES),
        lambda scenario: len(scenario.claims) == 2,
        settings=settings(database=None),
    )
    assert len(found.claims) == 2
    assert len(found.objects["nodes"]) == 1
