"""`dra-conform upgrade-check`: what another release stores, allocates, counts or evicts differently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dra_conform.cli import exits
from dra_conform.kube.manifests import load
from dra_conform.kube.profile import Profile
from dra_conform.previews.upgrade_check import check_upgrade
from tests.support.cli.calling import Call
from tests.support.cli.upgrades import checked_upgrade

INVENTORY = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice}
spec:
  driver: gpu.example.com
  nodeName: node
  pool: {name: node, generation: 1, resourceSliceCount: COUNT}
  devices: [{name: gpu-0}]
---
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim}
spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu}}]}}
---
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: claim}]
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
---
"""
DUMP = """\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: node, uid: u-node}
  status: {allocatable: {cpu: "8", memory: 8Gi, pods: "10"}}
- apiVersion: resource.k8s.io/v1
  kind: ResourceClaim
  metadata: {name: claim, namespace: default, uid: u-claim}
  spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}
  status:
    allocation: {devices: {results: [{request: r0, driver: gpu.example.com, pool: node, device: gpu-0}]}}
    reservedFor: [{resource: pods, name: pod, uid: u-pod}]
- apiVersion: v1
  kind: Pod
  metadata: {name: pod, namespace: default, uid: u-pod}
  spec:
    nodeName: node
    resourceClaims: [{name: gpu, resourceClaimName: claim}]
    containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
  status: {phase: Running}
- apiVersion: resource.k8s.io/v1beta2
  kind: DeviceTaintRule
  metadata: {name: broken, uid: u-rule}
  spec:
    deviceSelector: {device: gpu-0}
    taint: {key: example.com/broken, effect: NoExecute}
"""
UPPER_CASE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim}
spec:
  devices:
    requests: [{name: r0, exactly: {deviceClassName: gpu, count: 2}}]
    constraints:
    - matchAttribute: GPU.example.com/numa
"""
BETA = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: claim}
spec: {devices: {requests: [{name: r0, deviceClassName: gpu}]}}
"""
POD_LEVEL = """\
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec:
  resources: {requests: {cpu: "1"}}
  containers: [{name: c, image: i}]
"""
TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: template}
spec:
  spec:
    devices:
      requests:
      - name: r0
        exactly: {deviceClassName: gpu, tolerations: [{key: example.com/broken, operator: Exists}]}
---
"""
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota}
spec: {hard: {requests.example.com/gpu: "4"}}
---
"""
EARLIER_SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: earlier}
spec:
  driver: gpu.example.com
  nodeName: node
  pool: {name: node, generation: 1, resourceSliceCount: 2}
  devices: [{name: gpu-1}]
---
"""


@pytest.fixture
def check(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that checks a manifest, and returns the exit code and the findings."""
    monkeypatch.chdir(tmp_path)

    def run(manifest: str, first: str, last: str, *options: str) -> tuple[int, list[Any]]:
        return checked_upgrade(call, manifest, first, last, *options)

    return run


def _found(findings: list[Any], kind: str, path: str) -> dict[str, Any]:
    [finding] = [found for found in findings if (found["kind"], found["path"]) == (kind, path)]
    result: dict[str, Any] = finding
    return result


def _cause(finding: dict[str, Any]) -> tuple[str, str]:
    [cause] = finding["causes"]
    return cause["kind"], cause["name"]


def test_a_new_validation_rule_rejects_new_objects_in_its_step(check: Any) -> None:
    code, [finding] = check(UPPER_CASE, "1.35", "1.37")
    assert code == exits.FAILURES
    assert (finding["from"], finding["to"], finding["line"]) == ("1.36", "1.37", 8)
    assert (finding["severity"], finding["scope"]) == ("error", "new objects")
    assert finding["path"] == "spec.devices.constraints[0].matchAttribute"
    assert finding["after"].startswith("rejected: Invalid")
    assert _cause(finding) == ("release switch", "ApiServerSwitches.domains_lower_case")


