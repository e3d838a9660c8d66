"""`dra-conform submit`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dra_conform.cli import exits
from dra_conform.conformance.case import applicable
from dra_conform.conformance.implementation import Identity
from dra_conform.conformance.levels import CORE, at_level
from dra_conform.conformance.runner import about_subjects
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.reports import ai_conformance, json_report
from tests.support.cli.calling import Call
from tests.support.reports.fake_runs import run


@pytest.fixture
def report(shipped_suite: LoadedSuite, tmp_path: Path) -> Path:
    """Return a JSON report of an allocator that passes all its cases of the level `core`."""
    cases = about_subjects(at_level(applicable(shipped_suite.cases, "kep"), CORE), Identity("builtin", ""))
    judged = run([CaseResult(case, "kep", Verdict.PASS) for case in cases])
    document = json_report.document(judged)
    document["suite"]["fingerprint"] = shipped_suite.fingerprint
    document["level"] = CORE
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


def test_nothing_is_written_if_a_report_cannot_be_submitted(call: Call, report: Path, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}", "utf-8")
    root = tmp_path / "reports"
    done = call("submit", str(report), str(tmp_path / "other.json"), "--into", str(root), "--contact", "@me")
    assert (done.code, done.out) == (exits.USAGE, "")
    assert not root.exists()


def test_the_command_to_reproduce_has_all_options_of_the_run(
    call: Call, report: Path, tmp_path: Path
) -> None:
    _change(report, options=["--deadline", "60", "--level", "core"])
    call("submit", str(report), "--into", str(tmp_path), "--contact", "@me")
    command = "dra-conform run -i builtin --deadline 60 --level core\n"
    assert command in (tmp_path / "kep" / "builtin" / "README.md").read_text("utf-8")


def test_a_result_of_other_cases_is_rejected(call: Call, report: Path, tmp_path: Path) -> None:
    """A result may not claim the suite of this release with cases or requirements that the suite lacks."""
    call("submit", str(report), "--into", str(tmp_path), "--contact", "@me")
    written = tmp_path / "kep" / "builtin" / "0.1.0.yaml"
    text = written.read_text("utf-8")
    for name in ("right", "judged", "mustRight", "mustJudged"):
        text = re.sub(rf"^  {name}: \d+$", f"  {name}: 2", text, flags=re.MULTILINE)
    text = re.sub(r"^    (right|judged): \d+$", r"    \1: 0", text, flags=re.MULTILINE)
    written.write_text(text, "utf-8")
    done = call("submit", "--check", str(tmp_path))
    assert done.code == exits.USAGE
    assert f"{written}: cases: has 2 cases, expected all of level core: " in done.err
    other = re.sub("suite: sha256:[0-9a-f]+", "suite: sha256:0", text)
    written.write_text(other, "utf-8")
    done = call("submit", "--check", str(tmp_path))
    assert done.code == exits.OK
    assert "of another suite, so its number of cases was not checked" in done.out


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("complete", False, "complete: is false"),
        ("suite", {"name": "x", "version": "1", "fingerprint": "sha256:0"}, "suite.fingerprint: is sha256:0"),
        ("results", "none", "is not a report"),
        ("results", [{"case": "none/such", "verdict": "pass"}], "results[0].case: unknown case 'none/such'"),
        ("format", "other/1", "format: is 'other/1'"),
        ("options", ["--select", "kep-5075"], "options: has --select, expected a report of all cases"),
    ],
)
def test_another_report_is_rejected(
    call: Call, report: Path, tmp_path: Path, field: str, value: object, message: str
) -> None:
    report.write_text(json.dumps({**json.loads(report.read_text("utf-8")), field: value}), "utf-8")
    done = call("submit", str(report), "--into", str(tmp_path), "--contact", "@me")
    assert done.code == exits.USAGE
    assert f"{report}: {message}" in done.err


def test_a_report_that_is_not_utf_8_is_rejected(call: Call, report: Path, tmp_path: Path) -> None:
    report.write_bytes(report.read_bytes().replace(b'"format": "', b'"format": "\xff', 1))
    done = call("submit", str(report), "--into", str(tmp_path), "--contact", "@me")
    assert done.code == exits.USAGE
    assert f"{report}: is not a report ('utf-8' codec can't decode byte 0xff" in done.err


@pytest.mark.parametrize("edit", ["missing", "not-run", "second"])
def test_a_report_needs_one_result_for_each_case(call: Call, report: Path, tmp_path: Path, edit: str) -> None:
    results = json.loads(report.read_text("utf-8"))["results"]
    case = results[1]["case"]
    edited = {
        "missing": [results[0], *results[2:]],
        "not-run": [results[0], results[1] | {"verdict": "not-run"}, *results[2:]],
        "second": [*results[:2], results[1], *results[2:]],
    }
    _change(report, results=edited[edit])
    done = call("submit", str(report), "--into", str(tmp_path / "reports"), "--contact", "@me")
    missing = f"results: {case}: no result, expected one for each case of level core"
    second = f"results[2].case: is a second result of '{case}', expected one result for each case"
    assert done.code == exits.USAGE
    assert f"{report}: {second if edit == 'second' else missing}" in done.err
    assert not (tmp_path / "reports").exists()


def test_a_contact_is_needed(call: Call, report: Path) -> None:
    done = call("submit", str(report))
    assert done.code == exits.USAGE
    assert "--contact: is missing" in done.err


@pytest.fixture
def cluster_report(shipped_suite: LoadedSuite, tmp_path: Path) -> Path:
    """Return a JSON report of a cluster that passes all scenarios of the page of evidence."""
    needed = {name for topic in ai_conformance.TOPICS for name in topic.requirements}
    cases = [
        case
        for case in shipped_suite.cases
        if case.operation == ai_conformance.OPERATION and needed.intersection(case.requirements)
    ]
    judged = run([CaseResult(case, "kubernetes-1.37", Verdict.PASS) for case in cases])
    document = json_report.document(judged)
    document["suite"]["fingerprint"] = shipped_suite.fingerprint
    document["profile"] = "kubernetes-1.37"
    document["implementation"] |= {"spec": "cluster:kubeconfig", "name": "cluster", "version": "v1.37.1"}
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


def _change(report: Path, **fields: object) -> None:
    report.write_text(json.dumps({**json.loads(report.read_text("utf-8")), **fields}), "utf-8")


def test_evidence_for_ai_conformance_has_versions_commands_and_results(
    call: Call, cluster_report: Path, tmp_path: Path
) -> None:
    page = tmp_path / "dra-support.md"
    done = call("submit", str(cluster_report), "--ai-conformance", str(page))
    assert (done.code, done.out) == (exits.OK, f"{page}\n")
    text = page.read_text("utf-8")
    assert "| Platform | cluster v1.37.1 |" in text
    assert (
        "dra-conform run -i cluster:kubeconfig --profile kubernetes-1.37 --select 'operation:cluster" in text
    )
    assert "<code>dra/scheduling/own-device-for-each-pod</code> | pass |" in text
    for topic in ai_conformance.TOPICS:
        assert f". {topic.title}\n" in text
    assert "| fail |" not in text


def test_a_failing_scenario_is_on_the_page_and_the_exit_code_is_1(
    call: Call, cluster_report: Path, tmp_path: Path
) -> None:
    results = json.loads(cluster_report.read_text("utf-8"))["results"]
    failed = next(result for result in results if result["case"] == "dra/scheduling/own-device-for-each-pod")
    failed["verdict"] = "fail"
    _change(cluster_report, results=results)
    page = tmp_path / "dra-support.md"
    assert call("submit", str(cluster_report), "--ai-conformance", str(page)).code == exits.FAILURES
    assert "<code>dra/scheduling/own-device-for-each-pod</code> | fail |" in page.read_text("utf-8")


def test_evidence_needs_a_judged_scenario_for_each_requirement(
    call: Call, cluster_report: Path, tmp_path: Path
) -> None:
    results = json.loads(cluster_report.read_text("utf-8"))["results"]
    for result in results:
        if result["case"] == "dra/scheduling/own-device-for-each-pod":
            result["verdict"] = "unsupported"
    _change(cluster_report, results=results)
    done = call("submit", str(cluster_report), "--ai-conformance", str(tmp_path / "dra-support.md"))
    assert done.code == exits.USAGE
    message = "results: no scenario of DRA/template/separate-similar-devices was judged, expected a run with"
    assert f"{cluster_report}: {message}" in done.err
    assert ai_conformance.selection() in done.err
    assert not (tmp_path / "dra-support.md").exists()


def test_evidence_lists_scenarios_that_were_not_judged(
    call: Call, cluster_report: Path, tmp_path: Path
) -> None:
    """A run of chosen scenarios must not look like a run of all."""
    results = json.loads(cluster_report.read_text("utf-8"))["results"]
    name = "DRA/claim/manual-lifecycle"
    left_out = next(result for result in results if name in result["requirements"])
    _change(cluster_report, results=[result for result in results if result is not left_out])
    page = tmp_path / "dra-support.md"
    assert call("submit", str(cluster_report), "--ai-conformance", str(page)).code == exits.OK
    assert f"<code>{left_out['case']}</code> | not judged |" in page.read_text("utf-8")


def test_a_command_that_ends_its_block_is_rejected(call: Call, cluster_report: Path, tmp_path: Path) -> None:
    implementation = json.loads(cluster_report.read_text("utf-8"))["implementation"]
    _change(cluster_report, implementation={**implementation, "spec": "kube:v1.37.1\n```\n<script>"})
    done = call("submit", str(cluster_report), "--ai-conformance", str(tmp_path / "dra-support.md"))
    assert done.code == exits.USAGE
    assert "implementation.spec: is " in done.err


def test_a_run_of_the_built_in_is_no_evidence(call: Call, report: Path, tmp_path: Path) -> None:
    done = call("submit", str(report), "--ai-conformance", str(tmp_path / "dra-support.md"))
    assert done.code == exits.USAGE
    assert (
        "implementation.spec: is 'builtin', expected a run of cluster:KUBECONFIG or kube:VERSION" in done.err
    )


def test_evidence_is_for_one_report(call: Call, report: Path) -> None:
    done = call("submit", str(report), str(report), "--ai-conformance", "page.md")
    assert (done.code, done.err) == (
        exits.USAGE,
        "--ai-conformance: reads one report, expected one PATH and no --check\n",
    )


def test_the_guide_has_the_command_that_selects_the_scenarios() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "ai-conformance.md").read_text("utf-8")
    command = " ".join(guide.partition("--select '")[2].partition("'")[0].split())
    assert command == ai_conformance.selection()
