"""The values of switches on which releases differ in more than two ways."""

from __future__ import annotations

from enum import StrEnum


class AllCapacity(StrEnum):
    """Which devices allocation mode All leaves out, for a capacity request, instead of failing on them.

    KEP-5075/allocation/all-mode-skips-too-small-devices, .../all-mode-fails-on-unavailable-device,
    .../all-mode-policy-violation.
    """

    VALUE = "value"
    """Those whose capacity value is below the requested amount, or that lack the capacity."""
    EMPTY = "empty"
    """Those that could not serve the request even if unused, for instance because a policy refuses it."""
    REMAINING = "remaining"
    """Those that cannot serve it now."""


class CounterScope(StrEnum):
    """Which devices draw on the same counters (DRA/partitionable/sets-independent)."""

    POOL = "pool"
    POOL_NAME = "pool name"
    """Those of all drivers with pools of one name; the first one looked at gives the amounts."""
    SLICE = "slice"
    """Those of one slice."""


class GroupReading(StrEnum):
    """What compatibility groups mean (KEP-5963)."""

    UNKNOWN = "unknown"
    """The field does not exist (KEP-5963/rollback/to-a-version-without-the-field)."""
    RECORDED = "recorded"
    """Devices on a counter set need a common group; a device in use counts with the groups that the
    allocation result of its claim recorded."""
    REFUSED = "refused"
    """The gate is off: devices with groups, and sets on which results recorded some, are left alone
    (KEP-5963/feature-gate/off-skips-declaring-devices, .../off-respects-recorded-groups)."""
    LIVE = "live"
    """As recorded, but a device in use counts with the groups its slice has now; results record none."""
    SLICES_IGNORED = "slices ignored"
    """The gate is off: a slice with groups does not exist, which leaves its pool incomplete."""
