"""`dra-conform footprint`: the node resource usage of a cluster, now and after changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call

RELEASE = ("--profile", "kubernetes-1.37", "--gates", "DRANodeAllocatableResources=true")

NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n", "uid": "n"},
    "status": {"allocatable": {"cpu": "8", "memory": "16Gi", "pods": "2"}},
}
CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "gpu", "uid": "d"},
    "spec": {"extendedResourceName": "example.com/gpu"},
}
SLICE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "s", "uid": "s"},
    "spec": {
        "driver": "cpu.example.com",
        "nodeName": "n",
        "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1},
        "devices": [
            {
                "name": "d0",
                "nodeAllocatableResources": {
                    "cpu": {"mapping": {"deviceMultiplier": "3"}},
                    "memory": {"overhead": {"perPod": "1Gi", "perContainer": "10Mi"}},
                },
            }
        ],
    },
}
CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "c", "namespace": "team", "uid": "c"},
    "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}},
    "status": {
        "allocation": {
            "devices": {
                "results": [{"request": "r", "driver": "cpu.example.com", "pool": "n", "device": "d0"}]
            }
        }
    },
}


def _pod(name: str, **spec: Any) -> dict[str, Any]:
    requests = {"cpu": "1500m", "memory": "1Gi", "example.com/gpu": "1"}
    container = {"name": "c", "image": "i", "resources": {"requests": requests, "limits": requests}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "team", "uid": name},
        "spec": {"nodeName": "n", "containers": [container], **spec},
        "status": {"phase": "Running"},
    }


RECORDED = {
    **_pod("recorded", overhead={"cpu": "250m"}),
    "status": {
        "phase": "Running",
        "nodeAllocatableResourceClaimStatuses": [
            {
                "resourceClaimName": "other",
                "containers": ["c"],
                "mapping": [{"name": "cpu", "quantity": "2"}],
                "overhead": [{"name": "memory", "perPod": "100Mi"}],
            }
        ],
    },
}
ENDED = {**_pod("ended"), "status": {"phase": "Succeeded"}}
ALLOCATED = _pod("allocated", resourceClaims=[{"name": "e", "resourceClaimName": "c"}])


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _write([NODE, CLASS, RECORDED, ENDED])


def _write(items: list[Any]) -> None:
    listed = {"apiVersion": "v1", "kind": "List", "items": items}
    Path("cluster.json").write_text(json.dumps(listed, indent=4), "utf-8")


def _cells(out: str) -> dict[str, list[str]]:
    rows = (cells for cells in map(str.split, out.splitlines()) if len(cells) > 5)
    return {resource: cells for _, resource, *cells in rows if resource != "of"}


def test_nodes_now(call: Call) -> None:
    completed = call("footprint", "-f", "cluster.json", *RELEASE)
    assert completed.code == exits.OK
    assert _cells(completed.out) == {
        "RESOURCE": ["USED", "BY", "CLAIMS", "ALLOCATABLE", "STATE"],
        "cpu": ["3750m", "2", "8", "ok"],
        "example.com/gpu": ["1", "0", "-", "-"],
        "memory": ["1124Mi", "100Mi", "16Gi", "ok"],
        "pods": ["1", "0", "2", "ok"],
    }
    assert completed.out.endswith("0 of 1 compared node over\n")


@pytest.mark.parametrize(
    ("release", "quantity", "cells"),
    [
        ("1.37", "0", ["-", "-"]),
        ("1.37", "1", ["1", "ok"]),
        pytest.param("1.34", "0", ["0", "over"], id="1.34 counts a listed 0"),
    ],
)
def test_a_backed_resource_with_quantity_0(call: Call, release: str, quantity: str, cells: list[str]) -> None:
    status = {"allocatable": {**NODE["status"]["allocatable"], "example.com/gpu": quantity}}  # type: ignore[index]
    _write([{**NODE, "status": status}, CLASS, _pod("running")])
    options = ("--profile", f"kubernetes-{release}", "--gates", "DRAExtendedResource=true")
    assert _cells(call("footprint", "-f", "cluster.json", *options).out)["example.com/gpu"][2:] == cells


def test_allocated_claims_without_a_record_count_by_their_slices(call: Call) -> None:
    _write([NODE, CLASS, SLICE, CLAIM, ALLOCATED])
    completed = call("footprint", "-f", "cluster.json", *RELEASE, "--by", "pod", "-o", "csv")
    assert completed.out.splitlines()[1:] == [
        "team,allocated,n,cpu,1500m,3,,0,4500m",
        "team,allocated,n,example.com/gpu,1,0,,0,1",
        "team,allocated,n,memory,1Gi,1Gi,,0,2Gi",
    ]


def test_nodes_after_changes_are_explained(call: Call) -> None:
    change = _pod("new", resources={"requests": {"cpu": "5"}, "limits": {"cpu": "5"}})
    del change["metadata"]["uid"]
    Path("change.json").write_text(json.dumps(change), "utf-8")
    completed = call("footprint", "-f", "cluster.json", "--with", "change.json", *RELEASE, "--explain")
    assert completed.code == exits.FAILURES
    assert _cells(completed.out)["cpu"] == ["3750m", "8750m", "2", "8", "over"]
    assert completed.out.endswith(
        "1 of 1 compared node over\n\nNode n: cpu: 8750m used, 8 allocatable\n"
        "  pod team/new: 5: pod level 5 in place of containers 1500m and claims 0, overhead 0 "
        "(KEP-5517/pod-level-resources/pod-level-wins)\n"
        "  pod team/recorded: 3750m: containers 1500m, claims 2, overhead 250m\n"
    )


def _as_manifest(raw: dict[str, Any]) -> dict[str, Any]:
    """Return what a user applies: neither UID, nor status, nor the node of a pod."""
    metadata = {name: value for name, value in raw["metadata"].items() if name != "uid"}
    spec = {name: value for name, value in raw["spec"].items() if name != "nodeName"}
    return {"apiVersion": raw["apiVersion"], "kind": raw["kind"], "metadata": metadata, "spec": spec}


def test_an_applied_object_keeps_its_node_and_status(call: Call) -> None:
    _write([NODE, CLASS, SLICE, CLAIM, ALLOCATED, RECORDED, ENDED])
    items = [_as_manifest(raw) for raw in (CLAIM, ALLOCATED, RECORDED, ENDED)]
    Path("change.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), "utf-8")
    completed = call("footprint", "-f", "cluster.json", "--with", "change.json", *RELEASE)
    cells = _cells(completed.out)
    assert cells["cpu"][:3] == ["8250m", "8250m", "5"]
    assert all(now == after for name, (now, after, *_) in cells.items() if name != "RESOURCE")
    assert "are not counted" not in completed.err


def test_a_daemon_set_adds_a_pod_to_each_node_that_it_tolerates(call: Call) -> None:
    tainted = {
        **NODE,
        "metadata": {"name": "t", "uid": "t"},
        "spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]},
    }
    _write([NODE, tainted])
    template = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"cpu": "9"}}}]},
    }
    change = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "d"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
    }
    Path("change.json").write_text(json.dumps(change), "utf-8")
    completed = call("footprint", "-f", "cluster.json", "--with", "change.json", "-o", "json")
    rows = json.loads(completed.out)["rows"]
    assert [(row["node"], row["resource"], row["after"], row["over"]) for row in rows] == [
        ("n", "cpu", "9", True),
        ("n", "pods", "1", False),
    ]


def test_records_that_do_not_count_are_noted(call: Call) -> None:
    completed = call("footprint", "-f", "cluster.json")
    assert _cells(completed.out)["cpu"] == ["1750m", "0", "8", "ok"]
    assert "the status of 1 pod records claims in a form that the profile does not read" in completed.err


def test_pods_without_a_node_are_noted(call: Call) -> None:
    _write([NODE, {**_pod("pending"), "spec": {"containers": [{"name": "c"}]}}])
    completed = call("footprint", "-f", "cluster.json")
    assert completed.err == (
        "note: pods without a node, which count on none (dra-conform schedule shows where they would run): 1\n"
        "note: no node is compared, because no pod is on a node\n"
    )


def test_usage_without_nodes_is_not_called_good(call: Call) -> None:
    """A dump without Nodes has nothing to compare with, so no script may read exit code 0 as "it fits"."""
    _write([_pod("train")])
    completed = call("footprint", "-f", "cluster.json")
    assert completed.code == exits.INCOMPLETE
    assert completed.out.endswith("0 of 0 compared nodes over\n")
    assert completed.err == (
        "note: not compared, because the input has no Node or no status.allocatable: n\n"
    )
    assert call("footprint", "-f", "cluster.json", "--by", "pod").code == exits.OK


def _with_policy(policy: str) -> dict[str, Any]:
    device = {
        "name": "d0",
        "nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "3", "accountingPolicy": policy}},
    }
    return {**SLICE, "spec": {**SLICE["spec"], "devices": [device]}}


def _claiming(name: str, cpu: str) -> dict[str, Any]:
    """Return a pod whose container requests CPU and uses the claim."""
    pod = _pod(name, resourceClaims=[{"name": "e", "resourceClaimName": "c"}])
    resources = {"requests": {"cpu": cpu}, "claims": [{"name": "e"}]}
    pod["spec"]["containers"][0]["resources"] = resources
    return pod


@pytest.mark.parametrize(
    ("policy", "used", "claims"),
    [("AddPerClaim", "6", "3"), ("AddPerReference", "9", "6"), ("Max", "6", "0"), ("ConsumeFrom", "3", "3")],
)
def test_pods_that_share_a_claim_count_by_its_accounting_policy(
    call: Call, policy: str, used: str, claims: str
) -> None:
    _write([NODE, CLASS, _with_policy(policy), CLAIM, _claiming("one", "1"), _claiming("two", "2")])
    completed = call("footprint", "-f", "cluster.json", "--profile", "kep-future")
    assert _cells(completed.out)["cpu"][:2] == [used, claims]
    assert completed.err == ""
    by_pod = call("footprint", "-f", "cluster.json", "--profile", "kep-future", "--by", "pod")
    totals = ["4", "5"] if policy.startswith("Add") else ["3", "3"]
    assert [line.split()[-1] for line in by_pod.out.splitlines()[1:3]] == totals


def test_requests_beyond_a_pool_are_noted(call: Call) -> None:
    pods = [_claiming("one", "2"), _claiming("two", "2")]
    _write([NODE, CLASS, _with_policy("ConsumeFrom"), CLAIM, *pods])
    completed = call("footprint", "-f", "cluster.json", "--profile", "kep-future")
    assert completed.err == (
        "note: node n: containers take more cpu from pools of claims than the pools have "
        "(KEP-5517/policy/consume-from-sum-within-pool)\n"
    )


def test_files_have_every_row(call: Call) -> None:
    completed = call(
        "footprint", "-f", "cluster.json", *RELEASE, "--parquet", "f.parquet", "--html", "f.html"
    )
    assert completed.code == exits.OK
    table = pl.read_parquet("f.parquet")
    assert table.select("resource", "after", "allocatable").rows()[0] == ("cpu", "3750m", "8")
    assert "Node n: cpu" in Path("f.html").read_text("utf-8")


def test_a_cell_of_csv_is_no_formula_of_a_spreadsheet(call: Call, tmp_path: Path) -> None:
    pod = _pod("p", nodeName="=1+1")
    pod["spec"]["containers"][0]["resources"] = {"requests": {"@SUM(A1)": "1"}}
    file = tmp_path / "cluster.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [pod]}), "utf-8")
    completed = call("footprint", "-f", str(file), "-o", "csv")
    assert [line.split(",")[:2] for line in completed.out.splitlines()[1:]] == [
        ["'=1+1", "'@SUM(A1)"],
        ["'=1+1", "pods"],
    ]
