"""Benchmark of the runner: judged allocate cases per second, in process and through a child process."""

from __future__ import annotations

import sys
from dataclasses import replace
from time import perf_counter

from row import Row

from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import load_suite

ROUNDS = 2


def bench() -> list[Row]:
    """Run the suite's allocate cases ROUNDS times, in process and through a child process."""
    suite = load_suite()
    once = [case for case in applicable(suite.cases, "kep") if case.operation == "allocate"]
    cases = [replace(case, id=f"{case.id}~{turn}") for turn in range(ROUNDS) for case in once]
    child = f"exec:{sys.executable} -m dra_conform.adapters.serve builtin"
    rows = []
    for name, spec, target in (("in process", "builtin", 2000), ("through exec", child, 1000)):
        begin = perf_counter()
        events = run(open_implementation(spec), suite.as_suite(), cases, settings=Settings())
        results = [event.result for event in events if isinstance(event, CaseFinished)]
        seconds = perf_counter() - begin
        assert len(results) == len(cases)
        rows.append(
            Row(f"runner, built-in {name}, {len(cases)} cases", len(cases) / seconds, "cases/s", target)
        )
    begin = perf_counter()
    load_suite()
    rows.append(
        Row(
            f"loading the suite, {len(suite.cases)} cases",
            (perf_counter() - begin) * 1000,
            "ms",
            1500,
            at_most=True,
        )
    )
    return rows
