from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dra_conform.conformance.verdict import Verdict
from dra_conform.reports.submission import submission_of
from dra_conform.reports.submission_files import read_submission, submitted_files, write_submission
from tests.support.reports.fake_runs import result, run
from tools.docs.site.submission_pages import submission_pages


def test_the_pages_show_implementations_by_release_with_their_trend(tmp_path: Path) -> None:
    for version, right in (("0.1.0", 1), ("0.2.0", 3)):
        failing = [result(Verdict.FAIL, "kep-5075/rounding/wrong")]
        one = run([*(result(name=f"kep-5075/rounding/{number}") for number in range(right)), *failing])
        identity = replace(one.started.implementation, version=version)
        judged = replace(one, started=replace(one.started, implementation=identity))
        write_submission(tmp_path, submission_of(judged, contact=["@<me>"]), "<svg/>")
    pages = dict(submission_pages(tmp_path))
    assert list(pages) == ["index", "builtin"]
    assert "## allocator" in pages["index"]
    assert "| [builtin](builtin.md) | 0.2.0 | kep | 75 % | 100 % | <svg" in pages["index"]
    assert "50 % → 75 %" in pages["index"]
    assert pages["builtin"].index("| 0.2.0 | kep") < pages["builtin"].index("| 0.1.0 | kep")
    assert "@&lt;me&gt;" in pages["builtin"]
    assert "<code>KEP-5075/rounding/step-up</code>: 1" in pages["builtin"]


def test_without_submissions_there_is_a_page_that_says_how_to_publish(tmp_path: Path) -> None:
    pages = dict(submission_pages(tmp_path / "none"))
    assert list(pages) == ["index"]
    assert "dra-conform submit" in pages["index"]


def test_the_results_of_this_repository_are_valid() -> None:
    for file in submitted_files(Path(__file__).resolve().parents[2] / "reports"):
        assert read_submission(file).submission.cases.judged
