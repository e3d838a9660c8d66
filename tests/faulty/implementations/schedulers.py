"""Schedulers that get one thing about claims, nodes or the phases of an attempt wrong each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from dra_conform.controlplane.simulation.client import Client
from tests.faulty.implementations.components import ComponentCluster, SchedulerCluster, with_spec, with_status

Json = Any


class ForgetsTheLastClaim(SchedulerCluster):
    """Pods are taken to use one claim less than they do."""

    def seen(self, one: Json, client: Client) -> Json:
        several = one["spec"].get("resourceClaims") or () if one["kind"] == "Pod" else ()
        return with_spec(one, resourceClaims=several[:-1]) if len(several) > 1 else one


class IgnoresMissingClaims(SchedulerCluster):
    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] != "Pod":
            return one
        there = {
            (each["metadata"]["namespace"], each["metadata"]["name"]) for each in client.all("ResourceClaim")
        }
        kept = [
            each
            for each in one["spec"].get("resourceClaims") or ()
            if "resourceClaimName" not in each
            or (one["metadata"]["namespace"], each["resourceClaimName"]) in there
        ]
        return with_spec(one, resourceClaims=kept)


class IgnoresThatClaimsAreDeleted(SchedulerCluster):
    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] != "ResourceClaim" or "deletionTimestamp" not in one["metadata"]:
            return one
        return {**one, "metadata": {k: v for k, v in one["metadata"].items() if k != "deletionTimestamp"}}


class IgnoresWhereClaimsAre(SchedulerCluster):
    """A claim that is allocated is taken to be usable everywhere."""

    def seen(self, one: Json, client: Client) -> Json:
        return _allocated(one, nodeSelector=None) if one["kind"] == "ResourceClaim" else one


class LooksWhereTheFirstClaimIs(SchedulerCluster):
    """Of several claims of a pod only the node selector of the first counts."""

    def begin(self) -> None:
        self._others: set[str] = set()

    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] == "Pod":
            names = [each.get("resourceClaimName") for each in one["spec"].get("resourceClaims") or ()]
            self._others.update(names[1:])
        other = one["kind"] == "ResourceClaim" and one["metadata"]["name"] in self._others
        return _allocated(one, nodeSelector=None) if other else one


class WaitsForeverForDevices(SchedulerCluster):
    """The time for binding conditions is never over."""

    def seen(self, one: Json, client: Client) -> Json:
        return _allocated(one, allocationTimestamp=None) if one["kind"] == "ResourceClaim" else one


class WaitsForNoDevice(SchedulerCluster):
    """Binding conditions are not looked at."""

    def seen(self, one: Json, client: Client) -> Json:
        return _without(one, "bindingConditions")


class BindsDevicesThatFailed(SchedulerCluster):
    """Binding failure conditions are not looked at."""

    def seen(self, one: Json, client: Client) -> Json:
        return _without(one, "bindingFailureConditions")


class WritesNoReservations(SchedulerCluster):
    def updated(self, one: Json, subresource: str, client: Client) -> Json:
        claim = one["kind"] == "ResourceClaim" and subresource == "status"
        return with_status(one, reservedFor=None) if claim else one


class FreesWhatOthersUse(SchedulerCluster):
    """Reservations for other pods are not seen when a claim is out of reach."""

    def seen(self, one: Json, client: Client) -> Json:
        return with_status(one, reservedFor=None) if one["kind"] == "ResourceClaim" else one


class SchedulesWhatHasANode(SchedulerCluster):
    """Pods that were put on a node by hand are put there once more."""

    def seen(self, one: Json, client: Client) -> Json:
        bound = one["kind"] == "Pod" and (one.get("status") or {}).get("phase") in (None, "Pending")
        return with_spec(one, nodeName=None) if bound else one


class _OfNodes(SchedulerCluster):
    def seen(self, one: Json, client: Client) -> Json:
        return self.node(one) if one["kind"] == "Node" else one

    def node(self, one: Json) -> Json:
        return one


class TakesCordonedNodes(_OfNodes):
    def node(self, one: Json) -> Json:
        return {**one, "spec": {**(one.get("spec") or {}), "unschedulable": False}}


class IgnoresTaintsOfNodes(_OfNodes):
    def node(self, one: Json) -> Json:
        return {**one, "spec": {**(one.get("spec") or {}), "taints": []}}


class IgnoresWhatNodesHave(_OfNodes):
    def node(self, one: Json) -> Json:
        return with_status(one, allocatable=None)


class _OfPods(SchedulerCluster):
    def seen(self, one: Json, client: Client) -> Json | None:
        return self.pod(one) if one["kind"] == "Pod" else one

    def pod(self, one: Json) -> Json | None:
        return one


class IgnoresNodeSelectors(_OfPods):
    def pod(self, one: Json) -> Json:
        return with_spec(one, nodeSelector=None)


class IgnoresAffinity(_OfPods):
    def pod(self, one: Json) -> Json:
        return with_spec(one, affinity=None)


class ForgetsPodsThatDoNotRunYet(_OfPods):
    """Only running pods take what nodes have."""

    def pod(self, one: Json) -> Json | None:
        stuck = one["spec"].get("nodeName") and (one.get("status") or {}).get("phase") != "Running"
        return None if stuck else one


class NeverTriesAgain(_OfPods):
    """A pod is seen as long as nothing is written after it was seen first."""

    def begin(self) -> None:
        self._first: dict[str, int] = {}

    def seen(self, one: Json, client: Client) -> Json | None:
        if one["kind"] != "Pod" or one["spec"].get("nodeName"):
            return one
        now = client._server.store.revision
        return one if self._first.setdefault(one["metadata"]["uid"], now) == now else None


class _OfAttempts(SchedulerCluster):
    """Says otherwise how attempts ended."""

    codes: ClassVar[Mapping[str, str]]

    def observed(self, observation: Json) -> Json:
        if "attempts" not in observation:
            return observation
        return {**observation, "attempts": [self._told(attempt) for attempt in observation["attempts"]]}

    def _told(self, attempt: Json) -> Json:
        phases = [
            {**phase, "code": self.codes.get(phase["code"], phase["code"])} for phase in attempt["phases"]
        ]
        return {**attempt, "phases": phases}


class HopesForPreemption(_OfAttempts):
    codes: ClassVar = {"UnschedulableAndUnresolvable": "Unschedulable"}


class HopesForNothing(_OfAttempts):
    codes: ClassVar = {"Unschedulable": "UnschedulableAndUnresolvable"}


class TakesErrorsForRefusals(_OfAttempts):
    codes: ClassVar = {"Error": "UnschedulableAndUnresolvable"}


class PrefersTheWorstAlternative(SchedulerCluster):
    """Nodes are tried as if lists of alternatives were written from the end."""

    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] != "ResourceClaim":
            return one
        devices = one["spec"].get("devices") or {}
        requests = [
            {**each, "firstAvailable": each["firstAvailable"][::-1]} if "firstAvailable" in each else each
            for each in devices.get("requests") or ()
        ]
        return with_spec(one, devices={**devices, "requests": requests})


class BindsFirst(SchedulerCluster):
    """Pods are on their node before their claims are written."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json:
        users = (one.get("status") or {}).get("reservedFor") or () if one["kind"] == "ResourceClaim" else ()
        for user in users:
            key = ("Pod", one["metadata"]["namespace"], user["name"])
            pod = client._server.get(key)
            if pod is not None and not pod["spec"].get("nodeName"):
                nodes = client.all("Node")
                client._server.bind(key, nodes[0]["metadata"]["name"])
        return one


