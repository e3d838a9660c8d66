"""The allocator's release switches: every point where releases differ from each other or from the KEPs.

The tables below say in which profiles a switch is on; docs/switches.md shows them by release. A switch that
the judge has too has the same name in `conformance.rules`.
"""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.capacity import Arithmetic
from dra_conform.cel import Environment
from dra_conform.kube.enabled_features import BINDING, STABLE_VARIANT, EnabledFeatures
from dra_conform.kube.profile import Profile
from dra_conform.kube.switch_values import AllCapacity, CounterScope, GroupReading
from dra_conform.kube.switches import area, choice, derived, gate, settled, switch, when


@dataclass(frozen=True, slots=True)
class CapacityBehaviour:
    """Capacity requests, and shares of devices."""

    arithmetic: Arithmetic = derived(Arithmetic.of)
    """How a range with a step rounds (KEP-5075/rounding/fractional-step)."""
    off_is_error: bool = switch(~STABLE_VARIANT)
    """With consumable capacity off, a request for capacity is an error; else it is ignored
    (KEP-5075/feature-gate/off-capacity-request-error)."""
    bare_names_in_driver_domain: bool = switch("kep")
    """Capacity `x` and `driver/x` are the same (KEP-5075/filter/name-resolution)."""
    negative_shares_add_capacity: bool = switch("since 1.33")
    """A negative quantity in an earlier shared allocation adds capacity for others; else it counts as zero
    (KEP-5075/capacity-accounting/sum-within-value)."""
    policy_on_dedicated: bool = switch("since 1.33")
    """A request policy rounds and refuses on dedicated devices too, and what earlier shares hold counts
    there; else a capacity request only compares with the value
    (KEP-5075/filter/dedicated-policy-not-rounded)."""
    shares_block_dedicated: bool = switch("kep")
    """A device that became dedicated while it has shares is in use."""
    one_share_a_request: bool = switch("kep", "since 1.36")
    """A request takes each device once, and its devices in total order; else it may take shares of one device
    (KEP-5075/allocation/count-needs-different-devices)."""
    checks_another_device: bool = switch(when("until 1.34") & gate("DRAConsumableCapacity"))
    """A chosen device must also pass the capacity check of the device of its slice whose place is the number
    of the device in the request; where there is none the allocator crashes."""


@dataclass(frozen=True, slots=True)
class SelectorBehaviour:
    """What selectors see."""

    environment: Environment = derived(Environment.of)
    """What they may use."""
    see_sharing: bool = switch(gate("DRAConsumableCapacity"), when("since 1.33") & ~STABLE_VARIANT)
    """They see allowMultipleAllocations as published, even with the gate off."""
    refuse_lists: bool = switch(when("until 1.36") & ~gate("DRAListTypeAttributes"))
    """An attribute that is a list makes every selector an error."""


@dataclass(frozen=True, slots=True)
class ConstraintBehaviour:
    """matchAttribute and distinctAttribute."""

    distinct_known: bool = switch(~STABLE_VARIANT)
    """distinctAttribute exists; else it is an empty constraint."""
    distinct_by_request: bool = switch("until 1.36")
    """distinctAttribute remembers one value for each request, the latest
    (KEP-5075/constraint/distinct-count)."""
    distinct_compares_devices: bool = switch("until 1.34")
    """Only shares of one device are not distinct, whatever the values."""
    list_intersection_stays: bool = switch("until 1.36")
    """What matchAttribute narrowed a list to stays narrow when the search goes back."""


@dataclass(frozen=True, slots=True)
class AllModeBehaviour:
    """Allocation mode All."""

    capacity: AllCapacity = choice(
        {
            AllCapacity.VALUE: "kep",
            AllCapacity.REMAINING: "until 1.36",
            AllCapacity.EMPTY: "since 1.37",
        }
    )
    constraint_is_error: bool = switch("since 1.33")
    """A constraint that refuses a device of mode All is an error, not a refusal
    (KEP-5075/constraint/distinct-all-mode)."""
    confuses_subrequests: bool = switch("until 1.35")
    """In a prioritized list it sees the selectors of the first subrequest, and goes on with that one after
    its first device."""


@dataclass(frozen=True, slots=True)
class PoolBehaviour:
    """Pools, and the order of their slices."""

    seen_whole: bool = switch("kep")
    """A pool's generation, completeness and device names are those of all its slices; else slices that a node
    sees and that are complete among themselves are used as they are, whatever there is for other nodes."""
    counts_agree: bool = switch("kep")
    """Slices that say different numbers of slices make a pool invalid; else the first one says how many there
    are (API/slice/one-count)."""
    from_node_only: bool = switch("until 1.34")
    """Slices that do not concern the node are never looked at."""
    incomplete_serve: bool = switch("until 1.34")
    """Devices of an incomplete pool are given to requests for a count (DRA/pool/incomplete-exact-count)."""
    invalid_fail: bool = switch("until 1.34")
    """A request for a count that reaches an invalid pool ends in an error."""
    node_slices_first: bool = switch(when("kep", "since 1.36") & ~STABLE_VARIANT)
    """Slices of the node by its name stand before all others in the input."""
    slices_in_input_order: bool = switch("until 1.35", STABLE_VARIANT)
    """Slices stand in the order of the input instead of that of their names."""
    binding_slices_last: bool = switch(when("until 1.35") & ~STABLE_VARIANT)
    """Slices that have a device with binding conditions come after all others."""


