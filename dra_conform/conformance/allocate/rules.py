"""The judge's release switches: the points on which valid allocations differ between releases.

The tables below say in which profiles a switch is on; docs/switches.md shows them by release. A switch that
the built-in allocator has too has the same name there, and is declared a second time on purpose.
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
class RulesOnCapacity:
    """Capacity requests, and shares of devices."""

    arithmetic: Arithmetic = derived(Arithmetic.of)
    """How a stepped range rounds (KEP-5075/rounding/fractional-step)."""
    bare_names_in_driver_domain: bool = switch("kep")
    """Capacity `x` and `driver/x` are one name (KEP-5075/filter/name-resolution)."""
    policy_on_dedicated: bool = switch("since 1.33")
    """A request policy rounds and restricts on dedicated devices too, and their capacity is compared with
    what shares of an earlier time still hold (KEP-5075/filter/dedicated-policy-not-rounded)."""
    shares_block_dedicated: bool = switch("kep")
    """A device that became dedicated while shares of it exist is in use."""
    one_share_a_request: bool = switch("kep", "since 1.36")
    """A request takes each device once (KEP-5075/allocation/count-needs-different-devices)."""
    checks_another_device: bool = switch(when("until 1.34") & gate("DRAConsumableCapacity"))
    """A device is given if the capacity of another one of its slice suffices, so mode All may oversell; where
    there is no such device the release crashes."""


@dataclass(frozen=True, slots=True)
class RulesOnSelectors:
    """What selectors see."""

    environment: Environment = derived(Environment.of)
    """What they may use."""
    see_sharing: bool = switch(gate("DRAConsumableCapacity"), when("since 1.33") & ~STABLE_VARIANT)
    """They see allowMultipleAllocations as published, even with the gate off."""


@dataclass(frozen=True, slots=True)
class RulesOnConstraints:
    """matchAttribute and distinctAttribute."""

    distinct_by_request: bool = switch("until 1.36")
    """distinctAttribute remembers one value for each request, the latest, and forgets it when the search goes
    back (KEP-5075/constraint/distinct-count)."""
    distinct_compares_devices: bool = switch("until 1.34")
    """Only shares of one device are not distinct, whatever the values."""


@dataclass(frozen=True, slots=True)
class RulesOnAllMode:
    """Allocation mode All."""

    capacity: AllCapacity = choice(
        {
            AllCapacity.VALUE: "kep",
            AllCapacity.REMAINING: "until 1.36",
            AllCapacity.EMPTY: "since 1.37",
        }
    )
    confuses_subrequests: bool = switch("until 1.35")
    """A request whose list has a subrequest of mode All behind the first gets whatever the search stumbles
    on: one of all devices, then those of the first subrequest."""
    needs_valid_pools: bool = switch("since 1.33")
    """Mode All fails while a pool of the node is invalid."""


@dataclass(frozen=True, slots=True)
class RulesOnPools:
    """Pools, and the order of their slices."""

    seen_whole: bool = switch("kep")
    """A pool is judged by all its slices, not by those of the node where they suffice."""
    in_any_order: bool = switch("until 1.35", STABLE_VARIANT)
    """Which pool is searched first is left to chance, and with it more than a choice between devices: the
    search ends at the first error, and in these releases it forgets and leaks."""
    counts_agree: bool = switch("kep")
    """Nothing may be taken of a pool whose slices say different numbers of slices (API/slice/one-count)."""
    incomplete_serve: bool = switch("until 1.34")
    """Only mode All minds that slices of a pool are missing (DRA/pool/incomplete-exact-count); a pool is what
    the node sees of it."""


@dataclass(frozen=True, slots=True)
class RulesOnCounters:
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
    """Devices in a slice with shared counters are there (DRA/partitionable/example-8gi-6gi has both in one
    slice); else such a slice does not even exist with the gate off."""
    validated: bool = switch("kep", "since 1.35")
    """Unknown counter sets and counters, and a set there twice, make a pool invalid."""
    short_blocks_all: bool = switch("since 1.33")
    """While claims hold more of one counter than there is, no device that draws on the counters beside it is
    given; else only those that need it (DRA/partitionable/each-counter-and-set-checked)."""
    shares_draw: bool = switch("kep", "since 1.36")
    """A device of which claims hold shares draws on its counters."""


@dataclass(frozen=True, slots=True)
class RulesOnTaints:
    """Taints, tolerations and DeviceTaintRules."""

    empty_toleration_tolerates_all: bool = switch("kep")
    """A toleration without key and value tolerates every key and value; else it compares its empty value
    (DRA/toleration/empty-matches-everything)."""
    tolerations_recorded: bool = switch("kep", "since 1.35")
    """Results have the tolerations of their request."""
    rules_need_selector: bool = switch("kep", "in 1.37")
    """A DeviceTaintRule without a device selector taints nothing; else it taints every device
    (DRA/taint-rule/no-selector-matches-nothing). The first alpha of 1.38 was cut before 1.37 learnt that."""
    rules_select_by_class: bool = switch("kep", "until 1.34")
    """A DeviceTaintRule may select by class and CEL (DRA/taint-rule/select-by-class)."""
    rules_see_sharing: bool = switch("kep")
    """These selectors see allowMultipleAllocations."""


@dataclass(frozen=True, slots=True)
class RulesOnResults:
    """What an allocation says besides its devices."""

    binds_to_node: bool = switch(when("kep") & BINDING, when("since 1.33") & ~STABLE_VARIANT)
    """A device that binds to its node ties the allocation to the node."""
    limited: bool = switch("since 1.33")
    """A claim gets at most 32 devices (DRA/allocation-mode/exact-count)."""


_GROUPS = gate("DRADeviceCompatibilityGroups")


@dataclass(frozen=True, slots=True)
class Rules:
    """What the judge holds an allocation to."""

    features: EnabledFeatures = area(EnabledFeatures)
    capacity: RulesOnCapacity = area(RulesOnCapacity)
    selectors: RulesOnSelectors = area(RulesOnSelectors)
    constraints: RulesOnConstraints = area(RulesOnConstraints)
    all_mode: RulesOnAllMode = area(RulesOnAllMode)
    pools: RulesOnPools = area(RulesOnPools)
    counters: RulesOnCounters = area(RulesOnCounters)
    taints: RulesOnTaints = area(RulesOnTaints)
    results: RulesOnResults = area(RulesOnResults)
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
    """Admin access consumes nothing; else a share given with it consumes capacity while others are chosen
    (DRA/admin-access/does-not-consume)."""
    admin_once_a_claim: bool = switch("since 1.34")
    """A claim takes a dedicated device once, whatever access its requests ask for. The page says of admin
    access only that it reaches devices in use (DRA/admin-access/reaches-devices-in-use)."""

    @staticmethod
    def of(profile: Profile) -> Rules:
        """The rules of a profile with its gates."""
        return settled(Rules, profile)
