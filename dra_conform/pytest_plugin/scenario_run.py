"""A running scenario of pytest-bdd: its steps build a case, the first When runs it, each Then judges."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import pytest
from pytest_bdd.parser import Feature, Scenario, Step

from dra_conform.conformance.case import Case
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.steps import lookup
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.suite.composition import compose_on, known_steps, operation_of
from dra_conform.conformance.suite.folders import shipped
from dra_conform.conformance.suite.gherkin import case_header
from dra_conform.conformance.suite.index import CaseRow
from dra_conform.conformance.suite.loading import fixtures_of
from dra_conform.conformance.suite.step_lines import (
    FeatureLine,
    StepLine,
    WhenWithThens,
    setup_and_steps,
    without_releases,
)
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import UncheckedJson
from dra_conform.pytest_plugin.session_judge import JUDGE, CaseFailed

_T = TypeVar("_T")

ROW = pytest.StashKey[CaseRow]()
"""The row in the index of a test that is a scenario of a suite."""
RUNNING = pytest.StashKey["ScenarioRun"]()
SCENARIO = pytest.StashKey[tuple[Feature, Scenario]]()
STEP = pytest.StashKey[Step]()


class ScenarioRun:
    """A scenario while its steps run.

    A scenario of a suite is bound to the case that the loader made of the same steps. Otherwise, each Given
    step changes `setup`, and the first When step makes the case of it and of all When and Then steps. Steps
    that are not in the vocabulary are those of the user. They can change `setup`, and read `result` and
    `answer`.
    """

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._judge = item.config.stash[JUDGE]
        self._feature, self._scenario = item.stash[SCENARIO]
        self._place = FeatureLine(self._feature.rel_filename, self._scenario.line_number)
        self._given_words: dict[int, str] = {}
        """The Given steps of the vocabulary with their tables, by the id of the step."""
        self._thens: list[tuple[str, tuple[int, int]]] = []
        """The Then steps that apply in the profile, with the index of their step and in that step."""
        self._checked = 0
        self.result: CaseResult | None = None
        """The verdict, None before the first When."""
        self.answer: UncheckedJson = None
        """The answer as a document, None if there is none."""
        row = item.stash.get(ROW, None)
        self.case: Case | None = None if row is None else self._judge.case(item.path, row)
        self.bound = self.case is not None
        self._lines: dict[int, StepLine] = {}
        self._whens: list[WhenWithThens] = []
        if not self.bound:
            self._lines = dict(self._known_lines())
            self._whens = self._read_whens()

    @cached_property
    def setup(self) -> Given:
        """The setup, which Given steps change. A scenario of a suite has its own in its case."""
        return Given(fixtures_of(self._suite_folder()), self._convert())

    def _suite_folder(self) -> Path:
        """Return the nearest folder with fixtures, or the shipped suite."""
        folders = Path(self._feature.filename).resolve().parents
        return next((folder for folder in folders if (folder / "fixtures").is_dir()), shipped())

    def _known_lines(self) -> Iterator[tuple[int, StepLine]]:
        """Yield the steps of the vocabulary by the id of the step."""
        for step in self._scenario.steps:
            words = without_releases(step.name) if step.type == "then" else step.name
            steps = known_steps(step.type, None)
            if any(phrase.match(words) for known in steps for phrase in known.phrases):
                place = FeatureLine(self._feature.rel_filename, step.line_number)
                table = [list(map(str, row)) for row in step.datatable.raw()] if step.datatable else []
                yield id(step), StepLine(step.type, step.name, table, step.docstring or "", place)

    def _read_whens(self) -> list[WhenWithThens]:
        lines = [line for line in self._lines.values() if line.keyword != "given"]
        if not any(line.keyword == "when" for line in lines):
            return []
        return self._reported(lambda: setup_and_steps(lines)[1])

    def _convert(self) -> Callable[..., dict[str, object]]:
        if not self._whens:
            return dict
        return self._reported(lambda: operation_of(self._place, [step.when for step in self._whens]).convert)

    def take_step(self) -> None:
        """Run the current step, a step of the vocabulary; raises CaseFailed."""
        step = self._item.stash[STEP]
        match step.type:
            case "given" if not self.bound:
                self._given(step)
            case "when" if self.result is None:  # The first When runs the whole case.
                self._run()
            case "then":
                self._then(step)

    def _given(self, step: Step) -> None:
        written = self._reported(self._lines[id(step)].written)
        self._given_words[id(step)] = written.words
        self._reported(lambda: lookup.apply(written, self.setup))

    def _run(self) -> None:
        self.case = self.case or self._reported(self._composed)
        self._thens = list(self._then_steps(self.case))
        self.result = self._judge.judge(self.case)
        answer = self._judge.answer
        self.answer = None if answer is None else OPERATIONS[self.case.operation].actual(answer)

    def _composed(self) -> Case:
        operation = operation_of(self._place, [step.when for step in self._whens])
        folder = Path(self._feature.rel_filename).with_suffix("").as_posix()
        name = re.sub(r"\W+", "-", self._scenario.name).strip("-").lower()
        tags = sorted({*self._feature.tags, *self._scenario.tags})
        head = case_header(f"{folder}/{name}", self._scenario.name, self._place, tags)
        last = self._whens[-1]
        if not last.then_lines and self._ends_with_own_then():
            message = "no Then step of dra-conform follows, expected at least one; your own do not count"
            raise last.place.error((), message)
        steps = [step.written_step(operation) for step in self._whens]
        return compose_on(head, self._place, operation, self.setup, self._setup_words(), steps)

    def _ends_with_own_then(self) -> bool:
        """Whether a Then step that is not in the vocabulary follows the last step of the vocabulary."""
        own = takewhile(lambda step: id(step) not in self._lines, reversed(self._scenario.steps))
        return any(step.type == "then" for step in own)

    def _setup_words(self) -> tuple[str, ...]:
        """Return the Given steps before the first When, also those of the user."""
        before = takewhile(lambda step: step.type == "given", self._scenario.steps)
        return tuple(self._given_words.get(id(step), f"Given {step.name}") for step in before)

    def _then_steps(self, case: Case) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield the Then steps of the profile as written in the feature, with their indexes."""
        for number, step in enumerate(case.case_steps):
            expectation, reason = step.expected(self._judge.settings.profile)
            prefix = f"because {reason}: " if reason else ""
            for index, words in enumerate(expectation.steps if expectation else ()):
                yield prefix + words.removeprefix("Then ").partition("\n")[0], (number, index)

    def _then(self, step: Step) -> None:
        if self.result is None:
            message = "no When step of dra-conform ran before this Then step, expected one"
            raise CaseFailed(f"{self._place.file}:{step.line_number}: {message}")
        if self._checked == len(self._thens) or not step.name.endswith(self._thens[self._checked][0]):
            return  # The step does not apply in this profile.
        _, at = self._thens[self._checked]
        self._checked += 1
        last = self._checked == len(self._thens)
        self._raise_or_skip(None if last else at)

    def finish(self) -> None:
        """Fail a case that does not pass, even if no Then step failed."""
        if self.result is not None and self._checked < len(self._thens) and sys.exception() is None:
            self._raise_or_skip(None)

    def _raise_or_skip(self, at: tuple[int, int] | None) -> None:
        assert self.result is not None
        self._judge.settle(self.result, self._item, at)

    def _reported(self, read: Callable[[], _T]) -> _T:
        """Return what `read` returns; raises CaseFailed with the location for an invalid step."""
        try:
            return read()
        except InputError as error:
            raise CaseFailed(str(error)) from None


