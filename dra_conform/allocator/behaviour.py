"""Switches of the allocator: one for each point where releases differ from each other or from the KEPs.

Each switch says in which profiles it is on; docs/switches.md shows the values by release. A switch that
the judge needs too has the same name in `conformance.allocate.rules`.
"""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.capacity import Arithmetic
from dra_conform.cel import Environment
from dra_conform.kube.enabled_features import BINDING, STABLE_VARIANT, EnabledFeatures
from dra_conform.kube.profile import Profile
from dra_conform.kube.switch_values import AllModeCapacity, CounterScope, GroupSemantics
from dra_conform.kube.switches import area, choice, derived, gate, settled, switch, when


@dataclass(frozen=True, slots=True)
class CapacityBehaviour:
    """Capacity requests and shared allocations."""

    arithmetic: Arithmetic = derived(Arithmetic.of)
    """How a validRange with a step rounds a request (KEP-5075/rounding/fractional-step)."""
    off_is_error: bool = switch(~STABLE_VARIANT)
    """With DRAConsumableCapacity off, a capacity request is an error; otherwise it is ignored
    (KEP-5075/feature-gate/off-capacity-request-error)."""
    bare_names_in_driver_domain: bool = switch("kep")
    """Capacity `x` of a device and `driver/x` are the same name (KEP-5075/filter/name-resolution)."""
    zeros_lost: bool = switch("since 1.33")
    """A consumed quantity that ends in 21 zeros is recorded without them: `1000E` as `1`
    (KEP-5075/status/consumed-capacity-recorded)."""
    negative_shares_add_capacity: bool = switch("since 1.33")
    """A negative quantity in an earlier shared allocation adds capacity; otherwise it counts as zero
    (KEP-5075/capacity-accounting/sum-within-value)."""
    policy_on_exclusive: bool = switch("since 1.33")
    """A requestPolicy also applies to exclusive devices, and earlier shares consume their capacity;
    otherwise a capacity request is only compared with the capacity's value
    (KEP-5075/filter/dedicated-policy-not-rounded)."""
    shares_block_exclusive: bool = switch("kep")
    """A device that became exclusive while it has shares is in use."""
    one_share_a_request: bool = switch("kep", "since 1.36")
    """A request takes each device at most once, in total order; otherwise it may take several shares of one
    device (KEP-5075/allocation/count-needs-different-devices)."""
    checks_another_device: bool = switch(when("until 1.34") & gate("DRAConsumableCapacity"))
    """For the n-th device of a request, the n-th device of the same ResourceSlice must have the capacity
    too. The allocator crashes if the ResourceSlice has fewer devices."""


@dataclass(frozen=True, slots=True)
class SelectorBehaviour:
    """The CEL environment of selectors, and the device fields that they see."""

    environment: Environment = derived(Environment.of)
    """The variables and functions that selectors may use."""
    see_sharing: bool = switch(gate("DRAConsumableCapacity"), when("since 1.33") & ~STABLE_VARIANT)
    """Selectors see allowMultipleAllocations as published; otherwise they see false."""
    lists_are_errors: bool = switch(when("until 1.36") & ~gate("DRAListTypeAttributes"))
    """On a device with a list attribute, every selector is an error."""


@dataclass(frozen=True, slots=True)
class ConstraintBehaviour:
    """matchAttribute and distinctAttribute."""

    distinct_known: bool = switch(~STABLE_VARIANT)
    """distinctAttribute is a known field; otherwise the constraint is empty."""
    distinct_by_request: bool = switch("until 1.36")
    """distinctAttribute remembers only the latest value of each request
    (KEP-5075/constraint/distinct-count)."""
    distinct_compares_devices: bool = switch("until 1.34")
    """distinctAttribute compares devices, not values: only two shares of one device violate it."""
    list_intersection_stays: bool = switch("until 1.36")
    """The intersection of list values under matchAttribute is not restored when the search backtracks."""


