"""Switches of allocation, for the built-in allocator and for the judge.

The judge reads the switches that decide which allocations are valid. The others decide between valid
allocations, or about errors and the order of the search.
"""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, area, choice, gate, switch, when
from dra_conform.kube.switches.expressions import ExpressionSwitches
from dra_conform.kube.switches.features import BINDING, STABLE_ALLOCATOR, FeatureSwitches
from dra_conform.kube.switches.values import AllModeCapacity, Arithmetic, CounterScope, GroupSemantics

ALLOCATOR = (Reader.ALLOCATOR,)
JUDGE = (Reader.JUDGE,)
BOTH = (Reader.ALLOCATOR, Reader.JUDGE)
PREVIEWED = (*BOTH, Reader.PREVIEWS)


@dataclass(frozen=True, slots=True)
class CapacitySwitches(Switches):
    """Capacity requests and shared allocations."""

    READ_BY = BOTH

    arithmetic: Arithmetic = choice(
        {
            Arithmetic.EXACT: "kep",
            Arithmetic.WHOLE: "until 1.36",
            Arithmetic.MILLI: when("since 1.37") & gate("DRAFractionalCapacityRange"),
            Arithmetic.UNITS: "since 1.37",
        },
        source="KEP-5075/rounding/fractional-step",
    )
    """How a validRange with a step rounds a request."""
    off_is_error: bool = switch(
        ~STABLE_ALLOCATOR, source="KEP-5075/feature-gate/off-capacity-request-error", read_by=ALLOCATOR
    )
    """With DRAConsumableCapacity off, a capacity request is an error. If off, it is ignored."""
    bare_names_in_driver_domain: bool = switch("kep", "since 1.38", source="KEP-5075/filter/name-resolution")
    """The capacity names `x` and `DRIVER/x` of a device are the same name."""
    negative_is_error: bool = switch("since 1.38", read_by=ALLOCATOR)
    """A negative capacity request is always an error. If off, it is none if it is rounded up."""
    zeros_lost: bool = switch("from 1.33 to 1.37", source="KEP-5075/status/consumed-capacity-recorded")
    """A consumed quantity that ends in 21 zeros is recorded without the zeros: `1000E` as `1`."""
    negative_shares_add_capacity: bool = switch(
        "since 1.33", source="KEP-5075/capacity-accounting/sum-within-value"
    )
    """A negative quantity in an earlier shared allocation adds capacity. If off, it counts as zero."""
    policy_on_exclusive: bool = switch("since 1.33", source="KEP-5075/filter/dedicated-policy-not-rounded")
    """A requestPolicy also applies to exclusive devices, and earlier shared allocations consume their
    capacity. If off, a capacity request is only compared with the value of the capacity."""
    shares_block_exclusive: bool = switch("kep", "since 1.38")
    """A device that became exclusive while it has shared allocations is in use."""
    one_share_a_request: bool = switch(
        "kep", "since 1.36", source="KEP-5075/allocation/count-needs-different-devices"
    )
    """A request is allocated each device at most once, in total order. If off, it can get several shared
    allocations of one device."""
    checks_another_device: bool = switch(
        when("until 1.34") & gate("DRAConsumableCapacity"), read_by=(*BOTH, Reader.FUZZER)
    )
    """For the n-th device of a request, the n-th device of the same ResourceSlice must have the capacity
    too. The allocator crashes if the ResourceSlice has fewer devices."""


@dataclass(frozen=True, slots=True)
class SelectorSwitches(Switches):
    """The CEL environment of selectors, and the device fields that they see."""

    READ_BY = BOTH

    expressions: ExpressionSwitches = area(ExpressionSwitches)
    """The variables and functions that selectors may use."""
    see_sharing: bool = switch(gate("DRAConsumableCapacity"), when("since 1.33") & ~STABLE_ALLOCATOR)
    """Selectors see allowMultipleAllocations as published. If off, they see false."""
    lists_are_errors: bool = switch(when("until 1.36") & ~gate("DRAListTypeAttributes"), read_by=ALLOCATOR)
    """On a device with a list attribute, every selector is an error."""


