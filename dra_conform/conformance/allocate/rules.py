"""The release switches of the judge: the points on which valid allocations differ between releases.

Each switch names the profiles in which it is on; docs/switches.md lists them by release. The built-in
allocator declares the same switches again, with equal names, so that judge and allocator stay independent.
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
class RulesOnCapacity:
    """Rules on capacity requests and shared allocations."""

    arithmetic: Arithmetic = derived(Arithmetic.of)
    """How a range with a step rounds (KEP-5075/rounding/fractional-step)."""
    bare_names_in_driver_domain: bool = switch("kep")
    """The capacity names `x` and `driver/x` are equal (KEP-5075/filter/name-resolution)."""
    zeros_lost: bool = switch("since 1.33")
    """A consumed quantity that ends in 21 zeros is recorded without them: `1000E` as `1`
    (KEP-5075/status/consumed-capacity-recorded)."""
    negative_shares_add_capacity: bool = switch("since 1.33")
    """A negative quantity in an earlier shared allocation adds capacity for others; else it counts as zero
    (KEP-5075/capacity-accounting/sum-within-value)."""
    policy_on_exclusive: bool = switch("since 1.33")
    """A request policy also rounds and restricts requests for exclusive devices. Their capacity must suffice
    together with earlier shared allocations (KEP-5075/filter/dedicated-policy-not-rounded)."""
    shares_block_exclusive: bool = switch("kep")
    """A device that became exclusive while it has shared allocations is in use."""
    one_share_a_request: bool = switch("kep", "since 1.36")
    """A request is allocated each device once (KEP-5075/allocation/count-needs-different-devices)."""
    checks_another_device: bool = switch(when("until 1.34") & gate("DRAConsumableCapacity"))
    """A device is allocated if the capacity of another device of its slice suffices. So allocationMode All
    may overcommit capacity. If there is no such device, the release crashes."""


@dataclass(frozen=True, slots=True)
class RulesOnSelectors:
    """Rules on what selectors see."""

    environment: Environment = derived(Environment.of)
    """What selectors may use."""
    see_sharing: bool = switch(gate("DRAConsumableCapacity"), when("since 1.33") & ~STABLE_VARIANT)
    """Selectors see allowMultipleAllocations as published, even with the gate off."""


@dataclass(frozen=True, slots=True)
class RulesOnConstraints:
    """Rules on matchAttribute and distinctAttribute."""

    distinct_by_request: bool = switch("until 1.36")
    """distinctAttribute remembers only the latest value of each request, and forgets it on backtracking
    (KEP-5075/constraint/distinct-count)."""
    distinct_compares_devices: bool = switch("until 1.34")
    """Only shared allocations of one device are not distinct, whatever their values."""


@dataclass(frozen=True, slots=True)
class RulesOnAllMode:
    """Rules on allocationMode All."""

    capacity: AllModeCapacity = choice(
        {
            AllModeCapacity.VALUE: "kep",
            AllModeCapacity.REMAINING: "until 1.36",
            AllModeCapacity.EMPTY: "since 1.37",
        }
    )
    confuses_subrequests: bool = switch("until 1.35")
    """If a subrequest after the first one has allocationMode All, the request is allocated unspecified
    devices: one of all devices, then those of the first subrequest."""
    needs_valid_pools: bool = switch("since 1.33")
    """allocationMode All fails while a pool of the node is invalid."""


@dataclass(frozen=True, slots=True)
class RulesOnPools:
    """Rules on pools and the order of their ResourceSlices."""

    seen_whole: bool = switch("kep")
    """A pool is checked with all its slices, even if those of the node are complete."""
    in_any_order: bool = switch("until 1.35", STABLE_VARIANT)
    """Pools are searched in random order. This decides more than the choice between devices: the search ends
    at the first error, and in these releases backtracking leaves state behind."""
    counts_agree: bool = switch("kep")
    """No device is allocated from a pool with different resourceSliceCounts (API/slice/one-count)."""
    incomplete_usable: bool = switch("until 1.34")
    """Only allocationMode All requires complete pools (DRA/pool/incomplete-exact-count). A pool consists of
    the slices of the node."""


@dataclass(frozen=True, slots=True)
class RulesOnCounters:
    """Rules on the counters of partitionable devices."""

    scope: CounterScope = choice(
        {
            CounterScope.SLICE: "until 1.34",
            CounterScope.POOL_NAME: "in 1.35",
            CounterScope.POOL: when("kep", "since 1.36"),
        }
    )
    slices_everywhere: bool = switch("from 1.35 to 1.36", when("since 1.37") & STABLE_VARIANT)
    """A slice with shared counters applies to each node."""
    slices_have_devices: bool = switch("kep", "until 1.34")
    """Devices in a slice with shared counters exist (DRA/partitionable/example-8gi-6gi has both in one
    slice). Else such a slice does not exist with the gate off."""
    validated: bool = switch("kep", "since 1.35")
    """Unknown counter sets, unknown counters and duplicate counter sets make a pool invalid."""
    short_blocks_all: bool = switch("since 1.33")
    """While a counter is overcommitted, no device that consumes other counters of its scope is allocated.
    Else only devices that consume this counter are not (DRA/partitionable/each-counter-and-set-checked)."""
    shares_draw: bool = switch("kep", "since 1.36")
    """A device with shared allocations consumes its counters."""


@dataclass(frozen=True, slots=True)
class RulesOnTaints:
    """Rules on taints, tolerations and DeviceTaintRules."""

    empty_toleration_tolerates_all: bool = switch("kep")
    """A toleration without key and value tolerates each key and value. Else its empty value is compared
    (DRA/toleration/empty-matches-everything)."""
    tolerations_recorded: bool = switch("kep", "since 1.35")
    """Results have the tolerations of their request."""
    rules_need_selector: bool = switch("kep", "in 1.37")
    """A DeviceTaintRule without a device selector taints no device. Else it taints each device
    (DRA/taint-rule/no-selector-matches-nothing). The first alpha of 1.38 is older than this change in
    1.37."""
    rules_select_by_class: bool = switch("kep", "until 1.34")
    """A DeviceTaintRule may select by class and CEL (DRA/taint-rule/select-by-class)."""
    rules_see_sharing: bool = switch("kep")
    """The selectors of a DeviceTaintRule see allowMultipleAllocations."""


@dataclass(frozen=True, slots=True)
class RulesOnResults:
    """Rules on the other fields of an allocation."""

    binds_to_node: bool = switch(when("kep") & BINDING, when("since 1.33") & ~STABLE_VARIANT)
    """A device with bindsToNode restricts the allocation to the node."""
    limited: bool = switch("since 1.33")
    """A ResourceClaim is allocated at most 32 devices (DRA/allocation-mode/exact-count)."""


_GROUPS = gate("DRADeviceCompatibilityGroups")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules by which the judge checks an allocation."""

    features: EnabledFeatures = area(EnabledFeatures)
    capacity: RulesOnCapacity = area(RulesOnCapacity)
    selectors: RulesOnSelectors = area(RulesOnSelectors)
    constraints: RulesOnConstraints = area(RulesOnConstraints)
    all_mode: RulesOnAllMode = area(RulesOnAllMode)
    pools: RulesOnPools = area(RulesOnPools)
    counters: RulesOnCounters = area(RulesOnCounters)
    taints: RulesOnTaints = area(RulesOnTaints)
    results: RulesOnResults = area(RulesOnResults)
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
    """A result with adminAccess consumes nothing. Else a shared allocation with adminAccess consumes capacity
    during the search (DRA/admin-access/does-not-consume)."""
    admin_once_a_claim: bool = switch("since 1.34")
    """A ResourceClaim is allocated an exclusive device once, also with adminAccess. The DRA page only says
    that adminAccess reaches devices in use (DRA/admin-access/reaches-devices-in-use)."""

    @staticmethod
    def of(profile: Profile) -> Rules:
        """Return the rules of a profile with its gates."""
        return settled(Rules, profile)
