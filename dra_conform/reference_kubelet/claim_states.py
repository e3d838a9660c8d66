"""The checkpoint of ResourceClaims that the reference kubelet has prepared or tried to prepare."""

from __future__ import annotations

from pathlib import Path

import msgspec


class ClaimStateDevice(msgspec.Struct, frozen=True):
    """A device in the answer of a driver; without request names it belongs to all requests."""

    pool: str
    device: str
    requests: tuple[str, ...]
    cdi: tuple[str, ...]


class ClaimState(msgspec.Struct):
    """A ResourceClaim, the UIDs of the pods that use it, and its devices by driver.

    `prepared` and `unpreparing` are not in the checkpoint: after a restart a claim is prepared again when a
    pod needs it. `skipped` has the drivers that are not called, by operation.
    """

    namespace: str
    name: str
    uid: str
    drivers: dict[str, tuple[ClaimStateDevice, ...]]
    pods: set[str] = set()
    skipped: dict[str, tuple[str, ...]] = {}
    prepared: bool = False
    unpreparing: bool = False

    def called(self, operation: str) -> list[str]:
        """Return the drivers that are called for an operation, such as `NodePrepareResources`."""
        return [driver for driver in self.drivers if driver not in self.skipped.get(operation, ())]


class ClaimStates:
    """All ResourceClaims by namespace and name. Changes are lost at a restart unless `save` is called."""

    def __init__(self, checkpoint: Path) -> None:
        self._checkpoint = checkpoint
        claims: list[ClaimState] = []
        if checkpoint.exists():
            claims = msgspec.json.decode(checkpoint.read_bytes(), type=list[ClaimState])
        for claim in claims:
            claim.prepared = claim.unpreparing = False
        self._claims = {(claim.namespace, claim.name): claim for claim in claims}

    def get(self, namespace: str, name: str) -> ClaimState | None:
        """Return the state of a ResourceClaim, None if no pod has prepared it."""
        return self._claims.get((namespace, name))

    def all(self) -> list[ClaimState]:
        """Return the states of all ResourceClaims."""
        return list(self._claims.values())

    def of_pod(self, uid: str) -> list[ClaimState]:
        """Return the claims that a pod uses."""
        return [claim for claim in self._claims.values() if uid in claim.pods]

    def add(self, claim: ClaimState) -> None:
        """Add the state of a ResourceClaim."""
        self._claims[claim.namespace, claim.name] = claim

    def remove(self, claim: ClaimState) -> None:
        """Remove the state of a ResourceClaim."""
        self._claims.pop((claim.namespace, claim.name), None)

    def save(self) -> None:
        """Write the checkpoint as a whole; raises OSError."""
        new = self._checkpoint.with_suffix(".new")
        new.write_bytes(msgspec.json.encode(self.all()))
        new.replace(self._checkpoint)
