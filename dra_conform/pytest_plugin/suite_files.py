"""Files of a suite as test files: each scenario of a feature file, bound to its case of the suite, and each
case of a golden file as one test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pytest_bdd import scenarios
from pytest_bdd.feature import get_feature
from pytest_bdd.scenario import scenario_wrapper_template_registry

from dra_conform.conformance.suite.index import CaseRow
from dra_conform.pytest_plugin.scenario_run import ROW
from dra_conform.pytest_plugin.session_judge import JUDGE


class FeatureFile(pytest.Module):
    """A feature file as a module of pytest-bdd scenarios, which have the ids of their cases as names."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        known = {
            (row.id.partition("[")[0].rpartition("/")[2], row.row): row
            for row in self.config.stash[JUDGE].rows(self.path)
        }
        for item in super().collect() if known else ():
            assert isinstance(item, pytest.Function)
            callspec = getattr(item, "callspec", None)
            cells = tuple(callspec.params["_pytest_bdd_example"].values()) if callspec else ()
            tags = scenario_wrapper_template_registry[item.function].tags
            name = next((tag.removeprefix("case:") for tag in tags if tag.startswith("case:")), "")
            row = known.get((name, cells))
            if row is not None:
                named = self._named(item, callspec, row.id)
                named.stash[ROW] = row
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
        return module


def _unmark_examples(path: Path) -> None:
    """Remove the tags of Examples tables, which pytest-bdd would apply without `pytest_bdd_apply_tag`."""
    for scenario in get_feature(str(path.parent), path.name).scenarios.values():
        for examples in scenario.examples:
            examples.tags.clear()


def is_own_scenario(item: pytest.Item) -> bool:
    """Whether a test is a scenario that a Python file binds, not one of a suite."""
    return item.path.suffix == ".py" and getattr(item, "function", None) in scenario_wrapper_template_registry


def pytest_bdd_apply_tag(tag: str, function: object) -> bool | None:
    """Return True, so that tags of a suite, which name requirements and profiles, do not become marks."""
    return True if "/" in tag or ":" in tag or tag == "order" else None


class GoldenFileCollector(pytest.File):
    """A golden file, with one test for each case."""

    def collect(self) -> Iterator[pytest.Item]:
        for row in self.config.stash[JUDGE].rows(self.path):
            yield GoldenItem.from_parent(self, name=row.id, row=row)


class GoldenItem(pytest.Item):
    """One golden case."""

    def __init__(self, *, row: CaseRow, **rest: Any) -> None:
        super().__init__(**rest)
        self.row = row

    def runtest(self) -> None:
        judge = self.config.stash[JUDGE]
        judge.settle(judge.judge(judge.case(self.path, self.row)), self)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.row.line - 1, self.row.id
