"""The extended-resource claim of a pod, which the scheduler creates, finds again and deletes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.cluster_state.acceptable_nodes import usable
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import allocation_of, owned_by, with_status
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.extended_resources import EXTENDED_RESOURCE_CLAIM
from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.kube.versions import V1
from dra_conform.simulation.client import Client, WriteFailed, with_retries
from dra_conform.simulation.extended_resources.claim_requests import (
    backed_requests,
    requests_backed_resource,
)
from dra_conform.simulation.pod_claims import tainted_claim
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.simulation.snapshot import Snapshot
from dra_conform.simulation.status_writes import FINALIZER, write_status

WITHOUT_RESOURCES = Node(metadata=ObjectMeta())
"""A node without allocatable resources, on which DeviceClasses back all extended resources."""

_SUFFIX = "-extended-resources-"
_MAX_POD_NAME = 253 - len(_SUFFIX)
_UNNAMED = "<extended-resources>"


@dataclass(frozen=True, slots=True)
class ExtendedResourceClaim:
    """An extended-resource claim, and the mappings of container resources to its requests.

    `exists`: an earlier attempt has created the claim.
    """

    claim: Json
    mappings: Sequence[Json]
    exists: bool = False


def extended_resource_claim(
    pod: Json,
    typed: Pod,
    node: Node,
    classes: Mapping[str, str],
    switches: ExtendedResourceSwitches,
    *,
    claims: bool,
) -> ExtendedResourceClaim | None:
    """Return the claim for a pod's extended resources that the node does not provide, None if there are none.

    `claims`: the pod also has ResourceClaims.
    """
    requests, mappings = backed_requests(typed, node, classes, switches)
    if (requests or claims) and not switches.provided_resources_skipped and node is not WITHOUT_RESOURCES:
        return extended_resource_claim(pod, typed, WITHOUT_RESOURCES, classes, switches, claims=claims)
    empty = switches.empty_claims_created and claims and requests_backed_resource(typed, classes)
    if not requests and not empty:
        return None
    annotations = {EXTENDED_RESOURCE_CLAIM: pod["metadata"]["name"] if switches.claims_name_pod else "true"}
    metadata = {
        "name": _UNNAMED,
        "namespace": pod["metadata"]["namespace"],
        "annotations": annotations,
        "ownerReferences": owned_by(pod),
    }
    spec = {"devices": {"requests": requests}}
    claim = {"apiVersion": V1, "kind": "ResourceClaim", "metadata": metadata, "spec": spec}
    return ExtendedResourceClaim(claim, mappings)


def create_claim(
    planned: ExtendedResourceClaim, pod: Json, switches: ExtendedResourceSwitches, client: Client
) -> Json:
    """Create the claim with a generated name; raise WriteFailed."""
    metadata = {name: value for name, value in planned.claim["metadata"].items() if name != "name"}
    name = pod["metadata"]["name"]
    metadata["generateName"] = (name[:_MAX_POD_NAME] if switches.names_shortened else name) + _SUFFIX
    return client.create({**planned.claim, "metadata": metadata})


def record(pod: Json, claim: Json, mappings: Sequence[Json], client: Client) -> None:
    """Write claim name and request mappings to the pod's status; raise WriteFailed."""
    status = {"requestMappings": list(mappings), "resourceClaimName": claim["metadata"]["name"]}
    if not mappings:
        raise WriteFailed("Invalid", "the extended-resource claim has no request mappings")
    write_status(pod, {"extendedResourceClaimStatus": status}, client)


def discard(claim: Json, pod: Json, switches: ExtendedResourceSwitches, client: Client) -> None:
    """Remove the finalizer of the claim, delete the claim, and remove it from the pod's status.

    Raises the first WriteFailed; whether the later steps still run depends on the rules.
    """
    steps: list[Callable[[], None]] = [
        lambda: with_retries(lambda: _release(claim, client)),
        lambda: _delete(claim, client),
    ]
    if switches.cleanup_continues:
        steps.append(lambda: _clear_pod_status(claim, pod, client))
    failed: WriteFailed | None = None
    for step in steps:
        try:
            step()
        except WriteFailed as failure:
            failed = failed or failure
            if not switches.cleanup_continues:
                break
    if failed is not None:
        raise failed


