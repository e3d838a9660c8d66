"""Release switches: fields whose value depends on the profile.

A frozen dataclass of switches is a table by release: `switch("kep", "since 1.36")` is on in these profiles,
`switch(gate("DRAAdminAccess"))` with that gate. `settled` gives the values in one profile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, TypeVar

from dra_conform.kube.profile import Profile
from dra_conform.kube.profile_range import holding_in

T = TypeVar("T")
RULE = "rule"
"""The key under which the metadata of a field has the function from a profile to its value."""


@dataclass(frozen=True, slots=True)
class ProfileCondition:
    """What holds in some profiles, and the words that say in which."""

    words: str
    holds: Callable[[Profile], bool]

    def __and__(self, other: ProfileCondition) -> ProfileCondition:
        joint = " " if other.words.startswith("without ") else " with "
        words = f"{self.words}{joint}{other.words}"
        return ProfileCondition(words, lambda profile: self.holds(profile) and other.holds(profile))

    def __invert__(self) -> ProfileCondition:
        return ProfileCondition(f"without {self.words}", lambda profile: not self.holds(profile))


@dataclass(frozen=True, slots=True)
class OneOf:
    """A rule: the first value whose condition holds. ValueError in a profile without any."""

    cases: tuple[tuple[Any, ProfileCondition], ...]

    def __call__(self, profile: Profile) -> Any:
        for value, condition in self.cases:
            if condition.holds(profile):
                return value
        raise ValueError(f"{profile.name} has none of {', '.join(str(value) for value, _ in self.cases)}")


def when(*ranges: str) -> ProfileCondition:
    """In the profiles of these ranges; ValueError for a range that is none."""
    parts = [holding_in(text) for text in ranges]
    return ProfileCondition(", ".join(ranges), lambda profile: any(holds(profile) for holds in parts))


def gate(*names: str) -> ProfileCondition:
    """With all of these feature gates on."""
    return ProfileCondition(" and ".join(names), lambda profile: all(map(profile.enabled, names)))


def switch(*conditions: str | ProfileCondition) -> Any:
    """A field that is true where one of the conditions, or ranges of profiles, holds."""
    parts = [when(one) if isinstance(one, str) else one for one in conditions]
    words = "; ".join(one.words for one in parts)
    some = ProfileCondition(words, lambda profile: any(one.holds(profile) for one in parts))
    return choice({True: some, False: ProfileCondition("otherwise", lambda profile: True)})


def choice(values: Mapping[Any, str | ProfileCondition]) -> Any:
    """A field with the first value whose condition, or range of profiles, holds."""
    cases = {value: when(one) if isinstance(one, str) else one for value, one in values.items()}
    return derived(OneOf(tuple(cases.items())))


def derived(rule: Callable[[Profile], Any]) -> Any:
    """A field that a function computes from the profile."""
    return field(metadata={RULE: rule})


def area(table: type) -> Any:
    """A field that is a table of switches of its own."""
    return derived(lambda profile: _settled(table, profile))


def settled(table: type[T], profile: Profile) -> T:
    """The values of a table of switches in a profile, computed once."""
    kind: Any = table
    found: T = _remembered(kind, profile.name, profile.release, profile.on)
    return found


@lru_cache(maxsize=512)
def _remembered(table: type[Any], name: str, release: str | None, on: frozenset[str]) -> Any:
    return _settled(table, Profile(name, release, dict.fromkeys(on, True)))


def _settled(table: type[Any], profile: Profile) -> Any:
    return table(**{one.name: one.metadata[RULE](profile) for one in fields(table)})
