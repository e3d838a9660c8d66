"""Schedulers that get one thing about the special claims of pods wrong each (KEP-5004)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.kube.extended_resources import SPECIAL_CLAIM, is_special
from tests.faulty.implementations.components import (
    ComponentCluster,
    SchedulerCluster,
    with_metadata,
    with_spec,
    with_status,
)

Json = Any


class NamesRequestsOtherwise(SchedulerCluster):
    def created(self, one: Json, client: Client) -> Sequence[Json]:
        return (_renamed(one),)

    def updated(self, one: Json, subresource: str, client: Client) -> Json:
        return _renamed(one)


def _renamed(one: Json) -> Json:
    return json.loads(json.dumps(one).replace('"container-', '"c-'))


class _OfSpecialClaims(SchedulerCluster):
    """Makes special claims otherwise."""

    def created(self, one: Json, client: Client) -> Sequence[Json]:
        return self.made(one) if is_special(one) else (one,)

    def made(self, claim: Json) -> Sequence[Json]:
        return (claim,)


class MakesClaimsThatNobodyOwns(_OfSpecialClaims):
    def made(self, claim: Json) -> Sequence[Json]:
        return (with_metadata(claim, ownerReferences=None),)


class MakesClaimsWithoutAnnotation(_OfSpecialClaims):
    def made(self, claim: Json) -> Sequence[Json]:
        return (with_metadata(claim, annotations=None),)


class MakesClaimsOfAnEntry(_OfSpecialClaims):
    def made(self, claim: Json) -> Sequence[Json]:
        annotations = {**claim["metadata"]["annotations"], "resource.kubernetes.io/pod-claim-name": "gpu"}
        return (with_metadata(claim, annotations=annotations),)


class MakesTwoClaims(_OfSpecialClaims):
    def made(self, claim: Json) -> Sequence[Json]:
        return claim, claim


class MakesClaimsForAllDevices(_OfSpecialClaims):
    def made(self, claim: Json) -> Sequence[Json]:
        requests = [
            {
                **one,
                "exactly": {"deviceClassName": one["exactly"]["deviceClassName"], "allocationMode": "All"},
            }
            for one in claim["spec"]["devices"]["requests"]
        ]
        return (with_spec(claim, devices={"requests": requests}),)


class MakesClaimsUnderTheNameOfThePod(_OfSpecialClaims):
    """A name that is there already when a second attempt is made, or a claim of that name is given."""

    def made(self, claim: Json) -> Sequence[Json]:
        name = claim["metadata"]["generateName"].removesuffix("-extended-resources-")
        return (with_metadata(claim, name=f"{name}-gpu", generateName=None),)


class LeavesItsClaimBehind(SchedulerCluster):
    def deletes(self, key: Key) -> bool:
        return False


class TakesForeignClaims(SchedulerCluster):
    """Claims that are only called like its own count as such."""

    def seen(self, one: Json, client: Client) -> Json:
        name, between, _ = one["metadata"]["name"].partition("-extended-resources-")
        if one["kind"] != "ResourceClaim" or not between:
            return one
        pod = client._server.get(("Pod", one["metadata"]["namespace"], name))
        if pod is None:
            return one
        owner = {
            "apiVersion": "v1",
            "kind": "Pod",
            "name": name,
            "uid": pod["metadata"]["uid"],
            "controller": True,
        }
        return with_metadata(one, ownerReferences=[owner], annotations={SPECIAL_CLAIM: "true"})


class NeverUsesAClaimAgain(SchedulerCluster):
    """A special claim that is there is taken not to be allocated, unless a pod runs with it."""

    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] == "ResourceClaim" and is_special(one):
            finalizers = [
                each for each in one["metadata"].get("finalizers") or () if "delete-protection" not in each
            ]
            return with_metadata(one, finalizers=finalizers)
        return one


class SaysNothingOnThePod(SchedulerCluster):
    def updated(self, one: Json, subresource: str, client: Client) -> Json | None:
        return None if one["kind"] == "Pod" and subresource == "status" else one


class _OfMappings(SchedulerCluster):
    """Writes otherwise which request serves which container."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json:
        status = (one.get("status") or {}).get("extendedResourceClaimStatus")
        if one["kind"] != "Pod" or not status:
            return one
        mappings = list(self.mapped(status["requestMappings"]))
        return with_status(one, extendedResourceClaimStatus={**status, "requestMappings": mappings})

    def mapped(self, mappings: Sequence[Json]) -> Iterator[Json]:
        return iter(mappings)