@dataclass(frozen=True, slots=True)
class ConstraintSwitches(Switches):
    """matchAttribute and distinctAttribute."""

    READ_BY = BOTH

    distinct_known: bool = switch(~STABLE_ALLOCATOR, read_by=ALLOCATOR)
    """distinctAttribute is a known field. If off, the constraint is empty."""
    distinct_by_request: bool = switch("until 1.36", source="KEP-5075/constraint/distinct-count")
    """distinctAttribute remembers only the latest value of each request."""
    distinct_compares_devices: bool = switch("until 1.34")
    """distinctAttribute compares devices: only two shared allocations of one device violate it."""
    builds_differ: bool = switch("kep", "until 1.37")
    """Versions that differ only in build metadata are different values."""
    lists_are_errors: bool = switch(when("since 1.38") & ~gate("DRAListTypeAttributes"), read_by=ALLOCATOR)
    """A list attribute of a constraint is an error."""
    list_intersection_stays: bool = switch("until 1.36", read_by=ALLOCATOR)
    """The intersection of list values under matchAttribute is not restored when the search backtracks."""


@dataclass(frozen=True, slots=True)
class AllModeSwitches(Switches):
    """allocationMode All."""

    READ_BY = BOTH

    capacity: AllModeCapacity = choice(
        {
            AllModeCapacity.VALUE: "kep",
            AllModeCapacity.REMAINING: "until 1.36",
            AllModeCapacity.EMPTY: "since 1.37",
        },
        source="KEP-5075/allocation/all-mode-skips-too-small-devices, "
        "KEP-5075/allocation/all-mode-fails-on-unavailable-device, "
        "KEP-5075/allocation/all-mode-policy-violation",
    )
    """Devices that allocationMode All skips if a request has capacity. Other devices that do not fit fail the
    request."""
    constraint_is_error: bool = switch(
        "since 1.33", source="KEP-5075/constraint/distinct-all-mode", read_by=ALLOCATOR
    )
    """A violated constraint under allocationMode All is an error. If off, the claim is unallocated."""
    confuses_subrequests: bool = switch("until 1.35")
    """In a prioritized list, a subrequest with allocationMode All uses the selectors of the first subrequest.
    After one device, the search continues with the first subrequest."""
    needs_valid_pools: bool = switch("since 1.33", read_by=JUDGE)
    """allocationMode All fails while a pool of the node is invalid."""


@dataclass(frozen=True, slots=True)
class PoolSwitches(Switches):
    """Pools, and the order of their ResourceSlices."""

    READ_BY = BOTH

    whole_pool_counts: bool = switch("kep")
    """Generation, completeness and duplicate device names of a pool are determined from all of its
    ResourceSlices. If off, they are determined from the slices that the node can access, if their number is
    resourceSliceCount."""
    counts_agree: bool = switch("kep", source="API/slice/one-count")
    """A pool is invalid if its slices differ in resourceSliceCount. If off, the first slice counts."""
    from_node_only: bool = switch("until 1.34", read_by=ALLOCATOR)
    """Slices that the node cannot access are never considered."""
    incomplete_usable: bool = switch(
        "until 1.34", source="DRA/pool/incomplete-exact-count", read_by=PREVIEWED
    )
    """Devices of an incomplete pool can be allocated with ExactCount."""
    invalid_is_error: bool = switch("until 1.34", read_by=ALLOCATOR)
    """A request with ExactCount ends with an error when the search reaches an invalid pool."""
    node_slices_first: bool = switch(when("kep", "since 1.36") & ~STABLE_ALLOCATOR, read_by=ALLOCATOR)
    """Slices with the node's nodeName come before all others."""
    slices_in_input_order: bool = switch("until 1.35", STABLE_ALLOCATOR, read_by=ALLOCATOR)
    """Slices of a pool are searched in the order of the input. If off, they are searched in the order of
    their names."""
    binding_slices_last: bool = switch(when("until 1.35") & ~STABLE_ALLOCATOR, read_by=ALLOCATOR)
    """Slices that have a device with bindingConditions come after all others."""
    in_any_order: bool = switch("until 1.35", STABLE_ALLOCATOR, read_by=(Reader.FUZZER,))
    """Pools are searched in random order. The order also affects the outcome: the search ends at the first
    error, and in these releases backtracking does not restore all state."""


