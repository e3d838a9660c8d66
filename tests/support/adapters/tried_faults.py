"""Which faulty drivers and kubelets a run of the tests tries: some, or all by an environment variable.

Each starts several processes and waits for them, so all of them take a quarter of an hour.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

ALL_FAULTS = "DRA_CONFORM_ALL_FAULTS"
"""The environment variable that makes the tests try all faults."""
STEP = 8
"""Without the variable every eighth fault is tried."""


def tried(names: Iterable[str]) -> list[str]:
    """Return the faults to try, in their order."""
    ordered = list(names)
    return ordered if os.environ.get(ALL_FAULTS) else ordered[::STEP]
