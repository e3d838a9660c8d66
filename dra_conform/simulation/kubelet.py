"""The kubelets of all nodes, which prepare the devices of a pod's claims and then run the pod."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.cluster_state.claim_accounting import PolicyAccounting
from dra_conform.cluster_state.kubelet_admission import rejected_pods, rejection
from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.cluster_state.pods import (
    allocation_of,
    claim_keys,
    extended_resource_claim_key,
    finished,
    reservations_of,
    unready,
    with_status,
)
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.quality_of_service import BEST_EFFORT, BURSTABLE
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.simulation.client import Client, WriteFailed
from dra_conform.simulation.shared_state import Events


class Kubelets:
    """All kubelets of a cluster. Prepared claims survive a restart, like the checkpoint of a kubelet."""

    def __init__(self, client: Client, events: Events) -> None:
        self._client = client
        self._events = events
        self._prepared_keys: dict[tuple[str, str], Key] = {}
        """The keys of prepared claims by node name and UID of the claim."""
        self._prepared: list[dict[str, Json]] = []

    def run(self) -> None:
        """Run each pod on an existing node if its claims exist, are allocated, and are reserved for it
        (DRA/pre-scheduled/kubelet-refuses-unready-claims). The next round checks the other pods again."""
        self._forget_released()
        for pod in self._client.all("Pod"):
            node = pod["spec"].get("nodeName")
            if not node or finished(pod) or (pod.get("status") or {}).get("phase") == "Running":
                continue
            exists = self._client.get(key_of("Node", node)) is not None
            if exists and "deletionTimestamp" not in pod["metadata"]:
                self._start(pod, node)

    def take_prepared(self) -> list[dict[str, Json]]:
        """Return the prepare calls to drivers since the last call, in order.

        Each call has the devices of one driver with their share IDs
        (KEP-5075/status/kubelet-plugin-knows-share).
        """
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
            self._client.update(with_status(pod, phase="Running", **self._changed_qos_class(pod)), "status")
        except WriteFailed:
            return  # The next round tries again.

    def _changed_qos_class(self, pod: Json) -> dict[str, Json]:
        """Return the QoS class `Burstable` for a BestEffort pod whose claims use cpu or memory
        (KEP-5517/kubelet/qos-includes-dra).

        The result is empty if the class does not change.
        """
        if not NodeResourceSwitches.of(self._client.profile).policies:
            return {}
        status = pod.get("status") or {}
        resources = {
            name
            for entry in status.get("nodeAllocatableResourceClaimStatuses") or ()
            for name in entry["resources"]
        }
        burstable = status.get("qosClass") == BEST_EFFORT and resources & {"cpu", "memory"}
        return {"qosClass": BURSTABLE} if burstable else {}

    def _keys(self, pod: Json) -> list[Key | None]:
        """Return the keys of the claims to prepare: those of the pod's entries and its extended-resource
        claim (KEP-5004/actuation/special-claim-prepared-like-any-claim). None is a claim that was not created
        yet."""
        keys = [key for _, key in claim_keys(pod)]
        extended = (
            extended_resource_claim_key(pod) if self._client.profile.enabled("DRAExtendedResource") else None
        )
        return [*keys, *([extended] if extended else [])]

    def _prepare(self, claim: Json, node: str) -> None:
        """Record one prepare call for each driver; further pods of the node with the claim cause no call."""
        metadata = claim["metadata"]
        if (node, metadata["uid"]) in self._prepared_keys:
            return
        self._prepared_keys[node, metadata["uid"]] = key_in(claim)
        name = f"{metadata['namespace']}/{metadata['name']}"
        results = (allocation_of(claim) or {}).get("devices", {}).get("results") or []
        for driver in dict.fromkeys(result["driver"] for result in results):
            devices = [
                {field: result[field] for field in ("pool", "device", "shareID") if field in result}
                for result in results
                if result["driver"] == driver
            ]
            self._prepared.append({"node": node, "driver": driver, "claim": name, "devices": devices})

    def _forget_released(self) -> None:
        """Forget prepared claims that are no longer reserved for a pod of the node."""
        claims, pods = self._client.by_key("ResourceClaim"), self._client.by_key("Pod")
        self._prepared_keys = {
            (node, uid): key
            for (node, uid), key in self._prepared_keys.items()
            if (claim := claims.get(key)) is not None
            and claim["metadata"]["uid"] == uid
            and any(pod["spec"].get("nodeName") == node for pod in _users(claim, pods))
        }


def _users(claim: Json, pods: Mapping[Key, Json]) -> Iterator[Json]:
    for reserved in reservations_of(claim):
        pod = pods.get(key_of("Pod", reserved["name"], claim["metadata"]["namespace"]))
        if pod is not None and pod["metadata"]["uid"] == reserved["uid"]:
            yield pod


def reject_pods(client: Client, events: Events) -> None:
    """Set the phase Failed for each pod that its kubelet rejects."""

    def node_of(name: str) -> Json | None:
        return client.get(key_of("Node", name))

    switches = NodeResourceSwitches.of(client.profile)
    accounts = _accounts(client, switches) if switches.policies else None
    for pod, resource in rejected_pods(client.all("Pod"), node_of, switches, accounts):
        status = rejection(resource)
        try:
            client.update(with_status(pod, **status), "status")
        except WriteFailed:
            continue  # The next round tries again.
        events.add(pod, status["reason"], status["message"])


def _accounts(client: Client, switches: NodeResourceSwitches) -> PolicyAccounting:
    kinds = ("ResourceClaim", "ResourceSlice", "DeviceClass")
    return PolicyAccounting.of_objects({COLLECTIONS[kind]: client.all(kind) for kind in kinds}, switches)
