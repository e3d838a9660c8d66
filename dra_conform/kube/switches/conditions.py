"""Conditions on profiles: ranges of releases, and feature gates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.profile_range import range_predicate


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


def when(*ranges: str) -> ProfileCondition:
    """Return the condition that a profile is in one of the ranges; ValueError for a malformed range."""
    predicates = [range_predicate(text) for text in ranges]
    return ProfileCondition(
        ", ".join(ranges), lambda profile: any(includes(profile) for includes in predicates)
    )


def gate(*names: str) -> ProfileCondition:
    """Return the condition that all of these feature gates are on."""
    return ProfileCondition(" and ".join(names), lambda profile: all(map(profile.enabled, names)))


def as_condition(condition: str | ProfileCondition) -> ProfileCondition:
    """Return a condition; a string is a range of profiles."""
    return when(condition) if isinstance(condition, str) else condition
