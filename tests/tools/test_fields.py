"""The table of fields is current, and every field has its cases or a reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_table_of_fields_is_current_and_complete() -> None:
    command = [sys.executable, "tools/docs/fields.py"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert (ROOT / "docs" / "fields.md").read_text("utf-8") == printed
    assert [line for line in printed.splitlines() if "|  |" in line] == []
