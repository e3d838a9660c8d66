"""Break the built-in allocator on purpose, one rule at a time, and see the suite notice: `make mutants`.

The suite (features and golden cases, no unit test) is run on each mutant, in profile `kep` and then in that of a
release, up to the first case that fails. A mutant that passes is a hole in the suite. `python -m tests.faulty.mutants.allocation taint` tries
only those with the word in their names.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.capacity import CAPACITY, IN_USE, SHARING
from tests.faulty.mutants.counters import COUNTERS, GROUPS
from tests.faulty.mutants.expressions import EXPRESSIONS
from tests.faulty.mutants.meetings import CLAIMS, FEATURES
from tests.faulty.mutants.memory import MEMORY
from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.notation import AMOUNTS, NAMES, VERSIONS
from tests.faulty.mutants.pools import CONFIGURATION, PLACES, POOLS
from tests.faulty.mutants.search import ALL_MODE, CONSTRAINTS, LISTS, SEARCH, SELECTORS
from tests.faulty.mutants.sizes import SIZES
from tests.faulty.mutants.slips import SLIPS
from tests.faulty.mutants.subjects import ALLOCATOR, NOTATION
from tests.faulty.mutants.taints import ADMIN, TAINT_RULES, TAINTS
from tests.faulty.mutants.values import NUMBERS, TEXTS

AREAS = {
    ("rounding", "default", "filter", "quantit", "policy"): CAPACITY,
    ("shar", "accounting", "status"): SHARING,
    ("exclusive", "dedicated", "held"): IN_USE,
    ("search", "count", "limit", "claim"): SEARCH,
    ("selector", "class"): SELECTORS,
    ("constraint", "match", "list-attribute"): CONSTRAINTS,
    ("all-mode", "allocation-mode"): ALL_MODE,
    ("prioritized-list",): LISTS,
    ("config",): CONFIGURATION,
    ("pool", "generation", "order"): POOLS,
    ("node", "binding"): PLACES,
    ("partitionable", "counter"): COUNTERS,
    ("kep-5963",): GROUPS,
    ("taint", "toleration"): TAINTS,
    ("taint-rule",): TAINT_RULES,
    ("admin-access",): ADMIN,
    ("size", "limit", "many"): SIZES,
    ("extreme", "quantit", "value", "zero"): NUMBERS,
    ("name", "text", "match", "sizes"): TEXTS,
    ("interactions", "together", "triples", "pairs"): FEATURES,
    ("search", "claim", "held", "shares"): CLAIMS,
    ("later-claims", "interactions", "backtracking"): MEMORY,
    ("many-shares", "names-alike", "other-features", "triples"): SLIPS,
}
READING = {
    ("quantit", "extreme", "fraction", "rounding", "filter"): AMOUNTS,
    ("version", "expressions", "selector", "sizes"): VERSIONS,
    ("selector", "expressions", "class", "extreme"): NAMES,
    ("expressions", "selector", "list-attributes", "amounts"): EXPRESSIONS,
}


def _near(areas: Mapping[tuple[str, ...], Sequence[Mutant]]) -> tuple[Mutant, ...]:
    return tuple(
        Mutant(mutant.name, *mutant.changes, near=near)
        for near, mutants in areas.items()
        for mutant in mutants
    )


MUTANTS = _near(AREAS)
MUTANTS_OF_READING = _near(READING)


if __name__ == "__main__":
    sys.exit(main((ALLOCATOR, MUTANTS), (NOTATION, MUTANTS_OF_READING)))
