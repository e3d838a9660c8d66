"""`pytest features/`: each scenario and each golden case as one test.

Scenarios run through pytest-bdd: the first When runs the case on the
implementation, and each Then fails if the judge has a finding for it. Golden cases
are collected together with the features. The plugin ignores folders that are not a suite.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from dra_conform.adapters.limit_options import memory_in_bytes, seconds
from dra_conform.conformance import plugin_entries
from dra_conform.conformance.suite.folders import is_suite, not_a_suite, shipped
from dra_conform.kube.errors import InputError
from dra_conform.kube.garbage_collection import collect_less
from dra_conform.kube.profile import KEP, PROFILES
from dra_conform.pytest_plugin.features_without_tests import FeaturesWithoutTests
from dra_conform.pytest_plugin.scenario_run import (
    dra_answer,
    dra_result,
    dra_scenario,
    dra_setup,
    pytest_bdd_after_scenario,
    pytest_bdd_before_scenario,
    pytest_bdd_before_step,
    pytest_bdd_step_error,
    pytest_bdd_step_func_lookup_error,
)
from dra_conform.pytest_plugin.session_judge import JUDGE, CaseFailed, CaseSkipped, Judge, suite_root
from dra_conform.pytest_plugin.suite_files import (
    FeatureFile,
    GoldenFileCollector,
    is_own_scenario,
    pytest_bdd_apply_tag,
)
from dra_conform.pytest_plugin.unjudged_session import UnjudgedSession, mark_skipped

__all__ = [
    "dra_answer",
    "dra_result",
    "dra_scenario",
    "dra_setup",
    "pytest_bdd_after_scenario",
    "pytest_bdd_apply_tag",
    "pytest_bdd_before_scenario",
    "pytest_bdd_before_step",
    "pytest_bdd_step_error",
    "pytest_bdd_step_func_lookup_error",
]

_STEPS = "dra_conform.pytest_plugin.suite_steps"


_MANY = 1000
"""A session with more tests exempts them from garbage collection."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dra-conform")
    group.addoption(
        "--implementation",
        default="builtin",
        metavar="SPEC",
        help="the implementation to judge: builtin, python:MODULE:ATTRIBUTE or 'exec:COMMAND ...'",
    )
    group.addoption(
        "--in-process",
        action="store_true",
        help="run python:MODULE:ATTRIBUTE in this process, for a debugger",
    )
    group.addoption(
        "--profile",
        default=KEP,
        choices=PROFILES,
        help="the release or specification that defines the expected behavior (default: kep)",
    )
    group.addoption(
        "--dra-suite",
        metavar="DIR",
        help="also run this suite; `shipped` is the suite of dra-conform",
    )
    group.addoption(
        "--dra-expect",
        metavar="LEDGER",
        help="the ledger of known failures, which are xfailed; a case that differs from it fails",
    )
    group.addoption(
        "--dra-deadline",
        type=seconds,
        default=2.0,
        metavar="SECONDS",
        help="the time limit of a case (2)",
    )
    group.addoption(
        "--dra-memory",
        type=memory_in_bytes,
        default=0,
        metavar="AMOUNT",
        help="the memory limit of each process of the implementation, such as 512Mi",
    )
    group.addoption(
        "--strict-choice", action="store_true", help="also judge choices between equally valid answers"
    )
    group.addoption(
        "--select",
        action="append",
        default=[],
        metavar="EXPR",
        help="the cases to run, such as 'requirement:KEP-5075/rounding/* and not kind:golden'; if repeated, "
        "a case that any expression selects is run",
    )


_KINDS = {".feature": "features", ".yaml": "golden"}


def pytest_configure(config: pytest.Config) -> None:
    try:
        plugin_entries.load()
    except plugin_entries.BadPlugin as error:
        raise pytest.UsageError(str(error)) from None
    try:
        config.stash[JUDGE] = Judge(config)
    except InputError as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(FeaturesWithoutTests())
    config.pluginmanager.register(UnjudgedSession())
    _add_suite(config)
    folders = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    for folder in folders:
        golden = folder.parent / "golden"
        if folder.name == "features" and is_suite(folder.parent) and golden not in folders:
            config.args.append(str(golden))


def _add_suite(config: pytest.Config) -> None:
    """Add the files of `--dra-suite` to those of the command line, or run only them if it names none."""
    name = config.getoption("--dra-suite")
    if name is None:
        return
    root = shipped() if name == "shipped" else (config.invocation_params.dir / name).resolve()
    if not is_suite(root):
        raise pytest.UsageError(f"--dra-suite: {name}: {not_a_suite(root)}")
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args.clear()
    config.args += [str(root / "features"), str(root / "golden")]


def pytest_unconfigure(config: pytest.Config) -> None:
    if JUDGE in config.stash:
        config.stash[JUDGE].close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    kind = _KINDS.get(file_path.suffix)
    root = suite_root(file_path) if kind else None
    if kind is None or root is None or not file_path.is_relative_to(root / kind):
        return None
    if kind == "features":
        parent.config.pluginmanager.import_plugin(_STEPS)
        return FeatureFile.from_parent(parent, path=file_path)
    return GoldenFileCollector.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    own_scenarios = any(is_own_scenario(item) for item in session.items)
    problems = session.config.stash[JUDGE].collected(own_scenarios=own_scenarios)
    if problems:
        raise pytest.UsageError("\n".join(problems))
    if len(session.items) > _MANY and session.config.stash[JUDGE].has_suites:
        collect_less()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the failure of a case as in the terminal report, without stack frames, and mark unjudged cases.

    The message of the crash is one line: pytest repeats it whole in its summary where CI is set.
    """
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, CaseSkipped):
        mark_skipped(report, judged=call.excinfo.value.judged)
    if call.excinfo is not None and isinstance(call.excinfo.value, CaseFailed):
        text = str(call.excinfo.value)
        shown = call.excinfo.getrepr(style="value")
        for entry in shown.reprtraceback.reprentries:
            entry.lines = [f"{text}\n"]
        if shown.reprcrash is not None:
            shown.reprcrash.message = call.excinfo.value.summary
        report.longrepr = shown
    return report
