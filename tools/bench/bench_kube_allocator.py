"""Benchmark of the built-in and of kube-scheduler's allocator: answers per second in random scenarios."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from time import perf_counter

from row import Row

from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.implementation import Request, Suite
from dra_conform.conformance.runner import Settings
from dra_conform.fuzz.generation.strategies import stream

COUNT = 2000
PROFILE = "kubernetes-1.36"
FEATURES = frozenset(
    {"consumable-capacity", "distinct-attribute", "match-attribute", "cel-selectors", "prioritized-list"}
)
BUILDS = Path(__file__).parents[1] / "kube-allocator" / "bin"


def bench() -> list[Row]:
    """Measure both allocators, or only the built-in if no build of kube-scheduler's allocator exists."""
    cases = [
        scenario.case(f"fuzz/{number}") for number, scenario in enumerate(islice(stream(1, FEATURES), COUNT))
    ]
    settings = Settings(profile=PROFILE)
    requests = [
        Request(
            id=number,
            case_id=case.id,
            operation=case.operation,
            profile=profile_of(case, PROFILE)[0],
            objects=case.objects,
            ask=case.ask,
            seed=settings.seed,
        )
        for number, case in enumerate(cases)
    ]
    specs = {
        "built-in in process": "builtin",
        "built-in through exec": f"exec:{sys.executable} -m dra_conform.adapters.serve builtin",
    }
    for build in sorted(BUILDS.glob("kube-allocator-v0.36.*")):
        specs[f"{build.name} through exec"] = f"exec:{build}"
    return [
        Row(f"random scenarios, {name}", _rate(spec, requests), "answers/s", 0)
        for name, spec in specs.items()
    ]


def _rate(spec: str, requests: list[Request]) -> float:
    implementation = open_implementation(spec)
    implementation.start(Suite("bench", "0", ""))
    begin = perf_counter()
    answered = sum(1 for _ in implementation.run(requests))
    seconds = perf_counter() - begin
    implementation.close()
    assert answered == len(requests)
    return answered / seconds