class MapsTheFirstContainerOnly(_OfMappings):
    def mapped(self, mappings: Sequence[Json]) -> Iterator[Json]:
        return iter(mappings[:1])


class MapsTheLastRequestToAll(_OfMappings):
    def mapped(self, mappings: Sequence[Json]) -> Iterator[Json]:
        return ({**one, "requestName": mappings[-1]["requestName"]} for one in mappings)


class MapsToRequestsThatAreNot(_OfMappings):
    def mapped(self, mappings: Sequence[Json]) -> Iterator[Json]:
        return ({**one, "requestName": "r0"} for one in mappings)


class NamesAClaimThatIsGone(SchedulerCluster):
    """The status of the pod goes on naming a claim that was deleted."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json | None:
        before = client._server.get(
            (one["kind"], one["metadata"].get("namespace", ""), one["metadata"]["name"])
        )
        field = "extendedResourceClaimStatus"
        had = before is not None and (before.get("status") or {}).get(field)
        return None if one["kind"] == "Pod" and had and not (one.get("status") or {}).get(field) else one


class TellsOfAnEntry(SchedulerCluster):
    """The special claim is told of as if an entry of the pod asked for it."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json:
        status = (one.get("status") or {}).get("extendedResourceClaimStatus")
        if one["kind"] != "Pod" or not status:
            return one
        several = [{"name": "gpu", "resourceClaimName": status["resourceClaimName"]}]
        return with_status(one, resourceClaimStatuses=several)


class WritesNoReservation(SchedulerCluster):
    """Special claims are allocated and reserved for nobody."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json:
        special = one["kind"] == "ResourceClaim" and is_special(one) and subresource == "status"
        return with_status(one, reservedFor=None) if special else one


class ServesOneNamespace(SchedulerCluster):
    """Special claims are made where the first pod lives."""

    def created(self, one: Json, client: Client) -> Sequence[Json]:
        return (with_metadata(one, namespace="default"),)


WRONG: dict[type[ComponentCluster], str] = {
    NamesRequestsOtherwise: "KEP-5004/naming/one-request-per-container-and-resource",
    MakesClaimsThatNobodyOwns: "KEP-5004/special-claim/namespace-and-owner",
    MakesClaimsWithoutAnnotation: "KEP-5004/special-claim/annotation",
    MakesClaimsOfAnEntry: "KEP-5004/special-claim/no-pod-claim-name-annotation",
    MakesTwoClaims: "KEP-5004/special-claim/at-most-one-per-pod",
    MakesClaimsForAllDevices: "KEP-5004/special-claim/request-content",
    MakesClaimsUnderTheNameOfThePod: "KEP-5004/special-claim/generated-name",
    LeavesItsClaimBehind: "KEP-5004/scheduling-phase/unreserve-deletes",
    TakesForeignClaims: "KEP-5004/special-claim/not-confused-with-foreign-claims",
    NeverUsesAClaimAgain: "KEP-5004/failure-handling/valid-claim-reused",
    SaysNothingOnThePod: "KEP-5004/pod-status/set-after-binding",
    MapsTheFirstContainerOnly: "KEP-5004/pod-status/one-entry-per-container-and-resource",
    MapsTheLastRequestToAll: "KEP-5004/pod-status/mapping-fields",
    MapsToRequestsThatAreNot: "KEP-5004/pod-status/consistent-with-claim",
    NamesAClaimThatIsGone: "KEP-5004/pod-status/cleared-on-cleanup",
    TellsOfAnEntry: "KEP-5004/pod-status/independent-of-resource-claim-statuses",
    WritesNoReservation: "KEP-5004/special-claim/status-allocation-and-reservation",
    ServesOneNamespace: "KEP-5004/class-selection/cluster-scoped-mapping",
}
"""Each with a requirement in which it must be caught."""
