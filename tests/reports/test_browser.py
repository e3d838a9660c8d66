"""The HTML report in a browser: search, filters, links, narrow, dark, without scripts, keyboard, print."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dra_conform.conformance.verdict import Verdict
from dra_conform.reports import html
from tests.support.reports.fake_runs import DEFAULTS, GROUPS, STEP_UP, many, of_every_sort, result, run

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH"),
]
PATIENCE = 60_000
"""The time limit of a step in milliseconds, on a busy machine."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu"]
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=options, timeout=2 * PATIENCE)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with reports of one run, of two runs, and of many failures."""
    made = tmp_path_factory.mktemp("pages")
    alike = result(name="kep-5963/groups/alike", requirements=[GROUPS])
    pages = {
        "one": [run([*of_every_sort(), result(Verdict.FAIL, "x/wide[1]", log="a" * 300)])],
        "two": [run([*of_every_sort(), alike]), run([result(), alike], name="other")],
        "many": [run(many(3_000, every_fails=1))],
    }
    for name, runs in pages.items():
        (made / f"{name}.html").write_text(html.render(runs), "utf-8")
    (made / "folder").mkdir()
    for name, text in html.render_folder(pages["many"]).items():
        (made / "folder" / name).write_text(text, "utf-8")
    return made


@pytest.fixture
def visit(browser: Any, folder: Path) -> Iterator[Any]:
    """Return a function that opens a report. An error of its script fails the test."""
    contexts: list[Any] = []
    errors: list[str] = []

    def opened(name: str, *, width: int = 1280, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 844}, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        file, _, address = name.partition("#")
        page.goto((folder / f"{file}.html").as_uri() + (f"#{address}" if address else ""))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def seen(page: Any, selector: str) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        selector, "all => all.filter(one => one.checkVisibility()).map(one => one.id)"
    )
    return found


def typed(page: Any, words: str) -> None:
    page.fill("#q", words)
    page.keyboard.press("Enter")


def test_words_narrow_failures_and_requirements_and_stay_in_the_address(visit: Any) -> None:
    page = visit("one")
    assert seen(page, ".req") == []
    page.click("#requirements summary >> nth=0")
    assert len(seen(page, ".req")) == 3
    typed(page, "step-up raised")
    assert seen(page, ".req") == [STEP_UP]
    assert "1 of 4 requirements" in page.text_content("output")
    typed(page, "step-up flaky")
    assert seen(page, ".cause") == [f"cause:{STEP_UP}:wrong-result"]
    assert page.url.endswith("#?q=step-up+flaky")
    typed(page, "")
    assert page.locator(".req:not([hidden])").count() == 4
    assert "#" not in page.url


def test_a_word_of_one_failure_shows_that_one_alone(visit: Any) -> None:
    page = visit("one")
    typed(page, "x/wide[1]")
    assert seen(page, ".cases > li") == ["case-x/wide[1]"]


def test_a_state_filters_and_an_address_with_both_is_taken(visit: Any) -> None:
    page = visit("one")
    page.select_option("#state", "passed")
    page.locator(".cause:not([hidden])").first.wait_for(state="detached")
    assert set(seen(page, ".req")) == {DEFAULTS, GROUPS}
    page = visit(f"one#?q={GROUPS}&state=passed")
    assert seen(page, ".req") == [GROUPS]


@pytest.mark.parametrize(
    "anchor", ["case-x/wide[1]", "case-kep-5075/rounding/crash", f"cause:{STEP_UP}:wrong-result", GROUPS]
)
def test_a_permalink_unfolds_and_shows_what_it_names(visit: Any, anchor: str) -> None:
    page = visit(f"one#{anchor}")
    assert page.evaluate(
        """name => {
          const found = document.getElementById(name), box = found.getBoundingClientRect();
          const folded = found.querySelector(":scope > details");
          return found.checkVisibility() && box.top < innerHeight && box.bottom > 0 && (!folded || folded.open);
        }""",
        anchor,
    )


IN_VIEW = """name => {
  const found = document.getElementById(name), box = found.getBoundingClientRect();
  const details = found.querySelector(".explanation");
  return details?.checkVisibility() && details.textContent.includes("+       bw: '3'")
    && box.top < innerHeight && box.bottom > 0;
}"""
"""Whether a failure is in view with its difference."""


def test_each_of_many_failures_has_a_link_that_shows_its_difference(visit: Any) -> None:
    page = visit("many")
    names = page.eval_on_selector_all(".cases > li[data-at]", "all => all.map(one => one.id)")
    assert len(names) >= 2_990
    for name in random.Random(7).sample(names, 20):
        page.evaluate("name => { location.hash = encodeURIComponent(name); }", name)
        page.wait_for_function(IN_VIEW, arg=name)


def test_a_link_into_a_folder_leads_to_the_page_with_the_failure(visit: Any) -> None:
    name = f"case-{many(3_000, every_fails=1)[-1].case.id}"
    page = visit(f"folder/index#{name}")
    page.wait_for_url(re.compile(r"failures-\d+\.html"))
    page.wait_for_function(IN_VIEW, arg=name)
    page = visit("folder/index", java_script_enabled=False)
    assert page.locator("a[href^='failures-']").count() == 3_000


def test_many_failures_are_a_short_page_on_screen_and_paper(visit: Any) -> None:
    page = visit("many")
    assert page.evaluate("document.documentElement.scrollHeight") < 20_000
    assert sheets(page) <= 12
    page = visit("folder/summary")
    assert sheets(page) == 1


def sheets(page: Any) -> int:
    """Return the number of sheets of A4 that a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def test_the_matrix_shows_differences_until_asked_for_all(visit: Any) -> None:
    page = visit("two")
    shown = ".matrix tr.hit"
    assert len(seen(page, shown)) == 2
    page.click("text=Differences only")
    assert len(seen(page, shown)) == 3
    assert page.url.endswith("#?all=")
    typed(page, "groups")
    assert len(seen(page, shown)) == 1
    page.click("text=Differences only")
    assert len(seen(page, shown)) == 0


