"""Schedulers with a fault about claims, nodes or the results of attempts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from dra_conform.cluster_state.object_keys import Key
from dra_conform.kube.json_values import Json
from dra_conform.simulation.client import Client
from tests.faulty.implementations.components import ComponentCluster, SchedulerCluster, with_spec, with_status


class ForgetsTheLastClaim(SchedulerCluster):
    """Ignores the last claim of a pod."""

    def seen(self, written: Json, client: Client) -> Json:
        several = written["spec"].get("resourceClaims") or () if written["kind"] == "Pod" else ()
        return with_spec(written, resourceClaims=several[:-1]) if len(several) > 1 else written


class IgnoresMissingClaims(SchedulerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "Pod":
            return written
        there = {
            (each["metadata"]["namespace"], each["metadata"]["name"]) for each in client.all("ResourceClaim")
        }
        kept = [
            each
            for each in written["spec"].get("resourceClaims") or ()
            if "resourceClaimName" not in each
            or (written["metadata"]["namespace"], each["resourceClaimName"]) in there
        ]
        return with_spec(written, resourceClaims=kept)


class IgnoresThatClaimsAreDeleted(SchedulerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "ResourceClaim" or "deletionTimestamp" not in written["metadata"]:
            return written
        return {
            **written,
            "metadata": {k: v for k, v in written["metadata"].items() if k != "deletionTimestamp"},
        }


class IgnoresNodeSelectorsOfClaims(SchedulerCluster):
    """Ignores the node selectors of allocations."""

    def seen(self, written: Json, client: Client) -> Json:
        return _allocated(written, nodeSelector=None) if written["kind"] == "ResourceClaim" else written


class AppliesTheNodeSelectorOfTheFirstClaimOnly(SchedulerCluster):
    """Applies only the node selector of the first claim of a pod."""

    def begin(self) -> None:
        self._others: set[str] = set()

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] == "Pod":
            names = [each.get("resourceClaimName") for each in written["spec"].get("resourceClaims") or ()]
            self._others.update(names[1:])
        other = written["kind"] == "ResourceClaim" and written["metadata"]["name"] in self._others
        return _allocated(written, nodeSelector=None) if other else written


class WaitsForeverForDevices(SchedulerCluster):
    """Ignores the timeout of binding conditions."""

    def seen(self, written: Json, client: Client) -> Json:
        return (
            _allocated(written, allocationTimestamp=None) if written["kind"] == "ResourceClaim" else written
        )


class WaitsForNoDevice(SchedulerCluster):
    """Ignores binding conditions."""

    def seen(self, written: Json, client: Client) -> Json:
        return _without(written, "bindingConditions")


class BindsDevicesThatFailed(SchedulerCluster):
    """Ignores binding failure conditions."""

    def seen(self, written: Json, client: Client) -> Json:
        return _without(written, "bindingFailureConditions")


class WritesNoReservations(SchedulerCluster):
    def updated(self, written: Json, subresource: str, client: Client) -> Json:
        claim = written["kind"] == "ResourceClaim" and subresource == "status"
        return with_status(written, reservedFor=None) if claim else written


class DeallocatesClaimsInUse(SchedulerCluster):
    """Deallocates an unusable claim although it is reserved for other pods."""

    def seen(self, written: Json, client: Client) -> Json:
        return with_status(written, reservedFor=None) if written["kind"] == "ResourceClaim" else written


class SchedulesBoundPods(SchedulerCluster):
    """Schedules pods that were bound to a node by hand."""

    def seen(self, written: Json, client: Client) -> Json:
        bound = written["kind"] == "Pod" and (written.get("status") or {}).get("phase") in (None, "Pending")
        return with_spec(written, nodeName=None) if bound else written


class _OfNodes(SchedulerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        return self.node(written) if written["kind"] == "Node" else written

    def node(self, written: Json) -> Json:
        return written


class TakesCordonedNodes(_OfNodes):
    def node(self, written: Json) -> Json:
        return {**written, "spec": {**(written.get("spec") or {}), "unschedulable": False}}


class IgnoresTaintsOfNodes(_OfNodes):
    def node(self, written: Json) -> Json:
        return {**written, "spec": {**(written.get("spec") or {}), "taints": []}}


class IgnoresAllocatableOfNodes(_OfNodes):
    def node(self, written: Json) -> Json:
        return with_status(written, allocatable=None)


class _OfPods(SchedulerCluster):
    def seen(self, written: Json, client: Client) -> Json | None:
        return self.pod(written) if written["kind"] == "Pod" else written

    def pod(self, written: Json) -> Json | None:
        return written


class IgnoresNodeSelectors(_OfPods):
    def pod(self, written: Json) -> Json:
        return with_spec(written, nodeSelector=None)


class IgnoresAffinity(_OfPods):
    def pod(self, written: Json) -> Json:
        return with_spec(written, affinity=None)


class ForgetsPodsThatDoNotRunYet(_OfPods):
    """Counts the usage of running pods only."""

    def pod(self, written: Json) -> Json | None:
        stuck = written["spec"].get("nodeName") and (written.get("status") or {}).get("phase") != "Running"
        return None if stuck else written


class NeverRetriesPods(_OfPods):
    """Sees a pod only until the first write after it was seen."""

    def begin(self) -> None:
        self._first: dict[str, int] = {}

    def seen(self, written: Json, client: Client) -> Json | None:
        if written["kind"] != "Pod" or written["spec"].get("nodeName"):
            return written
        now = client._server.store.revision
        return written if self._first.setdefault(written["metadata"]["uid"], now) == now else None


class _OfAttempts(SchedulerCluster):
    """Changes the reported results of attempts."""

    codes: ClassVar[Mapping[str, str]]

    def observed(self, observation: Json) -> Json:
        if "attempts" not in observation:
            return observation
        return {**observation, "attempts": [self._recoded(attempt) for attempt in observation["attempts"]]}

    def _recoded(self, attempt: Json) -> Json:
        phases = [
            {**phase, "code": self.codes.get(phase["code"], phase["code"])} for phase in attempt["phases"]
        ]
        return {**attempt, "phases": phases}


class ReportsUnresolvableAttemptsAsUnschedulable(_OfAttempts):
    codes: ClassVar = {"UnschedulableAndUnresolvable": "Unschedulable"}


class ReportsUnschedulableAttemptsAsUnresolvable(_OfAttempts):
    codes: ClassVar = {"Unschedulable": "UnschedulableAndUnresolvable"}


class ReportsErrorsAsUnresolvable(_OfAttempts):
    codes: ClassVar = {"Error": "UnschedulableAndUnresolvable"}


class PrefersTheWorstAlternative(SchedulerCluster):
    """Scores nodes as if prioritized lists were reversed."""

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "ResourceClaim":
            return written
        devices = written["spec"].get("devices") or {}
        requests = [
            {**each, "firstAvailable": each["firstAvailable"][::-1]} if "firstAvailable" in each else each
            for each in devices.get("requests") or ()
        ]
        return with_spec(written, devices={**devices, "requests": requests})


class BindsFirst(SchedulerCluster):
    """Binds pods before their claims are written."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json:
        users = (
            (written.get("status") or {}).get("reservedFor") or ()
            if written["kind"] == "ResourceClaim"
            else ()
        )
        for user in users:
            key = ("Pod", written["metadata"]["namespace"], user["name"])
            pod = client._server.get(key)
            if pod is not None and not pod["spec"].get("nodeName"):
                nodes = client.all("Node")
                client._server.bind(key, nodes[0]["metadata"]["name"])
        return written


