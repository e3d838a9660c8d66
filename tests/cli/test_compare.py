"""`dra-conform compare`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dra_conform.cli import exits
from tests.cli.calling import Call


def report(*results: tuple[str, str], name: str = "mine", profile: str = "kep") -> dict[str, Any]:
    """A report with what `compare` looks at: cases and their verdicts."""
    return {
        "format": "dra-conform-report/1",
        "implementation": {"name": name},
        "profile": profile,
        "results": [
            {
                "case": case,
                "verdict": verdict.partition(" ")[0],
                "kind": "wrong-result" if verdict.startswith("fail") else None,
                "findings": [{"rule": rule} for rule in verdict.split()[1:]],
            }
            for case, verdict in results
        ],
    }


def test_what_has_changed(call: Call, folder: Path) -> None:
    old = report(
        ("a", "pass"), ("b", "fail x"), ("c", "fail x"), ("d", "pass"), ("e", "unsupported"), ("g", "pass")
    )
    new = report(("a", "pass"), ("b", "pass"), ("c", "fail y"), ("d", "crash"), ("e", "pass"), ("f", "pass"))
    (folder / "old.json").write_text(json.dumps(old), encoding="utf-8")
    (folder / "new.json").write_text(json.dumps(new), encoding="utf-8")
    said = call("compare", "old.json", "new.json")
    assert said.code == exits.FAILURES
    assert said.out.splitlines() == [
        "mine, kep",
        "  broken:",
        "    d  (pass -> crash)",
        "  fixed:",
        "    b  (fail: wrong-result x -> pass)",
        "  fails otherwise:",
        "    c  (fail: wrong-result x -> fail: wrong-result y)",
        "  other:",
        "    e  (unsupported -> pass)",
        "  1 broken, 1 fixed, 1 fails otherwise, 1 other, 1 new, 1 gone",
    ]
    same = call("compare", "old.json", "old.json")
    assert (same.code, same.out) == (exits.OK, "mine, kep\n  nothing has changed\n")


def test_a_new_case_that_fails(call: Call, folder: Path) -> None:
    (folder / "old.json").write_text(json.dumps(report(("a", "pass"))), encoding="utf-8")
    new = report(("a", "pass"), ("b", "timeout"), name="mine 2")
    (folder / "new.json").write_text(json.dumps(new), encoding="utf-8")
    said = call("compare", "old.json", "new.json")
    assert said.code == exits.FAILURES
    assert said.out.splitlines()[:3] == ["mine, kep -> mine 2, kep", "  new, failing:", "    b  (timeout)"]


def test_reports_of_several_runs(call: Call, folder: Path) -> None:
    runs = [report(("a", "pass")), report(("a", "fail"), profile="kubernetes-1.36")]
    several = {"format": "dra-conform-report/1", "runs": runs}
    (folder / "old.json").write_text(json.dumps(several), encoding="utf-8")
    (folder / "new.json").write_text(json.dumps(report(("a", "fail"))), encoding="utf-8")
    said = call("compare", "old.json", "new.json")
    assert (said.code, said.out.splitlines()[:2]) == (exits.FAILURES, ["mine, kep", "  broken:"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "bad.json: is no JSON: "),
        ("[]", "bad.json: format: is not there, expected dra-conform-report/1, as `run --json` writes it"),
        (
            '{"format": "dra-conform-report/1"}',
            "bad.json: runs: is not complete: 'implementation' is missing",
        ),
        (json.dumps(report(name="a", profile="x") | {"results": [1]}), "bad.json: runs: is not complete: "),
    ],
)
def test_what_is_no_report(call: Call, folder: Path, text: str, message: str) -> None:
    (folder / "bad.json").write_text(text, encoding="utf-8")
    said = call("compare", "bad.json", "bad.json")
    assert said.code == exits.USAGE
    assert said.err.startswith(message)
    assert call("compare", "bad.json", "none.json").code == exits.USAGE