@dataclass(frozen=True, slots=True)
class AllModeBehaviour:
    """allocationMode All."""

    capacity: AllModeCapacity = choice(
        {
            AllModeCapacity.VALUE: "kep",
            AllModeCapacity.REMAINING: "until 1.36",
            AllModeCapacity.EMPTY: "since 1.37",
        }
    )
    constraint_is_error: bool = switch("since 1.33")
    """A violated constraint under allocationMode All is an error; otherwise the claim stays unallocated
    (KEP-5075/constraint/distinct-all-mode)."""
    confuses_subrequests: bool = switch("until 1.35")
    """In a prioritized list, a subrequest with allocationMode All uses the selectors of the first subrequest.
    After one device, the search continues with the first subrequest."""


@dataclass(frozen=True, slots=True)
class PoolBehaviour:
    """Pools, and the order of their ResourceSlices."""

    seen_whole: bool = switch("kep")
    """All ResourceSlices of a pool decide about its generation, its completeness and duplicate device names;
    otherwise only the slices that the node can access, if their number is resourceSliceCount."""
    counts_agree: bool = switch("kep")
    """A pool is invalid if its slices have different values of resourceSliceCount; otherwise the value of the
    first slice counts (API/slice/one-count)."""
    from_node_only: bool = switch("until 1.34")
    """Slices that the node cannot access are never considered."""
    incomplete_usable: bool = switch("until 1.34")
    """Devices of an incomplete pool can be allocated with ExactCount (DRA/pool/incomplete-exact-count)."""
    invalid_fail: bool = switch("until 1.34")
    """A request with ExactCount ends with an error when the search reaches an invalid pool."""
    node_slices_first: bool = switch(when("kep", "since 1.36") & ~STABLE_VARIANT)
    """Slices with the node's nodeName come before all others."""
    slices_in_input_order: bool = switch("until 1.35", STABLE_VARIANT)
    """Slices of a pool are searched in the order of the input; otherwise in the order of their names."""
    binding_slices_last: bool = switch(when("until 1.35") & ~STABLE_VARIANT)
    """Slices that have a device with bindingConditions come after all others."""


@dataclass(frozen=True, slots=True)
class CounterBehaviour:
    """Shared counters of partitionable devices."""

    scope: CounterScope = choice(
        {
            CounterScope.SLICE: "until 1.34",
            CounterScope.POOL_NAME: "in 1.35",
            CounterScope.POOL: when("kep", "since 1.36"),
        }
    )
    slices_everywhere: bool = switch("from 1.35 to 1.36", when("since 1.37") & STABLE_VARIANT)
    """Every node can access a ResourceSlice that has sharedCounters."""
    slices_have_devices: bool = switch("kep", "until 1.34")
    """A ResourceSlice may have both sharedCounters and devices (DRA/partitionable/example-8gi-6gi);
    otherwise its devices are ignored, and with the gate off the whole slice."""
    validated: bool = switch("kep", "since 1.35")
    """A pool is invalid if it has a duplicate counter set or refers to an unknown counter set or counter."""
    short_blocks_all: bool = switch("since 1.33")
    """A counter with a negative rest blocks all devices that consume any counter of the same scope;
    otherwise only the devices that consume this counter."""
    shares_draw: bool = switch("kep", "since 1.36")
    """Shares of allocated claims consume counters, as exclusively allocated devices do."""
    each_share_draws: bool = switch("until 1.34")
    """Each share of a device consumes its counters again; otherwise only the first share does."""
    only_amounts_mark_sharing: bool = switch("until 1.36")
    """A new share of a device consumes its counters again if the earlier shares have no consumedCapacity."""


