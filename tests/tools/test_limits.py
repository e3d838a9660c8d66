"""The page and the cases that are generated from the table of limits are current."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("what", "file"), [("page", "docs/limits.md"), ("cases", "golden/api/limits.yaml")])
def test_files_generated_from_limits_are_current(what: str, file: str) -> None:
    command = [sys.executable, "tools/docs/limits.py", what]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert (ROOT / file).read_text("utf-8") == printed
