"""Descriptions of the builds, and that they pass the suite's cases of their operations."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.adapter_process import AdapterProcess
from tests.support.go_builds import ROOT
from tests.support.kube_parts.builds import build, minor_of

pytestmark = pytest.mark.slow

OF_ANY_GENERATION = "kep-5517/mapping/old-generation-ignored"
"""Cases that the builds fail: schedulers find a device in any generation of its pool, in the first slice."""
LACKING = {"v1.36.3": {"compatibility-groups"}, "v1.37.1": set()}


def test_hello_describes_the_build(parts: tuple[str, AdapterProcess]) -> None:
    release, process = parts
    hello = process.say(type="hello", protocol={"min": 1, "max": 1})
    assert hello["implementation"] == {
        "name": "kube-parts",
        "version": release,
        "language": "go",
        "homepage": "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "source": "https://github.com/kubernetes/kubernetes",
    }
    assert hello["operations"] == ["footprint", "schedule", "usage"]
    lacking = {feature for feature, support in hello["features"].items() if support == "none"}
    assert lacking == LACKING[release]


def test_the_protocol_is_kept(parts: tuple[str, AdapterProcess]) -> None:
    release, _ = parts
    assert _dra_conform("adapter", "check", f"exec:{build(release)}") == 0


def test_the_cases_of_the_suite_pass(parts: tuple[str, AdapterProcess], tmp_path: Path) -> None:
    release, _ = parts
    profile = ("--profile", f"kubernetes-{minor_of(release)}")
    for operation in ("footprint", "schedule", "usage"):
        events = tmp_path / f"{operation}.ndjson"
        selected = ("--select", f"operation:{operation}", "--events", str(events))
        _dra_conform("run", "-i", f"exec:{build(release)}", *profile, *selected)
        ended = [json.loads(line) for line in events.read_text().splitlines()]
        failed = {one["case"] for one in ended if one.get("verdict") == "fail"}
        assert failed == ({OF_ANY_GENERATION} if operation == "footprint" else set())


def test_an_unknown_pod_is_an_error(parts: tuple[str, AdapterProcess]) -> None:
    _, process = parts
    profile: dict[str, object] = {"name": "p", "kubernetes": None, "gates": {}}
    process.say(type="configure", profiles={"p": profile})
    answer = process.ask("footprint", "p", {}, {"pod": "default/p", "from": "claims"})
    assert (answer["status"], answer["message"]) == ("failed", "pod default/p does not exist")


def _dra_conform(*words: str) -> int:
    command = [sys.executable, "-m", "dra_conform", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    return done.returncode
