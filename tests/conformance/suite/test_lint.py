"""The problems that lint reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.case import Source
from dra_conform.conformance.implementation import Request
from dra_conform.conformance.suite.lint import lint
from dra_conform.conformance.suite.loading import load_suite
from dra_conform.kube.errors import InputErrors
from tests.support.conformance.suite.writing import CATALOGUE, GOLDEN, suite

THEN = "    then: [{consumes: {resourceClaim: c, capacity: {bw: 3}}}]\n"
HERE = {"key": "metadata.name", "operator": "In", "values": ["node-1"]}
RIGHT = AllocationAnswer(
    Outcome.ALLOCATED,
    {
        "default/c": {
            "devices": {
                "results": [
                    {
                        "request": "r0",
                        "driver": "dra.example.com",
                        "pool": "pool-1",
                        "device": "d",
                        "shareID": "0b2ba5e4-6f2b-4d35-8f6b-0d8a5d2f3c11",
                        "consumedCapacity": {"bw": "3"},
                    }
                ]
            },
            "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [HERE]}]},
        }
    },
)


def right(_: Request) -> AllocationAnswer | None:
    return RIGHT


def nothing(_: Request) -> AllocationAnswer | None:
    return None


def lint_problems(folder: Path, answerer: object = nothing) -> list[str]:
    return [str(problem) for problem in lint(load_suite(folder), answerer)]  # type: ignore[arg-type] # a test double


def test_no_problems(tmp_path: Path) -> None:
    assert lint_problems(suite(tmp_path), right) == []


@pytest.mark.parametrize(
    "file", ["golden/kep-5075/new.yml", "golden/new.json", "features/new.yaml", "requirements/NEW.YAML"]
)
def test_a_file_that_is_not_read_because_of_its_name(tmp_path: Path, file: str) -> None:
    folder = suite(tmp_path)
    (folder / file).write_text("", encoding="utf-8")
    (folder / "golden" / "README.md").write_text("", encoding="utf-8")
    expected = "expected the ending .feature in features, or .yaml in the other folders"
    assert lint_problems(folder, right) == [f"{file}: is not read, {expected}"]


PROBLEMS = {
    "no header": (
        GOLDEN.partition("\n")[2],
        "golden/kep-5075/trial.yaml:1: has no schema header, expected # yaml-language-server: $schema=",
    ),
    "unknown requirement": (
        GOLDEN.replace("step-up", "step-down"),
        "golden/kep-5075/trial.yaml:6: kep-5075/trial/one: names the unknown requirement KEP-5075/rounding/step-down, ",
    ),
    "no requirement": (
        GOLDEN.replace("[KEP-5075/rounding/step-up]", "[]"),
        "golden/kep-5075/trial.yaml:6: kep-5075/trial/one: names no requirement, expected at least one",
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_problem(name: str, tmp_path: Path) -> None:
    text, message = PROBLEMS[name]
    (problem,) = lint_problems(suite(tmp_path, golden_text=text))
    assert problem.startswith(message)


def test_an_id_twice_in_a_file_is_not_loaded(tmp_path: Path) -> None:
    with pytest.raises(InputErrors) as caught:
        load_suite(suite(tmp_path, golden_text=GOLDEN + GOLDEN[GOLDEN.index("  - case:") :]))
    message = "duplicate id, expected a unique id; the first case is at golden/kep-5075/trial.yaml:6"
    assert str(caught.value) == f"golden/kep-5075/trial.yaml:14: kep-5075/trial/one: {message}"


def test_an_id_in_a_feature_and_a_golden_file_is_not_unique(tmp_path: Path) -> None:
    loaded = load_suite(suite(tmp_path))
    other = Source("features/kep-5075/trial.feature", 1)
    doubled = (*loaded.cases, *(replace(case, source=other) for case in loaded.cases))
    problems = lint(replace(loaded, cases=doubled), lambda _: None)
    assert "kep-5075/trial/one: duplicate id, expected a unique id; the first case is " in str(problems[0])


def test_a_requirement_of_another_document(tmp_path: Path) -> None:
    other = CATALOGUE.replace("KEP-5075", "KEP-1")
    folder = suite(
        tmp_path, golden_text=GOLDEN.replace("KEP-5075/rounding", "KEP-1/rounding"), catalogue=other
    )
    (problem,) = lint_problems(folder)
    assert "names the requirement KEP-1/rounding/step-up of another document" in problem


def test_duplicate_requirements(tmp_path: Path) -> None:
    again = CATALOGUE + CATALOGUE[CATALOGUE.index("  - id: KEP-5075/api") :]
    (problem,) = lint_problems(suite(tmp_path, catalogue=again))
    assert problem == "requirements: KEP-5075/api/stored: duplicate id in the catalogue, expected a unique id"


def test_a_check_that_cannot_fail_is_vacuous(tmp_path: Path) -> None:
    text = GOLDEN.replace(THEN, "    then: [{allocatedAtLeast: {resourceClaim: c, results: [{}]}}]\n")
    (problem,) = lint_problems(suite(tmp_path, golden_text=text), right)
    assert "negated, expected a failure" in problem


def test_vacuity_needs_an_answer(tmp_path: Path) -> None:
    text = GOLDEN.replace(THEN, "    then: [{allocatedAtLeast: {resourceClaim: c, results: [{}]}}]\n")
    assert lint_problems(suite(tmp_path, golden_text=text), nothing) == []


def test_duplicate_titles(tmp_path: Path) -> None:
    again = GOLDEN[GOLDEN.index("  - case:") :].replace("case: one", "case: two")
    (problem,) = lint_problems(suite(tmp_path, golden_text=GOLDEN + again), right)
    assert problem == (
        "golden/kep-5075/trial.yaml:14: kep-5075/trial/two: duplicate title, expected a unique title; "
        "the first case is at golden/kep-5075/trial.yaml:6"
    )


def test_the_title_of_each_row_is_measured(tmp_path: Path) -> None:
    one = GOLDEN.replace("title: One case passes", "title: One case passes <for>")
    text = one + f"    table: {{columns: [for], rows: [[once], [{'again ' * 13}]]}}\n"
    (problem,) = lint_problems(suite(tmp_path, golden_text=text), right)
    assert "the title has 93 characters, expected at most 90" in problem


def test_a_case_of_an_untestable_requirement(tmp_path: Path) -> None:
    told = CATALOGUE.replace(
        "    polarity: [accepts, rejects]\n", "    polarity: [accepts]\n    untestable: A log.\n"
    )
    (problem,) = lint_problems(suite(tmp_path, catalogue=told), right)
    assert problem.endswith(
        "names the requirement KEP-5075/rounding/step-up, which has `untestable`, expected a requirement that cases can test"
    )