@pytest.fixture
def dra_scenario(request: pytest.FixtureRequest) -> ScenarioRun:
    """Return the running scenario."""
    item: pytest.Item = request.node
    if RUNNING not in item.stash:
        item.stash[RUNNING] = ScenarioRun(item)
    return item.stash[RUNNING]


@pytest.fixture
def dra_setup(dra_scenario: ScenarioRun) -> Given:
    """Return the setup of the running scenario, to which Given steps of your own can add objects."""
    return dra_scenario.setup


@pytest.fixture
def dra_result(dra_scenario: ScenarioRun) -> CaseResult:
    """Return the verdict of the running scenario, for Then steps of your own."""
    if dra_scenario.result is None:
        pytest.fail("no When step of dra-conform ran before this step, expected one", pytrace=False)
    return dra_scenario.result


@pytest.fixture
def dra_answer(dra_scenario: ScenarioRun, dra_result: CaseResult) -> UncheckedJson:
    """Return the answer in the running scenario as a document, for Then steps of your own."""
    return dra_scenario.answer


def pytest_bdd_before_scenario(request: pytest.FixtureRequest, feature: Feature, scenario: Scenario) -> None:
    """Keep the scenario, whose steps are read when the first step of the vocabulary runs."""
    request.node.stash[SCENARIO] = (feature, scenario)


def pytest_bdd_before_step(request: pytest.FixtureRequest, step: Step) -> None:
    """Keep the step, because pytest-bdd does not pass it to step functions."""
    request.node.stash[STEP] = step


def pytest_bdd_after_scenario(request: pytest.FixtureRequest) -> None:
    """Judge findings without a Then step."""
    running = request.node.stash.get(RUNNING, None)
    if running is not None:
        running.finish()


def pytest_bdd_step_func_lookup_error(step: Step, exception: Exception) -> None:
    """Add the sentence of the vocabulary that is most like an unknown step."""
    near = lookup.nearest(known_steps(step.type, None), step.type, step.name)
    if near:
        exception.args = (f"{exception}. Did you mean: {near}",)


def pytest_bdd_step_error(feature: Feature, step: Step, exception: Exception) -> None:
    """Add the location of the failing step."""
    if isinstance(exception, CaseFailed):
        where = f"{feature.filename}:{step.line_number}: {step.keyword} {step.name}"
        exception.args = (f"{where}\n\n{exception}",)
