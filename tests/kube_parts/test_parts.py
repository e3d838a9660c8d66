"""The declarations of the builds, and the cases of the suite for what they count."""

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
"""Schedulers read a device from any generation of its pool, so no profile can state the result."""
ONE_RESERVATION_TOO_MANY = "dra/scheduling-phases/last-reservation[255]"
"""The scheduler leaves the limit of reservations to the API server, and there is none around its plugins."""
KNOWN = {"footprint": {OF_ANY_GENERATION}, "schedule": {ONE_RESERVATION_TOO_MANY}, "usage": set[str]()}
LACKING = {"v1.36.3": {"compatibility-groups"}, "v1.37.1": set()}


def test_hello(parts: tuple[str, AdapterProcess]) -> None:
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


def test_the_protocol_is_followed(parts: tuple[str, AdapterProcess]) -> None:
    release, _ = parts
    assert _dra_conform("adapter", "check", f"exec:{build(release)}") == 0


def test_the_cases_of_the_suite_pass(parts: tuple[str, AdapterProcess], tmp_path: Path) -> None:
    release, _ = parts
    profile = ("--profile", f"kubernetes-{minor_of(release)}")
    for operation, known in KNOWN.items():
        events = tmp_path / f"{operation}.ndjson"
        selected = ("--select", f"operation:{operation}", "--events", str(events))
        _dra_conform("run", "-i", f"exec:{build(release)}", *profile, *selected)
        ended = [json.loads(line) for line in events.read_text().splitlines()]
        failed = {one["case"] for one in ended if one.get("verdict") == "fail"}
        assert failed == known


def test_a_missing_pod_has_no_footprint(parts: tuple[str, AdapterProcess]) -> None:
    _, process = parts
    profile: dict[str, object] = {"name": "p", "kubernetes": None, "gates": {}}
    process.say(type="configure", profiles={"p": profile})
    answer = process.ask("footprint", "p", {}, {"pod": "default/p", "from": "claims"})
    assert (answer["status"], answer["message"]) == ("failed", "there is no pod default/p")


def _dra_conform(*words: str) -> int:
    command = [sys.executable, "-m", "dra_conform", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    return done.returncode
