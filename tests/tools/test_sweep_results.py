"""The page of the results of sweeps is made from the folders of sweeps."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dra_conform.sweep.campaign import in_this_process, opened, parts_of, start, sweep
from dra_conform.sweep.outputs import SweepFolder
from dra_conform.sweep.part import SweepSettings

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_page_has_rows_faults_and_commands(tmp_path: Path) -> None:
    settings = SweepSettings("rounding", "kubernetes-1.37", 7, inadmissible=False, deadline_ms=60_000)
    folder = SweepFolder(tmp_path, "kube-scheduler allocator v0.37.2 auto", settings)
    folder.begin(resume=False)
    implementation = opened("builtin")
    start(implementation)
    for result, rows in sweep(
        parts_of("builtin", settings, 4000, (1, 1), keep=True), {}, in_this_process(implementation)
    ):
        assert rows is not None
        folder.add(result, rows)
    folder.close()
    command = [sys.executable, "tools/docs/sweep_results.py", str(tmp_path)]
    page = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "| kube-scheduler allocator v0.37.2 | `rounding` | 4,000 | 18 | 0 | 0 |" in page
    assert "## A quantity of 1000E or more is written without its zeros, 1000E as 1" in page
    assert "18 rows, found in:\n\n- kube-scheduler allocator v0.37.2: `rounding`" in page
    assert (
        "dra-conform sweep -i exec:tools/kube-allocator/bin/kube-allocator-v0.37.2 "
        "--profile kubernetes-1.37 --area rounding"
    ) in page
