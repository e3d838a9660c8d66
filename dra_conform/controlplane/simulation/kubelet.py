"""The kubelet of every node: it prepares the devices of a pod's claims, then the pod runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.events import Events
from dra_conform.controlplane.simulation.keys import Key, key_in, key_of
from dra_conform.controlplane.simulation.pods import (
    allocation_of,
    claim_keys,
    finished,
    reservations_of,
    reserved_for,
    special_key,
    with_status,
)
from dra_conform.footprint import FootprintRules
from dra_conform.kube.quality_of_service import BEST_EFFORT, BURSTABLE

Json = Any


class Kubelets:
    """All kubelets of a cluster. What each has prepared outlives its restart, as its checkpoint does."""

    def __init__(self, client: Client, events: Events) -> None:
        self._client = client
        self._events = events
        self._held: dict[tuple[str, str], Key] = {}
        """The claims that are prepared on nodes: by the node and the UID of the claim its key."""
        self._prepared: list[dict[str, Json]] = []

    def run(self) -> None:
        """Run each pod on a node that exists once its claims are there, allocated and reserved for it
        (DRA/pre-scheduled/kubelet-refuses-unready-claims). Others are looked at again in the next round."""
        self._forget_released()
        for pod in self._client.all("Pod"):
            node = pod["spec"].get("nodeName")
            if not node or finished(pod) or (pod.get("status") or {}).get("phase") == "Running":
                continue
            exists = self._client.get(key_of("Node", node)) is not None
            if exists and "deletionTimestamp" not in pod["metadata"]:
                self._start(pod, node)

    def take_prepared(self) -> list[dict[str, Json]]:
        """What drivers were asked to prepare since the last call, in order: for each driver of a claim the
        devices on the node, each with its share ID (KEP-5075/status/kubelet-plugin-knows-share)."""
        taken, self._prepared = self._prepared, []
        return taken

    def _start(self, pod: Json, node: str) -> None:
        claims = []
        if self._client.profile.enabled("DynamicResourceAllocation"):
            for key in self._keys(pod):
                claim = self._client.get(key) if key else None
                why = unready(claim, key, pod)
                if why:
                    self._events.add(pod, "FailedPrepareDynamicResources", why)
                    return
                claims.append(claim)
        for claim in claims:
            self._prepare(claim, node)
        try:
            self._client.update(with_status(pod, phase="Running", **self._better_class(pod)), "status")
        except WriteFailed:
            return  # tried again in the next round

    def _better_class(self, pod: Json) -> dict[str, Json]:
        """The class of a pod of which only claims take cpu or memory, where claims count in it.

        KEP-5517/kubelet/qos-includes-dra.
        """
        if not FootprintRules.of(self._client.profile).policies:
            return {}
        status = pod.get("status") or {}
        taken = {
            name
            for one in status.get("nodeAllocatableResourceClaimStatuses") or ()
            for name in one["resources"]
        }
        better = status.get("qosClass") == BEST_EFFORT and taken & {"cpu", "memory"}
        return {"qosClass": BURSTABLE} if better else {}

    def _keys(self, pod: Json) -> list[Key | None]:
        """The claims to prepare: those of the pod's entries, and the special one that its status names
        (KEP-5004/actuation/special-claim-prepared-like-any-claim)."""
        keys = [key for _, key in claim_keys(pod)]
        special = special_key(pod) if self._client.profile.enabled("DRAExtendedResource") else None
        return [*keys, *([special] if special else [])]

    def _prepare(self, claim: Json, node: str) -> None:
        """Ask each driver once, however many pods of the node share the claim."""
        metadata = claim["metadata"]
        if (node, metadata["uid"]) in self._held:
            return
        self._held[node, metadata["uid"]] = key_in(claim)
        name = f"{metadata['namespace']}/{metadata['name']}"
        results = (allocation_of(claim) or {}).get("devices", {}).get("results") or []
        for driver in dict.fromkeys(one["driver"] for one in results):
            devices = [
                {field: one[field] for field in ("pool", "device", "shareID") if field in one}
                for one in results
                if one["driver"] == driver
            ]
            self._prepared.append({"node": node, "driver": driver, "claim": name, "devices": devices})

    def _forget_released(self) -> None:
        """Claims that no pod of the node has reserved any more are prepared anew when one uses them again."""
        claims, pods = self._client.by_key("ResourceClaim"), self._client.by_key("Pod")
        self._held = {
            (node, uid): key
            for (node, uid), key in self._held.items()
            if (claim := claims.get(key)) is not None
            and claim["metadata"]["uid"] == uid
            and any(pod["spec"].get("nodeName") == node for pod in _users(claim, pods))
        }


def _users(claim: Json, pods: Mapping[Key, Json]) -> Iterator[Json]:
    for reserved in reservations_of(claim):
        pod = pods.get(key_of("Pod", reserved["name"], claim["metadata"]["namespace"]))
        if pod is not None and pod["metadata"]["uid"] == reserved["uid"]:
            yield pod


def unready(claim: Json | None, key: Key | None, pod: Json) -> str:
    """Why the kubelet does not run a pod with this claim, empty where it does
    (DRA/pre-scheduled/kubelet-refuses-unready-claims). Without a key none was made for the pod yet."""
    if key is None:
        return "waiting for the ResourceClaim to be created"
    if claim is None:
        return f"could not fetch ResourceClaim {key[2]}"
    if not reserved_for(claim, pod):
        return f"pod {pod['metadata']['name']} is not allowed to use ResourceClaim {key[2]}"
    return "" if allocation_of(claim) is not None else f"ResourceClaim {key[2]} is not allocated"
