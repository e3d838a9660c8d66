"""`dra-conform upgrade-check --live` with real control planes: what the simulation finds is found on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.cli.test_upgrade_check import DUMP, INVENTORY, QUOTA
from tests.support.adapters.control_plane.planes import RELEASES, build, chosen
from tests.support.cli.calling import Call

pytestmark = [pytest.mark.live, pytest.mark.slow]

NEWEST = RELEASES[-1]
UPGRADES = [
    pytest.param(versions, options, id="-".join(versions))
    for versions, options in (
        ((NEWEST, NEWEST), ("--from-gates", "DRADeviceTaintRules=false")),
        (RELEASES[-2:], ()),
    )
    if set(versions) <= set(chosen(RELEASES))
]


@pytest.mark.parametrize(("versions", "options"), UPGRADES)
def test_a_pod_is_evicted_by_the_upgraded_control_plane(
    call: Call, tmp_path: Path, versions: tuple[str, ...], options: tuple[str, ...]
) -> None:
    for version in versions:
        build(version)
    (tmp_path / "m.yaml").write_text(INVENTORY.replace("COUNT", "1") + QUOTA + DUMP, encoding="utf-8")
    first, last = (version.removeprefix("v").rpartition(".")[0] for version in versions)
    file = str(tmp_path / "m.yaml")
    steps = ("--from", first, "--to", last, *options)
    completed = call("upgrade-check", "-f", file, *steps, "--live", "-o", "json")
    assert completed.code == exits.FAILURES, completed.err
    findings = json.loads(completed.out)["findings"]
    assert {(finding["kind"], finding["path"]) for finding in findings} == {("Pod", "status.phase")}
    # The eviction of the existing pod; a new cluster is sometimes observed before its eviction.
    found_by = " and ".join(finding["foundBy"] for finding in findings)
    assert "simulation" in found_by
    assert "control planes" in found_by
