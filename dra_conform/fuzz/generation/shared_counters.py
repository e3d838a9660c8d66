"""Counter sets and what devices consume of them: amounts that just fit, or fail by next to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.scenario import Choose, happens

Json = Any
Sets = Mapping[str, Mapping[str, int]]
"""Amounts in nano by counter set and counter."""

GROUPS: tuple[tuple[str, ...], ...] = (
    *(("a",), ("b",), ("a",), ("a", "b"), ("a", "b"), ("b", "c"), ("c", "a"), ()),
)
"""The compatibility groups of an entry."""

_NAMES = (("set-1",), ("set-1", "set-2"))
_COUNTERS = (("mem",), ("mem",), ("mem", "cores"))
_VALUES = (4, 4, 8, 2)


def counter_sets(choose: Choose, scale: Scale) -> Sets:
    """One set or two of one counter or two; every pool of a scenario has the same names."""
    names, counters = choose(_NAMES), choose(_COUNTERS)
    return {name: {counter: choose(_VALUES) * scale.unit for counter in counters} for name in names}


def shared_counters(sets: Sets, scale: Scale) -> list[Json]:
    """The sets as a slice has them."""
    return [{"name": name, "counters": _written(counters, scale)} for name, counters in sets.items()]


def consumption(choose: Choose, sets: Sets, scale: Scale, *, grouped: bool) -> list[Json]:
    """What one device consumes: nothing, of one set, or of all; with compatibility groups if `grouped`."""
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
        groups = choose(GROUPS) if grouped else ()
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
