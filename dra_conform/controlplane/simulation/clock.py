"""The time of a cluster, which moves only when told to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """Begins with the year 2026."""

    def __init__(self) -> None:
        self.now = START

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)

    @property
    def text(self) -> str:
        """The time as the API writes it, in whole seconds."""
        return self.now.strftime("%Y-%m-%dT%H:%M:%SZ")


def time_of(text: str) -> datetime:
    """A time as the API writes it; raises ValueError."""
    return datetime.fromisoformat(text)