@dataclass(frozen=True, slots=True)
class CounterSwitches(Switches):
    """Shared counters of partitionable devices."""

    READ_BY = BOTH

    scope: CounterScope = choice(
        {
            CounterScope.SLICE: "until 1.34",
            CounterScope.POOL_NAME: "in 1.35",
            CounterScope.POOL: when("kep", "since 1.36"),
        },
        source="DRA/partitionable/sets-independent",
    )
    """Devices that share a counter set."""
    slices_everywhere: bool = switch("from 1.35 to 1.36", when("since 1.37") & STABLE_ALLOCATOR)
    """Every node can access a ResourceSlice that has sharedCounters."""
    slices_have_devices: bool = switch(
        "kep", "until 1.34", source="DRA/partitionable/example-8gi-6gi", read_by=(*BOTH, Reader.FUZZER)
    )
    """A ResourceSlice may have both sharedCounters and devices. If off, its devices are ignored, and with
    DRAPartitionableDevices off the whole slice is ignored."""
    validated: bool = switch("kep", "since 1.35")
    """A pool is invalid if it has a duplicate counter set or refers to an unknown counter set or counter."""
    short_blocks_all: bool = switch("since 1.33", source="DRA/partitionable/each-counter-and-set-checked")
    """An overcommitted counter blocks all devices that consume any counter of the same scope. If off, it
    blocks only the devices that consume this counter."""
    shares_draw: bool = switch("kep", "since 1.36")
    """Shared allocations of claims consume counters, as exclusively allocated devices do."""
    each_share_draws: bool = switch("until 1.34", read_by=ALLOCATOR)
    """Each shared allocation of a device consumes its counters again. If off, only the first one does."""
    consumed_capacity_marks_sharing: bool = switch("until 1.36", read_by=ALLOCATOR)
    """A new shared allocation of a device consumes its counters again if the earlier ones have no
    consumedCapacity."""


@dataclass(frozen=True, slots=True)
class TaintSwitches(Switches):
    """Taints, tolerations and DeviceTaintRules."""

    READ_BY = BOTH

    any_effect_blocks: bool = switch("until 1.34", read_by=ALLOCATOR)
    """Taints of every effect prevent allocation, even the effect None."""
    empty_toleration_tolerates_all: bool = switch("kep", source="DRA/toleration/empty-matches-everything")
    """A toleration without key and value tolerates every taint, not only taints without a value."""
    tolerations_recorded: bool = switch(
        "kep", "since 1.35", source="DRA/eviction/tolerating-pods-stay", read_by=PREVIEWED
    )
    """An allocation result records the tolerations of its request."""
    rules_need_selector: bool = switch(
        "kep", "since 1.37", source="DRA/taint-rule/no-selector-matches-nothing"
    )
    """A DeviceTaintRule without a device selector taints nothing. If off, it taints every device."""
    rules_select_by_class: bool = switch(
        "kep", "until 1.34", source="DRA/taint-rule/select-by-class", read_by=(*BOTH, Reader.FUZZER)
    )
    """A DeviceTaintRule can also select by DeviceClass and CEL."""
    rules_see_sharing: bool = switch("kep")
    """The CEL selectors of a DeviceTaintRule see allowMultipleAllocations."""


