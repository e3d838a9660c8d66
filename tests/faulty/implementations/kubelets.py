"""Kubelets that get one thing wrong each."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.simulation.client import Client
from tests.faulty.implementations.components import ComponentCluster, KubeletCluster, with_spec, with_status

Json = Any


class _OfClaims(KubeletCluster):
    """Reads the claims of pods otherwise."""

    def seen(self, one: Json, client: Client) -> Json:
        return self.claim(one, client) if one["kind"] == "ResourceClaim" else one

    def claim(self, one: Json, client: Client) -> Json:
        return one


class RunsPodsWithClaimsOfOthers(_OfClaims):
    """Whoever a claim is reserved for."""

    def claim(self, one: Json, client: Client) -> Json:
        pods = [{"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]} for pod in client.all("Pod")]  # fmt: skip
        return with_status(one, reservedFor=pods)


class RunsPodsWithoutAllocation(_OfClaims):
    def claim(self, one: Json, client: Client) -> Json:
        status = one.get("status") or {}
        made: Json = {"devices": {"results": []}}
        everybody = [{"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]} for pod in client.all("Pod")]  # fmt: skip
        return one if status.get("allocation") else with_status(one, allocation=made, reservedFor=everybody)


class PreparesTheFirstDevice(_OfClaims):
    def claim(self, one: Json, client: Client) -> Json:
        allocation = (one.get("status") or {}).get("allocation")
        if not allocation:
            return one
        results = allocation["devices"]["results"][:1]
        return with_status(
            one, allocation={**allocation, "devices": {**allocation["devices"], "results": results}}
        )


class ForgetsClaimsOfPods(KubeletCluster):
    """Claims that pods name are not looked at."""

    def seen(self, one: Json, client: Client) -> Json:
        return with_spec(one, resourceClaims=None) if one["kind"] == "Pod" else one


class LooksAtTheFirstClaim(KubeletCluster):
    def seen(self, one: Json, client: Client) -> Json:
        several = one["spec"].get("resourceClaims") or () if one["kind"] == "Pod" else ()
        return with_spec(one, resourceClaims=several[:1]) if several else one


class ForgetsSpecialClaims(KubeletCluster):
    def seen(self, one: Json, client: Client) -> Json:
        return with_status(one, extendedResourceClaimStatus=None) if one["kind"] == "Pod" else one


class ComputesRequestNames(KubeletCluster):
    """Requests that are not called as schedulers call them are not those of containers."""

    def seen(self, one: Json, client: Client) -> Json:
        status = (
            (one.get("status") or {}).get("extendedResourceClaimStatus") if one["kind"] == "Pod" else None
        )
        if not status or all(
            each["requestName"].startswith("container-") for each in status["requestMappings"]
        ):
            return one
        return with_status(one, extendedResourceClaimStatus=None)


class LooksOnce(KubeletCluster):
    """A pod that cannot be run at first is never looked at again."""

    def begin(self) -> None:
        self._first: dict[str, int] = {}

    def seen(self, one: Json, client: Client) -> Json | None:
        stuck = one["kind"] == "Pod" and one["spec"].get("nodeName")
        if not stuck or (one.get("status") or {}).get("phase") == "Running":
            return one
        now = client._server.store.revision
        return one if now - self._first.setdefault(one["metadata"]["uid"], now) < 3 else None


class _OfNodes(KubeletCluster):
    def seen(self, one: Json, client: Client) -> Json:
        return self.node(one) if one["kind"] == "Node" else one

    def node(self, one: Json) -> Json:
        return one


class AdmitsWhateverComes(_OfNodes):
    """What the node has does not count."""

    def node(self, one: Json) -> Json:
        return with_status(one, allocatable=None)


class RefusesWhatTheNodeDoesNotList(_OfNodes):
    """An extended resource that the node does not list is one of which it has none."""

    def node(self, one: Json) -> Json:
        offered = (one.get("status") or {}).get("allocatable") or {}
        return with_status(one, allocatable={"deviceclass.resource.kubernetes.io/gpu": "0", "example.com/gpu": "0", **offered})  # fmt: skip

    def seen(self, one: Json, client: Client) -> Json:
        unmapped = one["kind"] == "Pod" and (one.get("status") or {}).get("extendedResourceClaimStatus")
        return with_status(one, extendedResourceClaimStatus=None) if unmapped else super().seen(one, client)


WRONG: dict[type[ComponentCluster], str] = {
    RunsPodsWithClaimsOfOthers: "DRA/pre-scheduled/kubelet-refuses-unready-claims",
    RunsPodsWithoutAllocation: "DRA/pre-scheduled/kubelet-refuses-unready-claims",
    PreparesTheFirstDevice: "DRA/workflow/node-configures-device",
    ForgetsClaimsOfPods: "DRA/workflow/node-configures-device",
    LooksAtTheFirstClaim: "DRA/pre-scheduled/kubelet-refuses-unready-claims",
    ForgetsSpecialClaims: "KEP-5004/actuation/special-claim-prepared-like-any-claim",
    ComputesRequestNames: "KEP-5004/naming/scheme-is-not-api",
    LooksOnce: "DRA/pre-scheduled/kubelet-rechecks",
    AdmitsWhateverComes: "KEP-5517/kubelet/admission-uses-combined-footprint",
    RefusesWhatTheNodeDoesNotList: "KEP-5004/actuation/admission-ignores-node-allocatable",
}
"""Each with a requirement in which it must be caught."""
