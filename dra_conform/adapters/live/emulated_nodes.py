"""The nodes of a scenario: Node objects without a machine, kept Ready as by a kubelet."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

from dra_conform.adapters.live.api import Unreachable
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.controlplane.simulation.declared_features import declared_by
from dra_conform.kube.field_paths import field_at
from dra_conform.kube.profile import Profile

Json = Any

_HEARTBEAT_SECONDS = 10.0
_DEFAULT_RESOURCES = {"cpu": "64", "memory": "256Gi", "pods": "110", "ephemeral-storage": "1Ti"}
"""Allocatable resources of a node that the scenario does not set."""


def add_node(
    scenario: ScenarioNamespace, raw: Json, kubelet: Profile, put: Callable[[Json], None] | None = None
) -> None:
    """Create a Ready node with its status; raises CannotRun if the API server rejects it.

    By default it declares the features of a kubelet of this profile. The taint that the API server adds to
    new nodes is removed. With `put` the node is written directly to etcd, so that the scheduler never sees
    the taint.
    """
    name = raw["metadata"]["name"]
    labels = {"kubernetes.io/hostname": name, **(raw["metadata"].get("labels") or {})}
    without_status = {field: value for field, value in raw.items() if field != "status"}
    spec = dict(raw.get("spec") or {})
    status = _status(raw.get("status") or {}, kubelet)
    written = {**without_status, "metadata": {**raw["metadata"], "labels": labels}, "spec": spec}
    if put:
        put(scenario.stored({**written, "status": status}))
        return
    created = scenario.create(written)
    if not created.accepted:
        raise CannotRun(f"node {name} is rejected: {created.message}")
    answers = (
        scenario.patch("Node", name, "", {"status": status}, "status"),
        _without_new_taints(scenario, name, spec),
    )
    for answer in answers:
        if not answer:
            raise CannotRun(f"the status or the taints of node {name} cannot be written")


def with_default_resources(node: Json) -> Json:
    """Return a node that a scenario writes, with default quantities of resources that it does not set."""
    allocatable = field_at(node, "status.allocatable")
    if node.get("kind") != "Node" or not isinstance(allocatable, dict):
        return node
    return {**node, "status": {**node["status"], "allocatable": {**_DEFAULT_RESOURCES, **allocatable}}}


def redeclare_features(scenario: ScenarioNamespace, before: Profile, now: Profile) -> None:
    """Update the declared features of nodes after the profile of their kubelet changed.

    Nodes that do not declare the features of the previous profile are left unchanged.
    """
    previous, declared = declared_by(before), declared_by(now)
    for node in scenario.all("Node") if previous != declared else ():
        if (node["status"].get("declaredFeatures") or []) == previous:
            body = {"status": {"declaredFeatures": declared or None}}
            scenario.patch("Node", node["metadata"]["name"], "", body, "status")


@contextmanager
def heartbeats(scenario: ScenarioNamespace) -> Iterator[None]:
    """Send heartbeats of a scenario's nodes; without heartbeats, nodes become NotReady after 40 seconds."""
    ended = threading.Event()

    def send() -> None:
        while not ended.wait(_HEARTBEAT_SECONDS):
            with suppress(Unreachable):  # The API server may be restarting.
                for node in scenario.all("Node"):
                    body = {"status": {"conditions": [_ready()]}}
                    scenario.patch("Node", node["metadata"]["name"], "", body, "status")

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _without_new_taints(scenario: ScenarioNamespace, name: str, spec: Mapping[str, Json]) -> bool:
    """Restore the taints that the scenario sets on a node; return whether it worked.

    Retries on 409 Conflict.
    """
    for _ in range(5):
        read = scenario.get("Node", name)
        if not read.accepted:
            return False
        written = {**read.body, "spec": {**read.body["spec"], "taints": spec.get("taints", [])}}
        answer = scenario.replace(written)
        if answer.accepted or answer.reason != "Conflict":
            return answer.accepted
    return False


def _status(status: Mapping[str, Json], kubelet: Profile) -> dict[str, Json]:
    allocatable = {**_DEFAULT_RESOURCES, **(status.get("allocatable") or {})}
    capacity = {**allocatable, **(status.get("capacity") or {})}
    conditions = [
        condition for condition in status.get("conditions") or () if condition.get("type") != "Ready"
    ]
    completed = {"allocatable": allocatable, "capacity": capacity, "conditions": [_ready(), *conditions]}
    return {"declaredFeatures": declared_by(kubelet), **status, **completed}


def _ready() -> dict[str, str]:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    times = {"lastHeartbeatTime": now, "lastTransitionTime": now}
    return {"type": "Ready", "status": "True", "reason": "Played", "message": "no machine", **times}
