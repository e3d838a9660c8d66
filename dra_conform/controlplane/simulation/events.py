"""The events that components record on objects."""

from __future__ import annotations

from typing import Any

Json = Any
Event = dict[str, str]
"""An event with kind, name, namespace, reason and message."""


class Events:
    """The distinct events since the last `take`, in order."""

    def __init__(self) -> None:
        self._recorded: dict[tuple[str, ...], Event] = {}

    def add(self, about: Json, reason: str, message: str) -> None:
        """Record an event about an object."""
        metadata = about["metadata"]
        event = {
            "kind": about["kind"],
            "name": metadata["name"],
            "namespace": metadata.get("namespace", ""),
            "reason": reason,
            "message": message,
        }
        self._recorded.setdefault(tuple(event.values()), event)

    def take(self) -> list[Event]:
        """Return and clear the recorded events."""
        recorded, self._recorded = list(self._recorded.values()), {}
        return recorded
