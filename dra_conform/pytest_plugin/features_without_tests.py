"""The hint about features outside of a suite that no Python file binds: pytest collects nothing from them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from pytest_bdd.scenario import scenario_wrapper_template_registry

from dra_conform.pytest_plugin.session_judge import suite_root

_LISTED = 5


class FeaturesWithoutTests:
    """Hooks that print the hint if no test is collected, or if the tests use the steps of dra-conform."""

    def __init__(self) -> None:
        self._features: set[Path] = set()
        self._bound: set[Path] = set()
        self._collects_tests = False

    def pytest_collect_file(self, file_path: Path) -> None:
        if file_path.suffix == ".feature" and suite_root(file_path) is None:
            self._features.add(file_path.resolve())

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        self._collects_tests = True
        function = getattr(item, "function", None)
        if function is not None and function in scenario_wrapper_template_registry:
            self._bound.add(Path(scenario_wrapper_template_registry[function].feature.filename).resolve())

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        unbound = sorted(self._features - self._bound)
        if not unbound or (self._collects_tests and "dra_conform.bdd" not in sys.modules):
            return
        names = [os.path.relpath(path, config.invocation_params.dir) for path in unbound]
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        folder = Path(names[0]).parent
        terminalreporter.section("features without tests")
        terminalreporter.line(
            f"{', '.join(names[:_LISTED])}{more}: no collected Python file runs these scenarios. "
            "The features of a suite need none; others need one such as test_features.py:\n\n"
            "  from dra_conform.bdd import *\n"
            "  from pytest_bdd import scenarios\n\n"
            f'  scenarios("{names[0] if folder == Path() else folder.as_posix()}")\n\n'
            "Then run `pytest test_features.py`."
        )
