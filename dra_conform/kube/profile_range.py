"""Profiles named by releases in order: `kep`, `in 1.35`, `since 1.36`, `until 1.35`, `from 1.34 to 1.36`.

A range without an end holds for every later release too, those that are not known yet included.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from dra_conform.kube.profile import KEP, PROFILES

RELEASE_PROFILES = PROFILES[1:]
_RELEASE = r"1\.[0-9]+"
PATTERN = rf"{KEP}|(?:in|since|until) {_RELEASE}|from {_RELEASE} to {_RELEASE}"
"""What a range looks like, as a regular expression."""

_RANGE = re.compile(rf"(in|since|until|from) ({_RELEASE})(?: to ({_RELEASE}))?")


def profiles_in(text: str) -> frozenset[str]:
    """The profiles of one range; ValueError for a text that is none, or that names an unknown release."""
    if text == KEP:
        return frozenset({KEP})
    found = _RANGE.fullmatch(text)
    if found is None or (found[1] == "from") != (found[3] is not None):
        raise ValueError(f"is {text!r}, expected {KEP}, in 1.35, since 1.36, until 1.35 or from 1.34 to 1.36")
    first = _position(found[2])
    last = _position(found[3]) if found[3] else first
    if last < first:
        raise ValueError(f"is {text!r}, expected the earlier release first")
    match found[1]:
        case "since":
            return frozenset(RELEASE_PROFILES[first:])
        case "until":
            return frozenset(RELEASE_PROFILES[: last + 1])
        case _:
            return frozenset(RELEASE_PROFILES[first : last + 1])


def _position(release: str) -> int:
    name = f"kubernetes-{release}"
    if name not in RELEASE_PROFILES:
        known = ", ".join(one.removeprefix("kubernetes-") for one in RELEASE_PROFILES)
        raise ValueError(f"names the release {release}, expected one of {known}")
    return RELEASE_PROFILES.index(name)


def ranges_of(profiles: Collection[str]) -> Iterator[str]:
    """The ranges that name a set of profiles, `kep` first; what includes the last release is open."""
    if KEP in profiles:
        yield KEP
    positions = [index for index, name in enumerate(RELEASE_PROFILES) if name in profiles]
    starts = [index for index in positions if index - 1 not in positions]
    for start in starts:
        end = next(index for index in positions if index >= start and index + 1 not in positions)
        first, last = (RELEASE_PROFILES[one].removeprefix("kubernetes-") for one in (start, end))
        if end == len(RELEASE_PROFILES) - 1:
            yield f"since {first}"
        elif start == end:
            yield f"in {first}"
        elif start == 0:
            yield f"until {last}"
        else:
            yield f"from {first} to {last}"
