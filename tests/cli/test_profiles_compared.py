"""`admit`, `allocate` and `schedule` with several profiles: only what differs between them is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.cli import exits
from dra_conform.cli.profiles_option import differences
from tests.support.cli.calling import Call
from tests.support.cli.inventory import INVENTORY, TEMPLATE

PODS = (
    TEMPLATE
    + """\
apiVersion: v1
kind: Pod
metadata: {name: claiming}
spec:
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
---
apiVersion: v1
kind: Pod
metadata: {name: old-style}
spec:
  containers: [{name: c, image: i, resources: {limits: {example.com/gpu: 1}}}]
"""
)
BOTH = ("-f", "inventory.yaml", "-f", "pods.yaml")
RELEASES = ("--profile", "kubernetes-1.35,kubernetes-1.36", "--profile", "kubernetes-1.37")


@pytest.fixture(autouse=True)
def manifests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inventory.yaml").write_text(INVENTORY, "utf-8")
    (tmp_path / "pods.yaml").write_text(PODS, "utf-8")


def test_schedule_shows_the_pod_that_differs(call: Call) -> None:
    completed = call("schedule", *BOTH, *RELEASES, "--explain")
    assert completed.code == exits.FAILURES
    assert completed.out == (
        "Pod default/old-style\n"
        "  kubernetes-1.35\n"
        "    pending\n"
        "    0/1 nodes are available: 1 Insufficient example.com/gpu.\n"
        "    no DeviceClass backs example.com/gpu: the feature gate DRAExtendedResource is off by default in this release\n"
        "  kubernetes-1.36, kubernetes-1.37\n"
        "    running on worker-1\n"
        "    ResourceClaim old-style-extended-resources-*, request container-0-request-0: "
        "gpu.example.com/p/gpu-1\n"
        "the same in kubernetes-1.35, kubernetes-1.36 and kubernetes-1.37: 1 of 2 pods\n"
    )
    assert completed.err.splitlines() == [
        "note: the manifests have no Node, added from ResourceSlices with ample resources: worker-1",
        "kubernetes-1.35: fields are dropped because DRAExtendedResource is off by default in this release "
        "(dra-conform admit lists the fields)",
    ]


def test_allocate_compares_pods_and_claims_without_pods(call: Call) -> None:
    completed = call("allocate", *BOTH, *RELEASES)
    assert completed.code == exits.OK
    assert completed.out == (
        "Pod default/old-style\n"
        "  kubernetes-1.35\n"
        "    no claim\n"
        "  kubernetes-1.36, kubernetes-1.37\n"
        "    allocated on worker-1\n"
        "    ResourceClaim old-style-extended-resources-*, request container-0-request-0: "
        "gpu.example.com/p/gpu-1\n"
        "the same in kubernetes-1.35, kubernetes-1.36 and kubernetes-1.37: 1 of 2 pods and claims without pods\n"
    )


def test_admit_shows_the_field_that_one_release_drops(call: Call) -> None:
    completed = call("admit", *BOTH, *RELEASES)
    assert completed.code == exits.OK
    assert completed.out == (
        "inventory.yaml:1: DeviceClass gpu\n"
        "  kubernetes-1.35\n"
        "    admitted\n"
        "    - spec.extendedResourceName: dropped, DRAExtendedResource is off by default in this release (line 4)\n"
        "  kubernetes-1.36, kubernetes-1.37\n"
        "    admitted\n"
        "the same in kubernetes-1.35, kubernetes-1.36 and kubernetes-1.37: 4 of 5 objects\n"
    )


def test_one_profile_that_admits_the_manifests_is_compared_with_nothing(call: Call) -> None:
    listed = "{name: r0, firstAvailable: [{name: a, deviceClassName: gpu}]}"
    Path("pods.yaml").write_text(PODS.replace("{name: r0, exactly: {deviceClassName: gpu}}", listed), "utf-8")
    completed = call("schedule", *BOTH, "--profile", "kubernetes-1.33,kubernetes-1.34")
    assert completed.code == exits.USAGE
    assert completed.out == "nothing is compared, because only kubernetes-1.34 admits the manifests\n"


def test_subjects_that_fail_in_all_profiles_are_counted(call: Call) -> None:
    Path("pods.yaml").write_text(PODS.replace("gpu: 1}", "gpu: 9}"), "utf-8")
    both = ("--profile", "kubernetes-1.36,kubernetes-1.37")
    expected = {
        "schedule": "2 of 2 pods, of which 1 pending",
        "allocate": "2 of 2 pods and claims without pods, of which 1 not allocated",
    }
    for command, equal in expected.items():
        completed = call(command, *BOTH, *both)
        assert completed.code == exits.FAILURES
        assert completed.out == f"the same in kubernetes-1.36 and kubernetes-1.37: {equal}\n"
    Path("pods.yaml").write_text("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {}}", "utf-8")
    completed = call("admit", *BOTH, *both)
    assert completed.code == exits.FAILURES
    assert completed.out.endswith(" objects, of which 1 rejected\n")


def test_equal_profiles_print_one_line(call: Call) -> None:
    completed = call("schedule", *BOTH, "--profile", "kubernetes-1.36,kubernetes-1.37,kubernetes-1.36")
    assert (completed.code, completed.out) == (
        exits.OK,
        "the same in kubernetes-1.36 and kubernetes-1.37: 2 of 2 pods\n",
    )


def test_one_profile_given_twice_is_one(call: Call) -> None:
    once = call("schedule", *BOTH, "--profile", "kubernetes-1.36")
    assert call("schedule", *BOTH, "--profile", "kubernetes-1.36,kubernetes-1.36").out == once.out
    assert once.out.startswith("POD ")


def test_a_profile_that_rejects_the_manifests_is_named_and_not_compared(call: Call) -> None:
    listed = "{name: r0, firstAvailable: [{name: a, deviceClassName: gpu}]}"
    Path("pods.yaml").write_text(PODS.replace("{name: r0, exactly: {deviceClassName: gpu}}", listed), "utf-8")
    releases = "kubernetes-1.33,kubernetes-1.34,kubernetes-1.35"
    completed = call("schedule", *BOTH, "--profile", releases)
    assert completed.code == exits.USAGE
    assert (
        completed.out == "the same in kubernetes-1.34 and kubernetes-1.35: 2 of 2 pods, of which 1 pending\n"
    )
    assert completed.err.startswith(
        "kubernetes-1.33 is not compared, because it rejects the manifests\npods.yaml:4: spec.spec.devices"
    )
    alone = call("schedule", *BOTH, "--profile", "kubernetes-1.33")
    assert (alone.code, alone.out) == (exits.USAGE, "")
    assert alone.err in completed.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("schedule", *BOTH, "--profile", "kep,kubernetes-137"),
            "invalid choice: 'kubernetes-137' (choose from kep, ",
        ),
        (("admit", *BOTH, "--profile", "kep,"), "invalid choice: '' (choose from kep, "),
        (("admit", *BOTH, "--profile", "kep,1.37"), ", kep-future), did you mean kubernetes-1.37?"),
        (("admit", *BOTH, "--profile", "v1.36"), ", kep-future), did you mean kubernetes-1.36?"),
        (("admit", *BOTH, "--profile", "1.36.3"), ", kep-future), did you mean kubernetes-1.36?"),
        (
            ("schedule", *BOTH, "--profile", "kep,kubernetes-1.37", "-o", "yaml"),
            "-o: yaml: prints the objects of one profile, expected one --profile instead of kep,kubernetes-1.37\n",
        ),
        (
            ("allocate", *BOTH, "--profile", "kep,kubernetes-1.37", "--left"),
            "--left: shows the devices of one profile, expected one --profile instead of kep,kubernetes-1.37\n",
        ),
    ],
)
def test_bad_usage(arguments: tuple[str, ...], message: str, call: Call) -> None:
    completed = call(*arguments)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert message in completed.err


def test_lines_of_all_profiles_are_left_out_except_the_first() -> None:
    outcomes = {
        "kep": {"Pod a": ["running", "x", "y"], "Pod b": ["running"]},
        "kubernetes-1.36": {"Pod a": ["running", "x", "kubernetes-1.36 says so"], "Pod b": ["running"]},
        "kubernetes-1.37": {"Pod a": ["running", "x", "kubernetes-1.37 says so"]},
    }
    assert list(differences(outcomes, "pods", "no pod")) == [
        "Pod a",
        "  kep",
        "    running",
        "    y",
        "  kubernetes-1.36, kubernetes-1.37",
        "    running",
        "    this release says so",
        "Pod b",
        "  kep, kubernetes-1.36",
        "    running",
        "  kubernetes-1.37",
        "    no pod",
        "the same in kep, kubernetes-1.36 and kubernetes-1.37: 0 of 2 pods",
    ]


def test_an_eviction_is_compared_without_random_suffixes(call: Call) -> None:
    rule = """\
apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata: {name: broken}
spec: {deviceSelector: {driver: gpu.example.com}, taint: {key: broken, effect: NoExecute}}
"""
    Path("rule.yaml").write_text(rule, "utf-8")
    several = ("--profile", "kep,kubernetes-1.37", "--explain")
    completed = call("schedule", *BOTH, "-f", "rule.yaml", *several)
    assert completed.code == exits.FAILURES
    assert completed.out == (
        "Pod default/old-style\n"
        "  kep\n"
        "    gone\n"
        "    DeviceTaintManagerEviction: Marking for deletion\n"
        "    claim default/old-style-extended-resources-*, request container-0-request-0, device "
        "gpu.example.com/p/gpu-1: taint broken:NoExecute of DeviceTaintRule broken evicts the pod\n"
        "      no toleration\n"
        "  kubernetes-1.37\n"
        "    running on worker-1\n"
        "    ResourceClaim old-style-extended-resources-*, request container-0-request-0: "
        "gpu.example.com/p/gpu-1\n"
        "the same in kep and kubernetes-1.37: 1 of 2 pods, of which 1 gone\n"
    )
