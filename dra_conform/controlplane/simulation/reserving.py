"""PreBind: writes the allocations and the reservations of a pod's claims."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dra_conform.controlplane.simulation.client import Client, WriteFailed, tried_again
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import (
    allocation_of,
    reservation,
    reservations_of,
    reserved_for,
    with_status,
)

Json = Any

FINALIZER = "resource.kubernetes.io/delete-protection"
"""Keeps a claim while it is allocated."""


def reserve(pod: Json, claim: Json, allocation: Json, client: Client) -> Json:
    """Store what a claim gets, None where it has it, and that it is reserved for the pod; the claim then.

    Raises WriteFailed; what was written before stays.
    """
    return tried_again(partial(_reserve, pod, claim, allocation, client))


def unreserve(pod: Json, claims: Sequence[Json], client: Client) -> None:
    """Take back the reservations for a pod; what is allocated stays so. A write that fails is let be."""
    for claim in filter(None, (client.get(key_in(one)) for one in claims)):
        if not reserved_for(claim, pod):
            continue
        others = [one for one in reservations_of(claim) if one["uid"] != pod["metadata"]["uid"]]
        try:
            client.update(with_status(claim, reservedFor=others or None), "status")
        except WriteFailed:
            continue


def free(claim: Json, client: Client) -> Json:
    """Free the devices of a claim; the claim then. Raises WriteFailed."""
    return client.update(with_status(claim, allocation=None, reservedFor=None), "status")


def deallocate(claim: Json, client: Client) -> None:
    """Free the devices of a claim and let go of it. Raises WriteFailed."""
    freed = free(claim, client)
    if freed is not None:
        release(freed, client)


def release(claim: Json, client: Client) -> None:
    """Take the finalizer from a claim that is not allocated. Raises WriteFailed."""
    finalizers = claim["metadata"].get("finalizers") or []
    if FINALIZER in finalizers:
        kept = [one for one in finalizers if one != FINALIZER]
        client.update({**claim, "metadata": {**claim["metadata"], "finalizers": kept}})


def _reserve(pod: Json, claim: Json, allocation: Json, client: Client) -> Json:
    claim = client.get(key_in(claim)) or claim
    reservations = [*reservations_of(claim), reservation(pod)]
    if (allocation_of(claim) is None) is (allocation is None):
        done = "deallocated" if allocation is None else "allocated"
        raise WriteFailed("Conflict", f"the claim got {done} elsewhere in the meantime", again=True)
    if allocation is None:
        return client.update(with_status(claim, reservedFor=reservations), "status")
    metadata = claim["metadata"]
    finalizers = metadata.get("finalizers") or []
    if FINALIZER not in finalizers:
        claim = client.update({**claim, "metadata": {**metadata, "finalizers": [*finalizers, FINALIZER]}})
    return client.update(with_status(claim, allocation=allocation, reservedFor=reservations), "status")