@dataclass(frozen=True, slots=True)
class CounterBehaviour:
    """Counters of partitionable devices."""

    scope: CounterScope = choice(
        {
            CounterScope.SLICE: "until 1.34",
            CounterScope.POOL_NAME: "in 1.35",
            CounterScope.POOL: when("kep", "since 1.36"),
        }
    )
    slices_everywhere: bool = switch("from 1.35 to 1.36", when("since 1.37") & STABLE_VARIANT)
    """A slice with shared counters concerns every node."""
    slices_have_devices: bool = switch("kep", "until 1.34")
    """Devices beside shared counters in one slice are candidates (DRA/partitionable/example-8gi-6gi); else
    such a slice does not even exist with the gate off."""
    validated: bool = switch("kep", "since 1.35")
    """Unknown counter sets and counters, and a set there twice, make a pool invalid."""
    short_blocks_all: bool = switch("since 1.33")
    """One counter with less than nothing left blocks all devices that draw on the counters beside it; else
    only those that need it."""
    shares_draw: bool = switch("kep", "since 1.36")
    """Allocated shares draw on counters like devices allocated exclusively."""
    each_share_draws: bool = switch("until 1.34")
    """Each share draws on the counters anew, not only the first of a device."""
    only_amounts_mark_sharing: bool = switch("until 1.36")
    """A device allocated before as a share without consumed capacity draws anew."""


@dataclass(frozen=True, slots=True)
class TaintBehaviour:
    """Taints, tolerations and DeviceTaintRules."""

    any_effect_blocks: bool = switch("until 1.34")
    """Taints of every effect prevent allocation, None too."""
    empty_toleration_tolerates_all: bool = switch("kep")
    """A toleration without key and value matches every taint, not only those without a value
    (DRA/toleration/empty-matches-everything)."""
    tolerations_recorded: bool = switch("kep", "since 1.35")
    """Results have the tolerations of their request."""
    rules_need_selector: bool = switch("kep", "in 1.37")
    """A DeviceTaintRule without a device selector taints nothing; else it taints every device
    (DRA/taint-rule/no-selector-matches-nothing). The first alpha of 1.38 was cut before 1.37 learnt that."""
    rules_select_by_class: bool = switch("kep", "until 1.34")
    """DeviceTaintRules select by device class and CEL too (DRA/taint-rule/select-by-class)."""
    rules_see_sharing: bool = switch("kep")
    """These selectors see allowMultipleAllocations."""


@dataclass(frozen=True, slots=True)
class ResultBehaviour:
    """What an allocation says besides its devices."""

    binds_to_node: bool = switch(when("kep") & BINDING, when("since 1.33") & ~STABLE_VARIANT)
    """A device that binds to its node restricts the claim to the node."""
    config_repeats: bool = switch("until 1.36")
    """A claim's configuration is listed once for each matching request instead of once."""
    config_clears_requests: bool = switch("since 1.37")
    """Configuration that covers all requests is recorded without request names."""


_GROUPS = gate("DRADeviceCompatibilityGroups")


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the allocator behaves."""

    features: EnabledFeatures = area(EnabledFeatures)
    capacity: CapacityBehaviour = area(CapacityBehaviour)
    selectors: SelectorBehaviour = area(SelectorBehaviour)
    constraints: ConstraintBehaviour = area(ConstraintBehaviour)
    all_mode: AllModeBehaviour = area(AllModeBehaviour)
    pools: PoolBehaviour = area(PoolBehaviour)
    counters: CounterBehaviour = area(CounterBehaviour)
    taints: TaintBehaviour = area(TaintBehaviour)
    results: ResultBehaviour = area(ResultBehaviour)
    groups: GroupReading = choice(
        {
            GroupReading.RECORDED: when("kep") & _GROUPS,
            GroupReading.REFUSED: "kep",
            GroupReading.UNKNOWN: "until 1.36",
            GroupReading.LIVE: when("since 1.37") & _GROUPS,
            GroupReading.SLICES_IGNORED: "since 1.37",
        }
    )
    admin_is_free: bool = switch("kep", "in 1.33")
    """Admin access uses nothing: no counter, no capacity, no group, and the device stays free for others;
    else it blocks the device for the rest of the call (DRA/admin-access/does-not-consume)."""
    refusals_leak: bool = switch("until 1.35")
    """A device that a taint, a constraint or its capacity refuses keeps what it was given of counters and
    constraints; so do shares that are taken back. Those without amounts go on to mark it as shared."""
    derived_attributes_known: bool = switch("kep", "since 1.37")
    """This alpha feature, of which no document here speaks, is known and off: a request with it is an
    error."""
    node_operations_known: bool = switch(
        "kep", when("since 1.37") & gate("DRAListTypeAttributes"), when("since 1.37") & _GROUPS
    )
    """Likewise: devices that skip node operations are refused."""
    policies_needed: bool = switch("kep-future")
    """A device that takes something of its node needs a policy for it, or one of its class
    (KEP-5517/policy-precedence/missing-policy-is-an-error)."""

    @staticmethod
    def of(profile: Profile) -> Behaviour:
        """What a profile does: `kep` the documents in our reading, `kubernetes-X.Y` that release."""
        return settled(Behaviour, profile)