@dataclass(frozen=True, slots=True)
class TaintBehaviour:
    """Taints, tolerations and DeviceTaintRules."""

    any_effect_blocks: bool = switch("until 1.34")
    """Taints of every effect prevent allocation, even the effect None."""
    empty_toleration_tolerates_all: bool = switch("kep")
    """A toleration without key and value tolerates every taint, not only taints without a value
    (DRA/toleration/empty-matches-everything)."""
    tolerations_recorded: bool = switch("kep", "since 1.35")
    """An allocation result records the tolerations of its request."""
    rules_need_selector: bool = switch("kep", "in 1.37")
    """A DeviceTaintRule without a device selector taints nothing; otherwise it taints every device
    (DRA/taint-rule/no-selector-matches-nothing). The first alpha of 1.38 lacks this change of 1.37."""
    rules_select_by_class: bool = switch("kep", "until 1.34")
    """A DeviceTaintRule can also select by DeviceClass and CEL (DRA/taint-rule/select-by-class)."""
    rules_see_sharing: bool = switch("kep")
    """The CEL selectors of a DeviceTaintRule see allowMultipleAllocations."""


@dataclass(frozen=True, slots=True)
class ResultBehaviour:
    """Node selector and configuration of an allocation."""

    binds_to_node: bool = switch(when("kep") & BINDING, when("since 1.33") & ~STABLE_VARIANT)
    """A device with bindsToNode restricts the allocation to the node."""
    config_repeats: bool = switch("until 1.36")
    """A configuration of the claim is recorded once for each matching request; otherwise once."""
    config_clears_requests: bool = switch("since 1.37")
    """A configuration that applies to all requests is recorded without request names."""


_GROUPS = gate("DRADeviceCompatibilityGroups")


@dataclass(frozen=True, slots=True)
class Behaviour:
    """All switches of the allocator."""

    features: EnabledFeatures = area(EnabledFeatures)
    capacity: CapacityBehaviour = area(CapacityBehaviour)
    selectors: SelectorBehaviour = area(SelectorBehaviour)
    constraints: ConstraintBehaviour = area(ConstraintBehaviour)
    all_mode: AllModeBehaviour = area(AllModeBehaviour)
    pools: PoolBehaviour = area(PoolBehaviour)
    counters: CounterBehaviour = area(CounterBehaviour)
    taints: TaintBehaviour = area(TaintBehaviour)
    results: ResultBehaviour = area(ResultBehaviour)
    groups: GroupSemantics = choice(
        {
            GroupSemantics.RECORDED: when("kep") & _GROUPS,
            GroupSemantics.EXCLUDED: "kep",
            GroupSemantics.UNKNOWN: "until 1.36",
            GroupSemantics.LIVE: when("since 1.37") & _GROUPS,
            GroupSemantics.SLICES_IGNORED: "since 1.37",
        }
    )
    admin_is_free: bool = switch("kep", "in 1.33")
    """adminAccess consumes no counter, capacity or compatibility group, and the device stays available;
    otherwise it blocks the device for the rest of the call (DRA/admin-access/does-not-consume)."""
    failed_attempts_leak: bool = switch("until 1.35")
    """A device rejected for a taint, a constraint or its capacity still consumes counters and constraint
    state, and so does a backtracked share. A backtracked share without consumedCapacity still marks its
    device as shared."""
    derived_attributes_known: bool = switch("kep", "since 1.37")
    """derivedAttributes is a known field whose alpha feature is disabled: a request that has it is an error.
    None of the KEPs in scope describes it."""
    node_operations_known: bool = switch(
        "kep", when("since 1.37") & gate("DRAListTypeAttributes"), when("since 1.37") & _GROUPS
    )
    """skipNodeOperations is a known field whose feature is disabled: a ResourceSlice that has it is not
    allocated from."""
    policies_needed: bool = switch("kep-future")
    """A device that maps to node allocatable resources needs an accounting policy, of its own or of its
    DeviceClass (KEP-5517/policy-precedence/missing-policy-is-an-error)."""

    @staticmethod
    def of(profile: Profile) -> Behaviour:
        """Return the switches of a profile: `kep` is our interpretation of the specification."""
        return settled(Behaviour, profile)
