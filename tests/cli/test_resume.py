"""`dra-conform run`: interrupted runs, `--resume` and `--shard`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.adapters.misbehaviours.whole_runs import left, marked
from tests.support.cli.calling import Call
from tests.support.conformance.suite.writing import suite
from tests.support.reports.json_reports import without_times
from tests.support.rows import mostly_slow

ADVERSARY = Path(__file__).parents[1] / "support" / "adapters" / "adversaries" / "adversary.py"
TRIAL = ("run", "--suite", "many")
GOLDEN = """\
document: KEP-5075
area: rounding
title: A trial
cases:
  - case: amount
    title: A request for <amount> consumes it
    requirements: [KEP-5075/rounding/step-up]
    given:
      - devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 100}}]
      - resourceClaim: {name: c, capacity: {bw: <amount>}}
    when: {allocate: {resourceClaims: [c]}}
    then: [{consumes: {resourceClaim: c, capacity: {bw: <amount>}}}]
    table: {columns: [amount], rows: [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12]]}
"""


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Set an environment variable that marks all processes of a test, and check that none is left at its end."""
    name = f"ended-{os.getpid()}-{time.monotonic_ns()}"
    monkeypatch.setenv("DRA_ADAPTER_MARK", name)
    yield name
    assert left(name) == []


