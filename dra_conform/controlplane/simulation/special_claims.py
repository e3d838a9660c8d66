"""Making and discarding the claim for a pod's extended resources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.extended_resources import SpecialClaim
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import allocation_of, with_status
from dra_conform.controlplane.simulation.reserving import deallocate, release

Json = Any


def make(special: SpecialClaim, pod: Json, client: Client) -> Json:
    """Create the claim under a generated name; raises WriteFailed."""
    metadata = {name: value for name, value in special.claim["metadata"].items() if name != "name"}
    metadata["generateName"] = f"{pod['metadata']['name']}-extended-resources-"
    return client.create({**special.claim, "metadata": metadata})


def record(pod: Json, claim: Json, mappings: Sequence[Json], client: Client) -> None:
    """Tell in the pod's status which request of the claim serves which container; raises WriteFailed."""
    status = {"requestMappings": list(mappings), "resourceClaimName": claim["metadata"]["name"]}
    client.update(with_status(pod, extendedResourceClaimStatus=status), "status")


def discard(claim: Json, client: Client) -> None:
    """Delete the claim, whatever it holds. A write that fails is let be: the next attempt finds the claim."""
    current = client.get(key_in(claim))
    try:
        if current is not None and allocation_of(current) is not None:
            deallocate(current, client)
        elif current is not None:
            release(current, client)
        client.delete(key_in(claim))
    except WriteFailed:
        return
