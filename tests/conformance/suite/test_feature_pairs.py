"""Pairs of features: the matrix, and that both features of a pair affect the answers of its cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from dra_conform.adapters.builtin import Builtin
from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.case import Case, CaseStep
from dra_conform.conformance.features import FEATURES, profile_of
from dra_conform.conformance.suite.feature_pairs import CONSTRAINTS, INTERACTING, interacting, pairs, triples
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP
from tests.support.conformance.suite.writing import FIXTURES, golden

ROOT = Path(__file__).parents[3]
FILES = (
    "golden/dra/interactions.yaml",
    "golden/kep-5075/all-mode.yaml",
    "golden/kep-5075/interactions.yaml",
    "golden/kep-5075/other-features.yaml",
    "golden/kep-5963/interactions.yaml",
)
"""The files with the cases for pairs."""


def case(outcome: Outcome, *features: str) -> Case:
    (one,) = golden()
    act = CaseStep("", AllocationExpectation(frozenset({outcome})))
    return replace(one, features=frozenset(features), case_steps=(act,))


ALLOCATED, REFUSED = Outcome.ALLOCATED, Outcome.UNALLOCATABLE
TAINTS, ADMIN = "device-taints", "admin-access"


def row(cases: list[Case], *features: str) -> Any:
    return next(one for one in pairs(cases)["pairs"] if set(one["features"]) == set(features))


def test_ten_features_make_45_pairs() -> None:
    found = pairs([])
    assert found["totals"] == {"total": 45, "covered": 0}
    assert all(one["cases"] == [] and not one["covered"] for one in found["pairs"])
    assert set(INTERACTING) - {CONSTRAINTS} <= set(FEATURES)


@pytest.mark.parametrize(
    ("outcomes", "covered", "accepts", "rejects"),
    [
        ([ALLOCATED], False, 1, 0),
        ([REFUSED, Outcome.ERRORED], False, 0, 2),
        ([ALLOCATED, REFUSED], True, 1, 1),
    ],
)
def test_a_pair_needs_both_polarities(
    outcomes: list[Outcome], covered: bool, accepts: int, rejects: int
) -> None:
    found = pairs([case(outcome, TAINTS, ADMIN, "cel-selectors") for outcome in outcomes])
    one = next(one for one in found["pairs"] if one["features"] == [ADMIN, TAINTS])
    assert (one["covered"], one["accepts"], one["rejects"]) == (covered, accepts, rejects)
    assert len(one["cases"]) == len(outcomes)
    assert found["totals"]["covered"] == covered


def test_a_case_with_three_features_has_three_pairs() -> None:
    found = pairs([case(ALLOCATED, TAINTS, ADMIN, "list-attributes")])
    assert sum(one["accepts"] for one in found["pairs"]) == 3


def test_both_kinds_of_constraints_are_one_feature() -> None:
    both = case(ALLOCATED, "match-attribute", "distinct-attribute", TAINTS)
    assert interacting(both) == (TAINTS, CONSTRAINTS)
    assert row([both], TAINTS, CONSTRAINTS)["accepts"] == 1


# Each of these takes a feature away from a case's objects, or another part of what makes it decide.
def _exactly(objects: Json) -> Iterator[Json]:
    for claim in objects["resourceClaims"]:
        for request in claim["spec"]["devices"]["requests"]:
            if "exactly" in request:
                yield request["exactly"]


def _asked(objects: Json) -> Iterator[Json]:
    yield from _exactly(objects)
    for claim in objects["resourceClaims"]:
        for request in claim["spec"]["devices"]["requests"]:
            yield from request.get("firstAvailable", ())


def _devices(objects: Json) -> Iterator[Json]:
    for one in objects["resourceSlices"]:
        yield from one["spec"].get("devices", ())


def one_instead_of_all(objects: Json) -> None:
    for asked in _asked(objects):
        if asked["allocationMode"] == "All":
            asked.update(allocationMode="ExactCount", count=1)


def first_alternative_only(objects: Json) -> None:
    for claim in objects["resourceClaims"]:
        for request in claim["spec"]["devices"]["requests"]:
            if "firstAvailable" in request:
                del request["firstAvailable"][1:]


def alternatives_mixed(objects: Json) -> None:
    """One request for the same number of devices that any subrequest selects."""
    selectors = {
        one["metadata"]["name"]: one["spec"].get("selectors", []) for one in objects["deviceClasses"]
    }
    objects["deviceClasses"].append({**objects["deviceClasses"][0], "metadata": {"name": "all"}, "spec": {}})
    for claim in objects["resourceClaims"]:
        for request in claim["spec"]["devices"]["requests"]:
            if "firstAvailable" in request:
                first, *others = request["firstAvailable"]
                wanted = []
                for one in (first, *others):
                    every = [*selectors[one["deviceClassName"]], *one.get("selectors", ())]
                    wanted.append(" && ".join(each["cel"]["expression"] for each in every) or "true")
                first["selectors"] = [{"cel": {"expression": " || ".join(f"({one})" for one in wanted)}}]
                first["deviceClassName"] = "all"
                first["count"] = max(one.get("count", 1) for one in (first, *others))
                del request["firstAvailable"][1:]


def no_admin_access(objects: Json) -> None:
    for asked in _exactly(objects):
        asked.pop("adminAccess", None)


def admin_access_for_every_request(objects: Json) -> None:
    for asked in _exactly(objects):
        asked["adminAccess"] = True


def held_without_admin_access(objects: Json) -> None:
    for claim in objects["resourceClaims"]:
        for result in claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ()):
            result.pop("adminAccess", None)


def dedicated_devices(objects: Json) -> None:
    for device in _devices(objects):
        device.pop("allowMultipleAllocations", None)


def nothing_of_each_capacity(objects: Json) -> None:
    for asked in _asked(objects):
        if "capacity" in asked:
            asked["capacity"] = {"requests": dict.fromkeys(asked["capacity"]["requests"], "0")}


def nothing_of_each_counter(objects: Json) -> None:
    for device in _devices(objects):
        for entry in device.get("consumesCounters", ()):
            entry["counters"] = {name: {"value": "0"} for name in entry["counters"]}


def no_groups(objects: Json) -> None:
    for device in _devices(objects):
        for entry in device.get("consumesCounters", ()):
            entry.pop("compatibilityGroups", None)
    for claim in objects["resourceClaims"]:
        for result in claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ()):
            result.pop("compatibilityGroups", None)


def no_taints(objects: Json) -> None:
    for device in _devices(objects):
        device.pop("taints", None)


def no_tolerations(objects: Json) -> None:
    for asked in _asked(objects):
        asked.pop("tolerations", None)


def no_binding_conditions(objects: Json) -> None:
    for device in _devices(objects):
        for name in ("bindingConditions", "bindingFailureConditions", "bindsToNode"):
            device.pop(name, None)


def no_constraints(objects: Json) -> None:
    for claim in objects["resourceClaims"]:
        claim["spec"]["devices"].pop("constraints", None)


def first_value_of_each_list(objects: Json) -> None:
    for device in _devices(objects):
        for value in device.get("attributes", {}).values():
            for kind in ("int", "bool", "string", "version"):
                if f"{kind}s" in value:
                    value[kind] = value.pop(f"{kind}s")[0]


WITHOUT: dict[str, tuple[Callable[[Json], None], ...]] = {
    "allocation-mode-all": (one_instead_of_all,),
    "prioritized-list": (first_alternative_only, alternatives_mixed),
    "admin-access": (no_admin_access, admin_access_for_every_request, held_without_admin_access),
    "consumable-capacity": (dedicated_devices, nothing_of_each_capacity),
    "partitionable-devices": (nothing_of_each_counter,),
    "compatibility-groups": (no_groups,),
    "device-taints": (no_taints, no_tolerations),
    "binding-conditions": (no_binding_conditions,),
    CONSTRAINTS: (no_constraints,),
    "list-attributes": (first_value_of_each_list,),
}


def decided(case: Case, change: Callable[[Json], None] | None = None) -> Json:
    """The answer of the built-in: devices by request with their binding conditions, or none."""
    objects = deepcopy(dict(case.objects))
    if change is not None:
        objects = {name: list(items) for name, items in objects.items()}
        change(objects)
    body = Builtin().allocate(objects, case.ask, profile_of(case, KEP)[0])
    if "outcome" not in body:
        pytest.skip(f"the built-in has no answer: {body.get('message')}")
    return body["outcome"], {
        key: sorted(
            (one["request"], one["driver"], one["pool"], one["device"], str(one.get("bindingConditions")))
            for one in allocation["devices"]["results"]
        )
        for key, allocation in body.get("allocations", {}).items()
    }


@cache
def cases_for_pairs() -> tuple[Case, ...]:
    made = (golden_cases((ROOT / file).read_text("utf-8"), file, FIXTURES.__getitem__) for file in FILES)
    return tuple(case for cases in made for case in cases if case.profiles is None or KEP in case.profiles)


def deciding(case: Case) -> tuple[str, ...]:
    """The features whose removal or change would change the answer of the case."""
    answer = decided(case)
    return tuple(
        feature
        for feature in interacting(case)
        if any(decided(case, change) != answer for change in WITHOUT[feature])
    )


def test_both_features_of_each_pair_affect_the_answer() -> None:
    found: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for one in cases_for_pairs():
        for pair in combinations(deciding(one), 2):
            found[pair].add(one.accepts)
    lacking = {
        " and ".join(pair): sorted(found[pair])
        for pair in combinations(INTERACTING, 2)
        if found[pair] != {True, False}
    }
    assert lacking == {}


def test_the_suite_covers_each_pair_and_each_triple_in_clusters(
    shipped_suite: LoadedSuite,
) -> None:
    found = pairs(shipped_suite.cases)
    three = triples(shipped_suite.cases)["meetings"]
    rows = [*found["pairs"], *found["meetings"]["pairs"], *three["triples"]]
    assert [one["features"] for one in rows if not one["covered"]] == []
    assert len(rows) == 45 + 45 + 120