def test_without_scripts_failures_requirements_and_differences_are_there(visit: Any) -> None:
    page = visit("two", java_script_enabled=False)
    assert page.is_hidden(".search")
    assert page.is_visible("text=no result has device d, consuming 5 of bw >> nth=0")
    page.click("#requirements summary >> nth=0")
    assert page.locator(".req >> visible=true").count() == 3
    assert page.locator(".matrix tr.hit >> visible=true").count() == 2
    page.click("text=Differences only")
    assert page.locator(".matrix tr.hit >> visible=true").count() == 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["one", "two", "many"])
def test_nothing_scrolls_sideways_and_all_text_is_readable(
    visit: Any, name: str, width: int, scheme: str
) -> None:
    page = visit(name, width=width, color_scheme=scheme)
    page.evaluate(
        "document.querySelectorAll('.one, #run-1 details').forEach((one, at) => one.open = at < 40)"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 390:
        wide = "[...document.querySelectorAll('pre, table')].filter(one => one.scrollWidth > one.clientWidth + 1)"
        assert page.evaluate(f"{wide}.length") == 0
    assert page.evaluate(FAINT) == []


FAINT = """() => {
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(one => one / 255)
    .map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
    .reduce((sum, one, at) => sum + one * [.2126, .7152, .0722][at], 0);
  const ground = one => {
    for (; one; one = one.parentElement) {
      const found = parts(getComputedStyle(one).backgroundColor);
      if (found.length < 4 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll("body *")].filter(one => !one.closest("script, style")
    && [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())).slice(0, 3000);
  return texts.filter(one => one.checkVisibility()).filter(one => {
    const pair = [light(parts(getComputedStyle(one).color)), light(ground(one))].sort((a, b) => b - a);
    return (pair[0] + .05) / (pair[1] + .05) < 4.5;
  }).map(one => one.outerHTML.slice(0, 120));
}"""


def test_the_keyboard_reaches_and_unfolds_everything(visit: Any) -> None:
    page = visit("one")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(page.locator(".toc a").count() + 1):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "q"
    for fold in page.locator("details:has([id='case-x/wide[1]'])").all():
        if not fold.evaluate("fold => fold.open"):
            fold.locator(":scope > summary").focus()
            page.keyboard.press("Enter")
    page.focus("[id='case-x/wide[1]'] summary")
    page.keyboard.press("Enter")
    page.wait_for_selector("[id='case-x/wide[1]'] .explanation", state="visible")
    unreachable = "[...document.querySelectorAll('pre')].filter(one => one.scrollWidth > one.clientWidth && one.tabIndex < 0)"
    assert page.evaluate(f"{unreachable}.length") == 0


def test_paper_gets_the_summary_and_the_failures_and_little_more(visit: Any) -> None:
    page = visit("one")
    page.emulate_media(media="print")
    assert page.is_hidden("#requirements")
    assert page.is_hidden(".search")
    assert page.is_visible(".shares")
    assert page.is_visible(".cause .explanation >> nth=0")
    assert 1 <= sheets(page) <= 12
