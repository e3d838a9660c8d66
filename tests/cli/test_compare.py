"""`dra-conform compare`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call


def report(*results: tuple[str, str], name: str = "mine", profile: str = "kep") -> dict[str, Any]:
    """Make a report with the fields that `compare` reads: cases and their verdicts."""
    return {
        "format": "dra-conform-report/1",
        "tool": {"name": "dra-conform", "version": "1"},
        "implementation": {"name": name, "version": "1"},
        "profile": profile,
        "suite": {"name": "dra", "version": "1", "fingerprint": "abc"},
        "complete": True,
        "results": [
            {
                "case": case,
                "verdict": verdict.partition(" ")[0],
                "kind": "wrong-result" if verdict.startswith("fail") else None,
                "findings": [{"rule": rule, "message": "m"} for rule in verdict.split()[1:]],
            }
            for case, verdict in results
        ],
    }


def compared(call: Call, folder: Path, old: dict[str, Any], new: dict[str, Any]) -> tuple[int, list[str]]:
    """Return the exit code and the lines of a comparison."""
    (folder / "old.json").write_text(json.dumps(old), encoding="utf-8")
    (folder / "new.json").write_text(json.dumps(new), encoding="utf-8")
    completed = call("compare", "old.json", "new.json")
    assert completed.err == ""
    return completed.code, completed.out.splitlines()


def several(*runs: dict[str, Any]) -> dict[str, Any]:
    return {"format": "dra-conform-report/1", "runs": list(runs)}


def test_changes_between_two_reports(call: Call, folder: Path) -> None:
    old = report(
        ("a", "pass"), ("b", "fail x"), ("c", "fail x"), ("d", "pass"), ("e", "unsupported"), ("g", "pass")
    )
    new = report(("a", "pass"), ("b", "pass"), ("c", "fail y"), ("d", "crash"), ("e", "pass"), ("f", "pass"))
    assert compared(call, folder, old, new) == (
        exits.FAILURES,
        [
            "mine, kep",
            "  broken:",
            "    d  (pass -> crash)",
            "  fixed:",
            "    b  (fail: wrong-result -> pass)",
            "      - x: m",
            "  fails differently:",
            "    c  (fail: wrong-result)",
            "      - x: m",
            "      + y: m",
            "  other:",
            "    e  (unsupported -> pass)",
            "  1 broken, 1 fixed, 1 fails differently, 1 other, 1 new, 1 gone",
        ],
    )
    assert compared(call, folder, old, old) == (exits.OK, ["mine, kep", "  no changes"])


def test_a_case_that_fails_otherwise(call: Call, folder: Path) -> None:
    old, new = (report(("a", f"fail {rule}")) for rule in ("known-devices", "device-not-sold-twice"))
    assert compared(call, folder, old, new)[0] == exits.FAILURES
    new = report(("a", "fail known-devices"))
    new["results"][0]["findings"][0]["message"] = "device d3 is unknown"
    code, lines = compared(call, folder, old, new)
    assert (code, lines[3:5]) == (
        exits.FAILURES,
        ["      - known-devices: m", "      + known-devices: device d3 is unknown"],
    )


def test_uids_that_differ_are_no_change(call: Call, folder: Path) -> None:
    old, new = report(("a", "fail x")), report(("a", "fail x"))
    old["results"][0]["findings"][0]["message"] = "share 0a1b2c3d-0000-4000-8000-00000000000a"
    new["results"][0]["findings"][0]["message"] = "share ffffffff-0000-4000-8000-00000000000b"
    assert compared(call, folder, old, new)[0] == exits.OK


@pytest.mark.parametrize(
    ("new", "line"),
    [
        (report(("a", "pass"), ("b", "not-run")), "  the new run is incomplete: 1 of 2 cases were not run"),
        (report(("a", "pass")), "  1 gone"),
        (
            report(("a", "pass"), ("b", "pass")) | {"complete": False},
            "  the new run is incomplete: 0 of 2 cases",
        ),
        (report(("a", "pass"), ("b", "pass"), profile="kubernetes-1.36"), "  different profiles: kep -> kub"),
        (
            report(("a", "pass"), ("b", "pass"))
            | {"suite": {"name": "dra", "version": "2", "fingerprint": "def"}},
            "  different suites: dra 1 (abc) -> dra 2 (def)",
        ),
        (
            report(("a", "pass"), ("b", "pass")) | {"options": ["--strict-choice"]},
            "  different --strict-choice: choices are not judged -> judged",
        ),
    ],
)
def test_less_was_judged(call: Call, folder: Path, new: dict[str, Any], line: str) -> None:
    code, lines = compared(call, folder, report(("a", "pass"), ("b", "pass")), new)
    assert code == exits.INCOMPLETE
    assert any(printed.startswith(line) for printed in lines), lines


def test_a_passing_case_that_is_declined_is_lost(call: Call, folder: Path) -> None:
    old, new = report(("a", "pass"), ("b", "pass")), report(("a", "pass"), ("b", "unsupported"))
    code, lines = compared(call, folder, old, new)
    assert (code, lines[1:]) == (
        exits.FAILURES,
        [
            "  lost:",
            "    b  (pass -> unsupported)",
            "  1 lost",
            "  lost: 1 of 2 passing cases (50 %) are now unsupported",
        ],
    )


def test_a_failing_case_that_is_declined_is_no_longer_judged(call: Call, folder: Path) -> None:
    old, new = report(("a", "pass"), ("b", "fail x")), report(("a", "pass"), ("b", "unsupported"))
    code, lines = compared(call, folder, old, new)
    assert (code, lines[1]) == (exits.INCOMPLETE, "  no longer judged:")


def test_names_and_cases_cannot_add_lines(call: Call, folder: Path) -> None:
    old, new = report(), report(("case\n  no changes", "fail a"), name="mine\n  no changes")
    assert "  no changes" not in compared(call, folder, old, new)[1]


def test_a_new_case_that_fails(call: Call, folder: Path) -> None:
    new = report(("a", "pass"), ("b", "timeout"), name="mine 2")
    code, lines = compared(call, folder, report(("a", "pass")), new)
    assert code == exits.FAILURES
    assert lines[:3] == ["mine, kep -> mine 2, kep", "  new, failing:", "    b  (timeout)"]


def test_reports_of_several_runs(call: Call, folder: Path) -> None:
    runs = [report(("a", "pass")), report(("a", "fail"), profile="kubernetes-1.36")]
    code, lines = compared(call, folder, several(*runs), report(("a", "fail")))
    assert (code, lines[:2]) == (exits.FAILURES, ["mine, kep", "  broken:"])
    assert lines[-2:] == ["mine, kubernetes-1.36", "  only in old.json"]
    assert compared(call, folder, several(*runs), report(("a", "pass")))[0] == exits.INCOMPLETE


def test_runs_of_several_versions(call: Call, folder: Path) -> None:
    other = report(("a", "fail")) | {"implementation": {"name": "mine", "version": "2"}}
    both = several(report(("a", "pass")), other)
    assert compared(call, folder, both, both) == (
        exits.OK,
        ["mine 1, kep", "  no changes", "mine 2, kep", "  no changes"],
    )
    (folder / "old.json").write_text(json.dumps(several(other, other)), encoding="utf-8")
    completed = call("compare", "old.json", "old.json")
    assert completed.code == exits.USAGE
    assert (
        completed.err
        == "old.json: runs[1]: is a duplicate run of mine 2, kep, expected one run for each implementation and profile\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "{",
            "bad.json: is not a report (Input data was truncated), expected dra-conform-report/1 as written by `run",
        ),
        ("[]", "bad.json: is not a report (Expected `object`, got `array`), expected dra-conform-report/1"),
        (
            '{"format": "x"}',
            "bad.json: format: is 'x', expected dra-conform-report/1 as written by `run --json`",
        ),
        (
            '{"format": "dra-conform-report/1"}',
            "bad.json: is not a report (Object missing required field `tool`), expected",
        ),
        (
            json.dumps(report() | {"results": [1]}),
            "bad.json: is not a report (Expected `object`, got `int` - at",
        ),
        (json.dumps(several()), "bad.json: runs: has no run, expected dra-conform-report/1"),
        (
            json.dumps(report(("a", "pass"), ("a", "fail"))),
            "bad.json: results[1]: is a duplicate result of case 'a', expected one result for each case",
        ),
        ('{"format": "dra-conform-report/1", "x": ' + "[" * 100_000, "bad.json: is "),
    ],
)
def test_a_file_that_is_not_a_report(call: Call, folder: Path, text: str, message: str) -> None:
    (folder / "bad.json").write_text(text, encoding="utf-8")
    completed = call("compare", "bad.json", "bad.json")
    assert completed.code == exits.USAGE
    assert completed.err.startswith(message)
    assert call("compare", "bad.json", "none.json").code == exits.USAGE


def test_a_pass_with_findings_is_not_a_result(call: Call, folder: Path) -> None:
    forged = report(("a", "fail x"))
    forged["results"][0]["verdict"] = "pass"
    (folder / "old.json").write_text(json.dumps(report(("a", "fail x"))), encoding="utf-8")
    (folder / "new.json").write_text(json.dumps(forged), encoding="utf-8")
    completed = call("compare", "old.json", "new.json")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert "new.json: is not a report (the verdict is pass, with the kind or findings of a" in completed.err
