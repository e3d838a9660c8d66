"""Object changes that a component has not observed yet."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.controlplane.simulation.client import Client, Mark
from dra_conform.controlplane.simulation.store import Key


class Changes:
    """Tracks for each kind which writes a component has already observed."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._marks: dict[str, Mark] = {}

    def of(self, kind: str) -> Sequence[Key]:
        """Return the keys of objects written since the last call, in write order.

        The first call returns the keys of all writes. A key is repeated if its object was written repeatedly.
        """
        keys, self._marks[kind] = self._client.changes(kind, self._marks.get(kind))
        return keys
