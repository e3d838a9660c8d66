"""Multi-step scenarios on a control plane that answers other requests in between."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.control_plane import cluster_operation
from dra_conform.adapters.control_plane.cluster_operation import ClusterOperation
from dra_conform.kube.profile import Profile

PROFILE = Profile.named("kubernetes-1.37")


class Plane:
    """A control plane without processes; requests of other operations remove all its objects."""

    endpoint = None
    scheduler_name = "default-scheduler"

    def __init__(self) -> None:
        self.emptied = 0

    def serve(self, profile: Profile) -> None:
        assert profile == PROFILE


class Scenarios:
    """Scenarios that only record what they need on the cluster."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def open(self) -> None:
        self.calls.append("open")

    def make_namespace(self) -> None:
        self.calls.append("make namespace")

    def run(self, *_: Any, **__: Any) -> list[Any]:
        self.calls.append("run")
        return []


def test_the_namespace_is_created_again_after_all_objects_were_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenarios, plane = Scenarios(), Plane()
    monkeypatch.setattr(cluster_operation, "LiveScenarios", lambda *_, **__: scenarios)
    operation: Any = ClusterOperation
    cluster = operation(plane)
    cluster.run({}, {}, PROFILE)
    cluster.run_concurrently({}, {}, PROFILE)
    plane.emptied = 2
    cluster.run_concurrently({}, {}, PROFILE)
    cluster.run({}, {}, PROFILE)
    assert scenarios.calls == ["open", "run", "run", "make namespace", "run", "run"]
