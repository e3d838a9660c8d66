"""Deletion of objects whose owners no longer exist."""

from __future__ import annotations

from dra_conform.apiserver.kinds import STRATEGIES
from dra_conform.cluster_state.object_keys import key_in, key_of
from dra_conform.kube.json_values import Json
from dra_conform.simulation.client import Client, WriteFailed


def collect_garbage(client: Client) -> None:
    """Delete each object that has owner references if none of its owners exists."""
    for kind in STRATEGIES:
        for raw in client.all(kind):
            metadata = raw["metadata"]
            if "ownerReferences" not in metadata or "deletionTimestamp" in metadata:
                continue
            owners = metadata["ownerReferences"]
            if owners and not any(_exists(owner, metadata.get("namespace", ""), client) for owner in owners):
                try:
                    client.delete(key_in(raw))
                except WriteFailed:
                    continue  # The next round tries again.


def _exists(owner: Json, namespace: str, client: Client) -> bool:
    """Whether an owner exists; owners of kinds that are not simulated are assumed to exist."""
    if owner["kind"] not in STRATEGIES:
        return True
    existing = client.get(key_of(owner["kind"], owner["name"], namespace))
    return existing is not None and existing["metadata"]["uid"] == owner["uid"]
