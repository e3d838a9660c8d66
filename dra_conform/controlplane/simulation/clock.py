"""The clock of a cluster, which only advances on demand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

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