@pytest.fixture
def hangup_heard() -> Iterator[None]:
    """Let runs react to SIGHUP, even if the tests run under nohup, which ignores it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangup_heard")
@pytest.mark.parametrize(
    "behaviour", mostly_slow(["hangs-with-sleeper", "sleeper-at-start", "stubborn", "stops-itself"])
)
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
    ],
)
def test_an_ended_run_leaves_no_process(
    number: signal.Signals, behaviour: str, folder: Path, mark: str
) -> None:
    spec = f"exec:{sys.executable} -S -E {ADVERSARY} {behaviour} 2"
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    golden.write_text(re.sub(r"\bc\b", "bad", golden.read_text("utf-8")), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "dra_conform",
        "run",
        "--suite",
        "suite",
        "-i",
        spec,
        "--deadline",
        "600",
    ]
    stderr = folder / "stderr"
    with stderr.open("wb") as errors:
        running = subprocess.Popen(
            [*command, "--json", "r.json", "--events", "e"], stdout=subprocess.DEVNULL, stderr=errors
        )
    while not _begun(folder / "e", mark, at_start=behaviour == "sleeper-at-start"):
        assert running.poll() is None
        time.sleep(0.05)
    time.sleep(0.3)
    running.send_signal(number)
    code = running.wait()
    if number == signal.SIGKILL:
        assert code == -number
        return
    assert code == 128 + number
    assert stderr.read_text("utf-8").splitlines()[-1] == f"dra-conform: terminated by {number.name}"
    if behaviour != "sleeper-at-start":
        report = json.loads((folder / "r.json").read_text("utf-8"))
        assert (report["complete"], report["aborted"]) == (False, "the run was interrupted")
        events = [json.loads(line) for line in (folder / "e").read_text("utf-8").splitlines()]
        assert [event["event"] for event in events[-2:]] == ["run-finished", "end"]
        assert events[-2]["aborted"] == "the run was interrupted"


def _begun(events: Path, mark: str, *, at_start: bool) -> bool:
    """Whether the run waits for its first case or for a hello; then its processes exist."""
    return len(marked(mark)) > 2 if at_start else events.exists() and events.stat().st_size > 0


@pytest.fixture
def whole(call: Call, folder: Path) -> Path:
    """Return the events of a complete run of the suite `many`, and write its report to `whole.json`."""
    suite(folder / "many", golden_text=GOLDEN)
    assert call(*TRIAL, "--events", "whole", "--json", "whole.json").code == exits.OK
    return folder / "whole"


@pytest.mark.parametrize("share", mostly_slow([60, 30, 99, 100], 1))
def test_a_resumed_run_continues_after_its_events(call: Call, folder: Path, whole: Path, share: int) -> None:
    written = whole.read_bytes()
    (folder / "cut").write_bytes(written[: len(written) * share // 100])
    completed = call(*TRIAL, "--resume", "cut", "--json", "r.json", "--events", "again")
    assert completed.code == exits.OK
    assert without_times(folder / "r.json") == without_times(folder / "whole.json")
    assert len((folder / "again").read_bytes().splitlines()) == len(written.splitlines())


@pytest.mark.slow
def test_resumed_failures_are_reported_as_before(call: Call, folder: Path, whole: Path) -> None:
    never = (*TRIAL, "-i", "python:trial_implementations:never")
    assert (
        call(*never, "--events", "e", "--json", "first.json", "--html", "first.html").code == exits.FAILURES
    )
    completed = call(*never, "--resume", "e", "--json", "second.json", "--html", "second.html")
    assert completed.code == exits.FAILURES
    assert without_times(folder / "second.json") == without_times(folder / "first.json")
    first, second = ((folder / name).read_text("utf-8") for name in ("first.html", "second.html"))
    assert len(first) == len(second)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("caseStep", -(2**63), "findings[0].caseStep"),
        ("step", -(2**63), "findings[0].step"),
        ("part", "zzz", "the part is 'zzz', expected one of "),
    ],
)
def test_an_invalid_field_of_a_finding_is_rejected(
    call: Call, folder: Path, whole: Path, place: str, value: object, problem: str
) -> None:
    never = (*TRIAL, "-i", "python:trial_implementations:never")
    assert call(*never, "--events", "e").code == exits.FAILURES
    lines = [json.loads(line) for line in (folder / "e").read_text("utf-8").splitlines()]
    failed = next(line for line in lines if line.get("findings"))
    failed["findings"][0][place] = value
    (folder / "e").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    completed = call(*never, "--resume", "e")
    assert completed.code == exits.USAGE
    assert problem in completed.err


@pytest.mark.parametrize("seconds", [-1, 1e308])
def test_impossible_seconds_are_rejected(call: Call, folder: Path, whole: Path, seconds: float) -> None:
    lines = [json.loads(line) for line in whole.read_text("utf-8").splitlines()]
    next(line for line in lines if line["event"] == "case-finished")["seconds"] = seconds
    (folder / "e").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    completed = call(*TRIAL, "--resume", "e")
    assert completed.code == exits.USAGE
    assert "$.seconds" in completed.err


def test_shards_are_put_together(call: Call, folder: Path, whole: Path) -> None:
    for part in (1, 2, 3):
        assert call(*TRIAL, "--shard", f"{part}/3", "--events", f"e{part}").code == exits.OK
    shards = [option for part in (3, 1, 2) for option in ("--resume", f"e{part}")]
    completed = call(*TRIAL, *shards, "--json", "r.json")
    assert completed.code == exits.OK
    assert without_times(folder / "r.json") == without_times(folder / "whole.json")


@pytest.mark.slow
def test_complete_events_are_not_the_results_of_another_implementation(
    call: Call, folder: Path, whole: Path
) -> None:
    absent = call(*TRIAL, "--resume", "whole", "-i", "exec:./is-not-here", "--json", "r.json")
    assert absent.code == exits.NOT_RUNNABLE
    wrong = call(*TRIAL, "--resume", "whole", "-i", "python:trial_implementations:never", "--json", "r.json")
    assert wrong.code == exits.USAGE
    assert "--resume: is a run of dra-conform built-in" in wrong.err


def test_a_name_alone_does_not_make_the_same_implementation(call: Call, folder: Path, whole: Path) -> None:
    first = json.loads(whole.read_text("utf-8").splitlines()[0])
    first["implementation"]["spec"] = "exec:./other"
    lines = [json.dumps(first), *whole.read_text("utf-8").splitlines()[1:]]
    (folder / "other").write_text("\n".join(lines) + "\n")
    completed = call(*TRIAL, "--resume", "other")
    assert completed.code == exits.USAGE
    assert "is a run of 'exec:./other', expected a run of 'builtin'" in completed.err


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("spec", "exec:./other", "spec: is exec:./other, expected builtin as in this run"),
        ("operations", ["admit"], "operations: is admit, expected admit, allocate, "),
        ("features", {"admin-access": "none"}, "features: is admin-access: none, expected "),
        ("components", {"scheduler": "./mine"}, "components: is scheduler: ./mine, expected empty as in"),
    ],
)
def test_shards_of_different_implementations_are_not_merged(
    call: Call, folder: Path, whole: Path, field: str, value: object, message: str
) -> None:
    first, *others = whole.read_text("utf-8").splitlines()
    begun = json.loads(first)
    begun["implementation"][field] = value
    (folder / "other").write_text("\n".join([json.dumps(begun), *others]) + "\n", "utf-8")
    completed = call(*TRIAL, "--resume", "whole", "--resume", "other")
    assert completed.code == exits.USAGE
    assert f"other:1: implementation.{message}" in completed.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--resume", "nowhere"],
            "nowhere: cannot be read: No such file or directory, expected a file that --ev",
        ),
        (["--resume", "suite"], "suite: cannot be read: Is a directory"),
        (
            ["--resume", "trial_implementations.py"],
            "trial_implementations.py:1: is not an event (JSON is malformed",
        ),
        (
            ["--resume", "whole", "--profile", "kubernetes-1.36"],
            "whole:1: profile: is kep, expected kubernetes-",
        ),
        (["--resume", "whole", "--suite", "suite"], "whole:1: suite: is 0.1.0 sha256:"),
        (["--resume", "cut", "--seed", "7"], "cut:1: --seed: is 0, expected 7 as in this run"),
        (["--resume", "cut", "--deadline", "3"], "cut:1: --deadline: is 2000 ms, expected 3000 ms as in"),
        (["--resume", "cut", "--strict-choice"], "cut:1: --strict-choice: is not given, expected given"),
        (["--resume", "cut", "--memory", "1Gi"], "cut:1: --memory: is not given, expected 1073741824 bytes"),
        (["--resume", "cut", "--in-process"], "cut:1: --in-process: is not given, expected given"),
        (
            ["--resume", "declared", "-i", "python:trial_implementations:Named"],
            "with other operations, features or comp",
        ),
        (["--resume", "two"], "has 2 runs, expected at most 1, the number of implementations"),
        (["--resume", "cut", "-i", "python:trial_implementations:never"], "is a run of dra-conform built-in"),
        (
            ["--resume", "whole", "--events", "whole"],
            "whole: is read by this command, expected a different file",
        ),
        (["--shard", "3/2"], "'3/2' is not a part, expected I/N such as 2/3"),
        (["--shard", "0/2"], "'0/2' is not a part"),
        (["--shard", "x"], "'x' is not a part"),
        (["--memory", "12"], "'12' is not a quantity of memory, expected 1Mi or more"),
        (["--memory", "lots"], "'lots' is not a quantity of memory"),
    ],
)
def test_events_of_another_run_are_rejected(
    call: Call, folder: Path, whole: Path, options: list[str], message: str
) -> None:
    before = whole.read_bytes()
    (folder / "cut").write_bytes(before[: len(before) // 2])
    begun = json.loads(before.splitlines()[0])
    begun["implementation"] |= {"name": "another", "features": {"admin-access": "none"}}
    (folder / "declared").write_text(json.dumps(begun) + "\n", "utf-8")
    (folder / "two").write_bytes(before + before.replace(b'"run": 1', b'"run": 2'))
    arguments = ("run",) if "--suite" in options else TRIAL
    completed = call(*arguments, *options)
    assert completed.code == exits.USAGE
    assert message in completed.err
    assert whole.read_bytes() == before


def test_a_pass_with_findings_is_rejected(call: Call, folder: Path, whole: Path) -> None:
    forged = whole.read_text("utf-8").replace('"kind": null', '"kind": "wrong-result"')
    (folder / "forged").write_text(forged, "utf-8")
    completed = call(*TRIAL, "--resume", "forged")
    assert completed.code == exits.USAGE
    assert "forged:2: is not an event (the verdict is pass, with the kind or findings of" in completed.err


def test_a_case_that_finishes_twice_in_one_run_is_rejected(call: Call, folder: Path, whole: Path) -> None:
    start, first, *others = whole.read_text("utf-8").splitlines(keepends=True)
    (folder / "twice").write_text("".join([start, first, *others[:2], first, *others[2:]]), "utf-8")
    completed = call(*TRIAL, "--resume", "twice")
    assert completed.code == exits.USAGE
    case = json.loads(first)["case"]
    assert f"twice:5: case: is a second result of {case!r}, expected one result for each" in completed.err


def test_the_files_of_an_interrupted_and_a_resumed_run_can_be_concatenated(
    call: Call, folder: Path, whole: Path
) -> None:
    content = whole.read_bytes()
    (folder / "both").write_bytes(b"".join(content.splitlines(keepends=True)[:5]) + content)
    assert call(*TRIAL, "--resume", "both").code == exits.OK


@pytest.mark.parametrize("length", [0, 40])
def test_a_file_of_a_run_that_was_killed_before_its_first_event(
    call: Call, folder: Path, whole: Path, length: int
) -> None:
    (folder / "left").write_bytes(whole.read_bytes()[:length])
    completed = call(*TRIAL, "--resume", "left")
    assert completed.code == exits.USAGE
    assert "left: has no event, expected a file that --events wrote; a run that was killed" in completed.err


@pytest.mark.usefixtures("whole")
def test_the_file_of_a_run_that_did_not_start_has_no_results(call: Call, folder: Path) -> None:
    assert call(*TRIAL, "-i", "exec:false", "--events", "none").code == exits.NOT_RUNNABLE
    assert call(*TRIAL, "--resume", "none").code == exits.OK
