"""Break what is counted of pods on purpose, and see the suite notice: `make mutants-of-footprint`.

As in `faulty/mutants/allocation.py`, with the cases of `footprint` and the multi-step scenarios. Words in the command try only the mutants with
one of them in their names.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.catalogue import mutants_of
from tests.faulty.mutants.subjects import FOOTPRINT

MUTANTS = mutants_of("footprint", near=("kep-5517",))

if __name__ == "__main__":
    sys.exit(main((FOOTPRINT, MUTANTS)))
