"""`pytest features/`: every scenario and every golden case as one test each.

Scenarios run through pytest-bdd: its steps are bound to the case that the suite's own loader made of the
scenario, the When asks the implementation, and each Then fails for what the judge found against it. Golden
cases are collected beside the features. The plugin is idle for folders that are no suite.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pytest_bdd import given, parsers, scenarios, then, when
from pytest_bdd.feature import get_feature
from pytest_bdd.parser import Feature, Scenario, Step
from pytest_bdd.scenario import scenario_wrapper_template_registry
from pytest_bdd.steps import StepNamePrefix

from dra_conform.adapters import BadSpec, explain, open_implementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.implementation import CannotStart, Identity, Implementation
from dra_conform.conformance.runner import Settings, judge_one
from dra_conform.conformance.suite.gherkin import slug
from dra_conform.conformance.suite.loading import LoadedSuite, is_suite, load_suite
from dra_conform.conformance.suite.selection import select
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.profile import KEP, PROFILES
from dra_conform.reports import failure_lines


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dra-conform")
    group.addoption(
        "--implementation",
        default="builtin",
        metavar="SPEC",
        help="what is judged: builtin, python:MODULE:ATTRIBUTE or 'exec:COMMAND ...'",
    )
    group.addoption("--profile", default=KEP, choices=PROFILES, help="what counts as right (kep)")
    group.addoption(
        "--strict-choice", action="store_true", help="also compare choices between equally valid answers"
    )
    group.addoption(
        "--select",
        default="",
        metavar="EXPR",
        help="which cases, such as 'requirement:KEP-5075/rounding/* and not kind:golden'",
    )


@dataclass(frozen=True, slots=True)
class Collected:
    """A suite with its cases by file."""

    suite: LoadedSuite
    cases: dict[Path, list[Case]]


class Judge:
    """One implementation, started at the first case and kept for the session; one suite for each folder."""

    def __init__(self, config: pytest.Config) -> None:
        self.settings = Settings(
            profile=config.getoption("--profile"), strict=config.getoption("--strict-choice")
        )
        self.broken: list[str] = []
        """What is wrong with the suites met or the selection: told as a usage error after the collection."""
        self._spec: str = config.getoption("--implementation")
        self._selection: str = config.getoption("--select")
        self._started: tuple[Implementation, Identity] | None = None
        self._suites: dict[Path, Collected | None] = {}

    def suite(self, root: Path) -> Collected | None:
        """The suite in a folder, None where it is broken."""
        if root not in self._suites:
            try:
                suite = load_suite(root)
            except (InputError, InputErrors) as error:
                self.broken.append(f"the suite {root} is broken:\n{error}")
                self._suites[root] = None
            else:
                cases = defaultdict(list)
                for case in self._selected(suite):
                    cases[root / case.source.file].append(case)
                self._suites[root] = Collected(suite, cases)
        return self._suites[root]

    def _selected(self, suite: LoadedSuite) -> Sequence[Case]:
        try:
            return select(suite.cases, self._selection)
        except InputError as error:
            self.broken.append(str(error))
            return ()

    def judge(self, suite: LoadedSuite, case: Case) -> CaseResult:
        """Put one case to the implementation; it is started when needed."""
        if case.profiles is not None and self.settings.profile not in case.profiles:
            pytest.skip(f"holds in {', '.join(sorted(case.profiles))} only, this is {self.settings.profile}")
        if self._started is None:
            try:
                implementation = open_implementation(self._spec)
                self._started = (implementation, implementation.start(suite.as_suite()))
            except (BadSpec, CannotStart) as error:
                pytest.exit(f"{self._spec}: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
        implementation, identity = self._started
        return judge_one(implementation, identity, case, self.settings, explain)

    def close(self) -> None:
        if self._started is not None:
            self._started[0].close()


_JUDGE = pytest.StashKey[Judge]()
_BOUND = pytest.StashKey["Bound"]()
_CASE = pytest.StashKey[tuple[LoadedSuite, Case]]()
_KINDS = {".feature": "features", ".yaml": "golden"}


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_JUDGE] = Judge(config)
    asked = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    for folder in asked:
        golden = folder.parent / "golden"
        if folder.name == "features" and is_suite(folder.parent) and golden not in asked:
            config.args.append(str(golden))


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[_JUDGE].close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    kind = _KINDS.get(file_path.suffix)
    root = _suite_root(file_path) if kind else None
    if kind is None or root is None or not file_path.is_relative_to(root / kind):
        return None
    if next(_cases(parent.config, file_path), None) is None:
        return None
    if kind == "features":
        return FeatureFile.from_parent(parent, path=file_path)
    return GoldenFile.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    broken = session.config.stash[_JUDGE].broken
    if broken:
        raise pytest.UsageError("\n".join(broken))


def _suite_root(path: Path) -> Path | None:
    return next((folder for folder in path.parents if is_suite(folder)), None)


def _cases(config: pytest.Config, path: Path) -> Iterator[tuple[LoadedSuite, Case]]:
    """The cases that stand in a file, none where the suite is broken."""
    root = _suite_root(path)
    assert root is not None
    collected = config.stash[_JUDGE].suite(root)
    if collected is not None:
        for case in collected.cases.get(path, ()):
            yield collected.suite, case


class CaseFailed(Exception):  # noqa: N818 - it reads as what happened
    """A case whose verdict is not pass; the text is the whole failure as the terminal report shows it."""


def _settle(result: CaseResult, suite: LoadedSuite, at: tuple[int, int] | None = None) -> None:
    """Skip, raise or return. `at` is an act and a Then step of it: only what is wrong there, or nowhere in
    particular, counts."""
    if result.verdict is Verdict.UNSUPPORTED:
        pytest.skip(result.detail or result.verdict.value)
    if result.verdict is Verdict.PASS:
        return
    places = [None if found.step is None else (found.act, found.step) for found in result.findings]
    if at is not None and places and all(place not in (None, at) for place in places):
        return
    raise CaseFailed("\n".join(failure_lines(result, suite.catalogue)))


class GoldenFile(pytest.File):
    """A golden file: one test a case."""

    def collect(self) -> Iterator[pytest.Item]:
        for suite, case in _cases(self.config, self.path):
            yield GoldenItem.from_parent(self, name=case.id, suite=suite, case=case)


class GoldenItem(pytest.Item):
    """One golden case."""

    def __init__(self, *, suite: LoadedSuite, case: Case, **rest: Any) -> None:
        super().__init__(**rest)
        self.suite = suite
        self.case = case

    def runtest(self) -> None:
        _settle(self.config.stash[_JUDGE].judge(self.suite, self.case), self.suite)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.source.line - 1, self.case.id


class FeatureFile(pytest.Module):
    """A feature file as a module of pytest-bdd scenarios, each named by the id of its case."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        known = {
            (case.id.partition("[")[0].rpartition("/")[2], case.row): (suite, case)
            for suite, case in _cases(self.config, self.path)
        }
        for item in super().collect():
            assert isinstance(item, pytest.Function)
            callspec = getattr(item, "callspec", None)
            cells = tuple(callspec.params["_pytest_bdd_example"].values()) if callspec else ()
            title = scenario_wrapper_template_registry[item.function].name
            found = known.get((slug(title), cells))
            if found is not None:
                named = self._named(item, callspec, found[1].id)
                named.stash[_CASE] = found
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
    suite, case = request.node.stash[_CASE]
    steps = tuple(_then_steps(case, request.config.stash[_JUDGE].settings.profile))
    bound = request.node.stash[_BOUND] = Bound(suite, case, steps)
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
            dra_case.result = request.config.stash[_JUDGE].judge(dra_case.suite, dra_case.case)

    @then(parsers.re("(?P<words>.*)"))
    @staticmethod
    def _then(dra_case: Bound, words: str) -> None:
        assert dra_case.result is not None
        position = dra_case.thens
        if position == len(dra_case.steps) or not words.endswith(dra_case.steps[position][0]):
            return  # a step for other profiles
        dra_case.thens += 1
        last = dra_case.thens == len(dra_case.steps)
        _settle(dra_case.result, dra_case.suite, None if last else dra_case.steps[position][1])


def pytest_bdd_after_scenario(request: pytest.FixtureRequest, feature: Feature, scenario: Scenario) -> None:
    """However the Then steps went, a case that does not pass does not pass."""
    bound = request.node.stash.get(_BOUND, None)
    if bound is not None and bound.result is not None and bound.thens < len(bound.steps):
        settled, bound.result = bound.result, None
        if sys.exception() is None:
            _settle(settled, bound.suite)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failing scenario shows the failure as the terminal report does, not the plugin's frames."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, CaseFailed):
        report.longrepr = str(call.excinfo.value)
    return report


def pytest_bdd_step_error(
    request: pytest.FixtureRequest, feature: Feature, scenario: Scenario, step: Step, exception: Exception
) -> None:
    """Say which step it is."""
    if isinstance(exception, CaseFailed):
        where = f"{feature.filename}:{step.line_number}: {step.keyword} {step.name}"
        exception.args = (f"{where}\n\n{exception}",)
