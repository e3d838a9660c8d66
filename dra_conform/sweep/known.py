"""Known faults of releases, which explain differences in the profiles of these releases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import NANO, Quantity
from dra_conform.kube.switches.declarations import ProfileCondition, when
from dra_conform.sweep.area import SweepRow
from dra_conform.sweep.capacity_row import CapacityRow
from dra_conform.sweep.decision import RowDecision, RowOutcome
from dra_conform.sweep.policy_row import PolicyRow


@dataclass(frozen=True, slots=True)
class KnownFault:
    """A known fault of releases in some areas. `shows_in` tells whether the fault explains a difference, and
    `crashes` whether a row can make the whole request fail."""

    reason: str
    areas: frozenset[str]
    releases: ProfileCondition
    shows_in: Callable[[SweepRow, RowDecision, RowDecision], bool]
    crashes: Callable[[SweepRow], bool] = lambda _: False


def _zeros_lost(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether a quantity was written as apimachinery writes it: `1` for `1000E`."""
    if expected.nano is None or actual.nano is None or expected.nano == actual.nano:
        return False
    stored = row.capacity.written() if isinstance(row, PolicyRow) else ()
    parts = [part.nano for part in stored] or [expected.nano]
    return sum(Quantity(part).as_written_by_go().nano for part in parts) == actual.nano


def _steps_beyond_64_bits(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether a range has a step, and one of its quantities can exceed 64 bits when it is rounded up."""
    return isinstance(row, CapacityRow) and row.capacity.step is not None and row.largest() >= NANO << 62


def _step_read_as_zero(row: SweepRow) -> bool:
    """Whether a step is zero, or is beyond 64 bits."""
    step = row.capacity.step if isinstance(row, CapacityRow | PolicyRow) else None
    return step is not None and (step.nano == 0 or step.nano >= NANO << 63)


def _allocator_panics(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether the allocator panics at a step that is zero or read as zero."""
    return actual.outcome is RowOutcome.FAULT and _step_read_as_zero(row)


def _api_server_panics(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether the API server panics at a step that is zero or read as zero."""
    return "panics" in actual.detail and _step_read_as_zero(row)


def _default_beyond_milli_units(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether a default with a step was rejected that 64 bits cannot hold in milli-units.

    Releases accept a default without a check if copies of it are equal in Go. Those of a quantity with a
    binary suffix are not, because apimachinery keeps it behind a pointer.
    """
    if not isinstance(row, CapacityRow) or row.requested is not None or row.capacity.step is None:
        return False
    default = row.capacity.default
    beyond = default is not None and default.nano // 10**6 >= 2**63 and default.text.endswith("i")
    return beyond and (expected.outcome, actual.outcome) == (RowOutcome.ACCEPTED, RowOutcome.REJECTED)


def _policy_beyond_64_bits(row: SweepRow, expected: RowDecision, actual: RowDecision) -> bool:
    """Whether a policy has a quantity beyond 64 bits."""
    return isinstance(row, PolicyRow) and any(part.nano >= NANO << 62 for part in row.capacity.written())


_CAPACITY = frozenset({"rounding", "defaults", "remaining", "notation"})

KNOWN: tuple[KnownFault, ...] = (
    KnownFault(
        "a quantity of 1000E or more is written without its zeros, 1000E as 1",
        _CAPACITY | {"policy", "footprint"},
        when("since 1.33"),
        _zeros_lost,
    ),
    KnownFault(
        "the allocator panics at a step beyond 64 bits, which is read as zero, and at a step of zero",
        _CAPACITY,
        when("since 1.33"),
        _allocator_panics,
        _step_read_as_zero,
    ),
    KnownFault(
        "quantities are rounded to steps in 64 bits and wrap around",
        _CAPACITY,
        when("until 1.36"),
        _steps_beyond_64_bits,
    ),
    KnownFault(
        "a default on a step is rejected if it exceeds 64 bits in milli-units and has a binary suffix",
        _CAPACITY,
        when("since 1.37"),
        _default_beyond_milli_units,
    ),
    KnownFault(
        "the API server panics at a step of zero, and at a step beyond 64 bits, which is read as zero",
        frozenset({"policy"}),
        when("until 1.36"),
        _api_server_panics,
        _step_read_as_zero,
    ),
    KnownFault(
        "quantities of request policies are compared in 64 bits",
        frozenset({"policy"}),
        when("until 1.36"),
        _policy_beyond_64_bits,
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


def crashes_in(area: str, profile: Profile) -> Callable[[SweepRow], bool]:
    """Return the function that tells whether a row can make the whole request fail in this profile.

    Such rows have requests of their own, so that other rows need not be sent again.
    """
    found = [known.crashes for known in KNOWN if area in known.areas and known.releases.holds(profile)]
    return lambda row: any(crashes(row) for crashes in found)
