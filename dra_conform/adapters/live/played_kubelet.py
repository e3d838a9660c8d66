"""The kubelet of a story's nodes, played: it runs pods whose claims are ready, and ends those deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.resources import EVENTS, RESOURCES
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.kubelet import unready
from dra_conform.controlplane.simulation.pods import claim_keys, finished, special_key

Json = Any


class PlayedKubelet:
    """Writes through the API server what a kubelet would, to pods as the API server has them."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._told: set[tuple[str, str]] = set()
        """The UIDs of pods and why each was not run, as events have told."""

    def work(self, pods: Iterable[Json], claims: Iterable[Json]) -> None:
        """One round. A write that is refused, or lost, is tried again in the next one."""
        by_key = {key_in(one): one for one in claims}
        for pod in pods:
            if not pod["spec"].get("nodeName"):
                continue
            with suppress(Unreachable):
                self._work_on(pod, by_key)

    def _work_on(self, pod: Json, claims: Mapping[Key, Json]) -> None:
        path = RESOURCES["Pod"].address("v1", pod["metadata"]["namespace"], pod["metadata"]["name"])
        if "deletionTimestamp" in pod["metadata"]:
            self._api.delete(path, now=True)
        elif not finished(pod) and (pod.get("status") or {}).get("phase") != "Running":
            keys = [*(key for _, key in claim_keys(pod)), *filter(None, [special_key(pod)])]
            used = [(claims.get(key) if key else None, key) for key in keys]
            why = next(filter(None, (unready(claim, key, pod) for claim, key in used)), "")
            if why:
                self._tell(pod, why)
            else:
                self._api.patch(f"{path}/status", {"status": {"phase": "Running"}})

    def _tell(self, pod: Json, why: str) -> None:
        """Say once in an event why a pod does not run."""
        said = (pod["metadata"]["uid"], why)
        if said not in self._told:
            told = self._api.create(EVENTS.address("v1", pod["metadata"]["namespace"]), _event(pod, why))
            self._told |= {said} if told.taken else set()


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
