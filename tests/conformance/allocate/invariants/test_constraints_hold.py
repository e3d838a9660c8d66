"""Constraints on list attributes: a common value for matchAttribute, none for distinctAttribute."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from tests.support.conformance.allocate.judging import allocated, dedicated
from tests.support.conformance.allocate.trials import Trial, check, right, wrong

HOLD = "constraints-hold"
OFF = {"DRAListTypeAttributes": False}
OLD, NEW = "kubernetes-1.36", "kubernetes-1.37"

DEVICES = """
- deviceClass: {name: every}
- devices:
    - {device: one, attributes: {numa: {int: 1}}}
    - {device: two, attributes: {numa: {int: 2}}}
    - {device: one-two, attributes: {numa: {ints: [1, 2]}}}
    - {device: two-three, attributes: {numa: {ints: [2, 3]}}}
    - {device: one-three, attributes: {numa: {ints: [3, 1]}}}
    - {device: four, attributes: {dra.example.com/numa: {ints: [4, 4]}}}
    - {device: words, attributes: {numa: {strings: ["1", "2"]}}}
    - {device: flag, attributes: {numa: {bools: [true]}}}
    - {device: versions, attributes: {numa: {versions: [1.0.0, 2.0.0]}}}
    - {device: version, attributes: {numa: {version: 2.0.0}}}
    - {device: empty, attributes: {numa: {ints: []}}}
    - {device: none}
- resourceClaim: {name: c, requests: [%s]}
- constraint: {resourceClaim: c, %s: dra.example.com/numa}
"""


def world(kind: str, count: int) -> str:
    requests = ", ".join(f"{{request: r{place}, deviceClassName: every}}" for place in range(count))
    return DEVICES % (requests, kind)


def of(*names: str) -> AllocationAnswer:
    return allocated(*(dedicated(name, request=f"r{place}") for place, name in enumerate(names)))


def match(*names: str, profile: str = "kep", off: bool = False) -> Trial:
    return right(world("matchAttribute", len(names)), of(*names), profile, gates=OFF if off else None)


def no_match(*names: str, says: str = "", profile: str = "kep", off: bool = False) -> Trial:
    return wrong(
        world("matchAttribute", len(names)), of(*names), HOLD, says, profile, gates=OFF if off else None
    )


def distinct(*names: str, profile: str = "kep", off: bool = False) -> Trial:
    return right(world("distinctAttribute", len(names)), of(*names), profile, gates=OFF if off else None)


def not_distinct(*names: str, says: str = "", profile: str = "kep", off: bool = False) -> Trial:
    return wrong(
        world("distinctAttribute", len(names)), of(*names), HOLD, says, profile, gates=OFF if off else None
    )


TRIALS: dict[str, Trial] = {
    "a common value": match("one-two", "two-three"),
    "a value of a list": match("one", "one-two"),
    "not a value of a list": no_match(
        "one", "two-three", says="numa of device two-three is 2 and 3, expected 1 as in"
    ),
    "pairs are not enough": no_match(
        "one-two", "two-three", "one-three", says="is 1 and 3, expected 2 as in"
    ),
    "narrowed": match("one-two", "two-three", "two"),
    "narrowed and lost": no_match("one-two", "two-three", "one"),
    "a value twice": match("four"),
    "kinds differ": no_match("one-two", "words"),
    "true is not one": no_match("one", "flag"),
    "a version": match("versions", "version"),
    "no value": no_match(
        "empty", says="numa of device empty has no value, expected a value that other devices have too"
    ),
    "no attribute": no_match("none", says="lacks"),
    "all different": distinct("one-two", "four", "words"),
    "one in common": not_distinct(
        "one-two",
        "two-three",
        says="numa of device two-three is 2, expected a value that no other device has",
    ),
    "plain and list": not_distinct(
        "one", "one-three", says="is 1, expected a value that no other device has"
    ),
    "plain and list, different": distinct("two", "one-three"),
    "kinds are different": distinct("one-two", "words", "flag"),
    "any of the others": not_distinct("one", "four", "one-two"),
    "no value to tell": not_distinct("empty", says="no value, expected a value that no other device has"),
    "no value to tell, releases": distinct("empty", "one", profile=OLD),
    "no value to tell, later": distinct("one", "empty", profile=OLD),
    "1.37 looks": not_distinct("empty", profile=NEW),
    "two lists, off": no_match(
        "one-two", "one-three", off=True, says="no value, expected a value that other devices have too"
    ),
    "a list first, off": no_match("one-two", "one", off=True),
    "no list, off": match("one", off=True),
    "a lone list, off": match("one-two", off=True),
    "a lone list in releases, off": match("one-two", profile=NEW, off=True),
    "two lists in releases, off": no_match("one-two", "one-three", profile=NEW, off=True),
    "two lists, distinct, off": not_distinct("one-two", "four", off=True),
    "the first may be a list in releases, off": distinct("one-two", "one", profile=NEW, off=True),
    "the second may not": not_distinct(
        "one", "one-two", profile=NEW, off=True, says="no value, expected a value that no other device has"
    ),
}


SCOPES = """
- devices:
    - {device: one, attributes: {numa: {int: 1}}}
    - {device: two, attributes: {numa: {int: 2}}}
    - {device: three, attributes: {numa: {int: 3}}}
    - {device: far, driver: b.example, attributes: {numa: {int: 1}}}
    - {device: far-full, driver: b.example, attributes: {dra.example.com/numa: {int: 1}}}
- resourceClaim: {name: c, requests: [{request: r0}, {request: r1, firstAvailable: [{subrequest: a}, {subrequest: b}]}]}
- resourceClaim: {name: b}
- constraint: {resourceClaim: c, matchAttribute: dra.example.com/numa%s}
"""
NOTHING = """
- devices: [{device: d}]
- deviceClass: {name: any}
- objects:
    - apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c}
      spec:
        devices:
          requests: [{name: r0, exactly: {deviceClassName: any}}]
          constraints: [{requests: [r0]}]
"""


def second(name: str, subrequest: str = "a", driver: str = "dra.example.com") -> AllocationAnswer:
    """Device `one` for r0, and another device for a subrequest of r1."""
    other = dedicated(name, request=f"r1/{subrequest}", driver=driver)
    return allocated(dedicated("one"), other)


TRIALS |= {
    "of another claim": right(
        SCOPES % "",
        allocated(
            dedicated("one"),
            dedicated("far-full", driver="b.example", request="r1/a"),
            b=[dedicated("two")],
        ),
        claims=("c", "b"),
    ),
    "an alternative": wrong(SCOPES % "", second("two"), HOLD, "request r1/a"),
    "an alternative by its request": wrong(SCOPES % ", requests: [r0, r1]", second("two"), HOLD),
    "an alternative by its name": wrong(SCOPES % ", requests: [r0, r1/a]", second("two"), HOLD),
    "another alternative": right(SCOPES % ", requests: [r0, r1/a]", second("two", "b")),
    "a name of another driver": wrong(SCOPES % "", second("far", driver="b.example"), HOLD, "lacks"),
    "a full name of another driver": right(SCOPES % "", second("far-full", driver="b.example")),
    "distinct without consumable capacity": right(
        world("distinctAttribute", 2), of("one", "one-two"), gates={"DRAConsumableCapacity": False}
    ),
    "a constraint of nothing": right(NOTHING, allocated(dedicated("d"))),
}


@pytest.mark.parametrize("name", TRIALS)
def test_list_attributes(name: str) -> None:
    check(TRIALS[name])
