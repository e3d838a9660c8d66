"""Schedulers with a fault about extended-resource claims (KEP-5004)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from dra_conform.cluster_state.object_keys import Key
from dra_conform.kube.extended_resources import EXTENDED_RESOURCE_CLAIM, is_extended_resource_claim
from dra_conform.kube.json_values import Json
from dra_conform.simulation.client import Client
from tests.faulty.implementations.components import (
    ComponentCluster,
    SchedulerCluster,
    with_metadata,
    with_spec,
    with_status,
)


class NamesRequestsOtherwise(SchedulerCluster):
    def created(self, written: Json, client: Client) -> Sequence[Json]:
        return (_renamed(written),)

    def updated(self, written: Json, subresource: str, client: Client) -> Json:
        return _renamed(written)


def _renamed(written: Json) -> Json:
    return json.loads(json.dumps(written).replace('"container-', '"c-'))


class _OfSpecialClaims(SchedulerCluster):
    """Creates changed extended-resource claims."""

    def created(self, written: Json, client: Client) -> Sequence[Json]:
        return self.changed(written) if is_extended_resource_claim(written) else (written,)

    def changed(self, claim: Json) -> Sequence[Json]:
        return (claim,)


class CreatesClaimsWithoutOwner(_OfSpecialClaims):
    def changed(self, claim: Json) -> Sequence[Json]:
        return (with_metadata(claim, ownerReferences=None),)


class CreatesClaimsWithoutAnnotation(_OfSpecialClaims):
    def changed(self, claim: Json) -> Sequence[Json]:
        return (with_metadata(claim, annotations=None),)


class CreatesClaimsOfAnEntry(_OfSpecialClaims):
    def changed(self, claim: Json) -> Sequence[Json]:
        annotations = {**claim["metadata"]["annotations"], "resource.kubernetes.io/pod-claim-name": "gpu"}
        return (with_metadata(claim, annotations=annotations),)


class CreatesTwoClaims(_OfSpecialClaims):
    def changed(self, claim: Json) -> Sequence[Json]:
        return claim, claim


class CreatesClaimsForAllDevices(_OfSpecialClaims):
    def changed(self, claim: Json) -> Sequence[Json]:
        requests = [
            {
                **request,
                "exactly": {
                    "deviceClassName": request["exactly"]["deviceClassName"],
                    "allocationMode": "All",
                },
            }
            for request in claim["spec"]["devices"]["requests"]
        ]
        return (with_spec(claim, devices={"requests": requests}),)


class CreatesClaimsWithTheNameOfThePod(_OfSpecialClaims):
    """Uses the pod's name, so the name exists already in a second attempt or if a claim has that name."""

    def changed(self, claim: Json) -> Sequence[Json]:
        name = claim["metadata"]["generateName"].removesuffix("-extended-resources-")
        return (with_metadata(claim, name=f"{name}-gpu", generateName=None),)


class NeverDeletesItsClaim(SchedulerCluster):
    def deletes(self, key: Key) -> bool:
        return False


class TakesForeignClaims(SchedulerCluster):
    """Takes claims with a similar name for extended-resource claims."""

    def seen(self, written: Json, client: Client) -> Json:
        name, between, _ = written["metadata"]["name"].partition("-extended-resources-")
        if written["kind"] != "ResourceClaim" or not between:
            return written
        pod = client._server.get(("Pod", written["metadata"]["namespace"], name))
        if pod is None:
            return written
        owner = {
            "apiVersion": "v1",
            "kind": "Pod",
            "name": name,
            "uid": pod["metadata"]["uid"],
            "controller": True,
        }
        return with_metadata(written, ownerReferences=[owner], annotations={EXTENDED_RESOURCE_CLAIM: "true"})


class NeverUsesAClaimAgain(SchedulerCluster):
    """Takes an existing extended-resource claim for unallocated unless a pod runs with it."""

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] == "ResourceClaim" and is_extended_resource_claim(written):
            finalizers = [
                each
                for each in written["metadata"].get("finalizers") or ()
                if "delete-protection" not in each
            ]
            return with_metadata(written, finalizers=finalizers)
        return written


class OmitsTheStatusOfThePod(SchedulerCluster):
    def updated(self, written: Json, subresource: str, client: Client) -> Json | None:
        return None if written["kind"] == "Pod" and subresource == "status" else written


