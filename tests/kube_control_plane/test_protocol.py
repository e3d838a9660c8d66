"""The declarations of the builds, and unsupported requests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.go_builds import ROOT
from tests.support.kube_control_plane.builds import Admission, Json, build
from tests.support.kube_control_plane.objects import claim, device_slice

pytestmark = pytest.mark.slow

NONE = {
    "1.33": {
        "binding-conditions",
        "compatibility-groups",
        "consumable-capacity",
        "distinct-attribute",
        "extended-resources",
        "list-attributes",
        "node-allocatable-resources",
    },
    "1.34": {"compatibility-groups", "list-attributes", "node-allocatable-resources"},
    "1.35": {"compatibility-groups", "list-attributes", "node-allocatable-resources"},
    "1.36": {"compatibility-groups"},
    "1.37": set(),
}


def test_the_protocol_is_followed(admission: Admission) -> None:
    command = [sys.executable, "-m", "dra_conform", "adapter", "check", f"exec:{build(admission.release)}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hello(admission: Admission) -> None:
    hello = admission.say(type="hello", protocol={"min": 1, "max": 1})
    assert hello["implementation"]["name"] == "kube-apiserver admission"
    assert hello["implementation"]["version"] == admission.release
    assert hello["operations"] == ["admit"]
    lacking = {feature for feature, support in hello["features"].items() if support == "none"}
    assert lacking == NONE[admission.minor]


def test_other_protocol_versions_are_declined(admission: Admission) -> None:
    error = admission.say(type="hello", protocol={"min": 2, "max": 3})
    assert (error["type"], error["code"]) == ("error", "protocol-version")


def test_profiles_of_the_release_are_accepted(admission: Admission) -> None:
    assert (admission.configured["accepted"], admission.configured["refused"]) == (["off", "on"], [])


@pytest.mark.parametrize(
    ("profile", "reason"),
    [
        ({"kubernetes": "1.29", "gates": {}}, "this build is {minor}"),
        ({"kubernetes": None, "gates": {"DRATelepathy": True}}, "{minor} has no feature gate DRATelepathy"),
    ],
)
def test_refused_profiles(admission: Admission, profile: Json, reason: str) -> None:
    answer = admission.say(type="configure", profiles={"p": {"name": "p", **profile}})
    assert answer["refused"] == [{"profile": "p", "reason": reason.format(minor=admission.minor)}]
    assert admission.create(claim(admission.minor), profile="p")["status"] == "failed"


def test_an_unknown_gate_may_be_off(admission: Admission) -> None:
    profile = {"name": "p", "kubernetes": None, "gates": {"DRATelepathy": False}}
    assert admission.say(type="configure", profiles={"p": profile})["accepted"] == ["p"]


LOCKED = {"DynamicResourceAllocation": False}
DEPENDENT = {"DRADeviceTaints": False, "DRADeviceTaintRules": True}


@pytest.mark.parametrize(
    ("gates", "words", "since"),
    [(LOCKED, "feature is locked to true", "1.35"), (DEPENDENT, "depends on features that are", "1.36")],
)
def test_a_refused_profile_does_not_change_the_gates(
    admission: Admission, gates: dict[str, bool], words: str, since: str
) -> None:
    profile = {"name": "p", "kubernetes": admission.minor, "gates": gates}
    answer = admission.say(type="configure", profiles={"p": profile})
    if admission.minor >= since:
        (refused,) = answer["refused"]
        assert words in refused["reason"]
    for name in ("on", "off"):
        assert admission.create(claim(admission.minor), profile=name)["outcome"] == "admitted"


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        ({"object": {"apiVersion": "apps/v1", "kind": "Deployment"}}, "kind Deployment.apps"),
        ({"object": {"kind": "Pod"}}, "the object has no apiVersion or no kind"),
        ({"verb": "apply", "object": {"apiVersion": "v1", "kind": "Pod"}}, 'verb "apply"'),
    ],
)
def test_unsupported_requests(admission: Admission, ask: dict[str, Any], message: str) -> None:
    answer = admission.run({"verb": "create", **ask})
    assert (answer["status"], answer["message"]) == ("unsupported", message)


def test_other_operations_are_not_supported(admission: Admission) -> None:
    assert admission.run({}, operation="allocate")["status"] == "unsupported"


def test_an_update_without_the_old_object_fails(admission: Admission) -> None:
    answer = admission.run({"verb": "update", "object": claim(admission.minor)})
    assert (answer["status"], answer["message"]) == ("failed", "the stored object: the case has none")


def test_a_panic_is_an_answer(admission: Admission) -> None:
    """1.34 to 1.36 divide by the step of a validRange before they check that it is not zero."""
    policy = {"default": "1", "validRange": {"min": "1", "step": "0"}}
    capacity = {"bw": {"value": "10", "requestPolicy": policy}}
    written = device_slice(admission.minor, allowMultipleAllocations=True, capacity=capacity)
    gates = {"DRAConsumableCapacity": True}
    admission.say(type="configure", profiles={"shares": admission.profile(gates)})
    answer = admission.create(written, profile="shares")
    if admission.minor in ("1.34", "1.35", "1.36"):
        assert answer["status"] == "failed"
        assert answer["message"] == "the API server panics: runtime error: integer divide by zero"
        assert "validation.go" in answer["traceback"]
    else:
        assert answer["status"] == "ok"
    assert admission.create(claim(admission.minor))["outcome"] == "admitted"


def test_a_machine_without_go_gets_one_line(tmp_path: Path) -> None:
    for tool in ("dirname", "sh"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    done = subprocess.run(
        ["/bin/sh", ROOT / "tools" / "kube-control-plane" / "build.sh"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "kube-control-plane: not built, there is no Go on this machine (1.26 or newer is needed)\n"
    )
