"""The exit codes of `run` and `compare` in every situation that a CI job meets."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call
from tests.support.conformance.suite.writing import GOLDEN, suite

ONE = "kep-5075/trial/one"
RUN = ("run", "--suite", "suite")
IN_PROCESS = "--in-process"
ADVERSARY = Path(__file__).parents[1] / "support" / "adapters" / "adversaries" / "adversary.py"
NEVER, UNSUPPORTED = (("-i", f"python:trial_implementations:{name}") for name in ("never", "unsupported"))
LEDGER = f"""\
format: dra-conform-ledger/v1
breadth:
- {{implementation: 'trial_implementations:never', profile: kep, level: all, share: 100 %}}
known:
- reason: it never allocates
  cases: {{{ONE}: {{verdict: 'fail: wrong-outcome', findings: ['expectation: expected allocated, got unallocatable']}}}}
"""
NEVER_AT_ALL = ("-i", "python:declines:wrong")
SHAREABLE = ("--select", f"id:{ONE}")
"""The case of the suite that uses the feature consumable-capacity."""


def adversary(behaviour: str) -> str:
    """Return the spec of an adapter that misbehaves."""
    return f"exec:{sys.executable} -S -E {ADVERSARY} {behaviour}"


@dataclass(frozen=True)
class Situation:
    """The arguments of a run, its exit code, and what it prints. `process`: the implementation has its own."""

    arguments: tuple[str, ...]
    code: int
    printed: str
    process: bool = False


SITUATIONS = {
    "all pass": Situation((), exits.OK, "all 2 cases pass"),
    "one fails": Situation(NEVER, exits.FAILURES, "1 of 2 cases failed"),
    "nothing judged": Situation((*UNSUPPORTED, *SHAREABLE), exits.INCOMPLETE, "no case was judged"),
    "a case without features is declined": Situation(UNSUPPORTED, exits.FAILURES, "overclaim"),
    "select matches nothing": Situation(
        ("--select", "id:no-such"), exits.USAGE, "which no case of the suite matches"
    ),
    "two selects match either": Situation(
        ("--select", "kind:scenario", "--select", "kind:golden"), exits.OK, "all 2 cases pass"
    ),
    "enough breadth": Situation(("--min-breadth", "100%"), exits.OK, "all 2 cases pass"),
    "too little breadth": Situation(
        ("-i", "python:declines:Declines", "--min-breadth", "80%"),
        exits.FAILURES,
        "breadth is 50 % (1 of 2 cases), expected at least 80 %",
    ),
    "little breadth is enough": Situation(
        ("-i", "python:declines:Declines", "--min-breadth", "50"), exits.OK, "no case failed"
    ),
    "a required feature is judged": Situation(("--require", "consumable-capacity"), exits.OK, "all 2"),
    "a required feature is declined": Situation(
        ("-i", "python:declines:Declines", "--require", "consumable-capacity"),
        exits.FAILURES,
        "consumable-capacity is declared as not supported, but required",
    ),
    "a required feature is not judged": Situation(
        ("--require", "device-taints"), exits.FAILURES, "no case of the required feature device-taints was"
    ),
    "an unknown feature is required": Situation(
        ("--require", "device-taint"), exits.USAGE, "did you mean device-taints?"
    ),
    "a share that is no percentage": Situation(
        ("--min-breadth", "0.8"), exits.USAGE, "'0.8' is less than 1 %, expected a percentage such as 80%"
    ),
    "less than one percent": Situation(("--min-breadth", "0.8%"), exits.OK, "all 2 cases pass"),
    "a percentage that is none": Situation(("--min-breadth", "101%"), exits.USAGE, "is not a percentage"),
    "known failures": Situation((*NEVER, "--expect", "known.yaml"), exits.OK, "as in the ledger"),
    "a failure that is not known": Situation(
        (*NEVER, "--expect", "empty.yaml"), exits.FAILURES, "an entry in the ledger"
    ),
    "breadth of the ledger is lost": Situation(
        ("-i", "python:declines:Never", "--expect", "known.yaml"),
        exits.FAILURES,
        "known.yaml:3: breadth: trial_implementations:never 0, profile kep: is 50 % (1 of 2 cases), "
        "expected at least 100 %",
    ),
    "a part of the cases keeps the breadth of the ledger": Situation(
        ("-i", "python:declines:Never", "--expect", "known.yaml", "--select", "not kind:golden"),
        exits.OK,
        "as in the ledger",
    ),
    "a shard": Situation(("--shard", "2/2"), exits.OK, "the case passes"),
    "a shard without cases": Situation(("--shard", "3/3"), exits.USAGE, "3/3: has no case"),
    "stopped early": Situation((*NEVER, "-x"), exits.FAILURES, "1 of 2 cases failed"),
    "core has no case": Situation(("--level", "core"), exits.OK, "level core, 1 case"),
    "cannot be started": Situation(
        ("-i", "python:trial_implementations:Explodes"), exits.NOT_RUNNABLE, "no license"
    ),
    "one of two fails": Situation(("-i", "builtin", *NEVER), exits.FAILURES, "1 of 2 cases failed"),
    "one of two cannot be started": Situation(
        (*NEVER, "-i", "python:trial_implementations:Explodes"), exits.NOT_RUNNABLE, "no license"
    ),
    "no such adapter": Situation(
        ("-i", "exec:./no-such-adapter"), exits.NOT_RUNNABLE, "./no-such-adapter", process=True
    ),
    "no such module": Situation(("-i", "python:no_such:x"), exits.NOT_RUNNABLE, "no module named 'no_such'"),
    "an unknown kind of implementation": Situation(
        ("-i", "grpc:localhost"), exits.USAGE, "--implementation: 'grpc:localhost' "
    ),
    "the adapter crashes in a case": Situation(
        ("-i", adversary("dies")), exits.FAILURES, "1 of 2 cases failed", process=True
    ),
    "the adapter crashes at its start": Situation(
        ("-i", adversary("dies-at-start")), exits.NOT_RUNNABLE, "no configuration found", process=True
    ),
    "a case exceeds its deadline": Situation(
        ("-i", "python:declines:sleeps", "--deadline", "0.5", *SHAREABLE),
        exits.FAILURES,
        "no answer within 500 ms",
        process=True,
    ),
    "all cases exceed their deadline": Situation(
        ("-i", "python:declines:sleeps", "--deadline", "0.5"), exits.NOT_RUNNABLE, "same reason", process=True
    ),
    "the memory limit is exceeded": Situation(
        ("-i", "python:declines:grows", "--memory", "1Gi", *SHAREABLE), exits.FAILURES, "crash", process=True
    ),
    "interrupted": Situation(
        ("-i", "python:trial_implementations:interrupted"), exits.INTERRUPTED, "the run was interrupted"
    ),
    "stopped with cases left": Situation((*NEVER_AT_ALL, "-x"), exits.INCOMPLETE, "stopped after 1 failure"),
    "stopped with cases left and a least breadth": Situation(
        (*NEVER_AT_ALL, "-x", "--min-breadth", "100%"),
        exits.INCOMPLETE,
        "1 of 1 applicable cases that were run were judged; 1 was not run",
    ),
    "a case of the ledger passes": Situation(("--expect", "known.yaml"), exits.FAILURES, "is now pass"),
    "no such ledger": Situation(("--expect", "none.yaml"), exits.USAGE, "none.yaml: does not exist"),
    "no such suite": Situation(("--suite", "nowhere"), exits.USAGE, "nowhere"),
    "a broken suite": Situation(("--suite", "broken"), exits.SUITE_BROKEN, "the suite is broken"),
    "no such results to resume": Situation(("--resume", "none"), exits.USAGE, "none: "),
    "a report that cannot be written": Situation(
        ("--json", "nowhere/r.json"), exits.USAGE, "nowhere/r.json: "
    ),
}

DECLINES = """\
import os
import time

