"""Faulty kubelets."""

from __future__ import annotations

from dra_conform.kube.json_values import Json
from dra_conform.simulation.client import Client
from tests.faulty.implementations.components import ComponentCluster, KubeletCluster, with_spec, with_status


class _OfClaims(KubeletCluster):
    """Sees changed claims of pods."""

    def seen(self, written: Json, client: Client) -> Json:
        return self.claim(written, client) if written["kind"] == "ResourceClaim" else written

    def claim(self, written: Json, client: Client) -> Json:
        return written


class RunsPodsWithClaimsOfOthers(_OfClaims):
    """Runs pods whose claims are reserved for other pods."""

    def claim(self, written: Json, client: Client) -> Json:
        pods = [{"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]} for pod in client.all("Pod")]  # fmt: skip
        return with_status(written, reservedFor=pods)


class RunsPodsWithoutAllocation(_OfClaims):
    def claim(self, written: Json, client: Client) -> Json:
        status = written.get("status") or {}
        allocation: Json = {"devices": {"results": []}}
        everybody = [{"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]} for pod in client.all("Pod")]  # fmt: skip
        return (
            written
            if status.get("allocation")
            else with_status(written, allocation=allocation, reservedFor=everybody)
        )


class PreparesTheFirstDevice(_OfClaims):
    def claim(self, written: Json, client: Client) -> Json:
        allocation = (written.get("status") or {}).get("allocation")
        if not allocation:
            return written
        results = allocation["devices"]["results"][:1]
        return with_status(
            written, allocation={**allocation, "devices": {**allocation["devices"], "results": results}}
        )


class ForgetsClaimsOfPods(KubeletCluster):
    """Runs pods without reading the claims that they reference."""

    def seen(self, written: Json, client: Client) -> Json:
        return with_spec(written, resourceClaims=None) if written["kind"] == "Pod" else written


class LooksAtTheFirstClaim(KubeletCluster):
    def seen(self, written: Json, client: Client) -> Json:
        several = written["spec"].get("resourceClaims") or () if written["kind"] == "Pod" else ()
        return with_spec(written, resourceClaims=several[:1]) if several else written


class IgnoresExtendedResourceClaimsOfPods(KubeletCluster):
    def seen(self, written: Json, client: Client) -> Json:
        return with_status(written, extendedResourceClaimStatus=None) if written["kind"] == "Pod" else written


class ComputesRequestNames(KubeletCluster):
    """Expects request names that schedulers generate, and ignores the mappings in the pod's status."""

    def seen(self, written: Json, client: Client) -> Json:
        status = (
            (written.get("status") or {}).get("extendedResourceClaimStatus")
            if written["kind"] == "Pod"
            else None
        )
        if not status or all(
            each["requestName"].startswith("container-") for each in status["requestMappings"]
        ):
            return written
        return with_status(written, extendedResourceClaimStatus=None)


class NeverRetriesRejectedPods(KubeletCluster):
    """Does not retry pods that cannot run at first."""

    def begin(self) -> None:
        self._first: dict[str, int] = {}

    def seen(self, written: Json, client: Client) -> Json | None:
        stuck = written["kind"] == "Pod" and written["spec"].get("nodeName")
        if not stuck or (written.get("status") or {}).get("phase") == "Running":
            return written
        now = client._server.store.revision
        return written if now - self._first.setdefault(written["metadata"]["uid"], now) < 3 else None


class _OfNodes(KubeletCluster):
    def seen(self, written: Json, client: Client) -> Json:
        return self.node(written) if written["kind"] == "Node" else written

    def node(self, written: Json) -> Json:
        return written


class AdmitsEveryPod(_OfNodes):
    """Admits pods without comparing them with the allocatable resources of the node."""

    def node(self, written: Json) -> Json:
        return with_status(written, allocatable=None)


class RejectsResourcesThatTheNodeDoesNotList(_OfNodes):
    """Rejects pods with an extended resource that the node does not list."""

    def node(self, written: Json) -> Json:
        offered = (written.get("status") or {}).get("allocatable") or {}
        return with_status(written, allocatable={"deviceclass.resource.kubernetes.io/gpu": "0", "example.com/gpu": "0", **offered})  # fmt: skip

    def seen(self, written: Json, client: Client) -> Json:
        unmapped = written["kind"] == "Pod" and (written.get("status") or {}).get(
            "extendedResourceClaimStatus"
        )
        return (
            with_status(written, extendedResourceClaimStatus=None)
            if unmapped
            else super().seen(written, client)
        )


WRONG: dict[type[ComponentCluster], str] = {
    RunsPodsWithClaimsOfOthers: "DRA/pre-scheduled/kubelet-refuses-unready-claims",
    RunsPodsWithoutAllocation: "DRA/pre-scheduled/kubelet-refuses-unready-claims",
    PreparesTheFirstDevice: "DRA/workflow/node-configures-device",
    ForgetsClaimsOfPods: "DRA/workflow/node-configures-device",
    LooksAtTheFirstClaim: "DRA/pre-scheduled/kubelet-refuses-unready-claims",
    IgnoresExtendedResourceClaimsOfPods: "KEP-5004/actuation/special-claim-prepared-like-any-claim",
    ComputesRequestNames: "KEP-5004/naming/scheme-is-not-api",
    NeverRetriesRejectedPods: "DRA/pre-scheduled/kubelet-rechecks",
    AdmitsEveryPod: "KEP-5517/kubelet/admission-uses-combined-footprint",
    RejectsResourcesThatTheNodeDoesNotList: "KEP-5004/actuation/admission-ignores-node-allocatable",
}
"""Each faulty kubelet with a requirement that it violates."""
