"""`dra-conform run`: exit codes, JSON, selection, several implementations, and outputs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call
from tests.support.conformance.suite.writing import GOLDEN

SUITE = ("run", "--suite", "suite")
NEVER = "python:trial_implementations:never"
ADVERSARY = Path(__file__).parents[1] / "support" / "adapters" / "adversaries" / "adversary.py"
DIES = f"exec:{sys.executable} -S -E -c raise(SystemExit)"


def document(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_all_pass(call: Call, folder: Path) -> None:
    completed = call(*SUITE)
    assert (completed.code, completed.err) == (exits.OK, "")
    assert "all 2 cases pass" in completed.out


def test_conformance_failures(call: Call, folder: Path) -> None:
    completed = call(*SUITE, "-i", NEVER)
    assert completed.code == exits.FAILURES
    assert "KEP-5075/rounding/step-up" in completed.out
    assert "1 of 2 cases failed" in completed.out


@pytest.mark.slow
def test_a_failure_names_the_command_with_the_settings_of_the_run(call: Call, folder: Path) -> None:
    options = ("--deadline", "1.5", "--memory", "512Mi")
    done = call(*SUITE, "-i", NEVER, *options, "--select", "kep-5075", "--json", "r")
    written = ["--deadline", "1.5", "--memory", "536870912"]
    assert f"suite {' '.join(written)} --select id:kep-5075/trial/one " in " ".join(done.out.split())
    assert json.loads((folder / "r").read_text("utf-8"))["options"] == [*written, "--select", "kep-5075"]


def test_a_run_that_judged_nothing_is_incomplete(call: Call, folder: Path) -> None:
    junit = folder / "junit.xml"
    completed = call(
        *SUITE,
        "-i",
        "python:trial_implementations:unsupported",
        "--select",
        "kind:golden",
        "--junit",
        str(junit),
    )
    assert completed.code == exits.INCOMPLETE
    assert "no case failed, 1 without an answer to judge" in completed.out
    assert "python:trial_implementations:unsupported: no case was judged" in completed.err
    assert 'errors="1"' in junit.read_text()


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        (
            ("alocate",),
            "no case was judged: it only declares operations that do not exist: alocate (did you mean allocate?)",
        ),
        (
            ("alocate", "zzz"),
            "no case was judged: it only declares operations that do not exist: "
            "alocate (did you mean allocate?), zzz",
        ),
        (
            ("alocate", "allocate"),
            "warning: the operation alocate does not exist and is ignored; did you mean allocate?",
        ),
        (
            ("allocate",),
            "warning: the feature device-taint does not exist and is ignored; did you mean device-taints?",
        ),
    ],
)
def test_names_that_do_not_exist(
    operations: tuple[str, ...], message: str, call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "unknown_names_trial.py").write_text(
        "class Target:\n"
        f"    operations = {operations!r}\n"
        "    features = {'device-taint': 'none'}\n"
        "    def allocate(self, objects, ask, profile):\n"
        "        return {'outcome': 'unallocatable'}\n"
        "    alocate = zzz = allocate\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "unknown_names_trial", raising=False)
    done = call(*SUITE, "--in-process", "-i", "python:unknown_names_trial:Target")
    assert f"python:unknown_names_trial:Target: {message}\n" in done.err
    assert "the control plane" not in done.err


def test_a_run_without_a_case_of_its_subject_says_what_would_be_judged(call: Call) -> None:
    completed = call("run", "--select", "operation:driver")
    assert completed.code == exits.INCOMPLETE
    assert re.search(
        r"^builtin: no case was judged: it is not the subject of the selected cases, "
        r"[0-9]+ cases about the driver \(-i driver:FILE\)$",
        completed.err,
        re.MULTILINE,
    )
    completed = call("run", "-i", "driver.yaml")
    assert completed.code == exits.USAGE
    assert completed.err.endswith(", did you mean 'driver:driver.yaml'?\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--profile", "none"], "argument --profile: invalid choice: 'none'"),
        (["--profile", "kubernets-1.36"], "did you mean kubernetes-1.36?"),
        (["--no-such-option"], "unrecognized arguments: --no-such-option"),
        (["--max-failures", "-1"], "argument --max-failures: '-1' is not a number, expected 0 or more"),
        (
            ["--deadline", "nan"],
            "argument --deadline: 'nan' is not a time, expected seconds from 0.001 to 86400",
        ),
        (["--deadline", "inf"], "argument --deadline: 'inf' is not a time"),
        (["--deadline", "0"], "argument --deadline: '0' is not a time"),
        (["--deadline", "soon"], "argument --deadline: 'soon' is not a time"),
        (["--seed", "x"], "argument --seed: 'x' is not a whole number"),
        (
            ["-i", "nothing"],
            "--implementation: 'nothing' names no implementation, expected 'builtin'",
        ),
        (
            ["-i", "exec:true", "--in-process"],
            "'exec:true' cannot run in this process, expected 'builtin' or",
        ),
        (["-i", "python:module"], "--implementation: 'python:module' is incomplete"),
        (["-i", "exec:"], "names no command"),
        (["-i", "exec:'"], "cannot split the command"),
        (["--select", ""], "--select: column 1: the expression ends here, expected a word"),
        (["--shard", "9/9"], "--shard: 9/9: has no case, expected at most"),
        (
            ["--select", "no-such-case"],
            "--select: column 1: found 'no-such-case', which no case of the suite",
        ),
        (["--select", "kep-5075 or no-such"], "--select: column 13: found 'no-such', which no case of the"),
        (
            ["--select", "kep-5075 and not kep-5075"],
            "--select: kep-5075 and not kep-5075: selects no case of profile kep and level all, expected at",
        ),
        (["--select", "kind:golden and"], "--select: column 16: the expression ends here, expected a word"),
        (
            ["--select", "colour:red"],
            "--select: column 1: found 'colour:red', expected one of the fields id,",
        ),
        (["--select", "(kind:golden"], "--select: column 13: the expression ends here, expected `)`"),
        (
            ["--select", "a b"],
            "--select: column 3: found 'b', expected `and`, `or` or the end of the expression",
        ),
        (["--suite", "nowhere"], "--suite: nowhere: is not a suite, expected a folder with features, golden"),
        (["--json", "no/such/folder/r.json"], "no/such/folder/r.json: there is no folder"),
        (["--html", ""], '"": is not a path, expected a file to write to'),
        (["--expect", ""], '"": does not exist, expected a ledger'),
        (["--badge", "b.txt"], "b.txt: is not a badge, expected a file that ends in .svg or .json"),
        (["--json", "."], ".: is a folder, expected a file to write the report to"),
        (
            ["--json", "r", "--html", "r"],
            "r: is the output of both --json and --html, expected a different file",
        ),
        (
            ["--html", "./", "--json", "failures-2.html"],
            "failures-2.html: is a page of --html and the output of --json, expected a different file",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage(call: Call, folder: Path, arguments: list[str], message: str) -> None:
    before = sorted(folder.rglob("*"))
    completed = call(*SUITE, *arguments)
    assert completed.code == exits.USAGE
    assert message in completed.err
    assert completed.out == ""
    assert [path for path in sorted(folder.rglob("*")) if path not in before] == []


@pytest.mark.parametrize(
    "options", [("--json", "--html"), ("--events", "--junit"), ("--markdown", "--events")]
)
def test_an_output_that_cannot_be_written_leaves_the_others_alone(
    call: Call, folder: Path, options: tuple[str, str]
) -> None:
    good, bad = options
    (folder / "old").write_text("as it was", encoding="utf-8")
    completed = call(*SUITE, good, "old", bad, "nowhere/file")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith("nowhere/file: there is no folder")
    assert (folder / "old").read_text("utf-8") == "as it was"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("python:no_such_module:x", "no module named 'no_such_module'"),
        ("python:trial_implementations:nobody", "has no attribute 'nobody'"),
        ("python:trial_implementations:Explodes", "RuntimeError: no license"),
        ("exec:./no-such-program", "no-such-program"),
        (DIES, "the adapter ended before its hello"),
    ],
)
def test_an_implementation_that_cannot_be_run(call: Call, folder: Path, spec: str, message: str) -> None:
    completed = call(*SUITE, "-i", spec, "--json", "r.json")
    assert completed.code == exits.NOT_RUNNABLE
    assert f"{spec}: cannot be run: " in completed.err
    assert message in completed.err
    assert not (folder / "r.json").exists()


def test_a_broken_suite(call: Call, folder: Path) -> None:
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    golden.write_text(GOLDEN.replace("consumes:", "consume:"), encoding="utf-8")
    for command in (SUITE, ("lint", *SUITE[1:]), ("requirements", *SUITE[1:])):
        completed = call(*command)
        assert (completed.code, completed.out) == (exits.SUITE_BROKEN, "")
        first, *_, last = completed.err.splitlines()
        assert first.startswith("golden/kep-5075/trial.yaml:")
        assert last == "the suite is broken"


@pytest.mark.slow
def test_stopped_after_failures_is_incomplete(call: Call, folder: Path) -> None:
    golden = folder / "suite" / "golden" / "kep-5075" / "trial.yaml"
    again = GOLDEN.partition("cases:\n")[2]
    golden.write_text(GOLDEN + again.replace("case: one", "case: two"), encoding="utf-8")
    completed = call(*SUITE, "-i", NEVER, "--max-failures", "1", "--json", "r.json")
    assert completed.code == exits.INCOMPLETE
    found = document(folder / "r.json")
    assert (found["summary"]["not-run"], found["complete"]) == (1, False)
    assert found["aborted"] == "stopped after 1 failure, 1 case not run"
    assert call(*SUITE, "-i", NEVER, "--max-failures", "2").code == exits.FAILURES
    assert call(*SUITE, "--max-failures", "1").code == exits.OK


def test_an_interrupted_run_keeps_its_results(call: Call, folder: Path) -> None:
    completed = call(
        *SUITE, "-i", "python:trial_implementations:interrupted", "--in-process", "--json", "r.json"
    )
    assert completed.code == exits.INTERRUPTED
    found = document(folder / "r.json")
    assert (found["complete"], found["aborted"], found["results"]) == (False, "the run was interrupted", [])


def test_an_adapter_process(call: Call, folder: Path) -> None:
    completed = call(*SUITE, "-i", f"exec:{sys.executable} -S -E {ADVERSARY} good", "--json", "r.json")
    assert completed.code == exits.FAILURES
    found = document(folder / "r.json")
    assert [result["verdict"] for result in found["results"]] == ["pass", "fail"]
    assert found["complete"]


def test_the_json_keeps_its_contract(call: Call, folder: Path) -> None:
    assert call(*SUITE, "-i", NEVER, "--profile", "kubernetes-1.36", "--json", "r.json").code == 1
    found = document(folder / "r.json")
    assert found["implementation"]["name"] == "trial_implementations:never"
    assert found["profile"] == "kubernetes-1.36"
    assert found["suite"]["fingerprint"].startswith("sha256:")
    assert found["summary"]["total"] == 2
    assert {name: count for name, count in found["summary"].items() if count} == {
        "pass": 1,
        "fail": 1,
        "total": 2,
    }
    assert found["requirements"] == {
        "total": 2,
        "covered": 1,
        "passed": 0,
        "takenOn": 1,
        "declined": 0,
        "documents": {"KEP-5075": {"total": 2, "covered": 1, "passed": 0, "takenOn": 1, "declined": 0}},
    }
    good, bad = found["results"]
    assert good["case"] == "kep-5075/trial/nothing-is-there"
    assert (good["requirements"], good["verdict"]) == (["KEP-5075/rounding/step-up"], "pass")
    assert good["kind"] is None
    assert good["seconds"] >= 0
    assert (bad["case"], bad["verdict"], bad["kind"]) == ("kep-5075/trial/one", "fail", "wrong-outcome")


@pytest.mark.slow
def test_several_implementations(call: Call, folder: Path) -> None:
    named = "python:trial_implementations:Named"
    completed = call(*SUITE, "-i", "builtin", "-i", NEVER, "-i", named, "--json", "r.json", "--events", "e")
    assert completed.code == exits.FAILURES
    runs = document(folder / "r.json")["runs"]
    assert [run["implementation"]["name"] for run in runs] == [
        "dra-conform built-in",
        "trial_implementations:never",
        "another",
    ]
    assert [run["summary"]["pass"] for run in runs] == [2, 1, 2]
    events = [json.loads(line) for line in (folder / "e").read_text("utf-8").splitlines()]
    assert [event["event"] for event in events].count("run-finished") == 3
    assert events[-1]["event"] == "end"


def test_the_worst_of_several_counts(call: Call, folder: Path) -> None:
    completed = call(*SUITE, "-i", DIES, "-i", NEVER, "-i", "builtin", "--json", "r.json")
    assert completed.code == exits.NOT_RUNNABLE
    assert len(document(folder / "r.json")["runs"]) == 2
    completed = call(*SUITE, "-i", NEVER, "-i", "nothing", "--json", "other.json")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert not (folder / "other.json").exists()


@pytest.mark.parametrize(
    ("expression", "cases"),
    [
        ("kind:golden", ["one"]),
        ("not kind:golden", ["nothing-is-there"]),
        ("requirement:KEP-5075/rounding/* and feature:consumable-capacity", ["one"]),
        ("trial/one or (nothing and kind:scenario)", ["nothing-is-there", "one"]),
    ],
)
def test_list_and_select(call: Call, folder: Path, expression: str, cases: list[str]) -> None:
    completed = call(*SUITE, "--list", "--select", expression)
    assert completed.code == exits.OK
    assert [line.split()[0] for line in completed.out.splitlines()] == [
        f"kep-5075/trial/{case}" for case in cases
    ]


def test_every_output(call: Call, folder: Path) -> None:
    outputs = [f"--{name}={name}.out" for name in ("json", "html", "junit", "markdown", "events")]
    assert call(*SUITE, "-v", *outputs).code == exits.OK
    assert all(path.stat().st_size for path in folder.glob("*.out"))
    assert len(list(folder.glob("*.out"))) == 5


def test_pictures(call: Call, folder: Path) -> None:
    assert call(*SUITE, "--matrix", "m.svg", "--badge", "b.json").code == exits.OK
    assert "100 %" in (folder / "m.svg").read_text("utf-8")
    assert document(folder / "b.json")["message"] == "own suite: 2 of 2 correct"
    completed = call(*SUITE, "-i", "builtin", "-i", NEVER, "--badge", "b.svg")
    assert completed.code == exits.USAGE
    assert "--badge: shows one implementation" in completed.err
