"""The events that components record on objects."""

from __future__ import annotations

from typing import Any

Json = Any
Event = dict[str, str]
"""Kind, name, namespace, reason and message."""


class Events:
    """The events since they were last taken, in order and each once."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, ...], Event] = {}

    def add(self, about: Json, reason: str, message: str) -> None:
        """Tell something of an object."""
        metadata = about["metadata"]
        event = {
            "kind": about["kind"],
            "name": metadata["name"],
            "namespace": metadata.get("namespace", ""),
            "reason": reason,
            "message": message,
        }
        self._told.setdefault(tuple(event.values()), event)

    def take(self) -> list[Event]:
        """All that was told, which is then forgotten."""
        told, self._told = list(self._told.values()), {}
        return told
