"""Profiles, which define what is correct: `kep` is the specification, `kubernetes-X.Y` a release.

`kep-future` is the specification including what it only sketches for later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from dra_conform.kube.gates import CHECKED_WITH, GATES, consistent, defaults

KEP = "kep"
KEP_FUTURE = "kep-future"
RELEASE_PROFILES: tuple[str, ...] = tuple(f"kubernetes-{release}" for release in CHECKED_WITH)
PROFILES: tuple[str, ...] = (KEP, *RELEASE_PROFILES, KEP_FUTURE)


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile with the state of all its gates. `release` is None for the specification, which has all gates
    on.

    `on` has the names of the gates that are on.
    """

    name: str
    release: str | None
    gates: Mapping[str, bool] = field(hash=False)
    on: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "on", frozenset(gate for gate, on in self.gates.items() if on))

    @staticmethod
    @cache
    def named(name: str) -> Profile:
        """Return the profile with a name; raises ValueError for a name that is not in PROFILES."""
        if name not in PROFILES:
            raise ValueError(f"unknown profile {name!r}, expected one of {', '.join(PROFILES)}")
        if name in (KEP, KEP_FUTURE):
            return Profile(name, None, MappingProxyType(dict.fromkeys(GATES, True)))
        release = name.removeprefix("kubernetes-")
        return Profile(name, release, defaults(release))

    @property
    def title(self) -> str:
        """The name, for a release with the version of Kubernetes that it was checked with."""
        if self.release is None:
            return self.name
        return f"{self.name} (checked with {CHECKED_WITH.get(self.release) or 'its source'})"

    def has(self, gate: str) -> bool:
        """Whether the gate exists in this profile's release."""
        return gate in self.gates

    def enabled(self, gate: str) -> bool:
        """Whether the gate is on."""
        return gate in self.on

    def with_gates(self, overrides: Mapping[str, bool]) -> Profile:
        """Return the profile with some gates changed; a gate without its dependency is off.

        Gates that the release does not have are ignored.
        """
        known = {gate: on for gate, on in overrides.items() if gate in self.gates}
        if all(self.gates[gate] == on for gate, on in known.items()):
            return self
        return Profile(self.name, self.release, MappingProxyType(dict(consistent({**self.gates, **known}))))
