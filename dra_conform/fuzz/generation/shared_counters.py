"""Random counter sets, and consumed counters that just fit or just fail."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.kube.json_values import CheckedJson

CounterSets = Mapping[str, Mapping[str, int]]
"""Quantities in nano by counter set and counter (KEP-4815)."""

COMPATIBILITY_GROUPS: tuple[tuple[str, ...], ...] = (
    *(("a",), ("b",), ("a",), ("a", "b"), ("a", "b"), ("b", "c"), ("c", "a"), ()),
)
"""Possible compatibility groups of an entry of `consumesCounters` (KEP-5963)."""

_NAMES = (("set-1",), ("set-1", "set-2"))
_COUNTERS = (("mem",), ("mem",), ("mem", "cores"))
_VALUES = (4, 4, 8, 2)


def counter_sets(choose: Choose, scale: Scale) -> CounterSets:
    """Choose one or two sets with one or two counters; the pools of a scenario use equal names."""
    names, counters = choose(_NAMES), choose(_COUNTERS)
    return {name: {counter: choose(_VALUES) * scale.unit for counter in counters} for name in names}


def shared_counters(sets: CounterSets, scale: Scale) -> list[CheckedJson]:
    """Return the sets as the `sharedCounters` of a slice."""
    return [{"name": name, "counters": _written(counters, scale)} for name, counters in sets.items()]


def consumed_counters(choose: Choose, sets: CounterSets, scale: Scale, *, grouped: bool) -> list[CheckedJson]:
    """Generate the `consumesCounters` of one device, for no set, one set or all sets.

    If `grouped`, the entries name compatibility groups.
    """
    if happens(choose, 6):
        return []
    names = tuple(sets)
    used = choose((*((name,) for name in names), names))
    entries = []
    for name in used:
        counters = sets[name]
        if len(counters) > 1 and happens(choose, 4):
            counter = choose(tuple(counters))
            counters = {counter: counters[counter]}
        taken = {
            counter: choose(_amounts(value, scale, grouped=grouped)) for counter, value in counters.items()
        }
        entry = {"counterSet": name, "counters": _written(taken, scale)}
        groups = choose(COMPATIBILITY_GROUPS) if grouped else ()
        entries.append({**entry, "compatibilityGroups": list(groups)} if groups else entry)
    return entries


def _amounts(value: int, scale: Scale, *, grouped: bool) -> tuple[int, ...]:
    """Return likely quantities: halves and wholes first, then slightly different quantities.

    If `grouped`, most quantities are small.
    """
    half = value // 2
    usual: tuple[int, ...] = (*(half,) * 6, value, scale.unit, scale.unit, value - scale.unit)
    if grouped:
        usual = (*(scale.unit,) * 20, *usual)
    return (*usual, half + scale.tiny, half - scale.tiny, value - half + scale.unit, 0, value + scale.tiny)


def _written(amounts: Mapping[str, int], scale: Scale) -> dict[str, CheckedJson]:
    return {name: {"value": scale.text(amount)} for name, amount in amounts.items()}
