"""`usage` and `footprint` count the same for a sample of a cluster as Kubernetes for each of its objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from dra_conform.cli import main
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.quota import is_counted
from tests.support.adapter_process import AdapterProcess
from tests.support.kube_parts.builds import minor_of
from tests.support.kube_parts.random_namespaces import namespace_question
from tests.support.kube_parts.random_pods import pod_question

pytestmark = pytest.mark.slow

SAMPLE = 150
BACKED = {"gpu": "example.com/gpu", "nic": "example.com/nic", "fast": "example.org/gpu", "plain": None}
"""The extended resource of each DeviceClass. They differ: of several DeviceClasses for one extended resource the
evaluator counts any."""


def test_quota_usage(
    parts: tuple[str, AdapterProcess], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release, process = parts
    profile, gates = _configured(process, release, "DRAExtendedResource")
    classes = [
        _object(
            "resource.k8s.io/v1",
            "DeviceClass",
            name,
            spec={"extendedResourceName": resource} if resource else {},
        )
        for name, resource in BACKED.items()
    ]
    items, expected = list[Json](classes), dict[tuple[str, str], Quantity]()
    for number in range(SAMPLE):
        objects, _ = namespace_question(Random(f"cluster/{number}"))
        moved = {kind: [*_moved(objects[kind], f"n{number}")] for kind in ("resourceClaims", "pods")}
        asked = {"deviceClasses": classes, **moved}
        real = process.ask("usage", profile, asked, {"namespace": f"n{number}"})
        used = {name: amount for name, amount in real["used"].items() if is_counted(name)}
        expected |= {(f"n{number}", name): Quantity.parse(amount) for name, amount in used.items()}
        items += [*moved["resourceClaims"], *moved["pods"]]
        quota = _object("v1", "ResourceQuota", "q", spec={"hard": dict.fromkeys(used, "1")})
        items += _moved([quota], f"n{number}")
    rows = _rows("usage", items, release, gates, tmp_path, capsys)
    found = {(row["namespace"], row["name"]): Quantity.parse(row["after"]) for row in rows if row["quota"]}
    assert found == expected
    assert len(expected) > SAMPLE


def test_node_resource_usage(
    parts: tuple[str, AdapterProcess], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release, process = parts
    profile, gates = _configured(process, release, "DRANodeAllocatableResources")
    items, expected = list[Json](), dict[tuple[str, str], Quantity]()
    for number in range(SAMPLE):
        objects, _ = pod_question(Random(f"cluster/{number}"), minor_of(release))
        pods = [*_moved(objects["pods"], f"n{number}")]
        for pod in pods:
            key = f"n{number}/{pod['metadata']['name']}"
            ask = {"pod": key, "from": "status", "without": []}
            real = process.ask("footprint", profile, {"pods": pods}, ask)
            if (pod.get("status") or {}).get("phase") not in ("Succeeded", "Failed"):
                expected |= {(key, name): Quantity.parse(each) for name, each in real["resources"].items()}
        items += pods
    rows = _rows("footprint", items, release, gates, tmp_path, capsys, "--by", "pod")
    found = {
        (f"{row['namespace']}/{row['pod']}", row["resource"]): Quantity.parse(row["total"]) for row in rows
    }
    assert _filled(found) == _filled(expected)
    assert len(expected) > SAMPLE


def _configured(process: AdapterProcess, release: str, gate: str) -> tuple[str, str]:
    """Return the name of a profile with the gate on, and the value of --gates."""
    usual = Profile.named(f"kubernetes-{minor_of(release)}")
    process.configure({"cluster": usual.with_gates({"DynamicResourceAllocation": True, gate: True})})
    return "cluster", f"{gate}=true"


def _rows(
    command: str,
    items: list[Json],
    release: str,
    gates: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    *options: str,
) -> list[Json]:
    file = folder / "cluster.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), "utf-8")
    profile = ("--profile", f"kubernetes-{minor_of(release)}", "--gates", gates)
    main([command, "-f", str(file), *profile, "-o", "json", *options])
    rows: list[Json] = json.loads(capsys.readouterr().out)["rows"]
    return rows


def _moved(objects: list[Json], namespace: str) -> Iterator[Json]:
    """Yield the objects in one namespace, with a UID."""
    for each in objects:
        uid = each["metadata"].get("uid") or f"{each['kind']}-{each['metadata']['name']}"
        yield {**each, "metadata": {**each["metadata"], "namespace": namespace, "uid": uid}}


def _object(api_version: str, kind: str, name: str, **parts: Json) -> Json:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "uid": name}, **parts}


def _filled(amounts: dict[tuple[str, str], Quantity]) -> dict[tuple[str, str], Quantity]:
    return {key: amount for key, amount in amounts.items() if amount}
