"""`dra-conform usage`: what the ResourceQuotas of a cluster count, now and after changes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from dra_conform.adapters.light_api.http_server import LightServer
from dra_conform.cli import exits
from dra_conform.kube.profile import Profile
from tests.support.cli.calling import Call

GPU = "gpu.deviceclass.resource.k8s.io/devices"
BACKED = "requests.example.com/gpu"


def _claim(number: int) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": f"c{number}", "namespace": "team", "uid": f"c{number}"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu", "count": 2}}]}},
    }


CLUSTER: list[Any] = [
    {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu", "uid": "d"}},
    {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "q", "namespace": "team", "uid": "q"},
        "spec": {"hard": {GPU: "5", BACKED: "1", "services": "3", "pods": "2"}},
    },
    {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s", "namespace": "team", "uid": "s"}},
    _claim(0),
    _claim(1),
]

CHANGE = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t, namespace: team}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: train, namespace: team}
spec:
  replicas: 3
  selector: {matchLabels: {app: train}}
  template:
    metadata: {labels: {app: train}}
    spec:
      containers: [{name: c, image: i, resources: {limits: {example.com/gpu: 4}, claims: [{name: gpu}]}}]
      resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    listed = {"apiVersion": "v1", "kind": "List", "items": CLUSTER}
    Path("cluster.json").write_text(json.dumps(listed, indent=4), "utf-8")
    Path("change.yaml").write_text(CHANGE, "utf-8")


@pytest.fixture
def cluster() -> Iterator[LightServer]:
    server = LightServer(Profile.named("kep"), seed=1)
    for raw in CLUSTER:
        if raw["kind"] != "Service":
            server.api.load({**raw, "metadata": {**raw["metadata"], "uid": ""}})
    server.write_kubeconfig(Path("kubeconfig"))
    yield server
    server.close()


def test_a_cluster_of_a_kubeconfig_counts_as_its_dump(call: Call, cluster: LightServer) -> None:
    of_dump = call("usage", "-f", "cluster.json", "--with", "change.yaml")
    of_cluster = call("usage", "--kubeconfig", "kubeconfig", "--context", "light", "--with", "change.yaml")
    assert (of_cluster.code, of_cluster.out) == (of_dump.code, of_dump.out)
    assert not cluster.writes


def test_a_kubeconfig_that_does_not_exist_is_an_error(call: Call) -> None:
    result = call("usage", "--kubeconfig", "absent")
    assert (result.code, result.out) == (exits.USAGE, "")
    assert "absent: cannot be read: No such file or directory, expected a kubeconfig" in result.err


@pytest.mark.parametrize(
    ("users", "message"),
    [
        ("users: [{name: u, user: {}}]", "kubeconfig: GET /apis/resource.k8s.io/v1: HTTPSConnection(host="),
        ("users: [{user: {}}]", "absent:4: users[0].name: is missing, expected a value"),
    ],
)
def test_a_kubeconfig_without_a_server_or_a_field(
    call: Call, tmp_path: Path, users: str, message: str
) -> None:
    text = (
        "apiVersion: v1\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n"
        f"contexts: [{{name: x, context: {{cluster: c, user: u}}}}]\n{users}\ncurrent-context: x\n"
    )
    (tmp_path / "absent").write_text(text, "utf-8")
    result = call("usage", "--kubeconfig", str(tmp_path / "absent"))
    assert result.code == exits.USAGE
    assert message in result.err
    assert "Max retries" not in result.err


def test_a_context_needs_a_kubeconfig(call: Call) -> None:
    result = call("usage", "-f", "cluster.json", "--context", "light")
    assert result.code == exits.USAGE
    assert "--context: light: selects a context of a kubeconfig, expected --kubeconfig too" in result.err


def _cells(out: str) -> dict[str, list[str]]:
    return {" ".join(cells[:3]): cells[3:] for cells in map(str.split, out.splitlines()) if len(cells) > 4}


def test_usage_now(call: Call) -> None:
    completed = call("usage", "-f", "cluster.json")
    assert completed.code == exits.OK
    assert _cells(completed.out)[f"team q {GPU}"] == ["4", "5", "ok"]
    assert _cells(completed.out)["team - count/resourceclaims.resource.k8s.io"] == ["2", "-", "-"]
    assert completed.out.endswith("0 of 3 limits exceeded\n")
    assert completed.err == (
        "note: ignored kinds, which have no known effect on allocation: 1 Service (v1)\n"
        "note: not counted: services\n"
    )


@pytest.mark.parametrize("kind", ["List", "ResourceClaimList"])
def test_objects_of_a_list_in_a_list_are_counted(call: Call, kind: str) -> None:
    flat = call("usage", "-f", "cluster.json")
    claims = {"apiVersion": "resource.k8s.io/v1", "kind": kind, "items": CLUSTER[3:]}
    nested = {"apiVersion": "v1", "kind": "List", "items": [*CLUSTER[:3], claims]}
    Path("nested.json").write_text(json.dumps(nested), "utf-8")
    completed = call("usage", "-f", "nested.json")
    assert (completed.code, completed.out, completed.err) == (exits.OK, flat.out, flat.err)


def test_usage_after_changes_is_explained(call: Call) -> None:
    completed = call("usage", "-f", "cluster.json", "--with", "change.yaml", "--explain")
    assert completed.code == exits.FAILURES
    cells = _cells(completed.out)
    assert cells[f"team q {GPU}"] == ["4", "100", "5", "over"]
    assert cells[f"team q {BACKED}"] == ["0", "112", "1", "over"]
    assert cells["team q pods"] == ["0", "3", "2", "over"]
    assert f"ResourceQuota team/q: {BACKED}: 112 used, hard 1\n" in completed.out
    assert (
        "  3 ResourceClaims, 32 each, 96 together: request r: 32 of DeviceClass gpu (backs example.com/gpu) by "
        "allocationMode All (KEP-5004/quota/explicit-counts-resource-claims)\n"
        "    train-0-gpu, train-1-gpu, train-2-gpu\n"
        "  3 Pods, 4 each, 12 together: its requests of example.com/gpu" in completed.out
    )


def test_a_changed_workload_replaces_its_pods(call: Call) -> None:
    owner = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "name": "train-7f",
        "uid": "r",
        "controller": True,
    }
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": f"train-7f-{number}",
                "namespace": "team",
                "uid": f"p{number}",
                "labels": {"pod-template-hash": "7f"},
                "ownerReferences": [owner],
            },
        }
        for number in range(5)
    ]
    claim = _claim(0)
    claim["metadata"]["ownerReferences"] = [{"apiVersion": "v1", "kind": "Pod", "name": "x", "uid": "p3"}]
    listed = {"apiVersion": "v1", "kind": "List", "items": [CLUSTER[0], CLUSTER[1], claim, *pods]}
    Path("cluster.json").write_text(json.dumps(listed), "utf-8")
    cells = _cells(call("usage", "-f", "cluster.json", "--with", "change.yaml").out)
    assert cells["team q pods"] == ["5", "3", "2", "over", "already"]
    assert cells["team - count/resourceclaims.resource.k8s.io"] == ["1", "3", "-", "-"]


def test_claims_of_the_scheduler_are_noted(call: Call) -> None:
    completed = call("usage", "-f", "cluster.json", "--with", "change.yaml")
    assert "note: 3 new pods with extended resources that DeviceClasses back" in completed.err


def _quota_on_cpu(call: Call, form: str, *containers: str) -> Any:
    quota = {**CLUSTER[1], "spec": {"hard": {"requests.cpu": "1"}}}
    listed = {"apiVersion": "v1", "kind": "List", "items": [CLUSTER[0], quota, CLUSTER[3]]}
    Path("cluster.json").write_text(json.dumps(listed, indent=4), "utf-8")
    Path("change.yaml").write_text(CHANGE.replace("limits: {", f"limits: {{{', '.join(containers)}"), "utf-8")
    return call("usage", "-f", "cluster.json", "--with", "change.yaml", "-o", form)


def test_a_new_pod_without_a_request_that_a_quota_demands_is_rejected(call: Call) -> None:
    message = "failed quota: q: must specify requests.cpu for: c"
    completed = _quota_on_cpu(call, "table")
    assert completed.code == exits.FAILURES
    assert "0 of 1 limit exceeded" in completed.out
    assert "3 new pods would be rejected (team/train-0, team/train-1, team/train-2)" in completed.out
    assert completed.out.endswith(f": {message}\n")
    rejected = json.loads(_quota_on_cpu(call, "json").out)["rejected"]
    pods = ["train-0", "train-1", "train-2"]
    assert rejected == [{"namespace": "team", "quota": "q", "message": message, "pods": pods}]
    assert message in _quota_on_cpu(call, "csv").err


def test_a_new_pod_with_all_requests_is_not_rejected(call: Call) -> None:
    completed = _quota_on_cpu(call, "json", "cpu: 1m, ")
    assert (completed.code, json.loads(completed.out)["rejected"]) == (exits.OK, [])


def test_a_release_decides_what_counts(call: Call) -> None:
    arguments = ("usage", "-f", "cluster.json", "--with", "change.yaml", "-o", "json")
    completed = call(*arguments, "--profile", "kubernetes-1.34")
    rows = {row["name"]: row for row in json.loads(completed.out)["rows"]}
    assert rows[BACKED]["after"] == "12"
    assert rows[GPU]["reasons"][0]["objects"] == ["train-0-gpu", "train-1-gpu", "train-2-gpu"]


def test_yaml_and_standard_input_give_the_same_rows(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = call("usage", "-f", "cluster.json", "-o", "csv").out
    Path("cluster.yaml").write_text(yaml.safe_dump_all(CLUSTER), "utf-8")
    assert call("usage", "-f", "cluster.yaml", "-o", "csv").out == expected
    stdin = io.TextIOWrapper(io.BytesIO(Path("cluster.json").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert call("usage", "-f", "-", "-o", "csv").out == expected


def test_files_have_every_row(call: Call) -> None:
    arguments = ("--with", "change.yaml", "--parquet", "u.parquet", "--html", "u.html", "-o", "csv")
    completed = call("usage", "-f", "cluster.json", *arguments)
    table = pl.read_parquet("u.parquet")
    assert table.height == completed.out.count("\n") - 1
    over = table.filter("over").select("name", "after_units").rows()
    assert {name: str(amount) for name, amount in over} == {
        BACKED: "112.000000000",
        GPU: "100.000000000",
        "pods": "3.000000000",
    }
    page = Path("u.html").read_text("utf-8")
    assert "3 of 3 limits exceeded" in page
    assert "<script" not in page


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"status": {"containerStatuses": ["x"]}},
            "cluster.json:91: items[5].status.containerStatuses: is not as in the API: ",
        ),
        (
            {"status": {"containerStatuses": [{"name": "c", "resources": {"requests": {"cpu": "x"}}}]}},
            "cluster.json:91: items[5].status.containerStatuses: is not as in the API: ",
        ),
        (
            {"spec": {"affinity": {"podAffinity": 3}}},
            "cluster.json:91: items[5].spec.affinity: is not as in the API: ",
        ),
        (
            {"spec": {"overhead": {"cpu": "many"}}},
            "cluster.json:92: items[5].spec.overhead.cpu: 'many' is not a quantity",
        ),
        (
            {"metadata": {"name": "p", "uid": "p", "deletionTimestamp": "soon"}},
            "cluster.json:89: items[5].metadata.deletionTimestamp: is 'soon', expected a time",
        ),
        (
            {"metadata": {"name": "=cmd|' /C calc'!A0", "uid": "p"}},
            "cluster.json:87: items[5].metadata.name: is \"=cmd|' /C calc'!A0\", expected a DNS subdomain",
        ),
        ({"spec": []}, "cluster.json:90: items[5].spec: is a list, expected a map"),
    ],
)
def test_a_broken_dump_is_bad_input(call: Call, change: dict[str, Any], message: str) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "uid": "p"}, **change}
    listed = {"apiVersion": "v1", "kind": "List", "items": [*CLUSTER, pod]}
    Path("cluster.json").write_text(json.dumps(listed, indent=1), "utf-8")
    completed = call("usage", "-f", "cluster.json", "--parquet", "u.parquet", "--html", "u.html")
    assert completed.code == exits.USAGE
    assert completed.out == ""
    assert completed.err.startswith(message)
    assert not Path("u.parquet").exists()
    assert not Path("u.html").exists()


def test_a_cut_off_dump_is_bad_input(call: Call) -> None:
    Path("cluster.json").write_text(Path("cluster.json").read_text("utf-8")[:-40], "utf-8")
    completed = call("usage", "-f", "cluster.json")
    assert completed.code == exits.USAGE
    assert completed.err.startswith("cluster.json:")


def test_an_output_that_is_an_input_is_bad_usage(call: Call) -> None:
    before = Path("cluster.json").read_bytes()
    for path in ("cluster.json", "."):
        completed = call("usage", "-f", path, "--html", "cluster.json")
        assert completed.code == exits.USAGE
        assert "cluster.json: is read by this command" in completed.err
    assert Path("cluster.json").read_bytes() == before


@pytest.mark.parametrize("option", ["--html", "--parquet"])
def test_a_kubeconfig_is_not_overwritten(call: Call, cluster: LightServer, option: str) -> None:
    before = Path("kubeconfig").read_bytes()
    completed = call("usage", "--kubeconfig", "kubeconfig", "--context", "light", option, "kubeconfig")
    assert completed.code == exits.USAGE
    assert "kubeconfig: is read by this command" in completed.err
    assert Path("kubeconfig").read_bytes() == before


def test_a_missing_template_is_bad_input(call: Call) -> None:
    Path("change.yaml").write_text(CHANGE.replace("name: t,", "name: other,"), "utf-8")
    completed = call("usage", "-f", "cluster.json", "--with", "change.yaml")
    assert completed.code == exits.USAGE
    assert "change.yaml:11: Deployment train: spec.resourceClaims[gpu]: no manifest has" in completed.err


@pytest.mark.parametrize("command", ["usage", "footprint"])
@pytest.mark.parametrize("content", ["", '{"apiVersion": "v1", "kind": "List", "items": []}'])
def test_a_dump_without_an_object_is_bad_input(
    call: Call, tmp_path: Path, command: str, content: str
) -> None:
    file = tmp_path / "cluster.json"
    file.write_text(content, "utf-8")
    completed = call(command, "-f", str(file))
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err == f"{file}: has no object, expected at least one\n"


@pytest.mark.parametrize(
    ("hard", "why"),
    [
        ("", "there is no ResourceQuota in the input"),
        ("services", "no ResourceQuota has a limit that is counted"),
    ],
)
def test_without_a_limit_nothing_is_compared(call: Call, hard: str, why: str) -> None:
    quotas = [CLUSTER[1] | {"spec": {"hard": {hard: "3"}}}] if hard else []
    listed = {"apiVersion": "v1", "kind": "List", "items": [CLUSTER[0], *quotas, *CLUSTER[2:]]}
    Path("cluster.json").write_text(json.dumps(listed), "utf-8")
    completed = call("usage", "-f", "cluster.json")
    assert completed.code == exits.INCOMPLETE
    assert completed.out.endswith("\nno limit was compared\n")
    assert completed.err.endswith(f"note: no limit is compared, because {why}\n")
    assert call("usage", "-f", "cluster.json", "-o", "csv").code == exits.INCOMPLETE


STUCK = """\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ResourceQuota
  metadata: {name: q, namespace: team, uid: q}
  spec: {hard: {pods: 1}}
