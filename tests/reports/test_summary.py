from __future__ import annotations

from dra_conform.conformance.verdict import Verdict
from dra_conform.reports import summary
from tests.reports.test_html import Page
from tests.support.reports.fake_runs import many, of_every_sort, result, run


def test_the_summary_names_what_passes_fails_and_how_to_repeat_it() -> None:
    found = Page(summary.render([run(of_every_sort())]))
    assert found.open == []
    for part in (
        "builtin 0.1.0",
        "13 of 16 judged cases fail, and 1 MUST requirement fails.",
        "plain requests",
        "no result has device d",
        "Profile kep",
        "dra-conform run -i builtin",
    ):
        assert part in found.text
    assert "All 1 judged cases are right." in Page(summary.render([run([result()])])).text
    assert "No case was judged." in Page(summary.render([run([result(Verdict.UNSUPPORTED)])])).text


def test_the_summary_does_not_grow_with_the_failures() -> None:
    text = summary.render([run(many(3_000, every_fails=1))])
    assert text.count("<li>") <= 8
