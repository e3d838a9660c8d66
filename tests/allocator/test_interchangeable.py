"""The search skips devices that are equal to failed ones, with the same result."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from types import ModuleType
from typing import TypeVar

import msgspec
import pytest

from dra_conform.allocator import Allocated, Allocator, Decision, Failed, Unallocatable, node_view, search
from dra_conform.fuzz.generation.profile_fields import ProfileFields
from dra_conform.fuzz.generation.random_scenario import KNOWN_FEATURES
from dra_conform.fuzz.generation.strategies import stream
from dra_conform.kube.category import Category
from dra_conform.kube.profile import PROFILES, Profile
from dra_conform.kube.resource import Device, DeviceConstraint, DeviceRequest, ResourceClaim, ResourceSlice
from dra_conform.kube.switches.declarations import when
from dra_conform.simulation import parts
from tests.support.allocator.worlds import (
    DRIVER,
    allocated_claim,
    allocator,
    claim,
    device,
    distinct,
    first_of,
    match,
    node,
    policy,
    pool_with_counters,
    request,
    slice_of,
    sub,
    tolerating,
)
from tests.support.rows import mostly_slow

T = TypeVar("T")
NODE = node()
COLOUR, SHAPE = f"{DRIVER}/colour", f"{DRIVER}/shape"


def of_colour(colour: str) -> list[str]:
    return [f'device.attributes["{DRIVER}"].colour == "{colour}"']


class Tight:
    """A generator of clusters in which claims need nearly all devices, so that the search backtracks often."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def some(self, options: Sequence[T]) -> T:
        return self._random.choice(options)

    def world(self) -> tuple[list[ResourceSlice], list[ResourceClaim], list[ResourceClaim]]:
        """Return the published objects, the claims to allocate together, and allocated claims."""
        number = self.some([3, 4, 5, 6])
        devices = [self._device(place) for place in range(number)]
        if self.some([False, False, True]):
            published = pool_with_counters({"set": {"memory": self.some(["2Gi", "3Gi", "5Gi"])}}, *devices)
        else:
            published = [slice_of(*(msgspec.structs.replace(item, consumes_counters=()) for item in devices))]
        holding = [allocated_claim(self.some(devices).name)] if self.some([False, True]) else []
        names = self.some([["c0"], ["c0"], ["c0", "c1"]])
        return published, [self._claim(name, number // len(names)) for name in names], holding

    def _device(self, place: int) -> Device:
        attributes = {
            "colour": self.some(["red", "red", "blue"]),
            "shape": self.some(["o", "x", f"s{place}"]),
        }
        if self.some([False, False, False, True]):
            del attributes["shape"]
        shared = self.some([False, False, True])
        return device(
            f"d{place}",
            shared=shared,
            attributes=attributes,
            policies={"memory": policy("2Gi", low="1Gi")} if shared else None,
            draws={"set": {"memory": self.some(["1Gi", "2Gi"])}} if self.some([False, True]) else None,
            groups={"set": self.some([["a"], ["b"], ["a", "b"], []])},
            taints=("k=v:NoSchedule",) if self.some([False, False, False, True]) else (),
            memory=self.some(["4Gi", "8Gi"]),
        )

    def _claim(self, name: str, number: int) -> ResourceClaim:
        requests = [self._request(f"r{place}", number) for place in range(self.some([1, 2, 2, 3]))]
        constraints: list[DeviceConstraint] = []
        for make in (match, distinct):
            if self.some([False, False, True]):
                covered = self.some([(), ("r0",)])
                constraints.append(make(self.some([COLOUR, SHAPE]), *covered))
        return claim(name, *requests, constraints=constraints)

    def _request(self, name: str, number: int) -> DeviceRequest:
        count = self.some([1, max(number // 2, 1), max(number - 1, 1)])
        where = self.some([[], [], of_colour("red"), of_colour("blue")])
        kind = self.some(["exact", "exact", "exact", "list", "all"])
        if kind == "list":
            return first_of(name, sub("a", count=count, where=where), sub("b", count=1))
        tolerations = [tolerating("k", "Exists")] if self.some([False, True]) else []
        if kind == "all":
            return request(name, mode="All", where=of_colour("blue"), tolerations=tolerations)
        capacity = self.some([None, None, {"memory": "3Gi"}])
        return request(name, capacity, count=count, where=where, tolerations=tolerations)


def without_steps(decision: Decision | parts.MalformedInput) -> object:
    return decision if isinstance(decision, parts.MalformedInput) else replace(decision, steps=0)


@pytest.mark.parametrize("name", mostly_slow(PROFILES, 2))
def test_both_searches_give_equal_results_in_tight_clusters(name: str) -> None:
    profile, met, saved = Profile.named(name), Counter[type[Decision]](), 0
    for seed in range(600):
        published, claims, holding = Tight(seed).world()
        short, exhaustive = (
            allocator(*published, profile=profile, exhaustive=flag).allocate(NODE, claims, holding)
            for flag in (False, True)
        )
        assert without_steps(short) == without_steps(exhaustive), seed
        met[type(short)] += 1
        saved += short.steps < exhaustive.steps
    assert met[Allocated] > 50
    assert met[Unallocatable] > 40
    assert saved > 20 or when("until 1.35").holds(profile)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROFILES)
def test_both_searches_give_equal_results_with_every_feature(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = Profile.named(name)
    cases = [
        scenario.case("world")
        for scenario in islice(stream(3, KNOWN_FEATURES, ProfileFields.of(profile)), 400)
    ]

    def decisions() -> list[object]:
        profiles = (profile.with_gates(case.gates) for case in cases)
        return [
            without_steps(parts.decide(case.objects, case.ask, profile))
            for case, profile in zip(cases, profiles, strict=True)
        ]

    short = decisions()
    monkeypatch.setattr(parts, "Allocator", partial(Allocator, exhaustive=True))
    assert short == decisions()


DISTINCT = [device(f"d{n:02}", attributes={"colour": f"colour-{n % 31}"}) for n in range(64)]
TWO_KINDS = [device(f"d{n:02}", attributes={"colour": ("red", "blue")[n % 2]}) for n in range(64)]
ALONE = [device(f"d{n:02}", attributes={"colour": f"colour-{n}"}) for n in range(24)]
PAIRS = [device(f"d{n:02}", attributes={"colour": f"colour-{n % 11}"}) for n in range(22)]


@pytest.mark.parametrize(
    ("devices", "asked", "most"),
    [
        *(
            pytest.param(
                [device(f"d{n:02}") for n in range(number)],
                claim("c", request("r0", count=number // 2 + 1), request("r1", count=number // 2)),
                200,
                id=f"two requests, {number} devices",
            )
            for number in (12, 16, 24, 30)
        ),
        pytest.param(
            TWO_KINDS,
            claim("c", request("r0", count=15), request("r1", count=16, where=of_colour("red"))),
            200,
            id="a kind is left over",
        ),
        pytest.param(
            TWO_KINDS[:30],
            claim("c", request("r0", count=14), request("r1", count=16, where=of_colour("red"))),
            2_000,
            id="two kinds of which one is too few",
        ),
        pytest.param(
            DISTINCT,
            claim("c", request("r0", count=32), constraints=[distinct(COLOUR)]),
            200,
            id="fewer values than devices wanted",
        ),
        pytest.param(
            PAIRS,
            claim("c", *(request(f"r{n}") for n in range(12)), constraints=[distinct(COLOUR)]),
            200,
            id="fewer values than requests",
        ),
        pytest.param(
            ALONE,
            claim("c", request("r0", count=13), request("r1", count=12), constraints=[distinct(COLOUR)]),
            200,
            id="each device has a value of its own",
        ),
    ],
)
def test_the_number_of_steps_stays_small(devices: list[Device], asked: ResourceClaim, most: int) -> None:
    assert allocator(slice_of(*devices)).allocate(NODE, [asked]).steps < most


@pytest.mark.parametrize(
    ("module", "limit", "most"), [(node_view, "MOST_STEPS", 1_000), (search, "MOST_SECONDS", 0.0)]
)
def test_a_search_that_reaches_its_limit_fails(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, limit: str, most: float
) -> None:
    monkeypatch.setattr(module, limit, most)
    devices = [device(f"d{n:02}") for n in range(16)]
    asked = claim("c", request("r0", count=9), request("r1", count=8))
    searched = allocator(slice_of(*devices), exhaustive=True)
    failed = searched.allocate(NODE, [asked])
    assert isinstance(failed, Failed)
    assert (failed.category, failed.message) == (Category.OTHER, search.GAVE_UP)
    assert isinstance(searched.allocate(NODE, [claim("c", request(count=16))]), Allocated)


def test_an_explanation_beyond_the_limit_is_partial() -> None:
    devices = [device(f"d{n:02}") for n in range(24)]
    asked = claim("c", request("r0", count=13), request("r1", count=12))
    unallocated = allocator(slice_of(*devices)).allocate(NODE, [asked], explain=True)
    assert isinstance(unallocated, Unallocatable)
    assert any(reason.category is Category.INSUFFICIENT_DEVICES for reason in unallocated.reasons)
