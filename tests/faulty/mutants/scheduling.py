"""Break the scheduler, eviction, the kubelet and the claim controllers on purpose: `make mutants-of-scheduling`.

As in `faulty/mutants/allocation.py`, with the multi-step scenarios of the suite. `python -m tests.faulty.mutants.scheduling taint` tries only
those with the word in their names.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.catalogue import mutants_of
from tests.faulty.mutants.subjects import SCHEDULING

_NEAR_EVICTION = (
    "eviction",
    "taint-rule",
    "toleration",
    "pre-scheduled",
    "kubelet",
    "binding",
    "claim-lifetime",
)
MUTANTS = (*mutants_of("scheduling"), *mutants_of("eviction", _NEAR_EVICTION))

if __name__ == "__main__":
    sys.exit(main((SCHEDULING, MUTANTS)))
