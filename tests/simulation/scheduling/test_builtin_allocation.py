"""The built-in allocation with its caches gives the same results as an allocator without state."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dra_conform.kube.json_values import Json
from dra_conform.simulation.parts import Parts, allocate
from tests.simulation.test_random_scenarios import actions
from tests.support.rows import mostly_slow
from tests.support.simulation.scenarios import (
    CLASS,
    claim,
    node,
    observations_of,
    pod,
    shared,
    slice_on,
    template,
)


def requested(*question: Any) -> Any:
    """Call the built-in allocator as if it were another implementation."""
    return allocate(*question)


def without_shares(value: Json) -> Json:
    """Return observations without share IDs, which are random."""
    if isinstance(value, dict):
        return {name: without_shares(one) for name, one in value.items() if name != "shareID"}
    return [without_shares(one) for one in value] if isinstance(value, list) else value


def world(rng: random.Random) -> list[Json]:
    """Return three nodes with CPU and with devices, of which some are shared or tainted."""
    nodes = []
    for name in "abc":
        offered = {"status": {"allocatable": {"cpu": str(rng.randint(1, 4))}}}
        nodes.append({**node(name), **(offered if rng.random() < 0.7 else {})})
    slices = []
    for name in "abc":
        devices = [
            shared(f"{name}{place}", "6G") if rng.random() < 0.5 else {"name": f"{name}{place}"}
            for place in range(rng.randint(1, 3))
        ]
        slices.append(slice_on(name, *devices))
    whole = claim("c", allocationMode=rng.choice(["All", "ExactCount"]))
    return [*nodes, CLASS, *slices, template("t", "3G"), template("u"), whole, claim("five", "5G")]


def busy(number: int, rng: random.Random) -> Json:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": rng.choice(["500m", "1"])}}}
    templates = rng.choice([["t"], ["u"], ["t", "u"], []])
    return pod(f"busy{number}", templates=templates, containers=[container])


@pytest.mark.parametrize("seed", mostly_slow(range(40), 10))
def test_both_allocations_give_equal_observations(seed: int) -> None:
    rng = random.Random(seed)
    setup = [*world(rng), *(busy(number, rng) for number in range(rng.randint(2, 9)))]
    scenario = list(actions(rng))
    profile = rng.choice(["kep", "kubernetes-1.35", "kubernetes-1.36", "kubernetes-1.37"])
    remembering = observations_of(setup, *scenario, profile=profile)
    asking = observations_of(setup, *scenario, profile=profile, parts=Parts(allocator=requested))
    assert without_shares(remembering) == without_shares(asking)
