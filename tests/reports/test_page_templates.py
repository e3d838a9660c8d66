"""The filter of the templates of HTML pages."""

from __future__ import annotations

from dra_conform.reports.page_templates import with_code


def test_backticks_are_code_and_everything_is_escaped() -> None:
    assert with_code("declare `a: <none>` & `b`") == (
        "declare <code>a: &lt;none&gt;</code> &amp; <code>b</code>"
    )
    assert with_code("one ` alone") == "one ` alone"
