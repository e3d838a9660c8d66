"""docs/conformance.md is made by runs of real allocators; what it names must still be there."""

from __future__ import annotations

import re
from pathlib import Path

from dra_conform.conformance.suite.loading import LoadedSuite

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "conformance.md").read_text("utf-8")


def test_its_requirements_are_those_of_the_suite(shipped_suite: LoadedSuite) -> None:
    named = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert len(named) > 300
    assert set(named) <= {requirement.id for requirement in shipped_suite.catalogue}, "run make conformance"


def test_its_failures_are_cases_of_the_suite(shipped_suite: LoadedSuite) -> None:
    named = re.findall(r"^<li><code>([^<]+)</code>", PAGE, re.MULTILINE)
    assert named
    assert set(named) <= {case.id for case in shipped_suite.cases}, "run make conformance"


def test_it_has_a_column_for_each_release(shipped_suite: LoadedSuite) -> None:
    assert re.findall(r"^\| requirement \| (.*) \|$", PAGE, re.MULTILINE)[0] == "1.34 | 1.35 | 1.36 | 1.37"