def test_a_downgrade_admits_what_the_later_release_rejects(check: Any) -> None:
    code, [finding] = check(UPPER_CASE, "1.37", "1.36")
    assert (code, finding["severity"], finding["after"]) == (exits.OK, "note", "admitted")


def test_an_api_version_that_is_not_served_rejects_manifests_and_not_stored_objects(check: Any) -> None:
    code, [finding] = check(BETA, "1.36", "1.38")
    assert code == exits.FAILURES
    assert (finding["to"], finding["path"], finding["scope"]) == ("1.38", "apiVersion", "new objects")
    assert _cause(finding) == ("API version", "resource.k8s.io/v1beta1")
    assert check(BETA, "1.34", "1.37")[1] == []


def test_v1_is_not_served_after_a_downgrade_to_1_33(check: Any) -> None:
    code, findings = check(CLAIM, "1.34", "1.33")
    assert code == exits.FAILURES
    assert _cause(_found(findings, "ResourceClaim", "apiVersion")) == ("API version", "resource.k8s.io/v1")


def test_a_field_that_the_earlier_release_does_not_know_is_lost(check: Any) -> None:
    code, findings = check(POD_LEVEL, "1.34", "1.33")
    lost = _found(findings, "Pod", "spec.resources")
    assert (code, lost["severity"], lost["after"]) == (exits.FAILURES, "error", "lost")
    assert lost["scope"] == "new and existing objects"
    assert _cause(lost) == ("API field", "resources")


def test_a_field_of_a_gate_is_stored_from_the_release_that_turns_the_gate_on(check: Any) -> None:
    code, findings = check(INVENTORY.replace("COUNT", "1"), "1.34", "1.37")
    [finding] = findings
    assert (code, finding["to"], finding["severity"]) == (exits.OK, "1.36", "note")
    assert (finding["before"], finding["after"]) == ("dropped", '"example.com/gpu"')
    assert _cause(finding) == ("feature gate", "DRAExtendedResource")


def test_a_downgrade_drops_a_field_of_a_gate_from_new_objects_only(check: Any) -> None:
    code, [finding] = check(INVENTORY.replace("COUNT", "1"), "1.36", "1.35")
    assert code == exits.FAILURES
    assert (finding["path"], finding["scope"]) == ("spec.extendedResourceName", "new objects")


def test_a_template_cannot_be_applied_again_if_a_gate_now_stores_its_field(check: Any) -> None:
    code, findings = check(TEMPLATE, "1.35", "1.36")
    assert code == exits.FAILURES
    update = _found(findings, "ResourceClaimTemplate", "spec")
    assert (update["severity"], update["scope"]) == ("error", "existing objects")
    assert update["after"] == "update rejected: Invalid: field is immutable"
    assert _cause(update) == ("feature gate", "DRADeviceTaints")


def test_options_turn_gates_on_and_off_on_each_side(check: Any) -> None:
    manifest = INVENTORY.replace("COUNT", "1")
    assert check(manifest, "1.35", "1.36", "--from-gates", "DRAExtendedResource=true") == (exits.OK, [])
    assert check(manifest, "1.35", "1.36", "--to-gates", "DRAExtendedResource=false") == (exits.OK, [])
    code, [finding] = check(manifest, "1.36", "1.36", "--to-gates", "DRAExtendedResource=false")
    assert (code, _cause(finding)) == (exits.FAILURES, ("feature gate", "DRAExtendedResource"))
    assert finding["causes"][0]["words"] == "is switched off in 1.36"
    code, [finding] = check(manifest, "1.36", "1.37", "--from-gates", "DRAExtendedResource=false")
    assert finding["causes"][0]["words"] == "is switched off in 1.36 and on in 1.37"


def test_gates_of_the_first_release_hold_in_the_releases_between(check: Any) -> None:
    manifest = INVENTORY.replace("COUNT", "1")
    assert check(manifest, "1.34", "1.36", "--from-gates", "DRAExtendedResource=true") == (exits.OK, [])


