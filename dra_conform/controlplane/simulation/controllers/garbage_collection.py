"""Deletion of objects whose owners are gone."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.apiserver.kinds import STRATEGIES
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.keys import key_in, key_of

Json = Any


def collect_garbage(client: Client) -> None:
    """Delete each object all of whose owners are gone."""
    for kind in STRATEGIES:
        for one in client.all(kind):
            metadata = one["metadata"]
            if "ownerReferences" not in metadata or "deletionTimestamp" in metadata:
                continue
            owners = metadata["ownerReferences"]
            if owners and not any(_exists(owner, metadata.get("namespace", ""), client) for owner in owners):
                try:
                    client.delete(key_in(one))
                except WriteFailed:
                    continue  # tried again in the next round


def _exists(owner: Json, namespace: str, client: Client) -> bool:
    """Whether an owner is there; kinds that are not stored are taken to be."""
    if owner["kind"] not in STRATEGIES:
        return True
    found = client.get(key_of(owner["kind"], owner["name"], namespace))
    return found is not None and found["metadata"]["uid"] == owner["uid"]
