"""What the builds say about themselves, and what they do with inputs that the suite has no case for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kube_allocator.builds import ROOT, build
from tests.kube_allocator.test_releases import RELEASES

HELLO = {"type": "hello", "id": 0, "protocol": {"min": 1, "max": 1}}
NONE = {
    "v0.34.13": {"list-attributes", "compatibility-groups"},
    "v0.35.10": {"list-attributes", "compatibility-groups"},
    "v0.36.6": {"compatibility-groups"},
    "v0.37.2": set(),
}
TAINT_RULE_GATES = {"v0.34.13": "DRADeviceTaints"}


@pytest.mark.parametrize("release", RELEASES)
def test_the_protocol_is_kept(release: str) -> None:
    command = [sys.executable, "-m", "dra_conform", "adapter", "check", f"exec:{build(release)}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("release", NONE)
def test_declared_features(release: str) -> None:
    (hello,) = _talk(build(release), [HELLO])
    assert hello["implementation"]["name"] == "kube-scheduler allocator"
    assert hello["implementation"]["version"] == f"{release} auto"
    assert {feature for feature, support in hello["features"].items() if support == "none"} == NONE[release]


def test_the_stable_variant_lacks_what_it_lacks() -> None:
    (hello,) = _talk(build("v0.36.6"), [HELLO], "--variant", "stable")
    assert {feature for feature, support in hello["features"].items() if support == "none"} == {
        "binding-conditions",
        "compatibility-groups",
        "consumable-capacity",
        "distinct-attribute",
        "list-attributes",
    }


@pytest.mark.parametrize(
    ("release", "variant", "message"),
    [
        ("v0.36.6", "newest", "unknown variant"),
        ("v0.34.13", "stable", "cannot be chosen in release v0.34.13"),
    ],
)
def test_variants_that_are_refused(release: str, variant: str, message: str) -> None:
    done = subprocess.run(
        [build(release), "--variant", variant],
        input="",
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("release", NONE)
@pytest.mark.parametrize("on", [True, False])
def test_taint_rules_taint(release: str, on: bool) -> None:
    gates = {"DRADeviceTaints": True, TAINT_RULE_GATES.get(release, "DRADeviceTaintRules"): on}
    answer = _decide(release, gates, deviceTaintRules=[_rule("gpu-0")])
    allocated = answer["allocations"]["default/c"]["devices"]["results"][0]["device"]
    assert allocated == ("gpu-1" if on else "gpu-0")


def test_taint_rules_on_every_device() -> None:
    answer = _decide(
        "v0.36.6", {"DRADeviceTaints": True, "DRADeviceTaintRules": True}, deviceTaintRules=[_rule(None)]
    )
    assert answer["outcome"] == "unallocatable"


def test_admin_access_holds_nothing() -> None:
    held = {"request": "r0", "driver": "d.example.com", "pool": "p", "device": "gpu-0"}
    for admin, device in ((True, "gpu-0"), (False, "gpu-1")):
        results = [{**held, "adminAccess": admin}]
        claim = {
            "metadata": {"name": "other", "namespace": "default"},
            "spec": {},
            "status": {"allocation": {"devices": {"results": results}}},
        }
        answer = _decide("v0.36.6", {"DRAAdminAccess": True}, more_claims=[claim])
        assert answer["allocations"]["default/c"]["devices"]["results"][0]["device"] == device


@pytest.mark.parametrize(
    ("spec", "category"),
    [
        ({"deviceClassName": "unknown"}, "ClassNotFound"),
        ({"deviceClassName": "any", "count": 33}, "ClaimLimitExceeded"),
        ({"deviceClassName": "any", "selectors": [{"cel": {"expression": "1 +"}}]}, "SelectorCompileError"),
        (
            {"deviceClassName": "any", "selectors": [{"cel": {"expression": 'device.attributes["a"].b'}}]},
            "SelectorRuntimeError",
        ),
        ({"deviceClassName": "any", "adminAccess": True}, "FeatureDisabled"),
        ({"deviceClassName": "any", "allocationMode": "Some"}, "UnsupportedRequest"),
        ({}, "UnsupportedRequest"),
    ],
)
@pytest.mark.parametrize("release", NONE)
def test_categories_of_errors(release: str, spec: dict[str, Any], category: str) -> None:
    answer = _decide(release, {}, exactly=spec)
    assert answer["outcome"] == "errored"
    assert [reason["category"] for reason in answer["reasons"]] == [category]


def test_a_machine_without_go_gets_one_line(tmp_path: Path) -> None:
    for tool in ("dirname", "sh"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    script = ROOT / "tools" / "kube-allocator" / "build.sh"
    done = subprocess.run(
        ["/bin/sh", script],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert (
        done.stderr == "kube-allocator: not built, there is no Go on this machine (1.26 or newer is needed)\n"
    )


def _rule(device: str | None) -> dict[str, Any]:
    selector = {"driver": "d.example.com", "pool": "p", **({"device": device} if device else {})}
    spec = {"deviceSelector": selector, "taint": {"key": "k", "effect": "NoSchedule"}}
    return {"metadata": {"name": "rule"}, "spec": spec}


def _decide(
    release: str,
    gates: dict[str, bool],
    *,
    exactly: dict[str, Any] | None = None,
    more_claims: list[dict[str, Any]] | None = None,
    **objects: Any,
) -> dict[str, Any]:
    """The decision on one claim for one of two devices, gpu-0 and gpu-1."""
    request = {"name": "r0", "exactly": {"deviceClassName": "any"} if exactly is None else exactly}
    claim = {"metadata": {"name": "c", "namespace": "default"}, "spec": {"devices": {"requests": [request]}}}
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    devices = [{"name": "gpu-0"}, {"name": "gpu-1"}]
    world = {
        "nodes": [{"metadata": {"name": "n"}}],
        "deviceClasses": [{"metadata": {"name": "any"}, "spec": {}}],
        "resourceSlices": [
            {
                "metadata": {"name": "s"},
                "spec": {"driver": "d.example.com", "pool": pool, "nodeName": "n", "devices": devices},
            }
        ],
        "resourceClaims": [claim, *(more_claims or ())],
        **objects,
    }
    case = {
        "operation": "allocate",
        "profile": "p",
        "objects": world,
        "ask": {"node": "n", "claims": ["default/c"]},
    }
    profiles = {"p": {"name": "kep", "gates": gates}}
    messages = [
        HELLO,
        {"type": "configure", "id": 1, "profiles": profiles},
        {"type": "run", "id": 2, "case": case},
    ]
    answer: dict[str, Any] = _talk(build(release), messages)[-1]
    assert answer["status"] == "ok", answer
    return answer


def _talk(binary: Path, messages: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        [binary, *options],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
