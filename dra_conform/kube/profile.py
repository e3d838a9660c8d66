"""Profiles, which define what is correct: `kep` is the specification, `kubernetes-X.Y` a release.

`kep-future` is the specification including what it only sketches for later. A range of profiles is `kep`,
`kep-future`, `in 1.35`, `since 1.36`, `until 1.35` or `from 1.34 to 1.36`. A range without an end includes
every later release, also future releases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

from dra_conform.kube.gates import CHECKED_WITH, GATES, consistent, defaults, locked

KEP = "kep"
KEP_FUTURE = "kep-future"
RELEASE_PROFILES: tuple[str, ...] = tuple(f"kubernetes-{release}" for release in CHECKED_WITH)
PROFILES: tuple[str, ...] = (KEP, *RELEASE_PROFILES, KEP_FUTURE)


@dataclass(frozen=True, slots=True)
class Retained:
    """Release switches that keep the values they have in another profile.

    `switches` has names such as `PoolSwitches.counts_agree`. This finds the switch that causes a difference.
    """

    profile: Profile
    switches: frozenset[str]


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile with the state of all its gates. `release` is None for the specification, which has all gates
    on.

    `on` has the names of the gates that are on. `retained` is None for every released version.
    """

    name: str
    release: str | None
    gates: Mapping[str, bool] = field(hash=False)
    retained: Retained | None = None
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

    def locks(self, gate: str) -> bool:
        """Whether the gate cannot be turned off in this profile's release."""
        return self.release is not None and gate in locked(self.release)

    def why_off(self, gates: Iterable[str]) -> str:
        """Return a clause that says why gates are off: `A and B are off by default in kubernetes-1.35`.

        Gates that differ from the default of the profile are turned off by the option `--gates`.
        """
        standard = Profile.named(self.name)
        by_reason: dict[str, list[str]] = {}
        for gate in gates:
            reason = f"off by default in {self.name}" if self.has(gate) else f"not in {self.name}"
            reason = "turned off by --gates" if standard.enabled(gate) else reason
            by_reason.setdefault(reason, []).append(gate)
        return " and ".join(
            f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} {reason}"
            for reason, names in by_reason.items()
        )

    def with_gates(self, overrides: Mapping[str, bool]) -> Profile:
        """Return the profile with some gates changed; a gate without its dependency is off.

        Gates that the release does not have are ignored.
        """
        known = {gate: on for gate, on in overrides.items() if gate in self.gates}
        if all(self.gates[gate] == on for gate, on in known.items()):
            return self
        gates = MappingProxyType(dict(consistent({**self.gates, **known})))
        return replace(self, gates=gates)


_RELEASE = r"1\.[0-9]+"
PATTERN = rf"{KEP}|{KEP_FUTURE}|(?:in|since|until) {_RELEASE}|from {_RELEASE} to {_RELEASE}"
"""The syntax of a range, as a regular expression."""

_RANGE = re.compile(rf"(in|since|until|from) ({_RELEASE})(?: to ({_RELEASE}))?")


def profiles_in(text: str) -> frozenset[str]:
    """Return the names of the profiles in a range.

    Raises ValueError for a malformed range or an unknown release. `kep` does not include `kep-future`, which
    replaces parts of the specification.
    """
    if text == KEP:
        return frozenset({KEP})
    includes = range_predicate(text)
    return frozenset(name for name in PROFILES if includes(Profile.named(name)))


def range_of(profile: Profile) -> str:
    """Return the range that includes only this profile."""
    return KEP if profile.release is None else f"in {profile.release}"


def range_predicate(text: str) -> Callable[[Profile], bool]:
    """Return a function that tells whether a profile is in a range; raises ValueError like `profiles_in`.

    Unlike in `profiles_in`, `kep` includes `kep-future`: switches of the specification apply to both.
    """
    if text == KEP:
        return lambda profile: profile.release is None
    if text == KEP_FUTURE:
        return lambda profile: profile.name == KEP_FUTURE
    match = _RANGE.fullmatch(text)
    if match is None or (match[1] == "from") != (match[3] is not None):
        ranges = "in 1.35, since 1.36, until 1.35 or from 1.34 to 1.36"
        raise ValueError(f"is {text!r}, expected {KEP}, {KEP_FUTURE}, {ranges}")
    named = _known_minor(match[2])
    first = None if match[1] == "until" else named
    last = None if match[1] == "since" else _known_minor(match[3]) if match[3] else named
    if last is not None and last < named:
        raise ValueError(f"is {text!r}, expected the earlier release first")

    def includes(profile: Profile) -> bool:
        if profile.release is None:
            return False
        minor = _minor_of(profile.release)
        return (first is None or first <= minor) and (last is None or minor <= last)

    return includes


def _known_minor(release: str) -> int:
    if f"kubernetes-{release}" not in RELEASE_PROFILES:
        known = ", ".join(profile.removeprefix("kubernetes-") for profile in RELEASE_PROFILES)
        raise ValueError(f"names the release {release}, expected one of {known}")
    return _minor_of(release)


@cache
def _minor_of(release: str) -> int:
    """Return the minor version of a release: 36 for `1.36`, also for future releases."""
    return int(release.partition(".")[2])
