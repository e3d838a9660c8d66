"""Polling limited by the number of polls, not by time.

Each poll sends a request to the API server. On a slow machine each poll takes longer. So the wait is longer
too and does not fail only because a cluster is slow.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_PAUSE = 0.02
"""Seconds between two polls."""


def poll(polls: int, read: Callable[[], Result]) -> Result:
    """Call `read` until its result is true, at most `polls` times; return the last result."""
    for _ in range(polls - 1):
        result = read()
        if result:
            return result
        time.sleep(_PAUSE)
    return read()
