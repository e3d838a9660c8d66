"""Programs around code of Kubernetes, one a release, that a test may need."""

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
    """What `make TARGET` puts into `tools/TARGET/bin`: `PROGRAM-RELEASE`.

    The environment variable `variable` names releases whose builds must be there; tests then use these and no
    others. Without it, tests use what is there.
    """

    target: str
    program: str
    variable: str

    def chosen(self, releases: Iterable[str]) -> list[str]:
        """Those of the releases that are to be tested."""
        required = self._required()
        return [release for release in releases if not required or release in required]

    def build(self, release: str) -> Path:
        """The build of a release; skips the test, with the reason, where there is none and none is required."""
        path = ROOT / "tools" / self.target / "bin" / f"{self.program}-{release}"
        if not path.exists():
            why = f"run `make {self.target}`" if shutil.which("go") else "there is no Go on this machine"
            end = pytest.fail if self._required() else pytest.skip
            end(f"{path.name} is not built: {why}")
        return path

    def all_are_tested(self) -> bool:
        """Whether nobody has named builds, and with that asked for no more than what these tell."""
        return not self._required()

    def _required(self) -> list[str]:
        return os.environ.get(self.variable, "").split()