def test_a_pod_that_stays_pending_in_the_later_release_is_an_error(check: Any) -> None:
    manifest = INVENTORY.replace("COUNT", "2") + CLAIM + POD
    code, [finding] = check(manifest, "1.34", "1.35")
    assert (code, finding["path"], finding["aspect"]) == (exits.FAILURES, "status.phase", "allocated")
    assert finding["after"].startswith("pending: 0/1 nodes are available")
    assert finding["scope"] == "new objects"
    assert _cause(finding) == ("release switch", "PoolSwitches.incomplete_usable")
    assert finding["causes"][0]["requirements"] == ["DRA/pool/incomplete-exact-count"]


def test_a_claim_without_a_pod_is_allocated_too(check: Any) -> None:
    code, [finding] = check(INVENTORY.replace("COUNT", "2") + CLAIM, "1.35", "1.34")
    assert (code, finding["kind"], finding["path"]) == (exits.OK, "ResourceClaim", "status.allocation")
    assert (finding["severity"], finding["after"]) == ("note", "allocated")
    assert finding["scope"] == "new and existing objects"


def test_another_search_order_allocates_another_device_to_new_claims(check: Any) -> None:
    manifest = INVENTORY.replace("COUNT", "2").replace("  extendedResourceName", "")
    _, findings = check(manifest + EARLIER_SLICE + CLAIM, "1.35", "1.36")
    finding = _found(findings, "ResourceClaim", "status.allocation.devices.results[0].device")
    assert (finding["before"], finding["after"]) == ('"gpu-0"', '"gpu-1"')
    assert (finding["severity"], finding["scope"]) == ("change", "new objects")
    assert _cause(finding) == ("release switch", "PoolSwitches.slices_in_input_order")


def test_a_running_pod_is_evicted_once_the_release_has_taint_rules(check: Any) -> None:
    code, findings = check(INVENTORY.replace("COUNT", "1") + DUMP, "1.36", "1.37")
    [finding] = findings
    assert (code, finding["aspect"], finding["severity"]) == (exits.FAILURES, "evicted", "error")
    assert finding["before"] == "running"
    assert finding["after"].startswith("gone: DeviceTaintManagerEviction")
    assert _cause(finding) == ("feature gate", "DRADeviceTaintRules")


def test_claims_count_in_quotas_of_extended_resources(check: Any) -> None:
    _, findings = check(INVENTORY.replace("COUNT", "1") + QUOTA + CLAIM, "1.35", "1.36")
    finding = _found(findings, "ResourceQuota", "status.used[requests.example.com/gpu]")
    assert (finding["aspect"], finding["before"], finding["after"]) == ("counted", '"0"', '"1"')
    assert _cause(finding) == ("feature gate", "DRAExtendedResource")


@pytest.mark.parametrize(
    ("release", "rejected"),
    [
        pytest.param("1.33", True, id="v1 is not served"),
        ("1.35", False),
        pytest.param("1.38", True, id="v1beta1 is not served"),
    ],
)
def test_nothing_changes_between_equal_releases(tmp_path: Path, release: str, rejected: bool) -> None:
    """The command rejects equal releases; a check of them shows that findings do not come from anything else."""
    manifest = INVENTORY.replace("COUNT", "2") + CLAIM + POD + QUOTA + BETA
    file = tmp_path / "m.yaml"
    file.write_text(manifest.replace("name: claim}", "name: claim-2}", 1), "utf-8")
    profile = Profile.named(f"kubernetes-{release}")
    found = check_upgrade(load([str(file)]), [profile, profile])
    assert (found.findings, bool(found.rejected)) == ((), rejected)


