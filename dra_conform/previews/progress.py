"""Progress reports of long-running previews."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""A callback with the current activity, the number of processed items, and the total."""


def no_progress(activity: str, done: int, total: int) -> None:
    """Report nothing."""
