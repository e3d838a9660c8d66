"""`dra-conform upgrade-check` reads the manifests of real drivers and workloads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dra_conform.cli import exits
from dra_conform.kube.manifests import load
from dra_conform.kube.profile import Profile
from dra_conform.previews.upgrade_check import check_upgrade
from tests.support.cli.calling import Call
from tests.support.rows import mostly_slow

MANIFESTS = Path(__file__).parents[3] / "shared" / "manifests"
INVENTORIES = sorted((MANIFESTS / "driver-inventory").glob("*.yaml"))
WORKLOADS = sorted((MANIFESTS / "dra-example-driver").glob("*.yaml"))
UNREADABLE = "device-taints-tolerations--device-taint-pod-noschedule--4-pod-not-scheduled.yaml"

pytestmark = pytest.mark.skipif(
    not MANIFESTS.is_dir(), reason="the manifests of dra-example-driver are not beside the checkout"
)
QUICK = ("prioritized-alternatives", "partitionable-devices", "extended-resource-request")
FILES = [
    pytest.param(file, marks=() if file.stem.partition("--")[0] in QUICK else pytest.mark.slow, id=file.stem)
    for file in WORKLOADS
]


@pytest.mark.parametrize("file", mostly_slow(FILES))
@pytest.mark.parametrize("releases", [("1.35", "1.37"), ("1.37", "1.35")], ids="-".join)
def test_a_workload_with_its_inventory_is_checked(call: Call, file: Path, releases: tuple[str, str]) -> None:
    first, last = releases
    inventory = MANIFESTS / "driver-inventory" / "gpu-partitionable-shared.yaml"
    files = ("-f", str(file), "-f", str(inventory))
    completed = call("upgrade-check", *files, "--from", first, "--to", last, "-o", "json")
    if file.name == UNREADABLE:
        assert completed.code == exits.USAGE
        return
    assert completed.code in (exits.OK, exits.FAILURES)
    findings = json.loads(completed.out)["findings"]
    assert findings
    assert all(finding["causes"] for finding in findings)


@pytest.mark.slow
@pytest.mark.parametrize("file", INVENTORIES, ids=lambda file: file.stem)
def test_nothing_changes_for_an_inventory_between_equal_releases(file: Path) -> None:
    profile = Profile.named("kubernetes-1.36")
    check = check_upgrade(load([str(file)]), [profile, profile])
    assert (check.findings, check.rejected) == ((), ())
