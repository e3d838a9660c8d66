"""Release switches: dataclass fields whose value depends on the profile.

`switch("kep", "since 1.36")` declares a field that is true in these profiles,
`switch(gate("DRAAdminAccess"))` a field that is true with that gate on. `settled` returns the values of all
fields in one profile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, TypeVar

from dra_conform.kube.profile import Profile
from dra_conform.kube.profile_range import range_predicate

T = TypeVar("T")
RULE = "rule"
"""The key of a field's metadata that has the function from a profile to the value of the field."""


@dataclass(frozen=True, slots=True)
class ProfileCondition:
    """A condition on a profile, and its description in words."""

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
    """A function from a profile to the first value whose condition holds; raises ValueError if none holds."""

    cases: tuple[tuple[Any, ProfileCondition], ...]

    def __call__(self, profile: Profile) -> Any:
        for value, condition in self.cases:
            if condition.holds(profile):
                return value
        values = ", ".join(str(value) for value, _ in self.cases)
        raise ValueError(f"no condition of the values {values} holds in {profile.name}")


def when(*ranges: str) -> ProfileCondition:
    """Return the condition that a profile is in one of the ranges; ValueError for a malformed range."""
    predicates = [range_predicate(text) for text in ranges]
    return ProfileCondition(
        ", ".join(ranges), lambda profile: any(includes(profile) for includes in predicates)
    )


def gate(*names: str) -> ProfileCondition:
    """Return the condition that all of these feature gates are on."""
    return ProfileCondition(" and ".join(names), lambda profile: all(map(profile.enabled, names)))


def switch(*conditions: str | ProfileCondition) -> Any:
    """Declare a field that is true if one of the conditions or ranges of profiles holds."""
    alternatives = [_as_condition(condition) for condition in conditions]
    words = "; ".join(condition.words for condition in alternatives)
    some = ProfileCondition(
        words, lambda profile: any(condition.holds(profile) for condition in alternatives)
    )
    return choice({True: some, False: ProfileCondition("otherwise", lambda profile: True)})


def _as_condition(condition: str | ProfileCondition) -> ProfileCondition:
    return when(condition) if isinstance(condition, str) else condition


def choice(values: Mapping[Any, str | ProfileCondition]) -> Any:
    """Declare a field that has the first value whose condition or range of profiles holds."""
    cases = {value: _as_condition(condition) for value, condition in values.items()}
    return derived(OneOf(tuple(cases.items())))


def derived(rule: Callable[[Profile], Any]) -> Any:
    """Declare a field that a function computes from the profile."""
    return field(metadata={RULE: rule})


def area(table: type) -> Any:
    """Declare a field that is itself a dataclass of switches."""
    return derived(lambda profile: _settled(table, profile))


def settled(table: type[T], profile: Profile) -> T:
    """Return the dataclass of switches with its values in a profile; results are cached."""
    kind: Any = table
    values: T = _cached(kind, profile.name, profile.release, profile.on)
    return values


@lru_cache(maxsize=512)
def _cached(table: type[Any], name: str, release: str | None, on: frozenset[str]) -> Any:
    return _settled(table, Profile(name, release, dict.fromkeys(on, True)))


def _settled(table: type[Any], profile: Profile) -> Any:
    return table(**{field.name: field.metadata[RULE](profile) for field in fields(table)})
