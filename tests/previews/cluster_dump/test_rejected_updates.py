"""Notes on changes of existing objects that the API server would reject as updates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dra_conform.kube.profile import Profile
from dra_conform.previews.cluster_dump import read_dump

EXACTLY = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}
TOLERATIONS = [{"key": "a", "operator": "Exists"}]
CONTAINER = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
SIDECAR = {"name": "injected", "image": "i", "resources": {"requests": {"cpu": "1"}}}
ENTRY = {"name": "gpu", "resourceClaimName": "c"}


def _claim(**exactly: Any) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "c", "namespace": "team"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {**EXACTLY, **exactly}}]}},
    }


def _pod(*containers: Any, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "team"},
        "spec": {"containers": [*containers], **spec},
    }


def _requesting(**requests: str) -> dict[str, Any]:
    return {**CONTAINER, "resources": {"requests": requests}}


def _notes(existing: dict[str, Any], change: dict[str, Any], profile: str = "kep") -> list[str]:
    raw = {**existing, "metadata": {**existing["metadata"], "uid": "u"}}
    Path("cluster.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": [raw]}), "utf-8")
    Path("change.json").write_text(json.dumps(change), "utf-8")
    notes = read_dump(["cluster.json"], ["change.json"], Profile.named(profile)).notes
    return [note for note in notes if "would be rejected" in note]


@pytest.fixture(autouse=True)
def _directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_another_spec_of_a_claim_is_immutable() -> None:
    assert _notes(_claim(), _claim(count=3)) == [
        "note: change.json:1: ResourceClaim team/c: an update would be rejected: spec: Invalid: field is "
        "immutable; the object counts as deleted and created again"
    ]


@pytest.mark.parametrize(
    ("containers", "spec", "problem"),
    [
        ([_requesting(cpu="2")], {}, "resources of container c change only by the subresource resize"),
        ([CONTAINER, SIDECAR], {}, "pod updates may not add container injected"),
        ([CONTAINER], {"resourceClaims": [ENTRY]}, "pod updates may not change resourceClaims"),
        (
            [CONTAINER],
            {"resources": {"requests": {"cpu": "4"}}},
            "pod-level resources change only by the subresource resize",
        ),
    ],
)
def test_a_pod_keeps_what_is_counted(containers: list[Any], spec: dict[str, Any], problem: str) -> None:
    [note] = _notes(_pod(CONTAINER), _pod(*containers, **spec))
    assert f"Pod team/p: an update would be rejected: spec: {problem}; " in note


@pytest.mark.parametrize(
    ("existing", "change", "profile"),
    [
        pytest.param(_claim(), _claim(), "kep", id="equal claims"),
        pytest.param(
            _claim(tolerations=TOLERATIONS),
            _claim(tolerations=TOLERATIONS),
            "kubernetes-1.35",
            id="a field in use is kept with its gate off",
        ),
        pytest.param(
            _pod(
                {**CONTAINER, "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}, SIDECAR, nodeName="n"
            ),
            _pod({**CONTAINER, "image": "j"}),
            "kep",
            id="another image, and fields of other writers",
        ),
    ],
)
def test_an_admitted_update_has_no_note(existing: Any, change: Any, profile: str) -> None:
    assert _notes(existing, change, profile) == []
