"""Declarations of release switches: dataclass fields whose value depends on the profile.

`switch("kep", "since 1.36")` declares a field that is true in these profiles,
`switch(gate("DRAAdminAccess"))` a field that is true with that gate on. The docstring below the field
says
what is done when it is true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, Self, TypeVar, cast

from dra_conform.kube.profile import Profile, Retained, range_predicate


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


def _as_condition(condition: str | ProfileCondition) -> ProfileCondition:
    """Return a condition; a string is a range of profiles."""
    return when(condition) if isinstance(condition, str) else condition


T = TypeVar("T")
DECLARATION = "declaration"
"""The key of a field's metadata that has its Declaration."""


class Reader(StrEnum):
    """A component that reads switches."""

    ALLOCATOR = "allocator"
    JUDGE = "judge"
    API_SERVER = "API server"
    SCHEDULER = "scheduler"
    CONTROLLERS = "controllers"
    KUBELET = "kubelet"
    METRICS = "metrics"
    QUOTA = "quota"
    NODE_RESOURCES = "node resources"
    EXPRESSIONS = "CEL"
    PREVIEWS = "previews"
    FUZZER = "fuzzer"


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


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of a field.

    `value` computes the field from a profile. `source` has requirement ids, or issues of Kubernetes such as
    `kubernetes/kubernetes#1`, separated by `, `; it is empty if none is known. `read_by` is empty if the
    readers are those of the area.
    """

    value: Callable[[Profile], Any]
    source: str = ""
    read_by: tuple[Reader, ...] = ()


class Switches:
    """Base of the dataclasses of switches."""

    __slots__ = ()

    READ_BY: ClassVar[tuple[Reader, ...]] = ()
    """The components that read the switches of the area."""

    @classmethod
    def of(cls, profile: Profile) -> Self:
        """Return the switches with their values in a profile; equal profiles get the same object."""
        return settled(cls, profile)


def switch(*conditions: str | ProfileCondition, source: str = "", read_by: tuple[Reader, ...] = ()) -> bool:
    """Declare a field that is true if one of the conditions or ranges of profiles holds."""
    alternatives = [_as_condition(condition) for condition in conditions]
    words = "; ".join(condition.words for condition in alternatives)
    some = ProfileCondition(
        words, lambda profile: any(condition.holds(profile) for condition in alternatives)
    )
    otherwise = ProfileCondition("otherwise", lambda profile: True)
    return choice({True: some, False: otherwise}, source=source, read_by=read_by)


def choice(
    values: Mapping[T, str | ProfileCondition], *, source: str = "", read_by: tuple[Reader, ...] = ()
) -> T:
    """Declare a field that has the first value whose condition or range of profiles holds."""
    cases = {value: _as_condition(condition) for value, condition in values.items()}
    return cast("T", _field(Declaration(OneOf(tuple(cases.items())), source, read_by)))


def area(table: type[T]) -> T:
    """Declare a field that is itself a dataclass of switches."""
    return cast("T", _field(Declaration(lambda profile: settled(table, profile))))


def _field(declaration: Declaration) -> Any:
    return field(metadata={DECLARATION: declaration})


def settled(table: type[T], profile: Profile) -> T:
    """Return the dataclass of switches with its values in a profile; results are cached."""
    kind: Any = table
    values: T = _cached(kind, profile.name, profile.release, profile.on, profile.retained)
    return values


@lru_cache(maxsize=2048)
def _cached(
    table: type[Any], name: str, release: str | None, on: frozenset[str], retained: Retained | None
) -> Any:
    profile = Profile(name, release, dict.fromkeys(on, True), retained)
    values = {}
    for switch_field in fields(table):
        keeps = retained is not None and f"{table.__name__}.{switch_field.name}" in retained.switches
        decisive = retained.profile if keeps and retained is not None else profile
        values[switch_field.name] = switch_field.metadata[DECLARATION].value(decisive)
    return table(**values)
