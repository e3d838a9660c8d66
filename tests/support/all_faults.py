"""Which faults a run of the tests tries: some, or all by an environment variable (`make faults`)."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest

ALL_FAULTS = "DRA_CONFORM_ALL_FAULTS"
"""The environment variable that makes the tests try all faults."""
STEP = 8
"""Without the variable every eighth faulty driver and kubelet is tried: each starts several processes."""

only_with_all_faults = pytest.mark.skipif(ALL_FAULTS not in os.environ, reason=f"{ALL_FAULTS} is not set")
"""Mark of tests that take minutes and that neither `make test` nor `make check` runs."""


def tried(names: Iterable[str]) -> list[str]:
    """Return the faults to try, in their order."""
    ordered = list(names)
    return ordered if ALL_FAULTS in os.environ else ordered[::STEP]
