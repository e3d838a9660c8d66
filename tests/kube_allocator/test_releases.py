"""The suite on the real allocator of each release, in the profile of that release."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from dra_conform.reports.ledger import read_ledger
from dra_conform.reports.published_ledgers import FOLDER
from tests.support.kube_allocator.builds import ROOT, all_are_tested, build, chosen

pytestmark = pytest.mark.slow

RELEASES = {
    "v0.34.0": "kubernetes-1.34",
    "v0.34.13": "kubernetes-1.34",
    "v0.35.10": "kubernetes-1.35",
    "v0.36.0": "kubernetes-1.36",
    "v0.36.6": "kubernetes-1.36",
    "v0.37.2": "kubernetes-1.37",
    "v0.38.0-beta.0": "kubernetes-1.38",
}
IN_KEP = ("v0.36.6", "v0.37.2")
"""Builds whose ledger also has the differences from the specification."""
VARIANTS = ("stable", "incubating", "experimental")


@pytest.mark.parametrize("release", chosen(RELEASES))
def test_all_failures_of_a_release_are_in_its_ledger(release: str) -> None:
    _check_ledger(release, RELEASES[release])


@pytest.mark.skipif(not all_are_tested(), reason="another minute for each release")
@pytest.mark.parametrize("release", sorted(set(chosen(RELEASES)).intersection(IN_KEP)))
def test_all_differences_of_a_release_from_the_specification_are_in_its_ledger(release: str) -> None:
    _check_ledger(release, "kep")


def _check_ledger(release: str, profile: str) -> None:
    """Run the suite; its exit code is 0 only if all results are as in the published ledger."""
    done = _run(f"exec:{build(release)}", profile, "--deadline", "60")
    assert (done.returncode, "all results are as in the ledger" in done.stderr) == (0, True), done.stderr


@pytest.mark.skipif(not all_are_tested(), reason="seven minutes, and the release chooses among them itself")
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_of_1_36(variant: str, tmp_path: Path) -> None:
    failures = _failures(f"exec:{build('v0.36.6')} --variant {variant}", "kubernetes-1.36", tmp_path)
    assert _unexplained(failures, {**known_failures("v0.36.6"), **SLOW.get(variant, {})}) == {}


SLOW = {"stable": {"dra/sizes/list-shrinks-*-request": "it tries too many ways for the time there is"}}


def _unexplained(failures: Mapping[str, str], deviations: Mapping[str, str]) -> dict[str, str]:
    return {
        case: verdict
        for case, verdict in failures.items()
        if not any(fnmatchcase(case, pattern) for pattern in deviations)
    }


def known_failures(release: str) -> dict[str, str]:
    """Return patterns for fnmatch of the cases that fail in the profile of the release, with the reasons."""
    ledger = read_ledger(str(ROOT / FOLDER / "kube-scheduler-allocator" / f"{release}-auto.yaml"))
    return {
        pattern.case.replace("[", "[[]"): group.reason
        for group in ledger.groups
        if not group.profile
        for pattern in group.matching
    }


def _failures(spec: str, profile: str, tmp_path: Path) -> dict[str, str]:
    report = tmp_path / "report.json"
    done = _run(spec, profile, "--json", str(report))
    assert report.exists(), done.stdout + done.stderr
    results: list[dict[str, Any]] = json.loads(report.read_text())["results"]
    assert len(results) > 500
    return {one["case"]: one["verdict"] for one in results if one["verdict"] not in {"pass", "unsupported"}}


def _run(spec: str, profile: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dra_conform", "run", "-i", spec, "--profile", profile, *more]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=1800)
