"""Profiles: what "right" means. `kep` is the text of the documents, `kubernetes-X.Y` that release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from dra_conform.kube.gates import GATES, RELEASES, consistent, stages

KEP = "kep"
PROFILES: tuple[str, ...] = (KEP, *(f"kubernetes-{release}" for release in RELEASES if release != "1.32"))


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile with its complete gate map. `release` is None for `kep`, where every gate is on."""

    name: str
    release: str | None
    gates: Mapping[str, bool]

    @staticmethod
    @cache
    def named(name: str) -> Profile:
        """The profile of that name; ValueError for a name not in PROFILES."""
        if name not in PROFILES:
            raise ValueError(f"unknown profile {name!r}, expected one of {', '.join(PROFILES)}")
        if name == KEP:
            return Profile(KEP, None, MappingProxyType(dict.fromkeys(GATES, True)))
        release = name.removeprefix("kubernetes-")
        defaults = {gate: stage.on for gate, stage in stages(release).items()}
        return Profile(name, release, MappingProxyType(defaults))

    def before(self, release: str) -> bool:
        """Whether this is a release older than `release` (`1.36`); the documents are no release."""
        return self.release is not None and _minor(self.release) < _minor(release)

    def has(self, gate: str) -> bool:
        """Whether the gate exists in this profile's release."""
        return gate in self.gates

    def enabled(self, gate: str) -> bool:
        return self.gates.get(gate, False)

    def with_gates(self, overrides: Mapping[str, bool]) -> Profile:
        """The profile with some gates switched, and those off that depend on one that is off.

        Gates that the release does not have are left out.
        """
        known = {gate: on for gate, on in overrides.items() if gate in self.gates}
        if all(self.gates[gate] == on for gate, on in known.items()):
            return self
        return Profile(self.name, self.release, MappingProxyType(dict(consistent({**self.gates, **known}))))


def _minor(release: str) -> int:
    return int(release.partition(".")[2])