def _allocated(claim: Json, **fields: Json) -> Json:
    """A claim whose allocation, if it has one, has some fields otherwise; None takes one away."""
    allocation = (claim.get("status") or {}).get("allocation")
    if not allocation:
        return claim
    changed = {name: value for name, value in {**allocation, **fields}.items() if value is not None}
    return with_status(claim, allocation=changed)


def _without(one: Json, field: str) -> Json:
    """A claim whose results do not have a field."""
    allocation = (one.get("status") or {}).get("allocation") if one["kind"] == "ResourceClaim" else None
    if not allocation:
        return one
    results = [
        {name: value for name, value in result.items() if name != field}
        for result in allocation.get("devices", {}).get("results") or ()
    ]
    return _allocated(one, devices={**allocation.get("devices", {}), "results": results})


WRONG: dict[type[ComponentCluster], str] = {
    ForgetsTheLastClaim: "DRA/workflow/all-claims-of-a-pod-together",
    IgnoresMissingClaims: "DRA/workflow/missing-claim-blocks-pod",
    IgnoresThatClaimsAreDeleted: "DRA/workflow/missing-claim-blocks-pod",
    IgnoresWhereClaimsAre: "DRA/workflow/pod-lands-where-device-is",
    LooksWhereTheFirstClaimIs: "DRA/workflow/pod-lands-where-device-is",
    WaitsForeverForDevices: "API/binding/timeout",
    WaitsForNoDevice: "API/binding/waits",
    BindsDevicesThatFailed: "API/binding/failure",
    WritesNoReservations: "API/binding/waits",
    FreesWhatOthersUse: "DRA/workflow/pod-lands-where-device-is",
    SchedulesWhatHasANode: "DRA/pre-scheduled/nodename-bypasses-scheduler",
    TakesCordonedNodes: "DRA/node-access/node-must-suit-pod",
    IgnoresTaintsOfNodes: "DRA/node-access/node-must-suit-pod",
    IgnoresWhatNodesHave: "DRA/node-access/node-must-suit-pod",
    IgnoresNodeSelectors: "DRA/pre-scheduled/node-selector-instead",
    IgnoresAffinity: "DRA/node-access/node-must-suit-pod",
    ForgetsPodsThatDoNotRunYet: "DRA/pre-scheduled/stuck-pod-blocks-node-resources",
    NeverTriesAgain: "DRA/workflow/unmet-request-waits",
    HopesForPreemption: "DRA/workflow/missing-claim-blocks-pod",
    HopesForNothing: "DRA/node-access/node-must-suit-pod",
    TakesErrorsForRefusals: "KEP-5004/failure-handling/prebind-claim-create-fails",
    PrefersTheWorstAlternative: "DRA/prioritized-list/node-choice",
    BindsFirst: "DRA/workflow/allocation-written-before-binding",
}
"""Each with a requirement in which it must be caught."""
