"""The emulated nodes of a scenario: Node objects without a machine, kept Ready, and their kubelet.

The kubelet rejects pods that do not fit, runs pods whose claims are ready, reports the resources of their
containers, and ends deleted pods.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation_fields import RETRY_LABEL
from dra_conform.adapters.live.resources import EVENTS, RESOURCES, Address
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.cluster_state.declared_features import declared_by
from dra_conform.cluster_state.kubelet_admission import rejected_pods, rejection
from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.cluster_state.pods import claim_keys, extended_resource_claim_key, finished, unready
from dra_conform.kube.field_paths import field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.node_resources import NodeResourceSwitches

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


def retry_pending_pods(scenario: ScenarioNamespace) -> None:
    """Change a label of the nodes of a scenario, after which the scheduler retries its pending pods."""
    for node in scenario.all("Node"):
        body = {"metadata": {"labels": {RETRY_LABEL: str(time.monotonic_ns())}}}
        scenario.patch("Node", node["metadata"]["name"], "", body)


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


_STATUSES = {"initContainers": "initContainerStatuses", "containers": "containerStatuses"}
"""The field of a pod's status for each field of containers in its spec."""


class EmulatedKubelet:
    """Writes pods through the API server like a kubelet. Pods have their names on the cluster.

    `profile` returns the profile of the kubelet, which may change during a scenario.
    """

    def __init__(self, api: Api, profile: Callable[[], Profile]) -> None:
        self._api = api
        self._profile = profile
        self._event_reasons: set[tuple[str, str]] = set()
        """The UID of a pod and the message of each event that was created."""
        self._reported: dict[str, Json] = {}
        """The last reported container statuses of running pods, by UID."""

    def work(self, pods: Iterable[Json], claims: Iterable[Json]) -> bool:
        """Handle all pods and retry earlier failed writes; return whether anything was written."""
        writes: list[Answer] = []
        by_key = {key_in(claim): claim for claim in claims}
        assigned = [pod for pod in pods if pod["spec"].get("nodeName")]
        with suppress(Unreachable):
            switches = NodeResourceSwitches.of(self._profile())
            rejected = list(rejected_pods(assigned, self._node, switches))
            for pod, resource in rejected:
                writes.append(self._api.patch(_address(pod, "status"), {"status": rejection(resource)}))
            for pod in assigned:
                if all(pod is not rejected_pod for rejected_pod, _ in rejected):
                    writes.extend(self._work_on(pod, by_key))
        return any(answer.accepted for answer in writes)

    def _work_on(self, pod: Json, claims: Mapping[Key, Json]) -> Iterator[Answer]:
        if "deletionTimestamp" in pod["metadata"]:
            if pod["metadata"].get("deletionGracePeriodSeconds"):
                yield self._api.delete(_address(pod), now=True)
        elif not finished(pod) and (pod.get("status") or {}).get("phase") == "Running":
            yield from self._report(pod)
        elif not finished(pod) and self._node(pod["spec"]["nodeName"]) is not None:
            keys = [*(key for _, key in claim_keys(pod)), *filter(None, [extended_resource_claim_key(pod)])]
            used = [(claims.get(key) if key else None, key) for key in keys]
            reason = next(filter(None, (unready(claim, key, pod) for claim, key in used)), "")
            if reason:
                yield from self._create_event(pod, reason)
            else:
                yield self._api.patch(_address(pod, "status"), {"status": {"phase": "Running"}})

    def _report(self, pod: Json) -> Iterator[Answer]:
        """Report changed container resources of a running pod, so that quotas count the pod again."""
        uid, statuses = pod["metadata"]["uid"], _container_statuses(pod)
        if statuses != self._reported.get(uid, {}):
            written = self._api.patch(_address(pod, "status"), {"status": statuses})
            self._reported |= {uid: statuses} if written.accepted else {}
            yield written

    def _node(self, name: str) -> Json | None:
        read = self._api.get(RESOURCES["Node"].address("v1", "", name))
        return read.body if read.accepted else None

    def _create_event(self, pod: Json, reason: str) -> Iterator[Answer]:
        """Create one event that says why a pod does not run."""
        event = (pod["metadata"]["uid"], reason)
        if event not in self._event_reasons:
            address = EVENTS.address("v1", pod["metadata"]["namespace"])
            created = self._api.create(address, _event(pod, reason))
            self._event_reasons |= {event} if created.accepted else set()
            yield created


def _container_statuses(pod: Json) -> dict[str, Json]:
    """Return the statuses of containers with requests or limits, by field of the pod's status."""
    statuses = {
        field: [
            _running(container) for container in pod["spec"].get(containers) or () if _resources(container)
        ]
        for containers, field in _STATUSES.items()
    }
    return {field: items for field, items in statuses.items() if items}


def _running(container: Json) -> Json:
    copied = {name: container[name] for name in ("name", "image")}
    return {**copied, "imageID": "", "ready": True, "restartCount": 0, "resources": _resources(container)}


def _resources(container: Json) -> Json:
    resources = container.get("resources") or {}
    return {name: resources[name] for name in ("requests", "limits") if resources.get(name)}


def _address(pod: Json, subresource: str = "") -> Address:
    metadata = pod["metadata"]
    return RESOURCES["Pod"].address("v1", metadata["namespace"], metadata["name"], subresource)


def _event(pod: Json, reason: str) -> Json:
    metadata = pod["metadata"]
    kind = {"apiVersion": "v1", "kind": "Pod"}
    return {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"generateName": f"{metadata['name']}-", "namespace": metadata["namespace"]},
        "regarding": {**kind, **{field: metadata[field] for field in ("name", "namespace", "uid")}},
        "eventTime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "reportingController": "kubelet",
        "reportingInstance": pod["spec"]["nodeName"],
        "action": "Prepare",
        "reason": "FailedPrepareDynamicResources",
        "note": reason,
        "type": "Warning",
    }
