"""The index of a suite, and suites that are read by it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dra_conform.conformance.suite.index import CaseRow, Index
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite
from tests.support.conformance.suite.writing import FEATURE_FILE, GOLDEN_FILE, suite

FEATURE = """\
Feature: F
  @case:scenario
  @KEP-5075/rounding/step-up
  Scenario: A scenario
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | d      | yes                      | 10          |
    And a ResourceClaim "c" requesting 3 of "bw"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" consumes 3 of "bw"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return suite(tmp_path / "suite", feature_text=FEATURE)


def golden_only(folder: Path) -> LoadedSuite:
    """Return the suite that a new index has for a selection of the golden case."""
    index = Index(folder)

    def chosen(rows: Sequence[CaseRow]) -> Sequence[CaseRow]:
        return [row for row in rows if row.kind == "golden"]

    found = index.suite_of(chosen)
    assert not index.problems
    return found


def test_files_without_a_chosen_case_are_not_read_again(folder: Path) -> None:
    whole = load_suite(folder)
    assert {case.kind for case in whole.cases} == {"golden", "scenario"}
    assert golden_only(folder) == whole
    again = golden_only(folder)
    assert [case.kind for case in again.cases] == ["golden"]
    assert again.fingerprint == whole.fingerprint
    assert again.catalogue == whole.catalogue


@pytest.mark.parametrize("file", [FEATURE_FILE, GOLDEN_FILE])
def test_a_changed_file_changes_the_fingerprint(folder: Path, file: str) -> None:
    golden_only(folder)
    path = folder / file
    path.write_text(path.read_text("utf-8").replace("10 ", "11 ").replace("bw: 10", "bw: 11"), "utf-8")
    before, whole = golden_only(folder), load_suite(folder)
    assert before.fingerprint == whole.fingerprint
    assert golden_only(folder).fingerprint == whole.fingerprint


def test_a_broken_file_is_a_problem_also_if_it_has_no_chosen_case(folder: Path) -> None:
    golden_only(folder)
    (folder / FEATURE_FILE).write_text(FEATURE.replace("consumes", "eats"), "utf-8")
    for _ in range(2):
        index = Index(folder)
        index.suite_of(lambda rows: [row for row in rows if row.kind == "golden"])
        assert [error.file for error in index.problems] == [FEATURE_FILE]


def test_a_broken_catalogue_is_a_problem(folder: Path) -> None:
    golden_only(folder)
    (folder / "requirements" / "kep-5075.yaml").write_text("document: [\n", "utf-8")
    index = Index(folder)
    index.suite_of(lambda rows: rows)
    assert [error.file for error in index.problems] == ["requirements/kep-5075.yaml"]


def test_a_cache_that_cannot_be_read_is_no_cache(folder: Path) -> None:
    golden_only(folder)
    for cache in (folder.parent / "cache" / "dra-conform").iterdir():
        cache.write_bytes(b"\x93")
    assert golden_only(folder).fingerprint == load_suite(folder).fingerprint
