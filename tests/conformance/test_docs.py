"""The page for case authors: its examples are valid cases, and its tables have all steps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import Case, applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Suite
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.steps.device_steps import GivenDevice, GivenPolicy
from dra_conform.conformance.steps.lookup import by_key, given_steps
from dra_conform.conformance.steps.step import Step
from dra_conform.conformance.suite.golden_file import HEADER, GoldenCase, GoldenFile, GoldenStep
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.category import Category
from dra_conform.kube.errors import ErrorType
from dra_conform.kube.objects import COLLECTIONS, decode_as
from dra_conform.kube.profile import KEP, RELEASE_PROFILES
from tests.support.conformance.suite.writing import feature, golden

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "golden-format.md").read_text("utf-8")
ALL = (*given_steps(), *(step for operation in OPERATIONS.values() for step in operation.steps))
STEPS = tuple({(step.keyword, step.key): step for step in ALL}.values())
"""Each step once, because scenarios also have the steps of writes and of allocated claims."""
EXAMPLES = re.findall(r"^```(yaml|gherkin)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| `([a-zA-Z]+)` \| `(.*?)`(?:, or `(.*?)`)? \| `", re.MULTILINE)


def _section(keyword: str) -> str:
    return PAGE.partition(f"### {keyword.capitalize()}\n")[2].partition("\n####")[0].partition("\n### ")[0]


ROWS = [
    (keyword, *row)
    for keyword in ("given", "when", "then")
    for row in _ROW.findall(_section(keyword).partition("\n## ")[0])
]


def _cases(language: str, text: str) -> list[Case]:
    return golden(text) if language == "yaml" else feature(text)


def test_there_are_two_examples_of_each_format() -> None:
    assert [language for language, _ in EXAMPLES] == ["yaml", "gherkin"] * 2
    for language, text in EXAMPLES:
        assert text.startswith(HEADER if language == "yaml" else "Feature:")


@pytest.mark.parametrize("profile", [KEP, *RELEASE_PROFILES])
@pytest.mark.parametrize(
    ("language", "text"), EXAMPLES, ids=["yaml", "gherkin", "yaml of writes", "gherkin of writes"]
)
def test_the_examples_pass(language: str, text: str, profile: str) -> None:
    cases = applicable(_cases(language, text), profile)
    assert cases
    builtin = InProcessImplementation(Builtin, spec="builtin")
    events = run(builtin, Suite("docs", "1", ""), cases, settings=Settings(profile, strict=True))
    found = {event.result.case.id: event.result for event in events if isinstance(event, CaseFinished)}
    right = Verdict.UNSUPPORTED if profile == "kubernetes-1.33" else Verdict.PASS
    assert {name: (result.verdict, result.findings) for name, result in found.items()} == {
        case.id: (right, ()) for case in cases
    }


def test_the_examples_are_equal() -> None:
    written, spoken = (_cases(*example) for example in EXAMPLES[:2])
    assert written[0].id.endswith("/step-up[3]")
    assert written[0].title == "A request for 3 consumes 5"
    assert spoken[0].id.endswith("/a-request-is-rounded-up[3]")
    assert "dra.example.com/bw" in written[2].objects["resourceSlices"][0]["spec"]["devices"][0]["capacity"]
    for one, other in zip([written[0], written[2], *written[3:]], spoken, strict=True):
        assert one.requirements == other.requirements
        assert (one.order, one.profiles) == (other.order, other.profiles)
        assert [(d.profiles, d.reason, d.expectation.checks) for d in one.case_steps[0].deviations] == [
            (d.profiles, d.reason, d.expectation.checks) for d in other.case_steps[0].deviations
        ]
    assert written[0].objects == spoken[0].objects
    assert written[3].case_steps[0].expectation.checks == spoken[2].case_steps[0].expectation.checks


def test_the_examples_of_writes_are_equal() -> None:
    written, spoken = (_cases(*example) for example in EXAMPLES[2:])
    for one, other in zip(written, spoken, strict=True):
        assert (one.ask, one.objects, one.requirements) == (other.ask, other.objects, other.requirements)
        [wanted], [said] = one.expected("kep"), other.expected("kep")
        for member in ("outcome", "errors", "fields"):
            assert getattr(wanted, member) == getattr(said, member)


def test_the_requirements_of_the_examples_exist(shipped_suite: LoadedSuite) -> None:
    known = {requirement.id for requirement in shipped_suite.catalogue}
    named = {name for example in EXAMPLES for case in _cases(*example) for name in case.requirements}
    assert named <= known


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.keyword} {step.key}")
def test_every_step_is_on_the_page(step: Step) -> None:
    section = _section(step.keyword)
    assert f"| `{step.key}` | `{step.key}: " in section
    for phrase in step.phrases:
        assert f"`{phrase.words}`" in section


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2])
def test_the_steps_of_the_tables_exist(row: tuple[str, str, str, str]) -> None:
    keyword, key, *examples = row
    for example in examples:
        if example in ("", "match:"):
            continue
        ((said, params),) = yaml.safe_load(example).items()
        assert said == key
        decode_as(by_key(STEPS, keyword, key).kind, params)


def test_every_row_of_the_step_tables_was_read() -> None:
    rows = {(keyword, key) for keyword, key, _, _ in ROWS}
    assert rows == {(step.keyword, step.key) for step in STEPS}


@pytest.mark.parametrize(
    "name",
    [
        *Category,
        *ErrorType,
        *COLLECTIONS,
        *(name for kind in (GoldenFile, GoldenCase, GoldenStep) for name in kind.__struct_encode_fields__),
        *GivenDevice.__struct_encode_fields__,
        *GivenPolicy.__struct_encode_fields__,
    ],
)
def test_every_name_is_on_the_page(name: str) -> None:
    assert re.search(rf"(?<![\w-]){name}(?![\w-])", PAGE)


def test_other_pages_link_to_this_page() -> None:
    assert "docs/golden-format.md" in (ROOT / "README.md").read_text("utf-8")
