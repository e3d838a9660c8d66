from __future__ import annotations

from dra_conform.conformance.verdict import Verdict
from dra_conform.reports import markdown
from tests.reports.fake_runs import many, of_every_sort, result, run


def test_figures_by_area_and_failures_to_unfold() -> None:
    text = markdown.render([run(of_every_sort(), aborted="stopped after 1 failure(s)")])
    assert "## builtin 0.1.0: 3 of 18 cases pass" in text
    assert "| KEP-5075 | rounding | 16 | 1 | 13 | 2 | 0 / 1 |" in text
    assert "| KEP-5963 | groups | 1 | 1 | 0 | 0 | 1 / 1 |" in text
    assert "**Incomplete:** stopped after 1 failure(s)" in text
    assert text.count("<details>") == text.count("</details>") == 13
    assert "<summary><code>kep-5075/rounding/fail</code>: fail: wrong-result</summary>" in text
    assert "```diff\n" in text
    assert "- release 1.36 rounds in whole units (1 cases" in text


def test_all_passing_has_no_failures_to_unfold() -> None:
    text = markdown.render([run([result()])])
    assert "1 of 1 cases pass" in text
    assert "Failures" not in text


def test_neither_markdown_nor_html_of_others_takes_effect() -> None:
    odd = result(
        Verdict.FAIL,
        "x`</code><script>",
        title="*a* | <img src=x>\n# b",
        log="```\n</details>",
        detail="</details>",
    )
    text = markdown.render([run([odd], name="<b>|")])
    assert "<script>" not in text
    assert "<img" not in text
    assert "&lt;b&gt;\\|" in text
    assert "\n# b" not in text
    assert "\n````text\n" in text
    outside = text.split("````text")[0] + text.split("````")[2]
    assert outside.count("</details>") == 1


def test_a_page_of_many_failures_stays_below_what_ci_accepts() -> None:
    text = markdown.render([run(many(2_000, every_fails=1))])
    assert "… and 1950 more" in text
    assert len(text.encode()) < 1_000_000
