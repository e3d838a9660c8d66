"""Break the simulated API server on purpose, one rule at a time, and see the suite notice.

`make mutants-of-admission` tries them, as `faulty/mutants/allocation.py` does its own, with the cases of operation `admit`.
`python -m tests.faulty.mutants.admission policy` tries only those with the word in their names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.claims import CLAIMS
from tests.faulty.mutants.mutation import Mutant, sources
from tests.faulty.mutants.slices import SLICES
from tests.faulty.mutants.strategies import STRATEGIES
from tests.faulty.mutants.subjects import API_SERVER

_LIMIT = re.compile(r"^(?P<name>[A-Z_]+) = Limit\((?P<bound>[^,]+),.*$", re.MULTILINE)
_GATED = re.compile(r"^ +GatedField\((?P<gates>\(.+?\)|\w+), f?\"(?P<path>[^\"]+)\".*\n", re.MULTILINE)
_IN_NO_PROFILE = ("_DERIVED", '("DRAPartitionableDevicesType",)', '("DRAOptionalNodeOperations",)')
"""Gates that no profile switches on: that their fields are always dropped is no change."""
_OF_OTHER_RELEASES = ("BEFORE", "before", "until=", "managesNode", "nodeAllocatableResourceAccounting")


def _limits(text: str) -> Iterator[Mutant]:
    """Each bound one larger and one smaller."""
    for found in _LIMIT.finditer(text):
        name, bound, line = found["name"], found["bound"], found[0]
        for change in ("+ 1", "- 1"):
            changed = line.replace(f"Limit({bound}", f"Limit({bound} {change}")
            if not any(word in line for word in _OF_OTHER_RELEASES):
                yield Mutant(f"{name} {change}", (line, changed))


def _gated(text: str) -> Iterator[Mutant]:
    """Each field behind gates never dropped, and dropped whatever the gates."""
    for found in _GATED.finditer(text):
        line, gates, name = found[0], found["gates"], f"{found['path']} ({found['gates'].strip('()_,')})"
        if not any(word in line for word in _OF_OTHER_RELEASES):
            yield Mutant(f"never dropped: {name}", (line, ""))
            if gates not in _IN_NO_PROFILE:
                yield Mutant(f"always dropped: {name}", (line, line.replace(gates, '("none",)', 1)))


_COMPUTED = tuple(
    mutant
    for text in sources(API_SERVER).values()
    for mutants in (_limits(text), _gated(text))
    for mutant in mutants
)
MUTANTS = (*SLICES, *CLAIMS, *STRATEGIES, *_COMPUTED)

if __name__ == "__main__":
    sys.exit(main((API_SERVER, MUTANTS)))
