"""Polling with a limited number of looks, independent of time.

Each look asks the API server first. Where a machine does much else, every look takes longer, and so does the
whole patience; so it never runs out only because a cluster is slow.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

_PAUSE = 0.02
"""Seconds between two looks."""


def poll(looks: int, look: Callable[[], Found]) -> Found:
    """What the first look finds that finds anything, what the last one says where none does."""
    for _ in range(looks - 1):
        found = look()
        if found:
            return found
        time.sleep(_PAUSE)
    return look()
