"""The nodes of a scenario: Node objects without a machine, kept Ready as a kubelet would."""

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

_BEAT = 10.0
_AMPLE = {"cpu": "64", "memory": "256Gi", "pods": "110", "ephemeral-storage": "1Ti"}
"""What a node has of each resource that the story says nothing of."""


def add_node(
    room: ScenarioNamespace, given: Json, kubelet: Profile, put: Callable[[Json], None] | None = None
) -> None:
    """Create a node with its status, ready; raises CannotRun where the API server rejects it.

    It declares what a kubelet of this profile does, unless it says itself what it declares.

    A pod can come to a node only when the taint is gone that the API server puts on new ones. `put` writes
    past the API server, so that the scheduler sees it ready from the beginning.
    """
    name = given["metadata"]["name"]
    labels = {"kubernetes.io/hostname": name, **(given["metadata"].get("labels") or {})}
    node = {name: value for name, value in given.items() if name != "status"}
    spec = dict(given.get("spec") or {})
    status = _status(given.get("status") or {}, kubelet)
    written = {**node, "metadata": {**given["metadata"], "labels": labels}, "spec": spec}
    if put:
        put(room.stored({**written, "status": status}))
        return
    made = room.create(written)
    if not made.taken:
        raise CannotRun(f"node {name} is rejected: {made.message}")
    answers = (
        room.patch("Node", name, "", {"status": status}, "status"),
        _without_new_taints(room, name, spec),
    )
    for answer in answers:
        if not answer:
            raise CannotRun(f"node {name} cannot be made ready")


def ample(node: Json) -> Json:
    """A node as a story writes it, with enough of each resource that the story says nothing of."""
    allocatable = field_at(node, "status.allocatable")
    if node.get("kind") != "Node" or not isinstance(allocatable, dict):
        return node
    return {**node, "status": {**node["status"], "allocatable": {**_AMPLE, **allocatable}}}


def declare_again(room: ScenarioNamespace, before: Profile, now: Profile) -> None:
    """Let the nodes that declare what their kubelet did declare what it does since it runs otherwise."""
    was, declared = declared_by(before), declared_by(now)
    for node in room.all("Node") if was != declared else ():
        if (node["status"].get("declaredFeatures") or []) == was:
            body = {"status": {"declaredFeatures": declared or None}}
            room.patch("Node", node["metadata"]["name"], "", body, "status")


@contextmanager
def beating(room: ScenarioNamespace) -> Iterator[None]:
    """Let the nodes of a story show that they are alive, else they are taken for lost after 40 seconds."""
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(_BEAT):
            with suppress(Unreachable):  # the API server is being restarted
                for node in room.all("Node"):
                    body = {"status": {"conditions": [_ready()]}}
                    room.patch("Node", node["metadata"]["name"], "", body, "status")

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _without_new_taints(room: ScenarioNamespace, name: str, spec: Mapping[str, Json]) -> bool:
    """Back to the taints of the story; the controller manager may write at the same time."""
    for _ in range(5):
        read = room.get("Node", name)
        if not read.taken:
            return False
        written = {**read.body, "spec": {**read.body["spec"], "taints": spec.get("taints", [])}}
        answer = room.replace(written)
        if answer.taken or answer.reason != "Conflict":
            return answer.taken
    return False


def _status(given: Mapping[str, Json], kubelet: Profile) -> dict[str, Json]:
    allocatable = {**_AMPLE, **(given.get("allocatable") or {})}
    capacity = {**allocatable, **(given.get("capacity") or {})}
    conditions = [one for one in given.get("conditions") or () if one.get("type") != "Ready"]
    told = {"allocatable": allocatable, "capacity": capacity, "conditions": [_ready(), *conditions]}
    return {"declaredFeatures": declared_by(kubelet), **given, **told}


def _ready() -> dict[str, str]:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    times = {"lastHeartbeatTime": now, "lastTransitionTime": now}
    return {"type": "Ready", "status": "True", "reason": "Played", "message": "no machine", **times}
