"""The HTML report and the summary page: content, size, nesting and colours."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources

import pytest

from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import Verdict
from dra_conform.reports import html
from tests.support.reports.fake_runs import (
    CATALOGUE,
    DEFAULTS,
    GROUPS,
    STEP_UP,
    UNSHOWN,
    many,
    of_every_sort,
    result,
    run,
)
from tests.support.rows import mostly_slow

LIMIT = 3_000_000
VOID = {"meta", "input", "br", "link", "img", "hr"}


class Page(HTMLParser):
    """A parser of a page that checks that all elements are properly nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        if tag not in VOID:
            self.open.append(tag)
        if found.get("id"):
            self.ids.append(found["id"] or "")
        if found.get("href"):
            self.links.append(found["href"] or "")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.text += data


def page(*results: object, **more: object) -> Page:
    return Page(html.render([run(results, **more)]))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def everything() -> Page:
    return page(*of_every_sort(), aborted="stopped after 11 failures")


@pytest.fixture(scope="module")
def two() -> Page:
    return Page(html.render([run(of_every_sort()), run([result()], name="other")]))


def test_the_page_names_implementation_suite_and_figures(everything: Page) -> None:
    for part in (
        "builtin 0.1.0",
        "Component under test: scheduler",
        "./my-scheduler '<gates>'",
        "kep",
        "ab12" * 16,
        "2026-11-20 21:00:00 UTC",
        "18.7 %",
        "3 of 16 judged cases are right",
        "94.1 %",
        "16 of 17 applicable cases that were run were judged; 1 was not run",
        "2 of 3",
        "stopped after 11 failures",
        "13 cases fail: 7 causes",
        "1 case is unsupported",
        "feature taints is declared as not supported",
        "release 1.36 rounds in whole units",
    ):
        assert part in everything.text


def test_requirements_have_statement_interpretation_and_section(everything: Page) -> None:
    for requirement in CATALOGUE:
        assert requirement.statement in everything.text
        assert requirement.interpretation in everything.text
        assert requirement.id in everything.ids
        assert requirement.section in everything.text
    states = {
        found.get("id"): found["data-state"] for _, found in everything.elements if "data-state" in found
    }
    assert states[STEP_UP] == "failed"
    assert states[UNSHOWN] == "uncovered"


def test_a_failure_has_its_diff_why_and_log(everything: Page) -> None:
    for part in ("-       bw: '5'", "+       bw: '3'", "3 of bw goes up to 5", "boom\\x1b[31m"):
        assert part in everything.text
    assert "case-kep-5075/rounding/fail" in everything.ids


@pytest.mark.parametrize("which", ["everything", "two"])
def test_the_page_is_well_formed_and_its_links_lead_somewhere(
    which: str, request: pytest.FixtureRequest
) -> None:
    found: Page = request.getfixturevalue(which)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    for link in found.links:
        assert link.startswith(("https://example.com/", "https://kep.example/")) or link[1:] in found.ids
    assert found.headings[0] == 1
    assert found.headings.count(1) == 1
    for before, after in zip(found.headings, found.headings[1:], strict=False):
        assert after <= before + 1