- apiVersion: v1
  kind: Pod
  metadata: {name: old, namespace: team, uid: a, deletionTimestamp: "2026-11-01T00:00:00Z", deletionGracePeriodSeconds: %s}
  spec: {containers: [{name: c, image: i}]}
- apiVersion: v1
  kind: Pod
  metadata: {name: new, namespace: team, uid: b, creationTimestamp: "%s"}
  spec: {containers: [{name: c, image: i}]}
"""


@pytest.mark.parametrize(
    ("grace", "created", "pods"),
    [
        ("30", "2026-11-01T00:00:30Z", "2"),
        ("30", "2026-11-01T00:00:31Z", "1"),
        ("30", "2025-12-31T00:00:00Z", "2"),
        ("30", "9999-12-31T00:00:00Z", "2"),
        ("315360000000", "2026-11-01T00:00:31Z", "2"),
        ("-315360000000", "2026-11-01T00:00:31Z", "1"),
    ],
)
def test_a_pod_past_its_grace_period_does_not_count(
    grace: str, created: str, pods: str, call: Call, tmp_path: Path
) -> None:
    (tmp_path / "stuck.yaml").write_text(STUCK % (grace, created), "utf-8")
    completed = call("usage", "-f", str(tmp_path / "stuck.yaml"))
    assert _cells(completed.out)["team q pods"][0] == pods


IMPLICIT = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: team, uid: q}
spec: {hard: {requests.deviceclass.resource.kubernetes.io/gpu: 2}}
"""


@pytest.mark.parametrize(("profile", "counts"), [("kubernetes-1.34", False), ("kubernetes-1.35", True)])
def test_implicit_extended_resources_have_quotas_since_1_35(
    profile: str, counts: bool, call: Call, tmp_path: Path
) -> None:
    (tmp_path / "quota.yaml").write_text(IMPLICIT, "utf-8")
    completed = call("usage", "-f", str(tmp_path / "quota.yaml"), "--profile", profile)
    note = "note: not counted: requests.deviceclass.resource.kubernetes.io/gpu\n"
    assert (note not in completed.err) is counts
    assert ("team q requests.deviceclass.resource.kubernetes.io/gpu" in _cells(completed.out)) is counts
