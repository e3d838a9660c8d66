"""Known faults of releases, which are the reason of differences in their profiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import NANO, Quantity
from dra_conform.kube.switches.declarations import ProfileCondition, when
from dra_conform.sweep.area import SweepRow
from dra_conform.sweep.capacity_row import CapacityRow
from dra_conform.sweep.decision import RowDecision, RowOutcome


@dataclass(frozen=True, slots=True)
class KnownFault:
    """A known fault of releases in some areas; `shows_in` tells whether a difference can be the fault."""

    reason: str
    areas: frozenset[str]
    releases: ProfileCondition
    shows_in: Callable[[SweepRow, RowDecision, RowDecision], bool]


def _zeros_lost(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether a quantity was written as apimachinery writes it: `1` for `1000E`."""
    if expected.nano is None or actual.nano is None:
        return False
    return Quantity(expected.nano).as_written_by_go().nano == actual.nano != expected.nano


def _steps_beyond_64_bits(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether a range has a step, and one of its quantities can exceed 64 bits when it is rounded up."""
    return isinstance(row, CapacityRow) and row.capacity.step is not None and row.largest() >= NANO << 62


def _panics_at_step(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether the allocator panics, and the step is beyond 64 bits."""
    return (
        isinstance(row, CapacityRow)
        and actual.outcome is RowOutcome.FAULT
        and row.capacity.step is not None
        and row.capacity.step.nano >= NANO << 63
    )


_CAPACITY = frozenset({"rounding", "defaults", "remaining", "notation"})

KNOWN: tuple[KnownFault, ...] = (
    KnownFault(
        "a quantity of 1000E or more is written without its zeros, 1000E as 1",
        _CAPACITY,
        when("since 1.33"),
        _zeros_lost,
    ),
    KnownFault(
        "a step beyond 64 bits is read as zero, and the allocator panics",
        _CAPACITY,
        when("since 1.33"),
        _panics_at_step,
    ),
    KnownFault(
        "quantities are rounded to steps in 64 bits and wrap around",
        _CAPACITY,
        when("until 1.36"),
        _steps_beyond_64_bits,
    ),
)


def why_rows_differ(
    area: str, profile: Profile, row: SweepRow, expected: RowDecision, actual: RowDecision
) -> str:
    """Return the reason of a difference in this profile, empty if it is not known."""
    reasons = (
        known.reason
        for known in KNOWN
        if area in known.areas and known.releases.holds(profile) and known.shows_in(row, expected, actual)
    )
    return next(reasons, "")
