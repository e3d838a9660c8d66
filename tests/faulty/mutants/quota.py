"""Break the counting of quotas on purpose, one rule at a time, and see the suite notice: `make mutants-of-quota`.

As in `faulty/mutants/allocation.py`, with the cases of operation `usage` and the multi-step scenarios.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.catalogue import mutants_of
from tests.faulty.mutants.subjects import QUOTA

MUTANTS = mutants_of("quota", near=("quota",))

if __name__ == "__main__":
    sys.exit(main((QUOTA, MUTANTS)))
