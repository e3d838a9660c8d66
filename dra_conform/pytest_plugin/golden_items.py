"""Golden files as test files: one test per case."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dra_conform.conformance.suite.index import CaseRow
from dra_conform.pytest_plugin.session_judge import JUDGE, CaseFailed


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
        judge.settle(judge.judge(judge.case(self.path, self.row)), self.path)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.row.line - 1, self.row.id
