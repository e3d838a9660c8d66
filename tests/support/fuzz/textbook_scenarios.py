"""Random scenarios whose features the textbook allocator of `tests/reference` supports."""

from __future__ import annotations

import json
from collections.abc import Iterator

from dra_conform.fuzz.generation.strategies import stream
from dra_conform.fuzz.scenario import Scenario

CORE = frozenset(
    {
        *("consumable-capacity", "distinct-attribute", "match-attribute", "prioritized-list"),
        *("cel-selectors", "allocation-mode-all"),
    }
)


def textbook_scenarios(seed: int) -> Iterator[Scenario]:
    """Yield an endless stream of scenarios with one node, no configuration and few devices."""
    for scenario in stream(seed, CORE):
        text = json.dumps(scenario.objects)
        known = len(scenario.objects["nodes"]) == 1 and '"config"' not in text and '"count": 33' not in text
        if known and scenario.size()[0] <= 10:
            yield scenario
