"""Golden files as test files: one test per case."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.pytest_plugin.session_judge import JUDGE, CaseFailed, cases_in, raise_or_skip


class GoldenFileCollector(pytest.File):
    """A golden file, with one test for each case."""

    def collect(self) -> Iterator[pytest.Item]:
        for suite, case in cases_in(self.config, self.path):
            yield GoldenItem.from_parent(self, name=case.id, suite=suite, case=case)


class GoldenItem(pytest.Item):
    """One golden case."""

    def __init__(self, *, suite: LoadedSuite, case: Case, **rest: Any) -> None:
        super().__init__(**rest)
        self.suite = suite
        self.case = case

    def runtest(self) -> None:
        raise_or_skip(self.config.stash[JUDGE].judge(self.suite, self.case), self.suite)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.source.line - 1, self.case.id
