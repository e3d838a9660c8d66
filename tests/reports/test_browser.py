from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dra_conform.reports import html
from tests.reports.fake_runs import STEP_UP, of_every_sort, run

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH"),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(html.render([run(of_every_sort())]), "utf-8")
    return path


def opened(address: str, profile: Path) -> str:
    """The document as it stands once the page is loaded; a script that fails fails the test."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={profile}",
        "--enable-logging=stderr",
        "--dump-dom",
        address,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "Uncaught" not in done.stderr
    return done.stdout


def shown(dom: str) -> list[str]:
    """Identifiers of the requirements that are not hidden."""
    articles = re.findall(r'<(?:article|li) class="req"[^>]*>', dom)
    return [found[1] for tag in articles if "hidden" not in tag and (found := re.search('id="([^"]*)"', tag))]


def test_the_search_narrows_the_page_to_what_its_address_asks(report: Path, tmp_path: Path) -> None:
    whole = opened(report.as_uri(), tmp_path / "1")
    assert len(shown(whole)) == 4
    assert re.search('<form class="search"(?![^>]*hidden)', whole)
    assert ">4 requirements</output>" in whole
    narrowed = opened(report.as_uri() + "#?q=step-up+wrong&state=failed", tmp_path / "2")
    assert shown(narrowed) == [STEP_UP]
    assert ">1 of 4 requirements</output>" in narrowed
    kept = re.findall(r'<li id="case:([^"]*)">', narrowed)
    assert "kep-5075/rounding/wrong-result" in kept
    assert "kep-5075/rounding/crash" not in kept


def test_without_javascript_everything_is_there_but_the_search(report: Path, tmp_path: Path) -> None:
    # --dump-dom needs scripts itself, so the page is told to run none of its own.
    text = re.sub("script-src [^;]*", "script-src &#39;none&#39;", report.read_text("utf-8"), count=1)
    scriptless = tmp_path / "scriptless.html"
    scriptless.write_text(text, "utf-8")
    dom = opened(scriptless.as_uri() + "#?q=nothing-like-this", tmp_path / "1")
    assert len(shown(dom)) == 4
    assert re.search('<form class="search"[^>]*hidden', dom)
    for part in ("is raised to the next one", "+       bw: '3'", "kep-5075/rounding/pass"):
        assert part.replace("'", "&#39;") in dom or part in dom
