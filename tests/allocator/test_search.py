"""The search: its number of steps, and its result compared with brute force."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from dra_conform.allocator import Allocated
from dra_conform.kube.resource import Device, DeviceConstraint, DeviceRequest, DeviceSubRequest, ResourceClaim
from tests.support.allocator.worlds import (
    DRIVER,
    allocated_claim,
    allocated_devices,
    allocator,
    claim,
    device,
    distinct,
    first_of,
    match,
    node,
    policy,
    request,
    slice_of,
    sub,
)
from tests.support.draws import examples

NODE = node()
KIND = f'device.attributes["{DRIVER}"].kind'


def of_kind(name: str, kind: str) -> Device:
    return device(name, attributes={"kind": kind})


FOUR = [device(f"d{n}") for n in range(4)]
XYY = [of_kind("d1", "x"), of_kind("d2", "y"), of_kind("d3", "y")]
A_AND_B = [*(of_kind(f"a{n}", "a") for n in range(31)), of_kind("b0", "b"), of_kind("b1", "b")]
X, Y, A, B = ([f"{KIND} == '{kind}'"] for kind in "xyab")


@pytest.mark.parametrize(
    ("devices", "requests", "steps", "found"),
    [
        pytest.param(FOUR, [request(count=5)], 16, None, id="all subsets of four"),
        pytest.param(
            XYY,
            [request("r0", count=2), request("r1", where=X)],
            12,
            ["r0 d2", "r0 d3", "r1 d1"],
            id="backtracking",
        ),
        pytest.param(
            XYY,
            [
                first_of("r0", sub("a", count=3, where=Y), sub("b", count=2)),
                first_of("r1", sub("a", count=2), sub("b", where=X)),
            ],
            26,
            ["r0/b d2", "r0/b d3", "r1/b d1"],
            id="backtracking over alternatives",
        ),
        pytest.param(
            [device(f"d{n:02}") for n in range(64)],
            [first_of(name, sub("a", count=32), sub("b", count=16)) for name in ("r0", "r1")],
            75,
            [*(f"r0/b d{n:02}" for n in range(16)), *(f"r1/b d{n:02}" for n in range(16, 32))],
            id="the limit of 32",
        ),
        pytest.param(
            A_AND_B,
            [
                first_of("r0", sub("all", mode="All", where=A), sub("two", count=2, where=A)),
                request("r1", count=2, where=B),
            ],
            42,
            ["r0/two a0", "r0/two a1", "r1 b0", "r1 b1"],
            id="the limit of 32 after All",
        ),
    ],
)
def test_steps(
    devices: list[Device], requests: list[DeviceRequest], steps: int, found: list[str] | None
) -> None:
    decision = allocator(slice_of(*devices), exhaustive=True).allocate(NODE, [claim("c", *requests)])
    assert getattr(decision, "steps", None) == steps
    if found is not None:
        assert allocated_devices(decision) == [found]


@pytest.mark.parametrize("pools", [1, 2, 4])
def test_the_number_of_steps_does_not_depend_on_slices_and_pools(pools: int) -> None:
    slices = [slice_of(*FOUR[n::pools], pool=f"p{n}", name=f"s{n}") for n in range(pools)]
    decision = allocator(*slices, exhaustive=True).allocate(NODE, [claim("c", request(count=5))])
    assert getattr(decision, "steps", None) == 16


def test_a_long_list_of_claims_needs_no_deep_recursion() -> None:
    world = allocator(slice_of(device("d", shared=True)))
    decision = world.allocate(NODE, [claim(f"c{n}") for n in range(3000)])
    assert isinstance(decision, Allocated)


# Comparison with brute force.


@dataclass(frozen=True)
class Thing:
    """A device for brute force: its capacity, whether it is shared, its rounding and its attribute."""

    value: int
    shared: bool
    even: bool
    nic: str | None
    used: int
    taken: bool

    def consumes(self, asked: int | None) -> int:
        if not self.even:
            return self.value if asked is None else asked
        return 2 if asked is None else max(2, (asked + 1) // 2 * 2)


@dataclass(frozen=True)
class Wish:
    asked: int | None
    count: int


Listed = tuple[Wish, ...]

things = st.builds(
    Thing,
    value=st.integers(0, 6),
    shared=st.booleans(),
    even=st.booleans(),
    nic=st.sampled_from([None, "x", "y"]),
    used=st.integers(0, 4),
    taken=st.sampled_from([False, False, True]),
)
wishes = st.builds(Wish, asked=st.none() | st.integers(0, 5), count=st.integers(1, 2))
lists = st.lists(wishes, min_size=1, max_size=2).map(tuple)
scopes = st.lists(st.tuples(st.sampled_from(["match", "distinct"]), st.sets(st.integers(0, 2))), max_size=2)


def _devices(found: list[Thing]) -> tuple[list[Device], list[ResourceClaim]]:
    devices, before = [], []
    for place, thing in enumerate(found):
        name = f"d{place}"
        rules = {"bw": policy("2", "2", step="2")} if thing.even and thing.shared else None
        attributes = {} if thing.nic is None else {"nic": thing.nic}
        devices.append(
            device(name, shared=thing.shared, attributes=attributes, policies=rules, bw=str(thing.value))
        )
        if thing.taken:
            before.append(allocated_claim(name))
        elif thing.shared and thing.used:
            before.append(allocated_claim(name, {"bw": str(thing.used)}, share=f"s{place}"))
    return devices, before


def _request(place: int, listed: Listed) -> DeviceRequest:
    def amounts(wish: Wish) -> dict[str, str] | None:
        return None if wish.asked is None else {"bw": str(wish.asked)}

    if len(listed) == 1:
        return request(f"r{place}", amounts(listed[0]), count=listed[0].count)
    subs: list[DeviceSubRequest] = [
        sub(f"s{n}", amounts(wish), count=wish.count) for n, wish in enumerate(listed)
    ]
    return first_of(f"r{place}", *subs)


def _first_valid(
    found: list[Thing], asked: list[Listed], scoped: list[tuple[str, set[int]]]
) -> list[tuple[int, int, int]] | None:
    """Return the first valid choice as (request, subrequest, device) tuples, in lexicographic order."""
    per_request = [
        [
            [(place, alternative, index) for index in chosen]
            for alternative, wish in enumerate(listed)
            for chosen in itertools.combinations(range(len(found)), wish.count)
        ]
        for place, listed in enumerate(asked)
    ]
    for parts in itertools.product(*per_request):
        choice = [item for part in parts for item in part]
        if _valid(found, asked, scoped, choice):
            return choice
    return None


def _valid(
    found: list[Thing],
    asked: list[Listed],
    scoped: list[tuple[str, set[int]]],
    choice: list[tuple[int, int, int]],
) -> bool:
    for index, thing in enumerate(found):
        wanted = [asked[place][alternative].asked for place, alternative, chosen in choice if chosen == index]
        if not wanted:
            continue
        if thing.taken or (not thing.shared and len(wanted) > 1):
            return False
        if not thing.shared:
            if (wanted[0] or 0) > thing.value:
                return False
        elif thing.used + sum(thing.consumes(item) for item in wanted) > thing.value:
            return False
    for kind, requests in scoped:
        values = [found[index].nic for place, _, index in choice if not requests or place in requests]
        if None in values:
            return False
        if len(set(values)) > 1 if kind == "match" else len(set(values)) < len(values):
            return False
    return True


@examples(600)
@for_all(st.lists(things, min_size=1, max_size=4), st.lists(lists, min_size=1, max_size=3), scopes)
def test_the_search_finds_the_first_valid_choice(
    found: list[Thing], asked: list[Listed], scoped: list[tuple[str, set[int]]]
) -> None:
    devices, before = _devices(found)
    constraints: list[DeviceConstraint] = [
        (match if kind == "match" else distinct)(
            f"{DRIVER}/nic", *(f"r{place}" for place in sorted(requests))
        )
        for kind, requests in scoped
    ]
    requests = [_request(place, listed) for place, listed in enumerate(asked)]
    decision = allocator(slice_of(*devices)).allocate(
        NODE, [claim("c", *requests, constraints=constraints)], before
    )
    expected = _first_valid(found, asked, scoped)
    if expected is None:
        assert not isinstance(decision, Allocated)
        return
    assert isinstance(decision, Allocated)
    names = [
        (f"r{place}" if len(asked[place]) == 1 else f"r{place}/s{alternative}", f"d{index}")
        for place, alternative, index in expected
    ]
    got = decision.allocations[0].devices.results
    assert [(result.request, result.device) for result in got] == names
    for result, (place, alternative, index) in zip(got, expected, strict=True):
        thing = found[index]
        consumed = {name: amount.value() for name, amount in (result.consumed_capacity or {}).items()}
        assert consumed == ({"bw": thing.consumes(asked[place][alternative].asked)} if thing.shared else {})
