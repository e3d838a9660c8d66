"""What all components of a simulated cluster share: the clock, which only advances on demand, random values
from a seed, and the recorded events."""

from __future__ import annotations

import random
import uuid
from datetime import UTC, datetime, timedelta

from dra_conform.kube.json_values import Json

START = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """Simulated time, which starts at `START` and passes only on `advance`."""

    def __init__(self) -> None:
        self.now = START
        self.text = _text(START)
        """The current time in RFC 3339 format, in whole seconds."""

    def advance(self, seconds: float) -> None:
        """Advance the clock by a number of seconds."""
        self.now += timedelta(seconds=seconds)
        self.text = _text(self.now)


def _text(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def time_of(text: str) -> datetime:
    """Parse a time in RFC 3339 format; raise ValueError if it is malformed."""
    return datetime.fromisoformat(text)


_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
"""The alphabet of Kubernetes name suffixes; it has no vowels, so that suffixes are never words."""


class RandomValues:
    """Reproducible UIDs and name suffixes: the same seed gives the same sequence."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def uid(self) -> str:
        """Return the next UID, a version 4 UUID."""
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def suffix(self) -> str:
        """Return the next five-character suffix for `generateName`."""
        return "".join(self._random.choices(_LETTERS, k=5))


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
