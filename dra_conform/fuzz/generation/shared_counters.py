"""Random counter sets and consumed counters that fit or fail closely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.generation.chance import Choose, happens

Json = Any
CounterSets = Mapping[str, Mapping[str, int]]
"""Amounts in nano by counter set and counter (KEP-4815)."""

COMPATIBILITY_GROUPS: tuple[tuple[str, ...], ...] = (
    *(("a",), ("b",), ("a",), ("a", "b"), ("a", "b"), ("b", "c"), ("c", "a"), ()),
)
"""The compatibility groups that an entry of `consumesCounters` may name (KEP-5963)."""

_NAMES = (("set-1",), ("set-1", "set-2"))
_COUNTERS = (("mem",), ("mem",), ("mem", "cores"))
_VALUES = (4, 4, 8, 2)


def counter_sets(choose: Choose, scale: Scale) -> CounterSets:
    """One set or two of one counter or two; every pool of a scenario has the same names."""
    names, counters = choose(_NAMES), choose(_COUNTERS)
    return {name: {counter: choose(_VALUES) * scale.unit for counter in counters} for name in names}


def shared_counters(sets: CounterSets, scale: Scale) -> list[Json]:
    """The sets as the `sharedCounters` of a slice."""
    return [{"name": name, "counters": _written(counters, scale)} for name, counters in sets.items()]


def consumed_counters(choose: Choose, sets: CounterSets, scale: Scale, *, grouped: bool) -> list[Json]:
    """The `consumesCounters` of one device: nothing, of one set, or of all.

    `grouped`: the entries name compatibility groups.
    """
    if happens(choose, 6):
        return []
    names = tuple(sets)
    used = choose((*((name,) for name in names), names))
    entries = []
    for name in used:
        counters = sets[name]
        if len(counters) > 1 and happens(choose, 4):
            one = choose(tuple(counters))
            counters = {one: counters[one]}
        taken = {
            counter: choose(_amounts(value, scale, grouped=grouped)) for counter, value in counters.items()
        }
        entry = {"counterSet": name, "counters": _written(taken, scale)}
        groups = choose(COMPATIBILITY_GROUPS) if grouped else ()
        entries.append({**entry, "compatibilityGroups": list(groups)} if groups else entry)
    return entries


def _amounts(value: int, scale: Scale, *, grouped: bool) -> tuple[int, ...]:
    """Halves and wholes first: then come those that spoil a fit, or make one. With groups mostly little."""
    half = value // 2
    usual: tuple[int, ...] = (*(half,) * 6, value, scale.unit, scale.unit, value - scale.unit)
    if grouped:
        usual = (*(scale.unit,) * 20, *usual)
    return (*usual, half + scale.tiny, half - scale.tiny, value - half + scale.unit, 0, value + scale.tiny)


def _written(amounts: Mapping[str, int], scale: Scale) -> dict[str, Json]:
    return {name: {"value": scale.text(amount)} for name, amount in amounts.items()}