def _allocated(claim: Json, **fields: Json) -> Json:
    """Return the claim with other fields of its allocation. None removes a field."""
    allocation = (claim.get("status") or {}).get("allocation")
    if not allocation:
        return claim
    changed = {name: value for name, value in {**allocation, **fields}.items() if value is not None}
    return with_status(claim, allocation=changed)


def _without(written: Json, field: str) -> Json:
    """Return the claim without a field of its results."""
    allocation = (
        (written.get("status") or {}).get("allocation") if written["kind"] == "ResourceClaim" else None
    )
    if not allocation:
        return written
    results = [
        {name: value for name, value in result.items() if name != field}
        for result in allocation.get("devices", {}).get("results") or ()
    ]
    return _allocated(written, devices={**allocation.get("devices", {}), "results": results})


class AppliesTheFirstRuleOnly(SchedulerCluster):
    def known(self, kind: str, now: Mapping[Key, Json]) -> Mapping[Key, Json]:
        return dict([*now.items()][:1]) if kind == "DeviceTaintRule" else now


class AppliesTheFirstSelectorOnly(SchedulerCluster):
    """Ignores the selectors of a DeviceClass after the first."""

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "DeviceClass" or not written["spec"].get("selectors"):
            return written
        return with_spec(written, selectors=written["spec"]["selectors"][:1])


WRONG: dict[type[ComponentCluster], str] = {
    AppliesTheFirstRuleOnly: "DRA/taint-rule/adds-one-taint-to-matching-devices",
    AppliesTheFirstSelectorOnly: "DRA/class/selects-by-attributes",
    ForgetsTheLastClaim: "DRA/workflow/all-claims-of-a-pod-together",
    IgnoresMissingClaims: "DRA/workflow/missing-claim-blocks-pod",
    IgnoresThatClaimsAreDeleted: "KEP-5004/failure-handling/invalid-claim-unschedulable",
    IgnoresNodeSelectorsOfClaims: "DRA/workflow/pod-lands-where-device-is",
    AppliesTheNodeSelectorOfTheFirstClaimOnly: "DRA/workflow/pod-lands-where-device-is",
    WaitsForeverForDevices: "API/binding/timeout",
    WaitsForNoDevice: "API/binding/waits",
    BindsDevicesThatFailed: "API/binding/failure",
    WritesNoReservations: "API/binding/waits",
    DeallocatesClaimsInUse: "DRA/workflow/pod-lands-where-device-is",
    SchedulesBoundPods: "DRA/pre-scheduled/nodename-bypasses-scheduler",
    TakesCordonedNodes: "DRA/node-access/node-must-suit-pod",
    IgnoresTaintsOfNodes: "DRA/node-access/node-must-suit-pod",
    IgnoresAllocatableOfNodes: "DRA/node-access/node-must-suit-pod",
    IgnoresNodeSelectors: "DRA/pre-scheduled/node-selector-instead",
    IgnoresAffinity: "DRA/node-access/node-must-suit-pod",
    ForgetsPodsThatDoNotRunYet: "DRA/pre-scheduled/stuck-pod-blocks-node-resources",
    NeverRetriesPods: "DRA/workflow/unmet-request-waits",
    ReportsUnresolvableAttemptsAsUnschedulable: "DRA/workflow/missing-claim-blocks-pod",
    ReportsUnschedulableAttemptsAsUnresolvable: "DRA/node-access/node-must-suit-pod",
    ReportsErrorsAsUnresolvable: "KEP-5004/failure-handling/prebind-claim-create-fails",
    PrefersTheWorstAlternative: "DRA/prioritized-list/node-choice",
    BindsFirst: "API/binding/waits",
}
"""Each faulty scheduler with a requirement that it violates."""
