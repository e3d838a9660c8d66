"""`schedule --explain`: the taint that evicts a pod, its source, and why the tolerations do not apply."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dra_conform.allocator.device_taints import tolerates
from dra_conform.cli import exits
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceTaint, DeviceToleration
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.controllers import ControllerSwitches
from dra_conform.previews.rehearsal.outcome_reasons import toleration_mismatch
from tests.support.cli.calling import Call

INVENTORY = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
"""
POD = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, REQUEST}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
  resourceClaims: [{name: gpu, resourceClaimName: c}]
"""
RULE = """\
apiVersion: resource.k8s.io/VERSION
kind: DeviceTaintRule
metadata: {name: sick}
spec: {deviceSelector: {driver: gpu.example.com}, taint: {key: sick, value: bad, effect: NoExecute}}
"""
EVICTS = (
    "  claim default/c, request r, device gpu.example.com/p/gpu-0: "
    "taint sick=bad:NoExecute of DeviceTaintRule sick evicts the pod"
)
HOLDS = "by the specification the toleration applies"
GATES = "DRADeviceTaints=true,DRADeviceTaintRules=true"


@pytest.fixture(autouse=True)
def manifests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inventory.yaml").write_text(INVENTORY, "utf-8")
    (tmp_path / "rule.yaml").write_text(RULE.replace("VERSION", "v1beta2"), "utf-8")


def reasons(call: Call, tolerations: str, *arguments: str) -> list[str]:
    """Return the lines about the evicted pod below its message."""
    request = f"exactly: {{deviceClassName: gpu, tolerations: [{tolerations}]}}"
    Path("pod.yaml").write_text(POD.replace("REQUEST", request), "utf-8")
    files = ("-f", "inventory.yaml", "-f", "pod.yaml", "-f", "rule.yaml")
    completed = call("schedule", *files, "--explain", *arguments)
    assert completed.code == exits.FAILURES
    _, found, rest = completed.out.partition("DeviceTaintManagerEviction: Marking for deletion\n")
    assert found
    return rest.splitlines()


def test_without_a_toleration(call: Call) -> None:
    assert reasons(call, "") == [EVICTS, "    no toleration"]


@pytest.mark.parametrize(
    ("toleration", "line"),
    [
        (
            "{key: other, operator: Exists, effect: NoExecute}",
            "{key: other, operator: Exists, effect: NoExecute}: its key is other, not sick",
        ),
        (
            "{key: sick, value: good, effect: NoExecute}",
            '{key: sick, operator: Equal, value: good, effect: NoExecute}: its value is "good", not "bad"',
        ),
        (
            "{key: sick, operator: Exists, effect: NoSchedule}",
            "{key: sick, operator: Exists, effect: NoSchedule}: its effect is NoSchedule, not NoExecute",
        ),
    ],
)
def test_a_toleration_that_does_not_match(toleration: str, line: str, call: Call) -> None:
    assert reasons(call, toleration) == [EVICTS, f"    toleration {line}"]


def test_an_expired_toleration_and_a_longer_one(call: Call) -> None:
    short, long = (f"key: sick, operator: Exists, tolerationSeconds: {seconds}" for seconds in (30, 60))
    assert reasons(call, f"{{{long}}}, {{{short}}}", "--wait", "30") == [
        EVICTS,
        f"    toleration {{{long}}}: not expired, but the shortest tolerationSeconds of the matching "
        "tolerations decides; the taint was added at 2026-01-01T00:00:00Z",
        f"    toleration {{{short}}}: expired, the taint was added at 2026-01-01T00:00:00Z",
    ]


def test_a_deviation_of_the_release_is_named(call: Call) -> None:
    release = ("--profile", "kubernetes-1.36", "--gates", GATES)
    assert reasons(call, "{key: sick, operator: Exists}, {effect: NoExecute}", *release) == [
        EVICTS,
        "    toleration {key: sick, operator: Exists}: it has no effect, and kubernetes-1.36 only considers "
        "tolerations with the effect NoExecute",
        f"      deviation of kubernetes-1.36 from DRA/eviction/tolerating-pods-stay: {HOLDS}",
        '    toleration {operator: Equal, effect: NoExecute}: its value is empty, not "bad"; operator Exists '
        "tolerates every value",
        f"      deviation of kubernetes-1.36 from DRA/toleration/empty-matches-everything: {HOLDS}",
    ]


def test_a_toleration_that_would_have_expired_is_no_deviation(call: Call) -> None:
    toleration = "{key: sick, operator: Exists, tolerationSeconds: 0}"
    release = ("--profile", "kubernetes-1.37")
    assert not [line for line in reasons(call, toleration, *release) if "deviation" in line]


def test_a_release_that_does_not_record_tolerations(call: Call) -> None:
    Path("rule.yaml").write_text(RULE.replace("VERSION", "v1alpha3"), "utf-8")
    release = ("--profile", "kubernetes-1.34", "--gates", "DRADeviceTaints=true")
    assert reasons(call, "{key: sick, operator: Exists, effect: NoExecute}", *release) == [
        EVICTS,
        "    kubernetes-1.34 does not record the tolerations of the request in the allocation",
        f"      deviation of kubernetes-1.34 from DRA/eviction/tolerating-pods-stay: {HOLDS}",
    ]


def test_a_taint_of_the_slice(call: Call) -> None:
    Path("rule.yaml").write_text(
        INVENTORY.replace(
            "{name: gpu-0}", "{name: gpu-0, taints: [{key: sick, value: bad, effect: NoExecute}]}"
        ),
        "utf-8",
    )
    assert reasons(call, "") == [
        EVICTS.replace("DeviceTaintRule sick", "its ResourceSlice"),
        "    no toleration",
    ]


def test_without_explain_the_option_is_named(call: Call) -> None:
    request = "exactly: {deviceClassName: gpu}"
    Path("pod.yaml").write_text(POD.replace("REQUEST", request), "utf-8")
    completed = call("schedule", "-f", "inventory.yaml", "-f", "pod.yaml", "-f", "rule.yaml")
    assert completed.out.endswith("Marking for deletion\n  (--explain prints the reasons)\n")


def test_the_mismatch_agrees_with_the_controller() -> None:
    values = itertools.product(
        ("", "sick", "other"), ("", "Equal", "Exists"), ("", "bad", "good"), ("", "NoExecute", "NoSchedule")
    )
    for key, operator, value, effect in values:
        toleration = DeviceToleration(key=key, operator=operator, value=value, effect=effect)
        for taint, name in itertools.product(
            (
                DeviceTaint(key="sick", effect="NoExecute"),
                DeviceTaint(key="sick", value="bad", effect="NoExecute"),
            ),
            ("kep", "kubernetes-1.36"),
        ):
            profile = Profile.named(name)
            any_effect = ControllerSwitches.of(profile).any_effect_tolerates_eviction
            holds = tolerates(toleration, taint, AllocationSwitches.of(profile).taints) and (
                any_effect or bool(effect)
            )
            assert (toleration_mismatch(toleration, taint, profile) == "") == holds