def test_nothing_is_fetched_and_no_script_but_its_own_may_run(everything: Page) -> None:
    assert not [tag for tag, _ in everything.elements if tag in {"link", "img", "iframe", "object", "base"}]
    assert not [found for _, found in everything.elements if "src" in found or "onclick" in found]
    css = (resources.files("dra_conform.reports") / "templates" / "report.css").read_text("utf-8")
    assert "url(" not in css
    assert "@import" not in css
    text = html.render([run([result()])])
    script = re.search("<script>(.*?)</script>", text, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    policy = next(found["content"] for _, found in Page(text).elements if "http-equiv" in found)
    assert f"script-src 'sha256-{digest}'" in (policy or "")


def test_nothing_an_implementation_or_a_case_says_becomes_markup() -> None:
    evil = "</pre></script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\x00"
    odd = replace(
        result(Verdict.FAIL, evil, title=evil, requirements=[evil]),
        actual={"outcome": evil, evil: [evil]},
        detail=evil,
        log=evil,
        why=(evil,),
        deviation=evil,
    )
    found = page(
        odd,
        name=evil,
        catalogue=[Requirement(evil, evil, evil, evil, evil, evil, evil, evil)],
        aborted=evil,
        profile=evil,
    )
    assert found.open == []
    assert [tag for tag, _ in found.elements].count("script") == 1
    assert "img" not in [tag for tag, _ in found.elements]
    assert not any(link.startswith("javascript:") for link in found.links)


def test_several_runs_get_a_matrix_and_anchors_of_their_own(two: Page) -> None:
    assert "2 implementations compared" in two.text
    assert {STEP_UP, "run-1", "run-2", "case-kep-5075/rounding/fail"} <= set(two.ids)
    assert f"#{STEP_UP}" in two.links
    rows = [found for tag, found in two.elements if tag == "tr" and "hit" in (found.get("class") or "")]
    assert {found["data-state"] for found in rows} >= {"failed passed", "passed uncovered"}
    assert "Differences only: 3 of 3 requirements" in two.text


def test_equal_results_in_all_runs_are_no_difference() -> None:
    alike = Page(html.render([run([result()]), run([result()], name="other")]))
    assert "Differences only: 0 of 1 requirements" in alike.text
    assert "checked" not in next(found for _, found in alike.elements if found.get("id") == "differences")


def test_a_failure_is_shown_once_and_linked_from_its_requirements() -> None:
    found = page(result(Verdict.FAIL, "x", requirements=[CATALOGUE[0].id, CATALOGUE[1].id]))
    assert found.text.count("+       bw: '3'") == 1
    assert found.links.count("#case-x") == 1
    cause = f"cause:{CATALOGUE[0].id}:wrong-result"
    assert cause in found.ids
    assert found.links.count(f"#{cause}") == 4


def test_a_failure_has_everything_needed_to_fix_it() -> None:
    shown = replace(CATALOGUE[0], link="https://kep.example/#step")
    failure = result(Verdict.FAIL)
    objects = {"nodes": ({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}},)}
    failure = replace(failure, case=replace(failure.case, rule="Amounts are points", objects=objects))
    found = page(failure, catalogue=[shown])
    for part in (
        "Rule: Amounts are points",
        failure.case.title,
        shown.statement,
        "kind: Node\nmetadata:\n  name: node-1",
        "dra-conform run -i builtin --select id:kep-5075/rounding/fail",
    ):
        assert part in found.text
    assert "https://kep.example/#step" in found.links


def test_causes_with_the_same_message_are_told_apart_by_the_title_of_their_example() -> None:
    failures = [result(Verdict.FAIL, name, requirements=[name]) for name in (STEP_UP, GROUPS)]
    first, second = (replace(each.case, title=f"It fails {each.case.id}") for each in failures)
    found = page(*(replace(each, case=case) for each, case in zip(failures, (first, second), strict=True)))
    for case in (first, second):
        assert f"no result has device d, consuming 5 of bw. Example: {case.title}" in found.text


def test_equal_failures_are_grouped_and_only_the_first_is_unfolded() -> None:
    names = [f"kep-5075/rounding/it[{number}]" for number in range(5)]
    found = page(*(result(Verdict.FAIL, name) for name in names))
    assert "5 cases fail: 1 cause" in found.text
    folded = [attributes for tag, attributes in found.elements if tag == "details" and "open" in attributes]
    assert len(folded) == 1
    assert found.text.count("no result has device d, consuming 5 of bw") == 4
    assert {f"case-{name}" for name in names} <= set(found.ids)


def test_details_of_each_failure_are_in_the_page_and_name_its_own_difference() -> None:
    failures = [
        result(Verdict.FAIL, f"kep-5075/rounding/it[{number}]", actual={"outcome": f"other-{number}"})
        for number in range(150)
    ]
    text = html.render([run(failures)])
    places = dict(re.findall(r'<li id="([^"]+)" data-at="([\d.]+)"', text))
    assert len(places) == 149
    parts = [
        json.loads(zlib.decompress(base64.b64decode(packed)))
        for packed in re.findall(r'<script type="text/plain" id="details-\d+">([^<]*)</script>', text)
    ]
    for number in range(1, 150):
        part, at = map(int, places[f"case-kep-5075/rounding/it[{number}]"].split("."))
        assert f"+ outcome: other-{number}" in parts[part][at]


@pytest.mark.slow
def test_a_folder_has_a_page_with_each_failure_and_links_that_lead_there() -> None:
    names = [f"kep-5075/rounding/it[{number}]" for number in range(450)]
    files = html.render_folder([run([result(Verdict.FAIL, name) for name in names])])
    assert list(files) == [
        "failures-1.html",
        "failures-2.html",
        "failures-3.html",
        "summary.html",
        "requirements.html",
        "index.html",
    ]
    pages = {name: Page(text) for name, text in files.items()}
    for name, found in pages.items():
        assert found.open == []
        assert len(found.ids) == len(set(found.ids))
        for link in found.links:
            file, _, anchor = link.partition("#")
            if not link.startswith("https://"):
                assert not anchor or anchor in pages[file or name].ids, (name, link)
    links = [link for link in pages["index.html"].links if "#case-" in link and link.startswith("failures-")]
    assert len(links) == 450
    assert pages["failures-2.html"].text.count("+       bw: '3'") == 200


