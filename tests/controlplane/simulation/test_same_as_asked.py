"""The scheduler that remembers decides as one that puts all objects to the allocator each time."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dra_conform.controlplane.allocating import allocate
from dra_conform.controlplane.parts import Parts
from tests.controlplane.simulation.test_random_stories import actions
from tests.support.controlplane.simulation.stories import (
    CLASS,
    claim,
    node,
    pod,
    shared,
    slice_on,
    template,
    told,
)

Json = Any


def asked(*question: Any) -> Any:
    """The built-in allocator as if it were somebody else's."""
    return allocate(*question)


def without_shares(value: Json) -> Json:
    """Observations without what is drawn by chance for each allocation."""
    if isinstance(value, dict):
        return {name: without_shares(one) for name, one in value.items() if name != "shareID"}
    return [without_shares(one) for one in value] if isinstance(value, list) else value


def world(chance: random.Random) -> list[Json]:
    """Three nodes with some CPU and devices, shared or not, of which some are tainted."""
    nodes = []
    for name in "abc":
        offered = {"status": {"allocatable": {"cpu": str(chance.randint(1, 4))}}}
        nodes.append({**node(name), **(offered if chance.random() < 0.7 else {})})
    slices = []
    for name in "abc":
        devices = [
            shared(f"{name}{place}", "6G") if chance.random() < 0.5 else {"name": f"{name}{place}"}
            for place in range(chance.randint(1, 3))
        ]
        slices.append(slice_on(name, *devices))
    whole = claim("c", allocationMode=chance.choice(["All", "ExactCount"]))
    return [*nodes, CLASS, *slices, template("t", "3G"), template("u"), whole, claim("five", "5G")]


def busy(number: int, chance: random.Random) -> Json:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": chance.choice(["500m", "1"])}}}
    templates = chance.choice([["t"], ["u"], ["t", "u"], []])
    return pod(f"busy{number}", templates=templates, containers=[container])


@pytest.mark.parametrize("seed", range(40))
def test_the_same_comes_of_a_story(seed: int) -> None:
    chance = random.Random(seed)
    given = [*world(chance), *(busy(number, chance) for number in range(chance.randint(2, 9)))]
    story = list(actions(chance))
    profile = chance.choice(["kep", "kubernetes-1.35", "kubernetes-1.36", "kubernetes-1.37"])
    remembering = told(given, *story, profile=profile)
    asking = told(given, *story, profile=profile, parts=Parts(allocator=asked))
    assert without_shares(remembering) == without_shares(asking)