class _OfMappings(SchedulerCluster):
    """Writes changed mappings of requests to containers."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json:
        status = (written.get("status") or {}).get("extendedResourceClaimStatus")
        if written["kind"] != "Pod" or not status:
            return written
        mappings = list(self.mapped(status["requestMappings"]))
        return with_status(written, extendedResourceClaimStatus={**status, "requestMappings": mappings})

    def mapped(self, mappings: Sequence[Json]) -> Iterator[Json]:
        return iter(mappings)


class MapsTheFirstContainerOnly(_OfMappings):
    def mapped(self, mappings: Sequence[Json]) -> Iterator[Json]:
        return iter(mappings[:1])


class MapsTheLastRequestToAll(_OfMappings):
    def mapped(self, mappings: Sequence[Json]) -> Iterator[Json]:
        return ({**mapping, "requestName": mappings[-1]["requestName"]} for mapping in mappings)


class MapsToMissingRequests(_OfMappings):
    def mapped(self, mappings: Sequence[Json]) -> Iterator[Json]:
        return ({**mapping, "requestName": "r0"} for mapping in mappings)


class KeepsADeletedClaimInTheStatus(SchedulerCluster):
    """Keeps a deleted claim in the status of the pod."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json | None:
        before = client._server.get(
            (written["kind"], written["metadata"].get("namespace", ""), written["metadata"]["name"])
        )
        field = "extendedResourceClaimStatus"
        had = before is not None and (before.get("status") or {}).get(field)
        return (
            None
            if written["kind"] == "Pod" and had and not (written.get("status") or {}).get(field)
            else written
        )


class ReportsTheClaimAsAnEntry(SchedulerCluster):
    """Reports the extended-resource claim as if it belonged to an entry of spec.resourceClaims."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json:
        status = (written.get("status") or {}).get("extendedResourceClaimStatus")
        if written["kind"] != "Pod" or not status:
            return written
        several = [{"name": "gpu", "resourceClaimName": status["resourceClaimName"]}]
        return with_status(written, resourceClaimStatuses=several)


class WritesNoReservation(SchedulerCluster):
    """Allocates extended-resource claims without a reservation."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json:
        special = (
            written["kind"] == "ResourceClaim"
            and is_extended_resource_claim(written)
            and subresource == "status"
        )
        return with_status(written, reservedFor=None) if special else written


class ServesOneNamespace(SchedulerCluster):
    """Creates extended-resource claims in the namespace of the first pod."""

    def created(self, written: Json, client: Client) -> Sequence[Json]:
        return (with_metadata(written, namespace="default"),)


WRONG: dict[type[ComponentCluster], str] = {
    NamesRequestsOtherwise: "KEP-5004/naming/one-request-per-container-and-resource",
    CreatesClaimsWithoutOwner: "KEP-5004/special-claim/namespace-and-owner",
    CreatesClaimsWithoutAnnotation: "KEP-5004/special-claim/annotation",
    CreatesClaimsOfAnEntry: "KEP-5004/special-claim/no-pod-claim-name-annotation",
    CreatesTwoClaims: "KEP-5004/special-claim/at-most-one-per-pod",
    CreatesClaimsForAllDevices: "KEP-5004/special-claim/request-content",
    CreatesClaimsWithTheNameOfThePod: "KEP-5004/special-claim/generated-name",
    NeverDeletesItsClaim: "KEP-5004/scheduling-phase/unreserve-deletes",
    TakesForeignClaims: "KEP-5004/special-claim/not-confused-with-foreign-claims",
    NeverUsesAClaimAgain: "KEP-5004/failure-handling/valid-claim-reused",
    OmitsTheStatusOfThePod: "KEP-5004/pod-status/set-after-binding",
    MapsTheFirstContainerOnly: "KEP-5004/pod-status/one-entry-per-container-and-resource",
    MapsTheLastRequestToAll: "KEP-5004/pod-status/mapping-fields",
    MapsToMissingRequests: "KEP-5004/pod-status/consistent-with-claim",
    KeepsADeletedClaimInTheStatus: "KEP-5004/pod-status/cleared-on-cleanup",
    ReportsTheClaimAsAnEntry: "KEP-5004/pod-status/independent-of-resource-claim-statuses",
    WritesNoReservation: "KEP-5004/special-claim/status-allocation-and-reservation",
    ServesOneNamespace: "KEP-5004/class-selection/cluster-scoped-mapping",
}
"""Each faulty scheduler with a requirement that it violates."""
