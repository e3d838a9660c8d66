"""Progress of a preview: how many pods are scheduled."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with what is being done, the number of things done, and how many there are."""


def nobody_watches(what: str, done: int, total: int) -> None:
    """Progress that nobody looks at."""
