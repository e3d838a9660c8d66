"""Profiles by name and by releases in order: `kep`, `kep-future`, `in 1.35`, `since 1.36`, `until 1.35`,
`from 1.34 to 1.36`.

A range without an end holds for every later release too, those that are not known yet included.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dra_conform.kube.profile import KEP, KEP_FUTURE, PROFILES, RELEASE_PROFILES, Profile, minor_of

_RELEASE = r"1\.[0-9]+"
PATTERN = rf"{KEP}|{KEP_FUTURE}|(?:in|since|until) {_RELEASE}|from {_RELEASE} to {_RELEASE}"
"""What a range looks like, as a regular expression."""

_RANGE = re.compile(rf"(in|since|until|from) ({_RELEASE})(?: to ({_RELEASE}))?")


def profiles_in(text: str) -> frozenset[str]:
    """The profiles of one range; ValueError for a text that is none, or that names an unknown release.

    A case in `kep` says nothing of `kep-future`, in which some of the text is replaced.
    """
    if text == KEP:
        return frozenset({KEP})
    holds = holding_in(text)
    return frozenset(name for name in PROFILES if holds(Profile.named(name)))


def range_of(profile: Profile) -> str:
    """The range that has this profile alone."""
    return KEP if profile.release is None else f"in {profile.release}"


def holding_in(text: str) -> Callable[[Profile], bool]:
    """Whether a profile is in the range, as a function; ValueError as in `profiles_in`.

    What holds in `kep` holds in `kep-future`, which has more than the text.
    """
    if text == KEP:
        return lambda profile: profile.release is None
    if text == KEP_FUTURE:
        return lambda profile: profile.name == KEP_FUTURE
    found = _RANGE.fullmatch(text)
    if found is None or (found[1] == "from") != (found[3] is not None):
        ranges = "in 1.35, since 1.36, until 1.35 or from 1.34 to 1.36"
        raise ValueError(f"is {text!r}, expected {KEP}, {KEP_FUTURE}, {ranges}")
    named = _known(found[2])
    first = None if found[1] == "until" else named
    last = None if found[1] == "since" else _known(found[3]) if found[3] else named
    if last is not None and last < named:
        raise ValueError(f"is {text!r}, expected the earlier release first")

    def holds(profile: Profile) -> bool:
        if profile.release is None:
            return False
        minor = minor_of(profile.release)
        return (first is None or first <= minor) and (last is None or minor <= last)

    return holds


def _known(release: str) -> int:
    if f"kubernetes-{release}" not in RELEASE_PROFILES:
        known = ", ".join(one.removeprefix("kubernetes-") for one in RELEASE_PROFILES)
        raise ValueError(f"names the release {release}, expected one of {known}")
    return minor_of(release)
