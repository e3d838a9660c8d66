"""Loading of a suite folder, and its fingerprint."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite, fingerprint, is_suite, load_suite
from dra_conform.kube.errors import InputError, InputErrors
from tests.support.conformance.suite.writing import GOLDEN, golden, suite

FEATURE = """\
Feature: F
  @case:from-a-fixture
  @KEP-5075/rounding/step-up
  Scenario: From a fixture
    Given the fixture "one-node"
    And a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible
"""


def test_the_shipped_suite_loads(shipped_suite: LoadedSuite) -> None:
    assert {case.kind for case in shipped_suite.cases} == {"scenario", "golden"}
    assert len({case.id for case in shipped_suite.cases}) == len(shipped_suite.cases)
    described = shipped_suite.as_suite()
    assert (described.name, described.fingerprint) == ("dra-conform", shipped_suite.fingerprint)


@pytest.mark.slow
def test_loading_again_gives_the_same_fingerprint(shipped_suite: LoadedSuite) -> None:
    assert load_suite(shipped_suite.root).fingerprint == shipped_suite.fingerprint


def test_a_folder(tmp_path: Path) -> None:
    folder = suite(tmp_path, feature_text=FEATURE)
    (folder / "fixtures").mkdir()
    (folder / "fixtures" / "one-node.yaml").write_text(
        "{apiVersion: v1, kind: Node, metadata: {name: left}}\n"
    )
    loaded = load_suite(folder)
    assert [case.id for case in loaded.cases] == ["kep-5075/trial/from-a-fixture", "kep-5075/trial/one"]
    assert loaded.cases[0].ask["node"] == "left"
    assert loaded.as_suite().name == tmp_path.name
    assert [one.id for one in loaded.catalogue] == ["KEP-5075/rounding/step-up", "KEP-5075/api/stored"]


def test_each_invalid_file_is_reported(tmp_path: Path) -> None:
    broken = suite(
        tmp_path,
        golden_text=GOLDEN.replace("consumes", "consume"),
        feature_text=FEATURE,
        catalogue="document: [\n",
    )
    with pytest.raises(InputErrors) as caught:
        load_suite(broken)
    assert [error.file for error in caught.value.errors] == [
        "requirements/kep-5075.yaml",
        "features/kep-5075/trial.feature",
        "golden/kep-5075/trial.yaml",
    ]


def test_folders_that_are_not_a_suite(tmp_path: Path) -> None:
    assert not is_suite(tmp_path)
    with pytest.raises(InputError, match="is not a suite, expected a folder with features, golden"):
        load_suite(tmp_path)
    (tmp_path / "requirements").mkdir()
    (tmp_path / "golden").mkdir()
    with pytest.raises(InputError, match="golden and requirements; features is missing"):
        load_suite(tmp_path)
    assert is_suite(suite(tmp_path / "whole"))


def test_files_that_are_not_utf_8(tmp_path: Path) -> None:
    folder = suite(tmp_path)
    (folder / "golden" / "kep-5075" / "other.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputErrors, match=r"golden/kep-5075/other.yaml: is not UTF-8"):
        load_suite(folder)


CHANGES = {
    "another quantity": ("{bw: 3}", "{bw: 4}"),
    "another expectation": ("{consumes: {resourceClaim: c, capacity: {bw: 3}}}", "{unallocatable: true}"),
    "another id": ("case: one", "case: other"),
    "another requirement": ("step-up", "step-down"),
    "a gate": ("- resourceClaim:", "- featureGates: {DRAConsumableCapacity: false}\n      - resourceClaim:"),
    "order": ("    title: One case passes", "    order: true\n    title: One case passes"),
    "profiles": ("    title: One case passes", "    profiles: [kep]\n    title: One case passes"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_of_the_fingerprint(name: str) -> None:
    old, new = CHANGES[name]
    assert old in GOLDEN
    assert fingerprint(golden(GOLDEN.replace(old, new, 1))) != fingerprint(golden())


def test_the_fingerprint_does_not_depend_on_files() -> None:
    moved = GOLDEN.replace("cases:\n", "\n# a remark\ncases:\n")
    assert golden(moved)[0].source != golden()[0].source
    assert fingerprint(golden(moved)) == fingerprint(golden())
    second = golden(GOLDEN.replace("case: one", "case: two"))
    assert fingerprint([*golden(), *second]) == fingerprint([*second, *golden()])


def test_a_case_has_the_highest_level_of_its_requirements(shipped_suite: LoadedSuite) -> None:
    levels = {one.id: one.level for one in shipped_suite.catalogue}
    for case in shipped_suite.cases:
        cited = {levels[name] for name in case.requirements}
        expected = "SHOULD" if cited == {"SHOULD", "MAY"} else cited.pop() if len(cited) == 1 else "MUST"
        assert case.level == ("MUST" if expected == "FUTURE" else expected), case.id
    assert {case.level for case in shipped_suite.cases} == {"MUST", "SHOULD", "MAY"}
