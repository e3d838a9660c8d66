from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dra_conform.kube import gates
from dra_conform.kube.gates import CHECKED_WITH, defaults
from dra_conform.kube.profile import Profile

ROOT = Path(__file__).resolve().parents[2]
LAST = list(CHECKED_WITH)[-1]
WITH_ONE_MORE = """
import sys
from types import MappingProxyType
from dra_conform.kube import gates

gates.CHECKED_WITH = MappingProxyType({**gates.CHECKED_WITH, "1.99": ""})
from dra_conform.cli import main

sys.exit(main(sys.argv[1:]))
"""


def test_a_stage_lasts_until_the_next() -> None:
    found = [defaults(release).get("DRADeviceTaintRules") for release in CHECKED_WITH]
    assert found[:5] == [None, None, False, False, True]
    assert all(found[5:])


def test_an_unknown_release_has_no_gates() -> None:
    with pytest.raises(KeyError):
        defaults("1.32")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("kep", "kep"),
        ("kubernetes-1.33", "kubernetes-1.33 (checked with its source)"),
        ("kubernetes-1.37", "kubernetes-1.37 (checked with v0.37.2)"),
    ],
)
def test_the_title_of_a_profile_has_the_checked_version(name: str, title: str) -> None:
    assert Profile.named(name).title == title


def test_a_new_release_has_the_gates_of_the_previous(monkeypatch: pytest.MonkeyPatch) -> None:
    known = defaults(LAST)
    monkeypatch.setattr(gates, "CHECKED_WITH", {**CHECKED_WITH, "1.99": ""})
    assert defaults("1.99") == known


def _run(release: str, folder: Path) -> dict[str, Any]:
    report = folder / f"{release}.json"
    command = [sys.executable, "-c", WITH_ONE_MORE, "run", "--profile", f"kubernetes-{release}"]
    env = {**os.environ, "XDG_CACHE_HOME": str(folder)}  # The cache does not know of changes in memory.
    subprocess.run([*command, "--json", str(report)], cwd=ROOT, env=env, capture_output=True, check=True)
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return found


@pytest.mark.slow
def test_a_release_added_to_the_table_behaves_like_the_previous(tmp_path: Path) -> None:
    known, further = _run(LAST, tmp_path), _run("1.99", tmp_path)
    assert further["profile"] == "kubernetes-1.99"
    assert further["summary"] == known["summary"]
    assert known["summary"]["total"] > 2500
    assert further["requirements"] == known["requirements"]
    outputs = [
        [(one["case"], one["verdict"], one.get("deviation")) for one in report["results"]]
        for report in (known, further)
    ]
    assert outputs[0] == outputs[1]