def _release(claim: Json, client: Client) -> None:
    """Remove the finalizer; like the scheduler, this writes the claim even without a finalizer."""
    current = client.get(key_in(claim))
    if current is not None:
        finalizers = current["metadata"].get("finalizers") or ()
        kept = [finalizer for finalizer in finalizers if finalizer != FINALIZER]
        client.update({**current, "metadata": {**current["metadata"], "finalizers": kept}})


def _delete(claim: Json, client: Client) -> None:
    if client.get(key_in(claim)) is not None:
        client.delete(key_in(claim))


def _clear_pod_status(claim: Json, pod: Json, client: Client) -> None:
    current = client.get(key_in(pod))
    status = ((current or {}).get("status") or {}).get("extendedResourceClaimStatus") or {}
    if current is not None and status.get("resourceClaimName") == claim["metadata"]["name"]:
        client.update(with_status(current, extendedResourceClaimStatus=None), "status")


_DEVICE_ID = ("driver", "pool", "device")


@dataclass(frozen=True, slots=True)
class LeftoverClaim:
    """The extended-resource claim of an earlier attempt, None if there is none.

    The KEP reuses the claim if it is valid, releases never do. A valid claim is allocated, has its finalizer
    (nothing else keeps an allocated claim), is not being deleted and has the requests that the pod needs on
    the node. Its devices are published, allocated to no other claim, and have no taint that it does not
    tolerate.
    """

    claim: Json
    switches: ExtendedResourceSwitches

    @classmethod
    def of(cls, claims: Iterable[Json], switches: ExtendedResourceSwitches) -> LeftoverClaim:
        """Return the first extended-resource claim of the pod."""
        return cls(next(iter(claims), None), switches)

    def check(self, snapshot: Snapshot, profile: Profile) -> None:
        """Raise PhaseFailed if a leftover claim cannot be used on any node."""
        if self.claim is None or not self.switches.claims_reused:
            return
        if not self._valid(snapshot) or tainted_claim([decode(self.claim)], snapshot, profile):
            raise PhaseFailed(Code.UNSCHEDULABLE, "the extended-resource claim is not valid any more")

    def claim_for(self, planned: ExtendedResourceClaim | None, node: Node) -> ExtendedResourceClaim | None:
        """Return the claim to use on a node: the leftover claim or, if there is none, `planned`.

        Raises PhaseFailed if the leftover claim cannot be used on the node.
        """
        if self.claim is None:
            return planned
        if not self.switches.claims_reused:
            raise PhaseFailed(Code.UNRESOLVABLE, "cannot schedule extended resource claim")
        if not usable(decode(self.claim), node):
            raise PhaseFailed(Code.UNSCHEDULABLE, "resourceclaim not available on the node")
        if planned is None or _requests(planned.claim) != _requests(self.claim):
            raise PhaseFailed(
                Code.UNSCHEDULABLE, "the extended-resource claim has other requests than the pod"
            )
        return ExtendedResourceClaim(self.claim, planned.mappings, exists=True)

    def _valid(self, snapshot: Snapshot) -> bool:
        guarded = FINALIZER in (self.claim["metadata"].get("finalizers") or ())
        if allocation_of(self.claim) is None or not guarded or "deletionTimestamp" in self.claim["metadata"]:
            return False
        others = (claim for key, claim in snapshot.claims.items() if key != key_in(self.claim))
        allocated = {device for claim in others for device in _devices(claim)}
        published = {
            (slice_["spec"]["driver"], slice_["spec"]["pool"]["name"], device["name"])
            for slice_ in snapshot.objects["resourceSlices"]
            for device in slice_["spec"].get("devices") or ()
        }
        return _devices(self.claim) <= published - allocated


def _requests(claim: Json) -> list[Json]:
    requests: list[Json] = claim["spec"]["devices"].get("requests") or []
    return requests


def _devices(claim: Json) -> set[tuple[str, ...]]:
    allocation = allocation_of(claim) or {}
    results = allocation.get("devices", {}).get("results") or ()
    return {
        tuple(result[name] for name in _DEVICE_ID)
        for result in results
        if not (result.get("shareID") or result.get("adminAccess"))
    }
