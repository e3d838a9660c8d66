"""`requirements --pairs` and `--deviations`."""

from __future__ import annotations

import json
from pathlib import Path

from dra_conform.cli import exits
from tests.support.cli.calling import Call
from tests.support.conformance.suite.writing import GOLDEN

DEPARTS = """\
    in:
      - profiles: [in 1.34]
        reason: this release gives more
        then: [{consumes: {resourceClaim: c, capacity: {bw: 4}}}]
"""
WITH_TAINTS = GOLDEN.replace("capacity: {bw: 10}", "taints: [{key: k, effect: None}], capacity: {bw: 10}")


def _golden(folder: Path, text: str) -> None:
    (folder / "suite" / "golden" / "kep-5075" / "trial.yaml").write_text(text, encoding="utf-8")


def test_pairs(call: Call, folder: Path) -> None:
    _golden(folder, WITH_TAINTS)
    completed = call("requirements", "--suite", "suite", "--pairs", "--json", "p.json")
    assert (completed.code, completed.err) == (exits.OK, "")
    lines = completed.out.splitlines()
    assert " 7 device-taints         0/0 0/0 0/0 1/0 0/0 0/0" in lines
    assert "missing  consumable-capacity and device-taints: 1 accept, 0 reject" in lines
    assert "pairs 0 of 45" in lines
    assert lines[-1] == "pairs in clusters 0 of 45"
    assert max(map(len, lines)) <= 100
    found = json.loads((folder / "p.json").read_text("utf-8"))
    assert found["totals"] == {"total": 45, "covered": 0}
    assert {
        "features": ["consumable-capacity", "device-taints"],
        "covered": False,
        "cases": ["kep-5075/trial/one"],
        "accepts": 1,
        "rejects": 0,
    } in found["pairs"]


def test_uncovered_pairs(call: Call, folder: Path) -> None:
    completed = call("requirements", "--suite", "suite", "--pairs", "--uncovered")
    lines = completed.out.splitlines()
    assert len(lines) == 92
    assert lines[0] == "missing  allocation-mode-all and prioritized-list: 0 accept, 0 reject"


def test_the_shipped_suite_has_every_pair(call: Call) -> None:
    completed = call("requirements", "--pairs")
    lines = completed.out.splitlines()
    assert "pairs 45 of 45" in lines
    assert lines[-1] == "pairs in clusters 45 of 45"
    assert max(map(len, lines)) <= 100


def test_deviations(call: Call, folder: Path) -> None:
    _golden(folder, GOLDEN + DEPARTS)
    completed = call("requirements", "--suite", "suite", "--deviations", "--json", "d.json")
    assert (completed.code, completed.err) == (exits.OK, "")
    assert completed.out.endswith(
        "| 1.34 | `KEP-5075/rounding/step-up` | this release gives more | 1 | `kep-5075/trial/one` |\n"
    )
    assert json.loads((folder / "d.json").read_text("utf-8")) == {
        "deviations": [
            {
                "document": "KEP-5075",
                "requirements": ["KEP-5075/rounding/step-up"],
                "profiles": ["kubernetes-1.34"],
                "reason": "this release gives more",
                "cases": ["kep-5075/trial/one"],
            }
        ]
    }


def test_one_list_at_a_time(call: Call, folder: Path) -> None:
    completed = call("requirements", "--suite", "suite", "--pairs", "--deviations")
    assert (completed.code, completed.out) == (exits.USAGE, "")
