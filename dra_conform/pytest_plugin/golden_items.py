"""Golden files as test files: one test per case."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dra_conform.conformance.case import Case
from dra_conform.pytest_plugin.session_judge import JUDGE, CaseFailed, raise_or_skip


class GoldenFileCollector(pytest.File):
    """A golden file, with one test for each case."""

    def collect(self) -> Iterator[pytest.Item]:
        for case in self.config.stash[JUDGE].cases(self.path):
            yield GoldenItem.from_parent(self, name=case.id, case=case)


class GoldenItem(pytest.Item):
    """One golden case."""

    def __init__(self, *, case: Case, **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case

    def runtest(self) -> None:
        judge = self.config.stash[JUDGE]
        raise_or_skip(judge.judge(self.case), lambda: judge.catalogue(self.path))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.source.line - 1, self.case.id
