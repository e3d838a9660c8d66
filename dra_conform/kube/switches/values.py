"""Values of the release switches that have more than two values."""

from __future__ import annotations

from enum import StrEnum


class AllModeCapacity(StrEnum):
    """Devices that `allocationMode: All` skips if a request has capacity."""

    VALUE = "value"
    """Skip devices whose capacity value is below the requested capacity, or that lack the capacity."""
    EMPTY = "empty"
    """Skip devices that cannot satisfy the request even if unused, such as by their requestPolicy."""
    REMAINING = "remaining"
    """Skip devices that cannot satisfy the request with their remaining capacity."""


class Arithmetic(StrEnum):
    """How a request is rounded up to a step of a validRange."""

    EXACT = "exact"
    """The formula of KEP-5075 on exact quantities."""
    WHOLE = "whole"
    """Every operand is first rounded away from zero to whole units (KEP-5075/rounding/fractional-step)."""
    UNITS = "units"
    """Whole units. A quantity that does not fit into 64 bits is an error."""
    MILLI = "milli"
    """Milli-units in 64 bits if every quantity of the range fits, and whole units if not. Larger quantities
    are an error."""

    @property
    def has_errors(self) -> bool:
        """Whether a quantity that cannot be represented is an error."""
        return self in (Arithmetic.MILLI, Arithmetic.UNITS)


class CounterScope(StrEnum):
    """Devices that share a counter set (DRA/partitionable/sets-independent)."""

    POOL = "pool"
    """Devices of one pool of one driver."""
    POOL_NAME = "pool name"
    """Devices of all drivers' pools with the same name; the first pool read gives the counter values."""
    SLICE = "slice"
    """Devices of one ResourceSlice."""


class GroupSemantics(StrEnum):
    """How an allocator evaluates compatibility groups (KEP-5963)."""

    UNKNOWN = "unknown"
    """The field does not exist (KEP-5963/rollback/to-a-version-without-the-field)."""
    RECORDED = "recorded"
    """The devices of a counter set need a common group. The groups of an allocated device are those that its
    allocation result recorded."""
    EXCLUDED = "excluded"
    """The gate is off. Devices with groups are not allocated, nor are devices of counter sets for which an
    allocation result recorded groups
    (KEP-5963/feature-gate/off-skips-declaring-devices, .../off-respects-recorded-groups)."""
    LIVE = "live"
    """As RECORDED, but with the groups that the ResourceSlice has now; results record none."""
    SLICES_IGNORED = "slices ignored"
    """The gate is off. ResourceSlices with groups are ignored, which leaves their pool incomplete."""


class AdminAccessLabel(StrEnum):
    """The label of namespaces in which claims can have admin access."""

    KUBERNETES_IO = "resource.kubernetes.io/admin-access"
    K8S_IO = "resource.k8s.io/admin-access"


class ContainerStatuses(StrEnum):
    """How the resources in container statuses count after a resize
    (KEP-5517/accounting/quota-counts-spec-only)."""

    IGNORED = "ignored"
    """Only the pod spec counts."""
    BY_CONTAINER = "by container"
    """Each container and sidecar counts with the maximum of spec and status."""
    BY_POD = "by pod"
    """A pod counts with the maximum of the sums of spec and status."""
