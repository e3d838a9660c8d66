"""Known differences: faults of a release that the built-in does not follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.fuzz.comparison.difference import Difference, DifferenceKind
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import NANO, Quantity, QuantityError

Json = Any


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A reason, the release in which it is mended, the scenarios that can show it, and as which kinds.

    `breaks` has the invariants that it may break besides those about capacity.
    """

    why: str
    mended: str
    shows_in: Callable[[Scenario], bool]
    kinds: frozenset[DifferenceKind] = frozenset({DifferenceKind.OUTCOME, DifferenceKind.INVALID})
    breaks: frozenset[str] = frozenset()


def _asks_beyond_64_bits(scenario: Scenario) -> bool:
    """Whether an amount that is asked for may leave 64 bits when it is rounded up."""
    return any(abs(amount) >= NANO << 62 for amount in _amounts(scenario))


def _asks_with_many_digits(scenario: Scenario) -> bool:
    """Whether an amount that is asked for has more digits than 64 bits hold, with its fraction."""
    return any(len(str(abs(amount)).rstrip("0")) > 18 for amount in _amounts(scenario))


def _asks_for_less_than_nothing(scenario: Scenario) -> bool:
    return any(amount < 0 for amount in _amounts(scenario))


def _amounts(scenario: Scenario) -> Iterator[int]:
    """The amounts of the claims that are asked for, in nano."""
    for claim in scenario.objects.get("resourceClaims", ()):
        if f"{claim['metadata']['namespace']}/{claim['metadata']['name']}" in scenario.claims:
            yield from _requested(claim["spec"])


def _requested(part: Json) -> Iterator[int]:
    if isinstance(part, Mapping):
        for text in ((part.get("capacity") or {}).get("requests") or {}).values():
            try:
                yield Quantity.parse(text).nano
            except QuantityError:
                continue
        for inner in part.values():
            yield from _requested(inner)
    elif isinstance(part, (list, tuple)):
        for inner in part:
            yield from _requested(inner)


KNOWN: tuple[KnownDifference, ...] = (
    KnownDifference(
        "amounts are rounded in 64 bits and wrap around, so that a request beyond them gets a share of less",
        "1.37",
        _asks_beyond_64_bits,
    ),
    KnownDifference(
        "a request with more digits than 64 bits hold grows each time that it is compared",
        "1.37",
        _asks_with_many_digits,
    ),
    KnownDifference(
        "a claim for less than nothing makes room for another one of more than the device has",
        "1.37",
        _asks_for_less_than_nothing,
        breaks=frozenset({"all-devices-taken"}),
    ),
    KnownDifference(
        "where an amount has wrapped around, the allocator goes on with the next request and panics",
        "1.35",
        _asks_beyond_64_bits,
        frozenset({DifferenceKind.FAULT}),
    ),
)


def why_allocations_differ(scenario: Scenario, profile: Profile, difference: Difference) -> str:
    """Why two implementations differ so in this profile, empty if it is not known.

    An invariant that a known difference does not break has another cause, whatever is asked for.
    """
    broken = difference.sides[0].rules | difference.sides[1].rules
    others = {rule for rule in broken if "capacity" not in rule}
    found = (
        one.why
        for one in KNOWN
        if difference.kind in one.kinds
        and others <= one.breaks
        and profile.before(one.mended)
        and one.shows_in(scenario)
    )
    return next(found, "")
