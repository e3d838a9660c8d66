"""Descriptions of the builds, and their answers to inputs that no case of the suite has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kube_allocator.test_releases import RELEASES
from tests.support.kube_allocator.builds import ROOT, ask, build, chosen

pytestmark = pytest.mark.slow

HELLO = {"type": "hello", "id": 0, "protocol": {"min": 1, "max": 1}}
NONE = {
    "v0.34.13": {"list-attributes", "compatibility-groups"},
    "v0.35.10": {"list-attributes", "compatibility-groups"},
    "v0.36.6": {"compatibility-groups"},
    "v0.37.2": set(),
}
TAINT_RULE_GATES = {"v0.34.13": "DRADeviceTaints"}


@pytest.mark.parametrize("release", chosen(RELEASES))
def test_the_protocol_is_kept(release: str) -> None:
    command = [sys.executable, "-m", "dra_conform", "adapter", "check", f"exec:{build(release)}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("release", NONE)
def test_hello_declares_the_features_of_the_release(release: str) -> None:
    (hello,) = _talk(build(release), [HELLO])
    assert hello["implementation"]["name"] == "kube-scheduler allocator"
    assert hello["implementation"]["version"] == f"{release} auto"
    assert {feature for feature, support in hello["features"].items() if support == "none"} == NONE[release]


def test_the_stable_variant_declares_fewer_features() -> None:
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
def test_unknown_variants_are_rejected(release: str, variant: str, message: str) -> None:
    done = subprocess.run(
        [build(release), "--variant", variant],
        input="",
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("release", NONE)
@pytest.mark.parametrize("on", [True, False])
def test_device_taint_rules_taint_devices(release: str, on: bool) -> None:
    gates = {"DRADeviceTaints": True, TAINT_RULE_GATES.get(release, "DRADeviceTaintRules"): on}
    answer = _decide(release, gates, deviceTaintRules=[_rule({"device": "gpu-0"})])
    allocated = answer["allocations"]["default/c"]["devices"]["results"][0]["device"]
    assert allocated == ("gpu-1" if on else "gpu-0")


RULES_ON = {"DRADeviceTaints": True, "DRADeviceTaintRules": True}


@pytest.mark.parametrize(
    ("release", "outcome"),
    [
        ("v0.34.13", "unallocatable"),
        ("v0.35.10", "unallocatable"),
        ("v0.36.6", "unallocatable"),
        ("v0.37.2", "allocated"),
    ],
)
def test_the_effect_of_a_rule_without_selector_depends_on_the_release(release: str, outcome: str) -> None:
    assert _decide(release, RULES_ON, deviceTaintRules=[_rule(None)])["outcome"] == outcome


@pytest.mark.parametrize(
    ("selector", "device"),
    [
        ({"selectors": [{"cel": {"expression": 'device.attributes["d.example.com"].number == 0'}}]}, "gpu-1"),
        (
            {"selectors": [{"cel": {"expression": 'device.attributes["d.example.com"].missing == 0'}}]},
            "gpu-0",
        ),
        ({"deviceClassName": "any"}, None),
        ({"deviceClassName": "unknown"}, "gpu-0"),
        ({"selectors": [{"cel": {"expression": "1 +"}}]}, None),
    ],
)
def test_rules_of_1_34_select_by_class_and_expression(selector: dict[str, Any], device: str | None) -> None:
    """The scheduler ignores the slice of a DeviceTaintRule whose expression does not compile."""
    answer = _decide("v0.34.13", RULES_ON, deviceTaintRules=[_rule(selector)])
    if device is None:
        assert answer["outcome"] == "unallocatable"
    else:
        assert answer["allocations"]["default/c"]["devices"]["results"][0]["device"] == device


def test_a_panic_is_an_answer() -> None:
    """1.34 panics: it uses the index of a device in another, shorter slice."""
    slices = [_slice("n", pool=pool) for pool in ("p", "q")]
    exactly = {"deviceClassName": "any", "count": 3}
    gates = {"DRAConsumableCapacity": True}
    answer = _decide("v0.34.13", gates, exactly=exactly, resourceSlices=slices, status="failed")
    assert answer["message"] == "the allocator panics: runtime error: index out of range [2] with length 2"
    assert "allocator_experimental.go" in answer["traceback"]


@pytest.mark.parametrize(
    ("release", "steps"), [("v0.34.13", 5), ("v0.35.10", 5), ("v0.36.6", 4), ("v0.37.2", 4)]
)
def test_the_search_counts_its_steps(release: str, steps: int) -> None:
    """Until 1.35 the search tries permutations of the devices of a request, since 1.36 combinations."""
    answer = _decide(release, {"DRAConsumableCapacity": True}, exactly={"deviceClassName": "any", "count": 3})
    assert answer["outcome"] == "unallocatable"
    assert answer["steps"] == steps


def test_placing_allocates_groups_in_order() -> None:
    request = {"name": "r0", "exactly": {"deviceClassName": "any"}}
    claims = [
        {"metadata": {"name": f"c{number}"}, "spec": {"devices": {"requests": [request]}}}
        for number in range(6)
    ]
    question = {
        "gates": {},
        "objects": {
            "nodes": [{"metadata": {"name": name}} for name in ("n", "m")],
            "deviceClasses": [{"metadata": {"name": "any"}, "spec": {}}],
            "resourceSlices": [_slice("n"), _slice("m")],
            "resourceClaims": claims,
        },
        "groups": [
            ["default/c0"],
            ["default/c1", "default/c2"],
            ["default/c3"],
            ["default/c4"],
            ["default/c5"],
        ],
    }
    (answer,) = ask(build("v0.36.6"), "place", [question])
    assert answer["nodes"] == ["n", "m", "n", "", ""]
    assert answer["tried"] == 1 + 2 + 1 + 2 + 2
    devices = {key: one["devices"]["results"][0]["device"] for key, one in answer["allocations"].items()}
    assert devices == {
        "default/c0": "gpu-0",
        "default/c1": "gpu-0",
        "default/c2": "gpu-1",
        "default/c3": "gpu-1",
    }


def test_admin_access_does_not_allocate_a_device() -> None:
    held = {"request": "r0", "driver": "d.example.com", "pool": "n", "device": "gpu-0"}
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


def test_a_missing_go_is_reported_in_a_line(tmp_path: Path) -> None:
    for tool in ("dirname", "sh"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    script = ROOT / "tools" / "kube-allocator" / "build.sh"
    done = subprocess.run(
        ["/bin/sh", script],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert (
        done.stderr == "kube-allocator: not built, there is no Go on this machine (1.26 or newer is needed)\n"
    )


def test_ci_does_not_start_without_go(tmp_path: Path) -> None:
    for tool in ("dirname", "bash"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    done = subprocess.run(
        ["/usr/bin/bash", ROOT / ".ci" / "run"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        ".ci/run: there is no Go on this machine; 1.26 or newer is needed to build the real allocators\n"
    )


def _rule(selector: dict[str, Any] | None) -> dict[str, Any]:
    spec = {"taint": {"key": "k", "effect": "NoSchedule"}}
    if selector is not None:
        spec["deviceSelector"] = {"driver": "d.example.com", **selector}
    return {"metadata": {"name": "rule"}, "spec": spec}


def _slice(node: str, pool: str = "") -> dict[str, Any]:
    devices = [{"name": f"gpu-{number}", "attributes": {"number": {"int": number}}} for number in range(2)]
    name = {"name": pool or node, "generation": 1, "resourceSliceCount": 1}
    return {
        "metadata": {"name": f"slice-{pool or node}"},
        "spec": {"driver": "d.example.com", "pool": name, "nodeName": node, "devices": devices},
    }


def _decide(
    release: str,
    gates: dict[str, bool],
    *,
    exactly: dict[str, Any] | None = None,
    more_claims: list[dict[str, Any]] | None = None,
    status: str = "ok",
    **objects: Any,
) -> dict[str, Any]:
    """Return the decision on a claim for one of two devices, gpu-0 and gpu-1."""
    request = {"name": "r0", "exactly": {"deviceClassName": "any"} if exactly is None else exactly}
    claim = {"metadata": {"name": "c", "namespace": "default"}, "spec": {"devices": {"requests": [request]}}}
    world = {
        "nodes": [{"metadata": {"name": "n"}}],
        "deviceClasses": [{"metadata": {"name": "any"}, "spec": {}}],
        "resourceSlices": [_slice("n")],
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
    assert answer["status"] == status, answer
    return answer


def _talk(binary: Path, messages: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        [binary, *options],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
