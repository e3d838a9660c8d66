"""Writing an attempt down: the allocations and the reservations of a pod's claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def reserve(pod: Json, claims: Sequence[Json], allocations: Mapping[str, Json], client: Client) -> None:
    """Store what each claim gets, by `namespace/name`, and that it is reserved for the pod.

    Raises WriteFailed at the first write that fails; what was written before stays.
    """
    for claim in claims:
        if not reserved_for(claim, pod):
            tried_again(partial(_reserve, pod, claim, allocations, client))


def unreserve(pod: Json, claims: Sequence[Json], client: Client) -> None:
    """Take back the reservations for a pod, which may have been made since the claims were read; what is
    allocated stays so. A write that fails is let be."""
    for claim in filter(None, (client.get(key_in(one)) for one in claims)):
        if not reserved_for(claim, pod):
            continue
        others = [one for one in reservations_of(claim) if one["uid"] != pod["metadata"]["uid"]]
        try:
            client.update(with_status(claim, reservedFor=others or None), "status")
        except WriteFailed:
            continue


def deallocate(claim: Json, client: Client) -> None:
    """Free the devices of a claim and let go of it. Raises WriteFailed."""
    freed = client.update(with_status(claim, allocation=None, reservedFor=None), "status")
    if freed is not None:
        release(freed, client)


def release(claim: Json, client: Client) -> None:
    """Take the finalizer from a claim that is not allocated. Raises WriteFailed."""
    finalizers = claim["metadata"].get("finalizers") or []
    if FINALIZER in finalizers:
        kept = [one for one in finalizers if one != FINALIZER]
        client.update({**claim, "metadata": {**claim["metadata"], "finalizers": kept}})


def _reserve(pod: Json, claim: Json, allocations: Mapping[str, Json], client: Client) -> None:
    claim = client.get(key_in(claim)) or claim
    reservations = [*reservations_of(claim), reservation(pod)]
    if allocation_of(claim) is not None:
        client.update(with_status(claim, reservedFor=reservations), "status")
        return
    metadata = claim["metadata"]
    finalizers = metadata.get("finalizers") or []
    if FINALIZER not in finalizers:
        claim = client.update({**claim, "metadata": {**metadata, "finalizers": [*finalizers, FINALIZER]}})
    _, namespace, name = key_in(claim)
    allocation = allocations[f"{namespace}/{name}"]
    client.update(with_status(claim, allocation=allocation, reservedFor=reservations), "status")