@dataclass(frozen=True, slots=True)
class ResultSwitches(Switches):
    """Node selector and configuration of an allocation."""

    READ_BY = BOTH

    binds_to_node: bool = switch(when("kep") & BINDING, when("since 1.33") & ~STABLE_ALLOCATOR)
    """A device with bindsToNode restricts the allocation to the node."""
    config_repeats: bool = switch("until 1.36", read_by=ALLOCATOR)
    """A configuration entry of the claim is recorded for each matching request. If off, only once."""
    config_clears_requests: bool = switch("since 1.37", read_by=ALLOCATOR)
    """A configuration that applies to all requests is recorded without request names."""
    limited: bool = switch("since 1.33", source="DRA/allocation-mode/exact-count", read_by=JUDGE)
    """A ResourceClaim is allocated at most 32 devices."""


_GROUPS = gate("DRADeviceCompatibilityGroups")


@dataclass(frozen=True, slots=True)
class AllocationSwitches(Switches):
    """Switches of allocation that belong to no other area."""

    READ_BY = BOTH

    features: FeatureSwitches = area(FeatureSwitches)
    capacity: CapacitySwitches = area(CapacitySwitches)
    selectors: SelectorSwitches = area(SelectorSwitches)
    constraints: ConstraintSwitches = area(ConstraintSwitches)
    all_mode: AllModeSwitches = area(AllModeSwitches)
    pools: PoolSwitches = area(PoolSwitches)
    counters: CounterSwitches = area(CounterSwitches)
    taints: TaintSwitches = area(TaintSwitches)
    results: ResultSwitches = area(ResultSwitches)
    groups: GroupSemantics = choice(
        {
            GroupSemantics.RECORDED: when("kep") & _GROUPS,
            GroupSemantics.EXCLUDED: "kep",
            GroupSemantics.UNKNOWN: "until 1.36",
            GroupSemantics.LIVE: when("since 1.37") & _GROUPS,
            GroupSemantics.SLICES_IGNORED: "since 1.37",
        },
        source="KEP-5963/feature-gate/off-skips-declaring-devices, "
        "KEP-5963/feature-gate/off-respects-recorded-groups, "
        "KEP-5963/rollback/to-a-version-without-the-field",
    )
    """How an allocator evaluates compatibility groups."""
    admin_consumes_nothing: bool = switch("kep", "in 1.33", source="DRA/admin-access/does-not-consume")
    """adminAccess consumes no counter, capacity or compatibility group, and the device stays available. If
    off, it blocks the device for the rest of the call."""
    admin_access_once_per_claim: bool = switch(
        "since 1.34", source="DRA/admin-access/reaches-devices-in-use", read_by=JUDGE
    )
    """A ResourceClaim is allocated an exclusive device once, also with adminAccess. The DRA page only says
    that adminAccess reaches devices in use."""
    failed_attempts_leak: bool = switch("until 1.35", read_by=ALLOCATOR)
    """A device rejected for a taint, a constraint or its capacity still consumes counters and constraint
    state, and so does a backtracked shared allocation. A backtracked shared allocation without
    consumedCapacity still marks its device as shared."""
    derived_attributes_known: bool = switch("kep", "since 1.37", read_by=ALLOCATOR)
    """derivedAttributes is a known field whose alpha feature is disabled: a request with this field is an
    error. None of the KEPs in scope describes the field."""
    node_operations_known: bool = switch(
        "kep",
        when("since 1.37") & gate("DRAListTypeAttributes"),
        when("since 1.37") & _GROUPS,
        read_by=ALLOCATOR,
    )
    """skipNodeOperations is a known field whose feature is disabled: devices of a ResourceSlice with this
    field are not allocated."""
    policies_needed: bool = switch(
        "kep-future", source="KEP-5517/policy-precedence/missing-policy-is-an-error", read_by=ALLOCATOR
    )
    """A device that maps to node allocatable resources needs an accounting policy, of its own or of its
    DeviceClass."""
