"""Builds of Go programs around code of Kubernetes, one per release, for tests that need them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Builds:
    """Builds that `make TARGET` writes to `tools/TARGET/bin`, named `PROGRAM-RELEASE`.

    The environment variable `variable` names the releases to test, whose builds must exist. Without it, tests use
    the existing builds.
    """

    target: str
    program: str
    variable: str

    def chosen(self, releases: Iterable[str]) -> list[str]:
        """Return the releases to test."""
        required = self._required()
        return [release for release in releases if not required or release in required]

    def build(self, release: str) -> Path:
        """Return the build of a release. Without it, fail if it is required and skip the test if not."""
        path = ROOT / "tools" / self.target / "bin" / f"{self.program}-{release}"
        if not path.exists():
            why = f"run `make {self.target}`" if shutil.which("go") else "Go is not installed"
            end = pytest.fail if self._required() else pytest.skip
            end(f"{path.name} is not built: {why}")
        return path

    def all_are_tested(self) -> bool:
        """Return whether no releases were named, so that the tests run with every existing build."""
        return not self._required()

    def _required(self) -> list[str]:
        return os.environ.get(self.variable, "").split()