from dra_conform.adapters.builtin import Builtin


class Declines(Builtin):
    features = {"consumable-capacity": "none"}


class Never:
    name, version = "trial_implementations:never", "0"
    features = {"consumable-capacity": "none"}

    def allocate(self, objects, ask, profile):
        return {"outcome": "unallocatable"}


def sleeps(objects, ask, profile):
    time.sleep(60)


def grows(objects, ask, profile):
    try:
        return bytearray(2**30)
    except MemoryError:
        os._exit(1)


def wrong(objects, ask, profile):
    return {"outcome": "wrong"}
"""


@pytest.fixture
def prepared(folder: Path) -> Path:
    (folder / "declines.py").write_text(DECLINES, encoding="utf-8")
    (folder / "known.yaml").write_text(LEDGER, encoding="utf-8")
    (folder / "empty.yaml").write_text("format: dra-conform-ledger/v1\n", encoding="utf-8")
    broken = suite(folder / "broken") / "golden" / "kep-5075" / "trial.yaml"
    broken.write_text(GOLDEN.replace("consumes:", "consume:"), encoding="utf-8")
    return folder


WAITING = ("all cases exceed their deadline", "the memory limit is exceeded")
"""Situations that end at a time limit, or after much memory was filled."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in WAITING else ()) for name in SITUATIONS]
)
def test_the_exit_code_of_a_run(call: Call, prepared: Path, name: str) -> None:
    situation = SITUATIONS[name]
    completed = call(*RUN, *([] if situation.process else [IN_PROCESS]), *situation.arguments)
    assert (completed.code, situation.printed in completed.out + completed.err) == (situation.code, True), (
        completed.out + completed.err
    )


def test_a_resumed_run_has_the_exit_code_of_all_its_results(call: Call, prepared: Path) -> None:
    assert call(*RUN, IN_PROCESS, *NEVER, "--shard", "2/2", "--events", "a.ndjson").code == exits.FAILURES
    assert call(*RUN, IN_PROCESS, *NEVER, "--resume", "a.ndjson").code == exits.FAILURES
    assert call(*RUN, IN_PROCESS, *NEVER, "--resume", "a.ndjson", "--shard", "1/2").code == exits.OK


def test_a_case_that_passed_and_is_now_declined_is_lost(call: Call, prepared: Path) -> None:
    call(*RUN, IN_PROCESS, "--json", "old.json")
    call(*RUN, IN_PROCESS, "-i", "python:declines:Declines", "--json", "new.json")
    completed = call("compare", "old.json", "new.json")
    assert completed.code == exits.FAILURES
    assert f"  lost:\n    {ONE}  (pass -> unsupported)\n" in completed.out
    assert "  lost: 1 of 2 passing cases (50 %) are now unsupported\n" in completed.out
    assert json.loads((prepared / "new.json").read_text("utf-8"))["level"] == "all"
