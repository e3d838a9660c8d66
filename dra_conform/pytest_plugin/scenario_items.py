"""Feature files as test files: the scenarios of pytest-bdd, each bound to its case of the suite."""

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
from dra_conform.pytest_plugin.session_judge import JUDGE, cases_in, settle

BOUND = pytest.StashKey["Bound"]()
CASE = pytest.StashKey[tuple[LoadedSuite, Case]]()


class FeatureFile(pytest.Module):
    """A feature file as a module of pytest-bdd scenarios, each named by the id of its case."""

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
            found = known.get((name, cells))
            if found is not None:
                named = self._named(item, callspec, found[1].id)
                named.stash[CASE] = found
                yield named

    def _named(self, item: pytest.Function, callspec: Any, case_id: str) -> pytest.Item:
        """The test again under the id of its case: an item has the name it was made with for good."""
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
        # `scenarios` puts its tests into the frame it is called from.
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
    """Drop the tags of examples: pytest-bdd makes marks of them without asking `pytest_bdd_apply_tag`."""
    for scenario in get_feature(str(path.parent), path.name).scenarios.values():
        for examples in scenario.examples:
            examples.tags.clear()


@dataclass
class Bound:
    """The case of the scenario that runs now. `steps` are the Then steps that hold in the profile, as the
    feature has them, with the act and the place in it; `thens` counts those that were checked."""

    suite: LoadedSuite
    case: Case
    steps: Sequence[tuple[str, tuple[int, int]]]
    result: CaseResult | None = None
    thens: int = field(default=0)


def pytest_bdd_apply_tag(tag: str, function: object) -> bool | None:
    """Tags of a suite name requirements and profiles; they are no marks."""
    return True if "/" in tag or ":" in tag or tag == "order" else None


@pytest.fixture
def dra_case(request: pytest.FixtureRequest) -> Bound:
    """The suite's own case for the scenario that runs."""
    suite, case = request.node.stash[CASE]
    steps = tuple(_then_steps(case, request.config.stash[JUDGE].settings.profile))
    bound = request.node.stash[BOUND] = Bound(suite, case, steps)
    return bound


def _then_steps(case: Case, profile: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """The Then steps of a profile as the feature has them, with their places."""
    for number, act in enumerate(case.acts):
        expectation, reason = act.expected(profile)
        prefix = f"because {reason}: " if reason else ""
        for place, words in enumerate(expectation.steps if expectation else ()):
            yield prefix + words.removeprefix("Then ").partition("\n")[0], (number, place)


class Steps:
    """Steps that take any words. They are put into the modules of feature files and match nowhere else."""

    @given(parsers.re(".*"))
    @staticmethod
    def _given(dra_case: Bound) -> None:
        """What is given is in the case already."""

    @when(parsers.re(".*"))
    @staticmethod
    def _when(dra_case: Bound, request: pytest.FixtureRequest) -> None:
        if dra_case.result is None:  # the whole story is asked at once
            dra_case.result = request.config.stash[JUDGE].judge(dra_case.suite, dra_case.case)

    @then(parsers.re("(?P<words>.*)"))
    @staticmethod
    def _then(dra_case: Bound, words: str) -> None:
        assert dra_case.result is not None
        position = dra_case.thens
        if position == len(dra_case.steps) or not words.endswith(dra_case.steps[position][0]):
            return  # a step for other profiles
        dra_case.thens += 1
        last = dra_case.thens == len(dra_case.steps)
        settle(dra_case.result, dra_case.suite, None if last else dra_case.steps[position][1])


def pytest_bdd_after_scenario(request: pytest.FixtureRequest, feature: Feature, scenario: Scenario) -> None:
    """However the Then steps went, a case that does not pass does not pass."""
    bound = request.node.stash.get(BOUND, None)
    if bound is not None and bound.result is not None and bound.thens < len(bound.steps):
        settled, bound.result = bound.result, None
        if sys.exception() is None:
            settle(settled, bound.suite)
