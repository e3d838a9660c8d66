"""`dra-conform submit`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dra_conform.cli import exits
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.reports import json_report
from tests.support.cli.calling import Call
from tests.support.reports.fake_runs import run


@pytest.fixture
def report(shipped_suite: LoadedSuite, tmp_path: Path) -> Path:
    """Return a JSON report of two cases of the shipped suite."""
    judged = run([CaseResult(case, "kep", Verdict.PASS) for case in shipped_suite.cases[:2]])
    document = json_report.document(judged)
    document["suite"]["fingerprint"] = shipped_suite.fingerprint
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_a_report_is_written_for_publication_and_checked(call: Call, report: Path, tmp_path: Path) -> None:
    root = tmp_path / "reports"
    done = call("submit", str(report), "--into", str(root), "--contact", "@me", "--build", "make adapter")
    written = root / "kep" / "builtin" / "0.1.0.yaml"
    assert (done.code, done.out.strip()) == (exits.OK, str(written))
    assert "make adapter\ndra-conform run -i builtin" in (written.parent / "README.md").read_text("utf-8")
    done = call("submit", "--check", str(root))
    assert (done.code, done.out.strip()) == (exits.OK, f"{written}: 100 % correct, 100 % breadth")
    written.write_text("a: [", "utf-8")
    done = call("submit", "--check", str(root))
    assert done.code == exits.USAGE
    assert f"{written}:2: not YAML" in done.err


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("complete", False, "complete: is false"),
        ("suite", {"name": "x", "version": "1", "fingerprint": "sha256:0"}, "suite.fingerprint: is sha256:0"),
        ("results", "none", "is not a report"),
        ("results", [{"case": "none/such", "verdict": "pass"}], "results[0].case: unknown case 'none/such'"),
        ("format", "other/1", "format: is 'other/1'"),
    ],
)
def test_another_report_is_rejected(
    call: Call, report: Path, tmp_path: Path, field: str, value: object, message: str
) -> None:
    report.write_text(json.dumps({**json.loads(report.read_text("utf-8")), field: value}), "utf-8")
    done = call("submit", str(report), "--into", str(tmp_path), "--contact", "@me")
    assert done.code == exits.USAGE
    assert f"{report}: {message}" in done.err


def test_a_contact_is_needed(call: Call, report: Path) -> None:
    done = call("submit", str(report))
    assert done.code == exits.USAGE
    assert "--contact: is missing" in done.err
