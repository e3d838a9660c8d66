"""docs/conformance.md, written by runs of real allocators, names existing requirements and cases."""

from __future__ import annotations

import re
from pathlib import Path

from dra_conform.conformance.suite.loading import LoadedSuite

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "conformance.md").read_text("utf-8")


def test_the_requirements_of_the_page_exist(shipped_suite: LoadedSuite) -> None:
    ids = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert len(ids) > 300
    assert set(ids) <= {requirement.id for requirement in shipped_suite.catalogue}, "run make conformance"


def test_the_failed_cases_of_the_page_exist(shipped_suite: LoadedSuite) -> None:
    named = re.findall(r"^<li><code>([^<]+)</code>", PAGE, re.MULTILINE)
    assert named
    assert set(named) <= {case.id for case in shipped_suite.cases}, "run make conformance"


def test_the_page_has_a_column_for_each_release(shipped_suite: LoadedSuite) -> None:
    assert re.findall(r"^\| requirement \| (.*) \|$", PAGE, re.MULTILINE)[0] == "1.34 | 1.35 | 1.36 | 1.37"
