"""Break the built-in allocator on purpose, one rule at a time, and see the suite notice: `make mutants`.

The suite (features and golden cases, no unit test) is run on each mutant, in profile `kep` and then in that of a
release, up to the first case that fails. A mutant that passes is a hole in the suite. `python -m tests.faulty.mutants.allocation taint` tries
only those with the word in their names.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.catalogue import mutants_of
from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.subjects import ALLOCATOR, NOTATION

NEAR = {
    "capacity": ("rounding", "default", "filter", "quantit", "policy"),
    "sharing": ("shar", "accounting", "status"),
    "in-use": ("exclusive", "dedicated", "held"),
    "search": ("search", "count", "limit", "claim"),
    "selectors": ("selector", "class"),
    "constraints": ("constraint", "match", "list-attribute"),
    "all-mode": ("all-mode", "allocation-mode"),
    "lists": ("prioritized-list",),
    "configuration": ("config",),
    "pools": ("pool", "generation", "order"),
    "places": ("node", "binding"),
    "counters": ("partitionable", "counter"),
    "groups": ("kep-5963",),
    "taints": ("taint", "toleration"),
    "taint-rules": ("taint-rule",),
    "admin": ("admin-access",),
    "sizes": ("size", "limit", "many"),
    "numbers": ("extreme", "quantit", "value", "zero"),
    "texts": ("name", "text", "match", "sizes"),
    "features": ("interactions", "together", "triples", "pairs"),
    "claims": ("search", "claim", "held", "shares"),
    "memory": ("later-claims", "interactions", "backtracking"),
    "slips": ("many-shares", "names-alike", "other-features", "triples"),
}
NEAR_OF_READING = {
    "amounts": ("quantit", "extreme", "fraction", "rounding", "filter"),
    "versions": ("version", "expressions", "selector", "sizes"),
    "names": ("selector", "expressions", "class", "extreme"),
    "expressions": ("expressions", "selector", "list-attributes", "amounts"),
}
"""Topics, and words in the cases that are tried first."""


def _mutants(near: Mapping[str, tuple[str, ...]]) -> tuple[Mutant, ...]:
    return tuple(mutant for topic, words in near.items() for mutant in mutants_of(topic, words))


MUTANTS = _mutants(NEAR)
MUTANTS_OF_READING = _mutants(NEAR_OF_READING)


if __name__ == "__main__":
    sys.exit(main((ALLOCATOR, MUTANTS), (NOTATION, MUTANTS_OF_READING)))
