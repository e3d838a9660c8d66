"""The scheduler's writes to the status of ResourceClaims and pods: allocations, reservations, finalizers and
claim statuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import (
    allocation_of,
    reservation,
    reservations_of,
    reserved_for,
    with_status,
)
from dra_conform.kube.json_values import Json
from dra_conform.kube.switches.scheduler import PodWriteSwitches
from dra_conform.simulation.client import (
    MAX_POD_STATUS_ATTEMPTS,
    Client,
    WriteFailed,
    with_retries,
)


def write_status(pod: Json, fields: Mapping[str, Json], client: Client) -> None:
    """Write status fields of a pod unless it was deleted; raise WriteFailed."""

    def write() -> None:
        current = client.get(key_in(pod))
        if current is not None:
            client.update(with_status(current, **fields), "status")

    with_retries(write, _retryable_reasons(PodWriteSwitches.of(client.profile)), MAX_POD_STATUS_ATTEMPTS)


def _retryable_reasons(switches: PodWriteSwitches) -> frozenset[str]:
    """Return the reasons for which a write of a pod's status is retried."""
    faults = {"InternalError", "ServiceUnavailable"} if switches.server_errors_retried else set()
    return frozenset(faults | ({"Conflict"} if switches.conflicts_retried else set()))


FINALIZER = "resource.kubernetes.io/delete-protection"
"""The finalizer that prevents the deletion of an allocated claim."""


def reserve(pod: Json, claim: Json, allocation: Json, client: Client, time: str = "") -> Json:
    """Write an allocation and the reservation for a pod, and return the stored claim.

    `allocation` is None if the claim is allocated already. A new allocation gets the allocationTimestamp
    `time`, unless that is empty. Raises WriteFailed; earlier writes are kept.
    """
    return with_retries(partial(_reserve, pod, claim, allocation, client, time))


def unreserve(pod: Json, claims: Sequence[Json], client: Client) -> None:
    """Remove the reservations for a pod and keep the allocations; ignore failed writes."""
    for claim in filter(None, (client.get(key_in(claim)) for claim in claims)):
        if not reserved_for(claim, pod):
            continue
        uid = pod["metadata"]["uid"]
        others = [consumer for consumer in reservations_of(claim) if consumer["uid"] != uid]
        try:
            client.update(with_status(claim, reservedFor=others or None), "status")
        except WriteFailed:
            continue


def free(claim: Json, client: Client) -> Json:
    """Remove allocation and reservations of a claim, and return the stored claim; raise WriteFailed."""
    return client.update(with_status(claim, allocation=None, reservedFor=None), "status")


def deallocate(claim: Json, client: Client) -> None:
    """Remove allocation, reservations and finalizer of a claim; raise WriteFailed."""
    freed = free(claim, client)
    if freed is not None:
        release(freed, client)


def release(claim: Json, client: Client) -> None:
    """Remove the finalizer of an unallocated claim; raise WriteFailed."""
    finalizers = claim["metadata"].get("finalizers") or []
    if FINALIZER in finalizers:
        kept = [finalizer for finalizer in finalizers if finalizer != FINALIZER]
        client.update({**claim, "metadata": {**claim["metadata"], "finalizers": kept}})


def _reserve(pod: Json, claim: Json, allocation: Json, client: Client, time: str) -> Json:
    claim = client.get(key_in(claim)) or claim
    reservations = [*reservations_of(claim), reservation(pod)]
    if (allocation_of(claim) is None) is (allocation is None):
        change = "deallocated" if allocation is None else "allocated"
        raise WriteFailed("Conflict", f"the claim was {change} by another client", retryable=True)
    if allocation is None:
        return client.update(with_status(claim, reservedFor=reservations), "status")
    metadata = claim["metadata"]
    finalizers = metadata.get("finalizers") or []
    if FINALIZER not in finalizers:
        claim = client.update({**claim, "metadata": {**metadata, "finalizers": [*finalizers, FINALIZER]}})
    allocation = {**allocation, "allocationTimestamp": time} if time else allocation
    return client.update(with_status(claim, allocation=allocation, reservedFor=reservations), "status")
