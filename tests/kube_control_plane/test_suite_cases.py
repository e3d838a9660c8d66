"""The API server's admission passes the cases of the suite in the profile of its release."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.go_builds import ROOT
from tests.support.kube_control_plane.builds import ALL_VERSIONS, RELEASES, build, chosen

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("release", chosen(RELEASES))
def test_no_case_of_a_write_fails(release: str, tmp_path: Path) -> None:
    command = " ".join([f"exec:{build(release)}", *ALL_VERSIONS])
    profile = f"kubernetes-{release[1:].rpartition('.')[0]}"
    report = tmp_path / "report.json"
    run = ("run", "-i", command, "--profile", profile, "--select", "operation:admit", "--json", str(report))
    subprocess.run(
        [sys.executable, "-m", "dra_conform", *run], cwd=ROOT, capture_output=True, timeout=600, check=False
    )
    results = json.loads(report.read_text())["results"]
    assert len(results) > 600
    failed = {one["case"]: one["verdict"] for one in results if one["verdict"] not in {"pass", "unsupported"}}
    assert failed == {}
