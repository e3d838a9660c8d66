"""The nodes of a scenario have default resources for pods."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.emulated_nodes import redeclare_features, with_default_resources
from dra_conform.controlplane.simulation.declared_features import declared_by
from dra_conform.kube.profile import Profile

Json = Any


def test_resources_that_are_not_set_have_defaults() -> None:
    node = {"kind": "Node", "status": {"allocatable": {"example.com/gpu": "0", "cpu": "4"}}}
    allocatable = with_default_resources(node)["status"]["allocatable"]
    assert allocatable == {
        "example.com/gpu": "0",
        "cpu": "4",
        "memory": "256Gi",
        "pods": "110",
        "ephemeral-storage": "1Ti",
    }


def test_other_objects_are_unchanged() -> None:
    for written in ({"kind": "Node", "spec": {}}, {"kind": "Pod", "status": {"allocatable": {"cpu": "1"}}}):
        assert with_default_resources(written) == written


class _Nodes:
    """A scenario namespace with nodes, by their declared features."""

    def __init__(self, **declared: list[str]) -> None:
        self.declared = declared

    def all(self, _: str) -> list[Json]:
        return [
            {"metadata": {"name": name}, "status": {"declaredFeatures": features}}
            for name, features in self.declared.items()
        ]

    def patch(self, _: str, name: str, __: str, body: Json, ___: str) -> None:
        self.declared[name] = body["status"]["declaredFeatures"]


def test_nodes_declare_the_features_of_the_current_kubelet() -> None:
    before = Profile.named("kubernetes-1.37")
    now = before.with_gates({"DRANodeAllocatableResources": True})
    scenario: Json = _Nodes(emulated=declared_by(before), other=["Other"])
    redeclare_features(scenario, before, now)
    assert scenario.declared == {"emulated": declared_by(now), "other": ["Other"]}
    assert "DRANodeAllocatableResources" in declared_by(now)
    assert "DRANodeAllocatableResources" not in declared_by(before)


@pytest.mark.parametrize(("release", "declares"), [("1.35", False), ("1.36", False), ("1.37", True)])
def test_kubelets_declare_features_since_1_37(release: str, declares: bool) -> None:
    on = Profile.named(f"kubernetes-{release}").with_gates({"DRANodeAllocatableResources": True})
    assert ("DRANodeAllocatableResources" in declared_by(on)) is declares
