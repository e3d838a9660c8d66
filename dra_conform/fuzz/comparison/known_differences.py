"""Known differences: faults of releases that the built-in does not reproduce."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dra_conform.fuzz.comparison.difference import Difference, DifferenceKind
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import NANO, Quantity, QuantityError
from dra_conform.kube.switches.declarations import ProfileCondition, when


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A known fault of releases.

    `releases` are those that have it, `shows_in` tells whether a scenario can show it, and `kinds` are
    the kinds of differences that it makes. `breaks` has invariants, besides those of capacity, that it
    violates.
    """

    reason: str
    releases: ProfileCondition
    shows_in: Callable[[Scenario], bool]
    kinds: frozenset[DifferenceKind] = frozenset({DifferenceKind.OUTCOME, DifferenceKind.INVALID})
    breaks: frozenset[str] = frozenset()


def _requests_beyond_64_bits(scenario: Scenario) -> bool:
    """Whether a requested quantity can exceed 64 bits when it is rounded up."""
    return any(abs(amount) >= NANO << 62 for amount in _amounts(scenario))


def _requests_many_digits(scenario: Scenario) -> bool:
    """Whether a requested quantity, with its fraction, has more digits than fit into 64 bits."""
    return any(len(str(abs(amount)).rstrip("0")) > 18 for amount in _amounts(scenario))


def _requests_negative(scenario: Scenario) -> bool:
    return any(amount < 0 for amount in _amounts(scenario))


def _amounts(scenario: Scenario) -> Iterator[int]:
    """Yield the requested quantities of the claims to allocate, in nano-units."""
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
        "quantities are rounded in 64 bits and wrap around, so that a larger request consumes too little",
        when("until 1.36"),
        _requests_beyond_64_bits,
    ),
    KnownDifference(
        "a request with more digits than fit into 64 bits grows with each comparison",
        when("until 1.36"),
        _requests_many_digits,
    ),
    KnownDifference(
        "a claim with a negative request lets another claim consume more than the capacity of the device",
        when("until 1.36"),
        _requests_negative,
        breaks=frozenset({"all-devices-allocated"}),
    ),
    KnownDifference(
        "after a quantity wraps around, the allocator continues with the next request and panics",
        when("until 1.34"),
        _requests_beyond_64_bits,
        frozenset({DifferenceKind.FAULT}),
    ),
)


def why_allocations_differ(scenario: Scenario, profile: Profile, difference: Difference) -> str:
    """Return why two implementations differ in this profile, empty if the reason is not known.

    A known fault is the reason only if no invariants are violated except those that the fault can violate.
    """
    broken = difference.sides[0].rules | difference.sides[1].rules
    others = {rule for rule in broken if "capacity" not in rule}
    reasons = (
        known.reason
        for known in KNOWN
        if difference.kind in known.kinds
        and others <= known.breaks
        and known.releases.holds(profile)
        and known.shows_in(scenario)
    )
    return next(reasons, "")
