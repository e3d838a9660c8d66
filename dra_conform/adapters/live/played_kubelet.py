"""The kubelet of a story's nodes, played: it runs pods whose claims are ready, and ends those deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.pods import allocation_of, claim_keys, finished, reserved_for

Json = Any


class PlayedKubelet:
    """Writes through the API server what a kubelet would, to pods as the API server has them."""

    def __init__(self, api: Api) -> None:
        self._api = api

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
            used = [claims.get(key) if key else None for _, key in claim_keys(pod)]
            if all(claim and _ready(claim, pod) for claim in used):
                self._api.patch(f"{path}/status", {"status": {"phase": "Running"}})


def _ready(claim: Json, pod: Json) -> bool:
    """DRA/pre-scheduled/kubelet-refuses-unready-claims."""
    return allocation_of(claim) is not None and reserved_for(claim, pod)
