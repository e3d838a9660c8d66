"""The claims that the ResourceClaim controller processes in a round."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.simulation.changes import Changes
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.controlplane.simulation.pods import owner_of, reservations_of

Json = Any

_KIND = "ResourceClaim"


class UsedClaims:
    """The claims that are reserved, owned or being deleted; the set is updated from changed claims only."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._changes = Changes(client)
        self._used: set[Key] = set()

    def current(self) -> list[Json]:
        """Return the claims that need processing now, in creation order."""
        claims = self._client.by_key(_KIND)
        for key in self._changes.of(_KIND):
            claim = claims.get(key)
            if claim is not None and _is_used(claim):
                self._used.add(key)
            else:
                self._used.discard(key)
        return [claim for key, claim in claims.items() if key in self._used] if self._used else []


def _is_used(claim: Json) -> bool:
    return bool(reservations_of(claim)) or "deletionTimestamp" in claim["metadata"] or bool(owner_of(claim))
