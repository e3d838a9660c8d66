from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dra_conform.conformance.verdict import Finding, Verdict
from dra_conform.reports import markdown
from tests.support.reports.fake_runs import CATALOGUE, GROUPS, many, of_every_sort, result, run


def test_figures_by_area_and_failures_to_unfold() -> None:
    text = markdown.render([run(of_every_sort(), aborted="stopped after 1 failure")])
    assert "- **Correctness 18.7 %**: 3 of 16 judged cases are right" in text
    assert "- **Breadth 94.1 %**: 16 of 17 applicable cases that were run were judged; 1 was not run" in text
    assert "| KEP-5075 | rounding | 17 | 1 | 13 | 3 | 0 / 1 |" in text
    assert "| KEP-5963 | groups | 1 | 1 | 0 | 0 | 1 / 1 |" in text
    assert "**Incomplete:** stopped after 1 failure" in text
    assert text.count("<details>") == text.count("</details>") == 7
    summary = "<b>7</b> no result has device d, consuming 5 of bw <i>fail: wrong-result</i>"
    assert f"<details><summary>{summary}</summary>" in text
    assert "dra-conform run -i builtin --select id:kep-5075/rounding/fail" in text
    assert "```diff\n" in text
    assert "- release 1.36 rounds in whole units (1 case," in text


def test_a_violated_requirement_of_an_area_without_a_case_has_a_row() -> None:
    violation = Finding("groups-match", "two groups", requirement=GROUPS)
    text = markdown.render([run([result(Verdict.FAIL, findings=(violation,))])])
    assert "- **Requirements 0 of 2**" in text
    assert "| KEP-5075 | rounding | 1 | 0 | 1 | 0 | 0 / 1 |" in text
    assert "| KEP-5963 | groups | 0 | 0 | 0 | 0 | 0 / 1 |" in text


def test_all_passing_has_no_failures_to_unfold() -> None:
    text = markdown.render([run([result()])])
    assert "1 of 1 judged cases are right" in text
    assert "failed" not in text


def test_several_runs_are_set_side_by_side_first() -> None:
    text = markdown.render([run(of_every_sort()), run([result()], name="other")])
    assert "| builtin 0.1.0 | kep | 18.7 % | 94.1 % | 2 of 3 | 13 |" in text
    assert "| requirement | builtin 0.1.0 | other 0.1.0 |" in text
    assert "| <code>KEP-5075/rounding/step-up</code> | failed | passed |" in text
    assert text.index("Requirements that differ") < text.index("## builtin 0.1.0")


def test_neither_markdown_nor_html_of_others_takes_effect() -> None:
    odd = result(
        Verdict.FAIL,
        "x`</code><script>",
        title="*a* | <img src=x>\n# b",
        log="```\n</details>",
        detail="</details>",
    )
    text = markdown.render([run([odd], name="<b>|")])
    outside_code = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<script>" not in outside_code
    assert "<img" not in outside_code
    assert "&lt;b&gt;\\|" in text
    assert "\n# b" not in text
    assert "\n````text\n" in text
    outside = text.split("````text")[0] + text.split("````")[2]
    assert outside.count("</details>") == 1


def test_a_link_of_a_requirement_takes_no_effect() -> None:
    odd = [replace(each, link="https://e.example/a) ![p](https://evil.example) <img>") for each in CATALOGUE]
    text = markdown.render([run([result(Verdict.FAIL)], catalogue=odd)])
    assert "](<https://e.example/a) !\\[p\\](https://evil.example) &lt;img&gt;>)" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "findings", [(Finding("rule", "x" * 100_000),), (Finding("rule", "wrong"),) * 10_000]
)
def test_a_large_finding_is_cut(findings: tuple[Finding, ...]) -> None:
    text = markdown.render([run([result(Verdict.FAIL, "large", findings=findings)])])
    assert "dra-conform run -i builtin --select id:large" in text
    assert "more failure" not in text


def test_a_page_of_many_failures_stays_below_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [run(many(2_000, every_fails=1))]
    assert len(markdown.render(runs).encode()) <= markdown.LIMIT
    monkeypatch.setattr(markdown, "LIMIT", 8_000)
    text = markdown.render(runs)
    assert re.search(r"… and [\d,]+ more failures of \d+ causes: the HTML report", text)
    assert text.count("<details>") == text.count("</details>") >= 2
    assert len(text.encode()) <= 8_000
    linked = markdown.render(runs, link="out/report.html")
    assert "causes: [the whole report](<out/report.html>)" in linked
    assert len(linked.encode()) <= 8_000


def test_many_runs_that_differ_stay_below_it_as_well() -> None:
    runs = [run(many(2_000, every_fails=every), name=f"n{every}") for every in (1, 2, 3, 5, 7, 11)]
    text = markdown.render(runs)
    assert len(text.encode()) <= markdown.LIMIT
    assert "## n11" in text