def test_text_has_the_steps_with_causes_and_totals(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(UPPER_CASE, encoding="utf-8")
    completed = call("upgrade-check", "-f", str(file), "--from", "1.35", "--to", "1.37")
    assert completed.out.splitlines() == [
        "1.36 -> 1.37",
        f"  error   {file}:8: ResourceClaim default/claim: spec.devices.constraints[0].matchAttribute",
        '          stored, new objects: admitted -> rejected: Invalid: "GPU.example.com/numa": the domain must '
        "be in lower case",
        "          because of release switch ApiServerSwitches.domains_lower_case: no -> yes: The domain of a "
        "constraint's attribute must be in lower case.",
        "1.35 -> 1.36 -> 1.37: 1 error, 0 changes, 0 notes",
    ]


def test_an_api_version_that_a_release_does_not_serve_is_a_cause_in_words(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(CLAIM, encoding="utf-8")
    completed = call("upgrade-check", "-f", str(file), "--from", "1.34", "--to", "1.33")
    assert "because API version resource.k8s.io/v1 is not served by 1.33\n" in completed.out


def test_an_object_that_every_release_rejects_is_an_error(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_text(CLAIM.replace("name: r0", "name: R0"), encoding="utf-8")
    completed = call("upgrade-check", "-f", str(file), "--from", "1.35", "--to", "1.36")
    assert (completed.code, completed.err) == (exits.FAILURES, "")
    heading, problem, totals = completed.out.splitlines()
    assert heading == "rejected by every release"
    assert problem.startswith(f"  error   {file}:4: spec.devices.requests[0].name")
    assert totals == "1.35 -> 1.36: nothing changes; 1 object is rejected by every release"
    completed = call("upgrade-check", "-f", str(file), "--from", "1.35", "--to", "1.36", "-o", "json")
    assert completed.code == exits.FAILURES
    assert json.loads(completed.out)["rejected"] == [problem.removeprefix("  error   ")]


@pytest.mark.parametrize(
    ("manifest", "options", "message"),
    [
        ("a: [", (), "m.yaml:2: not YAML"),
        ("kind: Pod", (), "m.yaml:1: has no apiVersion, expected a Kubernetes object"),
        ("", (), "m.yaml: has no object, expected at least one"),
        (CLAIM, ("--to", "1.99"), "invalid choice: '1.99'"),
        (CLAIM, ("--from-gates", "DRA=true"), "--from-gates: DRA: is not a feature gate"),
        (CLAIM, ("--to-gates", "DRADeviceTaints"), "--to-gates: DRADeviceTaints: has no value true or false"),
        (
            CLAIM,
            ("--to-gates", "DRAAdminAccess=false"),
            "--to-gates: DRAAdminAccess=false: kubernetes-1.36 locks this gate to true, expected true",
        ),
        (CLAIM, ("--wait", "-1"), "is not a number of seconds"),
    ],
)
def test_bad_input_is_one_message(
    call: Call,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    manifest: str,
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.yaml").write_text(manifest, encoding="utf-8")
    completed = call("upgrade-check", "-f", "m.yaml", "--from", "1.35", "--to", "1.36", *options)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert message in completed.err


def test_ignored_kinds_alone_are_an_error(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.yaml").write_text(CLAIM.replace("resource.k8s.io", "example.com") * 2, "utf-8")
    completed = call("upgrade-check", "-f", "m.yaml", "--from", "1.36", "--to", "1.37")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert (
        "m.yaml: has only ignored kinds: ResourceClaim (example.com/v1); expected DRA objects"
        in completed.err
    )


@pytest.mark.parametrize("gates", ["", "DRAPartitionableDevices=false"])
def test_equal_releases_need_other_gates(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gates: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.yaml").write_text(CLAIM, "utf-8")
    options = ["--from-gates", gates, "--to-gates", gates]
    completed = call("upgrade-check", "-f", "m.yaml", "--from", "1.36", "--to", "1.36", *options)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert "--to: 1.36: is also the release of --from, with equal gates; expected another" in completed.err
    differing = call(
        "upgrade-check", "-f", "m.yaml", "--from", "1.36", "--to", "1.36", *options[:1], "", *options[2:]
    )
    assert differing.code == (exits.OK if gates else exits.USAGE)
