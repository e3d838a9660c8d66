"""The object changes that a component has not observed yet, by kind."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.controlplane.simulation.client import Client, Mark
from dra_conform.controlplane.simulation.keys import Key


class Changes:
    """The changes of each kind since it was asked for last, at first all that there ever were."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._marks: dict[str, Mark] = {}

    def of(self, kind: str) -> Sequence[Key]:
        """The keys of the objects that have changed, in the order of the writes; a key may come again."""
        keys, self._marks[kind] = self._client.changes(kind, self._marks.get(kind))
        return keys
