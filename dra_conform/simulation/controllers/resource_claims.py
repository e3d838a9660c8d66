"""The ResourceClaim controller: creates claims from templates, reserves claims, and releases them."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.cluster_state.pods import (
    MOST_RESERVATIONS,
    allocation_of,
    claim_keys,
    created_for,
    finished,
    owner_of,
    reservation,
    reservations_of,
    reserved_for,
    with_status,
)
from dra_conform.kube.extended_resources import EXTENDED_RESOURCE_CLAIM
from dra_conform.kube.json_values import Json
from dra_conform.kube.switches.controllers import ControllerSwitches
from dra_conform.simulation.client import Changes, Client, WriteFailed
from dra_conform.simulation.controllers.claim_generation import generate_claims
from dra_conform.simulation.metrics import MetricGrowth
from dra_conform.simulation.shared_state import Events
from dra_conform.simulation.status_writes import deallocate, release


def reserve_for_assigned_pods(client: Client) -> None:
    """Reserve allocated claims for pods that have a node, without allocating further claims
    (DRA/pre-scheduled/controller-reserves-allocated-claims)."""
    for pod in client.all("Pod"):
        if not pod["spec"].get("nodeName") or finished(pod) or "deletionTimestamp" in pod["metadata"]:
            continue
        for entry, key in claim_keys(pod):
            claim = client.get(key) if key else None
            if claim is not None and not entry.get("resourceClaimName") and not created_for(claim, pod):
                break
            if claim is None or allocation_of(claim) is None or reserved_for(claim, pod):
                continue
            if "deletionTimestamp" in claim["metadata"]:
                continue
            if len(reservations_of(claim)) < MOST_RESERVATIONS:
                reservations = [*reservations_of(claim), reservation(pod)]
                _update_status(client, with_status(claim, reservedFor=reservations))


def _release_claims(client: Client, claims: Iterable[Json]) -> None:
    """Remove the reservations of deleted and finished pods.

    A claim without a remaining reservation is deallocated. A claim that was created for a finished pod is
    also deleted.
    """
    for claim in claims:
        try:
            _release(claim, client)
            if owner_of(claim) is not None:
                _delete_if_pod_finished(key_in(claim), client)
        except WriteFailed:
            continue  # The next round tries again.


def _release(claim: Json, client: Client) -> None:
    reservations = reservations_of(claim)
    switches = ControllerSwitches.of(client.profile)
    if switches.other_consumers_block_release and not all(map(_is_of_pod, reservations)):
        return
    if not switches.extended_resource_claims_released and _is_kept_for_extended_resources(claim):
        return
    users = [consumer for consumer in reservations if _in_use(consumer, key_in(claim), client)]
    if users and len(users) < len(reservations):
        client.update(with_status(claim, reservedFor=users), "status")
    elif not users and (reservations or "deletionTimestamp" in claim["metadata"]):
        if reservations or allocation_of(claim) is not None:
            deallocate(claim, client)
        else:
            release(claim, client)


def _is_kept_for_extended_resources(claim: Json) -> bool:
    """Whether a claim is for extended resources, and not yet deleted with its pod."""
    metadata = claim["metadata"]
    return EXTENDED_RESOURCE_CLAIM in metadata.get("annotations", {}) and "deletionTimestamp" not in metadata


def _in_use(reserved: Json, claim: Key, client: Client) -> bool:
    """Whether a consumer in `reservedFor` still needs the claim, as consumers other than pods always do."""
    if not _is_of_pod(reserved):
        return True
    pod = client.get(key_of("Pod", reserved["name"], claim[1]))
    if pod is None or pod["metadata"]["uid"] != reserved["uid"] or finished(pod):
        return False
    return "deletionTimestamp" not in pod["metadata"] or bool(pod["spec"].get("nodeName"))


def _is_of_pod(reserved: Json) -> bool:
    return reserved.get("resource") == "pods" and not reserved.get("apiGroup")


def _delete_if_pod_finished(key: Key, client: Client) -> None:
    claim = client.get(key)
    owner = owner_of(claim) if claim else None
    if claim is None or owner is None or reservations_of(claim) or "deletionTimestamp" in claim["metadata"]:
        return
    pod = client.get(key_of("Pod", owner["name"], key[1]))
    if pod is not None and pod["metadata"]["uid"] == owner["uid"] and finished(pod):
        client.delete(key)


def _update_status(client: Client, claim: Json) -> None:
    """Write the status of a claim; ignore a failure, since the next round tries again."""
    try:
        client.update(claim, "status")
    except WriteFailed:
        return


_KIND = "ResourceClaim"


class ClaimController:
    """The ResourceClaim controller; it does nothing while the gate DynamicResourceAllocation is off."""

    def __init__(self, client: Client, events: Events, metrics: MetricGrowth) -> None:
        self._client = client
        self._events = events
        self._used = _UsedClaims(client, metrics)

    def run(self) -> None:
        """Release, create and reserve claims once."""
        if self._client.profile.enabled("DynamicResourceAllocation"):
            _release_claims(self._client, self._used.current())
            generate_claims(self._client, self._events, self._used.current)
            reserve_for_assigned_pods(self._client)


class _UsedClaims:
    """The claims that are reserved, owned or being deleted; the set is updated from changed claims only."""

    def __init__(self, client: Client, metrics: MetricGrowth) -> None:
        self._client = client
        self._metrics = metrics
        self._changes = Changes(client)
        self._used: set[Key] = set()

    def current(self) -> list[Json]:
        """Return the claims that need processing now, in creation order."""
        claims = self._client.by_key(_KIND)
        for key in self._changes.of(_KIND):
            self._metrics.record_queued_claim()
            claim = claims.get(key)
            if claim is not None and _is_used(claim):
                self._used.add(key)
            else:
                self._used.discard(key)
        return [claim for key, claim in claims.items() if key in self._used] if self._used else []


def _is_used(claim: Json) -> bool:
    return bool(reservations_of(claim)) or "deletionTimestamp" in claim["metadata"] or bool(owner_of(claim))
