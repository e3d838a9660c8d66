"""Feature files as test files: scenarios of pytest-bdd, each bound to its case of the suite."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pytest_bdd import given, parsers, scenarios, then, when
from pytest_bdd.feature import get_feature
from pytest_bdd.parser import Feature, Scenario
from pytest_bdd.scenario import scenario_wrapper_template_registry
from pytest_bdd.steps import StepNamePrefix

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import CaseResult
from dra_conform.pytest_plugin.session_judge import JUDGE, cases_in, raise_or_skip

BOUND = pytest.StashKey["BoundCase"]()
CASE = pytest.StashKey[tuple[LoadedSuite, Case]]()


class FeatureFile(pytest.Module):
    """A feature file as a module of pytest-bdd scenarios, which have the ids of their cases as names."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        known = {
            (case.id.partition("[")[0].rpartition("/")[2], case.row): (suite, case)
            for suite, case in cases_in(self.config, self.path)
        }
        for item in super().collect():
            assert isinstance(item, pytest.Function)
            callspec = getattr(item, "callspec", None)
            cells = tuple(callspec.params["_pytest_bdd_example"].values()) if callspec else ()
            tags = scenario_wrapper_template_registry[item.function].tags
            name = next((tag.removeprefix("case:") for tag in tags if tag.startswith("case:")), "")
            suite_and_case = known.get((name, cells))
            if suite_and_case is not None:
                named = self._named(item, callspec, suite_and_case[1].id)
                named.stash[CASE] = suite_and_case
                yield named

    def _named(self, item: pytest.Function, callspec: Any, case_id: str) -> pytest.Item:
        """Copy the test with the id of its case as name, because the name of an item cannot change."""
        name, bracket, row = case_id.removesuffix("]").partition("[")
        named: pytest.Function = pytest.Function.from_parent(
            self,
            name=case_id,
            originalname=name,
            callspec=replace(callspec, _idlist=[row]) if bracket else callspec,
            callobj=item.obj,
            keywords=item.keywords,
            fixtureinfo=item._fixtureinfo,
        )
        return named

    def _getobj(self) -> ModuleType:
        module = ModuleType(self.path.stem)
        module.__file__ = str(self.path)
        _unmark_examples(self.path)
        # `scenarios` adds its tests to the frame of its caller.
        bind = "scenarios(path, features_base_dir=folder)"
        names = {"scenarios": scenarios, "path": str(self.path), "folder": str(self.path.parent)}
        exec(compile(bind, str(self.path), "exec"), module.__dict__, names)
        for name, value in names.items():
            if name.startswith("test_"):
                setattr(module, name, value)
        for name, value in vars(Steps).items():
            if name.startswith(StepNamePrefix.step_def.value):
                setattr(module, name, value)
        return module


def _unmark_examples(path: Path) -> None:
    """Remove the tags of Examples tables, which pytest-bdd would apply without `pytest_bdd_apply_tag`."""
    for scenario in get_feature(str(path.parent), path.name).scenarios.values():
        for examples in scenario.examples:
            examples.tags.clear()


@dataclass
class BoundCase:
    """The case of the running scenario.

    `steps` are the Then steps that apply in the profile, as written in the feature. Each has the index of its
    step and its index in that step. `thens` is the number of Then steps that were checked.
    """

    suite: LoadedSuite
    case: Case
    steps: Sequence[tuple[str, tuple[int, int]]]
    result: CaseResult | None = None
    thens: int = field(default=0)


def pytest_bdd_apply_tag(tag: str, function: object) -> bool | None:
    """Return True, so that tags of a suite, which name requirements and profiles, do not become marks."""
    return True if "/" in tag or ":" in tag or tag == "order" else None


@pytest.fixture
def dra_case(request: pytest.FixtureRequest) -> BoundCase:
    """Return the case of the running scenario."""
    suite, case = request.node.stash[CASE]
    steps = tuple(_then_steps(case, request.config.stash[JUDGE].settings.profile))
    bound = request.node.stash[BOUND] = BoundCase(suite, case, steps)
    return bound


def _then_steps(case: Case, profile: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the Then steps of a profile as written in the feature, with their indexes."""
    for number, step in enumerate(case.case_steps):
        expectation, reason = step.expected(profile)
        prefix = f"because {reason}: " if reason else ""
        for index, words in enumerate(expectation.steps if expectation else ()):
            yield prefix + words.removeprefix("Then ").partition("\n")[0], (number, index)


class Steps:
    """Step functions that match any step. They exist only in the modules of feature files."""

    @given(parsers.re(".*"))
    @staticmethod
    def _given(dra_case: BoundCase) -> None:
        """Do nothing: the bound case already has the setup of the Given steps."""

    @when(parsers.re(".*"))
    @staticmethod
    def _when(dra_case: BoundCase, request: pytest.FixtureRequest) -> None:
        if dra_case.result is None:  # The first When runs the whole case.
            dra_case.result = request.config.stash[JUDGE].judge(dra_case.suite, dra_case.case)

    @then(parsers.re("(?P<words>.*)"))
    @staticmethod
    def _then(dra_case: BoundCase, words: str) -> None:
        assert dra_case.result is not None
        position = dra_case.thens
        if position == len(dra_case.steps) or not words.endswith(dra_case.steps[position][0]):
            return  # The step does not apply in this profile.
        dra_case.thens += 1
        last = dra_case.thens == len(dra_case.steps)
        raise_or_skip(dra_case.result, dra_case.suite, None if last else dra_case.steps[position][1])


def pytest_bdd_after_scenario(request: pytest.FixtureRequest, feature: Feature, scenario: Scenario) -> None:
    """Fail a case that does not pass, even if no Then step failed."""
    bound = request.node.stash.get(BOUND, None)
    if bound is not None and bound.result is not None and bound.thens < len(bound.steps):
        result, bound.result = bound.result, None
        if sys.exception() is None:
            raise_or_skip(result, bound.suite)