def test_the_overview_counts_by_level_document_and_feature() -> None:
    failing = result(Verdict.FAIL, "x", requirements=[GROUPS, DEFAULTS])
    found = page(result(), failing, result(name="kep-5963/groups/z", requirements=[GROUPS]))
    text = "".join(found.text.split())
    assert "plainrequests50%50%" in text
    assert "MUST110SHOULD010" in text


def test_an_answer_as_documented_is_no_fault_of_its_author() -> None:
    departing = result(Verdict.FAIL, deviation="1.36 rounds in whole units", profile="kubernetes-1.36")
    text = "The answer follows the specification, but kubernetes-1.36 deviates from it: 1.36 rounds in whole units"
    assert text not in page(departing).text
    assert text in page(replace(departing, as_documented=True)).text


@pytest.mark.parametrize(
    ("as_documented", "text"),
    [(True, "The specification allows this answer"), (False, "The specification leaves this open")],
)
def test_a_point_that_is_left_open_is_no_deviation(as_documented: bool, text: str) -> None:
    reason = "the document does not say which error is reported"
    failing = result(Verdict.FAIL, deviation=reason, profile="kubernetes-1.36")
    expected = f"{text}, but the case expects what kubernetes-1.36 does: {reason}"
    assert expected in page(replace(failing, as_documented=as_documented)).text


def test_a_case_without_a_requirement_is_not_lost() -> None:
    found = page(result(Verdict.FAIL, "lonely", requirements=[]))
    assert "case-lonely" in found.ids


def test_an_empty_run_is_a_page_too() -> None:
    assert page(catalogue=()).open == []


@pytest.mark.parametrize("every_fails", mostly_slow([100, 10_001, 1]))
def test_ten_thousand_results_stay_below_three_megabytes(every_fails: int) -> None:
    text = html.render([run(many(10_000, every_fails=every_fails))])
    assert len(text.encode()) < LIMIT
    assert text.count("[9998-10Gi-4Mi]") >= 1
    assert ("no details: <code>" in text) == (every_fails == 1)
    for index in range(every_fails - 1, 10_000, every_fails):
        assert f"[{index}-10Gi-4Mi]</code>" in text


@pytest.mark.slow
def test_five_runs_of_two_thousand_stay_below_it_as_well() -> None:
    runs = [run(many(2_000, every_fails=20), name=f"n{index}") for index in range(5)]
    assert len(html.render(runs).encode()) < LIMIT


def test_long_logs_and_diffs_are_cut() -> None:
    odd = result(
        Verdict.FAIL,
        log="x\n" * 100_000 + "the end",
        why=("w",) * 10_000,
        actual={"outcome": "allocated", "claims": {"default/c": [{"device": f"d{n}"} for n in range(2_000)]}},
    )
    text = html.render([run([odd])])
    assert len(text) < 150_000
    assert "the end" in text
    assert "more lines" in text


def contrast(first_colour: str, second_colour: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(first_colour), luminance(second_colour)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["ink", "soft", "link", "pass", "fail", "warn", "rest"])
def test_every_text_colour_is_readable_on_every_ground(theme: int, name: str) -> None:
    css = (resources.files("dra_conform.reports") / "templates" / "report.css").read_text("utf-8")
    block = css.split(":root {")[1 + theme].split("}")[0]
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
    for ground in ("ground", "raised"):
        assert contrast(colours[name], colours[ground]) >= 4.5
    if name == "ink":
        assert contrast(colours["ink"], colours["minus"]) >= 7
        assert contrast(colours["ink"], colours["plus"]) >= 7


def test_the_summary_names_what_passes_fails_and_how_to_repeat_it() -> None:
    found = Page(html.render_summary([run(of_every_sort())]))
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
    assert "All 1 judged cases are right." in Page(html.render_summary([run([result()])])).text
    assert "No case was judged." in Page(html.render_summary([run([result(Verdict.UNSUPPORTED)])])).text


def test_the_summary_does_not_grow_with_the_failures() -> None:
    text = html.render_summary([run(many(3_000, every_fails=1))])
    assert text.count("<li>") <= 8
