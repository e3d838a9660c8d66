"""The emulated kubelet of a scenario's nodes.

It rejects pods that do not fit, runs those whose claims are ready, reports the resources of their containers,
and ends those that are deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from dra_conform.adapters.live.api import Answer, Api, Unreachable
from dra_conform.adapters.live.resources import EVENTS, RESOURCES, Address
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.kubelet import unready
from dra_conform.controlplane.simulation.kubelet_admission import rejection, turned_away
from dra_conform.controlplane.simulation.pods import claim_keys, finished, special_key
from dra_conform.footprint import FootprintRules
from dra_conform.kube.profile import Profile

Json = Any

_STATUSES = {"initContainers": "initContainerStatuses", "containers": "containerStatuses"}
"""The fields of a pod's status that tell of the containers in fields of its spec."""


class PlayedKubelet:
    """Writes through the API server what a kubelet would, to pods as the API server has them.

    `profile` says as what it runs, which may change in the course of a story.
    """

    def __init__(self, api: Api, profile: Callable[[], Profile]) -> None:
        self._api = api
        self._profile = profile
        self._told: set[tuple[str, str]] = set()
        """The UIDs of pods and why each was not run, as events have told."""
        self._reported: dict[str, Json] = {}
        """What the containers of running pods were last said to have, by the UIDs of the pods."""

    def work(self, pods: Iterable[Json], claims: Iterable[Json]) -> bool:
        """One round; whether anything was written. What is refused or lost is tried again in the next."""
        writes: list[Answer] = []
        by_key = {key_in(one): one for one in claims}
        assigned = [pod for pod in pods if pod["spec"].get("nodeName")]
        with suppress(Unreachable):
            rules = FootprintRules.of(self._profile())
            refused = list(turned_away(assigned, self._node, rules))
            for pod, resource in refused:
                writes.append(self._api.patch(_address(pod, "status"), {"status": rejection(resource)}))
            for pod in assigned:
                if all(pod is not one for one, _ in refused):
                    writes.extend(self._work_on(pod, by_key))
        return any(one.taken for one in writes)

    def _work_on(self, pod: Json, claims: Mapping[Key, Json]) -> Iterator[Answer]:
        if "deletionTimestamp" in pod["metadata"]:
            if pod["metadata"].get("deletionGracePeriodSeconds"):
                yield self._api.delete(_address(pod), now=True)
        elif not finished(pod) and (pod.get("status") or {}).get("phase") == "Running":
            yield from self._report(pod)
        elif not finished(pod) and self._node(pod["spec"]["nodeName"]) is not None:
            keys = [*(key for _, key in claim_keys(pod)), *filter(None, [special_key(pod)])]
            used = [(claims.get(key) if key else None, key) for key in keys]
            why = next(filter(None, (unready(claim, key, pod) for claim, key in used)), "")
            if why:
                yield from self._tell(pod, why)
            else:
                yield self._api.patch(_address(pod, "status"), {"status": {"phase": "Running"}})

    def _report(self, pod: Json) -> Iterator[Answer]:
        """Say what the containers of a running pod have: quotas count a pod anew when that changes."""
        uid, statuses = pod["metadata"]["uid"], _container_statuses(pod)
        if statuses != self._reported.get(uid, {}):
            written = self._api.patch(_address(pod, "status"), {"status": statuses})
            self._reported |= {uid: statuses} if written.taken else {}
            yield written

    def _node(self, name: str) -> Json | None:
        read = self._api.get(RESOURCES["Node"].address("v1", "", name))
        return read.body if read.taken else None

    def _tell(self, pod: Json, why: str) -> Iterator[Answer]:
        """Say once in an event why a pod does not run."""
        said = (pod["metadata"]["uid"], why)
        if said not in self._told:
            told = self._api.create(EVENTS.address("v1", pod["metadata"]["namespace"]), _event(pod, why))
            self._told |= {said} if told.taken else set()
            yield told


def _container_statuses(pod: Json) -> dict[str, Json]:
    """What kubelets report of containers that ask for something: that they run, and with what."""
    found = {
        field: [_running(one) for one in pod["spec"].get(containers) or () if _resources(one)]
        for containers, field in _STATUSES.items()
    }
    return {field: several for field, several in found.items() if several}


def _running(container: Json) -> Json:
    known = {name: container[name] for name in ("name", "image")}
    return {**known, "imageID": "", "ready": True, "restartCount": 0, "resources": _resources(container)}


def _resources(container: Json) -> Json:
    resources = container.get("resources") or {}
    return {name: resources[name] for name in ("requests", "limits") if resources.get(name)}


def _address(pod: Json, subresource: str = "") -> Address:
    metadata = pod["metadata"]
    return RESOURCES["Pod"].address("v1", metadata["namespace"], metadata["name"], subresource)


def _event(pod: Json, why: str) -> Json:
    metadata = pod["metadata"]
    about = {"apiVersion": "v1", "kind": "Pod"}
    return {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"generateName": f"{metadata['name']}-", "namespace": metadata["namespace"]},
        "regarding": {**about, **{field: metadata[field] for field in ("name", "namespace", "uid")}},
        "eventTime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "reportingController": "kubelet",
        "reportingInstance": pod["spec"]["nodeName"],
        "action": "Prepare",
        "reason": "FailedPrepareDynamicResources",
        "note": why,
        "type": "Warning",
    }
