"""The clock of a cluster, which only advances on demand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """Begins with the year 2026."""

    def __init__(self) -> None:
        self.now = START
        self.text = _text(START)
        """The time as the API writes it, in whole seconds."""

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)
        self.text = _text(self.now)


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def time_of(text: str) -> datetime:
    """A time as the API writes it; raises ValueError."""
    return datetime.fromisoformat(text)
