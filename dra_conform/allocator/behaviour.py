"""Every point where releases differ from each other or from the KEPs, as one named value each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from dra_conform.capacity import Arithmetic
from dra_conform.cel import Environment
from dra_conform.kube.profile import Profile


class AllCapacity(StrEnum):
    """Which devices allocation mode All leaves out, for a capacity request, instead of failing on them.

    KEP-5075/allocation/all-mode-skips-too-small-devices, .../all-mode-fails-on-unavailable-device.
    """

    VALUE = "value"
    """Those whose capacity value is below the requested amount, or that lack the capacity (the KEP)."""
    EMPTY = "empty"
    """Those that could not serve the request even if unused (1.37)."""
    REMAINING = "remaining"
    """Those that cannot serve it now (up to 1.36)."""


class CounterScope(StrEnum):
    """Which devices draw on the same counters (DRA/partitionable/sets-independent)."""

    POOL = "pool"
    POOL_NAME = "pool name"
    """Those of all drivers with pools of one name; the first one looked at gives the amounts (1.35)."""
    SLICE = "slice"
    """Those of one slice (1.34)."""


class GroupCheck(StrEnum):
    """What becomes of compatibility groups (KEP-5963)."""

    UNKNOWN = "unknown"
    """The release does not know them."""
    RECORDED = "recorded"
    """Compared with what the allocation results of claims recorded (the KEP)."""
    REFUSED = "refused"
    """The gate is off: devices with groups, and sets on which results recorded some, are left alone."""
    LIVE = "live"
    """Compared with what the slices say now of allocated devices (1.37)."""
    SLICES_IGNORED = "slices ignored"
    """The gate is off: slices that have devices with groups do not exist (1.37)."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the allocator behaves.

    The first fields are the feature gates: what is off does not exist for the allocator.

    `binds_to_node`: a device that binds to its node restricts the claim to the node.
    `capacity_when_off_fails`: with consumable capacity off, a request for capacity is an error; else it is
    ignored, as in the stable variant of releases (KEP-5075/feature-gate/off-capacity-request-error).
    `distinct_known`: distinctAttribute exists; in the stable variant it is an empty constraint.
    `arithmetic`: how a range with a step rounds (KEP-5075/rounding/fractional-step).
    `policy_on_dedicated`: a request policy rounds and refuses on dedicated devices too, and what earlier
    shares hold counts there; else a capacity request only compares with the value
    (KEP-5075/filter/dedicated-policy-not-rounded).
    `shares_block_dedicated`: a device that became dedicated while it has shares is in use.
    `names_in_driver_domain`: capacity `x` and `driver/x` are the same (KEP-5075/filter/name-resolution).
    `distinct_by_request`: distinctAttribute remembers one value for each request, the latest
    (KEP-5075/constraint/distinct-count).
    `environment`: what selectors may use.
    `selectors_see_sharing`: selectors see allowMultipleAllocations as published, even with the gate off.
    `one_share_a_request`: a request takes each device once, and its devices in total order; else it may take
    shares of one device (KEP-5075/allocation/count-needs-different-devices).
    `all_capacity`: see AllCapacity.
    `all_constraint_fails`: a constraint that refuses a device of mode All is an error, not a refusal
    (KEP-5075/constraint/distinct-all-mode).
    `confused_alternatives`: mode All in a prioritized list sees the selectors of the first alternative, and
    goes on with that one after its first device.
    `pools_seen_whole`: a pool's generation, completeness and device names are those of all its slices; else
    slices that a node sees and that are complete among themselves are used as they are, whatever there is
    for other nodes.
    `pools_from_node_only`: slices that do not concern the node are never looked at.
    `incomplete_pools_serve`: devices of an incomplete pool are given to requests for a count.
    `invalid_pools_fail`: a request for a count that reaches an invalid pool ends in an error.
    `node_slices_first`: slices of the node by its name stand before all others in the input.
    `slices_in_input_order`: slices stand in the order of the input instead of that of their names.
    `binding_slices_last`: slices that have a device with binding conditions come after all others.
    `counter_slices_everywhere`: a slice with shared counters concerns every node.
    `counter_slices_have_devices`: devices beside shared counters in one slice are candidates.
    `counters_validated`: unknown counter sets and counters, and a set there twice, make a pool invalid.
    `counter_scope`: see CounterScope.
    `short_counter_blocks_all`: one counter with less than nothing left blocks all devices that draw on the
    counters beside it; else only those that need it.
    `shares_draw_counters`: allocated shares draw on counters like devices allocated exclusively.
    `each_share_draws`: each share draws on the counters anew, not only the first of a device.
    `only_amounts_mark_sharing`: a device allocated before as a share without consumed capacity draws anew.
    `refusals_leak`: a device that a taint, a constraint or its capacity refuses keeps what it was given of
    counters and constraints; so do shares that are taken back.
    `capacity_of_another_device`: a chosen device must also pass the capacity check of the device of its slice
    whose place is the number of the device in the request; where there is none the allocator crashes (1.34).
    `groups`: see GroupCheck.
    `admin_is_free`: admin access uses nothing: no counter, no capacity, no group, and the device stays free
    for others; else it blocks the device for the rest of the call (DRA/admin-access/does-not-consume).
    `any_effect_blocks`: taints of every effect prevent allocation, None too.
    `empty_toleration_tolerates_all`: a toleration without key and value matches every taint, not only those
    without a value (DRA/toleration/empty-matches-everything).
    `taint_rules`: DeviceTaintRules taint devices.
    `taint_rules_by_class`: they select by device class and CEL too (DRA/taint-rule/select-by-class).
    `taint_rules_see_sharing`: these selectors see allowMultipleAllocations.
    `taint_rules_need_selector`: without a device selector they taint nothing.
    `tolerations_recorded`: results have the tolerations of their request.
    `list_attributes`: constraints compare lists as sets; a single value is a set of one.
    `list_intersection_stays`: what matchAttribute narrowed a list to stays narrow when the search goes back.
    `selectors_refuse_lists`: an attribute that is a list makes every selector an error.
    `distinct_never_equal`: distinctAttribute finds two devices never equal.
    `derived_attributes_known`, `node_operations_known`: these alpha features of 1.37, of which no document
    here speaks, are known and off: a request with the one is an error, devices with the other are refused.
    `config_repeats`: a claim's configuration is listed once for each matching request instead of once.
    `config_clears_requests`: configuration that covers all requests is recorded without request names.
    """

    consumable_capacity: bool
    prioritized_list: bool
    admin_access: bool
    partitionable_devices: bool
    device_taints: bool
    binding_conditions: bool
    binds_to_node: bool
    capacity_when_off_fails: bool
    distinct_known: bool
    arithmetic: Arithmetic
    policy_on_dedicated: bool
    shares_block_dedicated: bool
    names_in_driver_domain: bool
    distinct_by_request: bool
    environment: Environment
    selectors_see_sharing: bool
    one_share_a_request: bool
    all_capacity: AllCapacity
    all_constraint_fails: bool
    confused_alternatives: bool
    pools_seen_whole: bool
    pools_from_node_only: bool
    incomplete_pools_serve: bool
    invalid_pools_fail: bool
    node_slices_first: bool
    slices_in_input_order: bool
    binding_slices_last: bool
    counter_slices_everywhere: bool
    counter_slices_have_devices: bool
    counters_validated: bool
    counter_scope: CounterScope
    short_counter_blocks_all: bool
    shares_draw_counters: bool
    each_share_draws: bool
    only_amounts_mark_sharing: bool
    refusals_leak: bool
    capacity_of_another_device: bool
    groups: GroupCheck
    admin_is_free: bool
    any_effect_blocks: bool
    empty_toleration_tolerates_all: bool
    taint_rules: bool
    taint_rules_by_class: bool
    taint_rules_see_sharing: bool
    taint_rules_need_selector: bool
    tolerations_recorded: bool
    list_attributes: bool
    list_intersection_stays: bool
    selectors_refuse_lists: bool
    distinct_never_equal: bool
    derived_attributes_known: bool
    node_operations_known: bool
    config_repeats: bool
    config_clears_requests: bool

    @staticmethod
    def of(profile: Profile) -> Behaviour:
        """What a profile does: `kep` the documents in our reading, `kubernetes-X.Y` that release."""
        return _of(profile.name, profile.release, frozenset(gate for gate, on in profile.gates.items() if on))


_BINDING = frozenset({"DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"})


@lru_cache(maxsize=256)
def _of(name: str, release: str | None, on: frozenset[str]) -> Behaviour:
    kep = release is None
    minor = 0 if release is None else int(release.partition(".")[2])
    until = {last: not kep and minor <= last for last in (34, 35, 36)}
    profile = Profile(name, release, dict.fromkeys(on, True))
    stable = _stable_variant(minor, on)
    return Behaviour(
        consumable_capacity="DRAConsumableCapacity" in on,
        prioritized_list="DRAPrioritizedList" in on,
        admin_access="DRAAdminAccess" in on,
        partitionable_devices="DRAPartitionableDevices" in on,
        device_taints="DRADeviceTaints" in on,
        binding_conditions=on >= _BINDING,
        binds_to_node=on >= _BINDING if kep else not stable,
        capacity_when_off_fails=not stable,
        distinct_known=not stable,
        arithmetic=Arithmetic.of(profile),
        policy_on_dedicated=not kep,
        shares_block_dedicated=kep,
        names_in_driver_domain=kep,
        distinct_by_request=until[36],
        environment=Environment.of(profile),
        selectors_see_sharing="DRAConsumableCapacity" in on or not (kep or stable),
        one_share_a_request=not until[35],
        all_capacity=AllCapacity.VALUE if kep else AllCapacity.REMAINING if until[36] else AllCapacity.EMPTY,
        all_constraint_fails=not kep,
        confused_alternatives=until[35],
        pools_seen_whole=kep,
        pools_from_node_only=until[34],
        incomplete_pools_serve=until[34],
        invalid_pools_fail=until[34],
        node_slices_first=not until[35] and not stable,
        slices_in_input_order=until[35] or stable,
        binding_slices_last=until[35] and not stable,
        counter_slices_everywhere=not until[34] and (until[36] or stable),
        counter_slices_have_devices=kep or until[34],
        counters_validated=not until[34],
        counter_scope=(
            CounterScope.SLICE if until[34] else CounterScope.POOL_NAME if until[35] else CounterScope.POOL
        ),
        short_counter_blocks_all=not kep,
        shares_draw_counters=not until[35],
        each_share_draws=until[34],
        only_amounts_mark_sharing=until[36],
        refusals_leak=until[35],
        capacity_of_another_device=until[34] and "DRAConsumableCapacity" in on,
        groups=_groups(kep, minor, "DRADeviceCompatibilityGroups" in on),
        admin_is_free=kep or minor == 33,
        any_effect_blocks=until[34],
        empty_toleration_tolerates_all=kep,
        taint_rules={"DRADeviceTaints"} | (set() if until[34] else {"DRADeviceTaintRules"}) <= on,
        taint_rules_by_class=kep or until[34],
        taint_rules_see_sharing=kep,
        taint_rules_need_selector=kep or not until[36],
        tolerations_recorded=not until[34],
        list_attributes="DRAListTypeAttributes" in on,
        list_intersection_stays=until[36],
        selectors_refuse_lists=(kep or until[36]) and "DRAListTypeAttributes" not in on,
        distinct_never_equal=until[34],
        derived_attributes_known=not until[36],
        node_operations_known=not until[36] and (kep or bool(on & _NEWEST)),
        config_repeats=until[36],
        config_clears_requests=not kep and not until[36],
    )


def _groups(kep: bool, minor: int, on: bool) -> GroupCheck:
    if kep:
        return GroupCheck.RECORDED if on else GroupCheck.REFUSED
    if minor < 37:
        return GroupCheck.UNKNOWN
    return GroupCheck.LIVE if on else GroupCheck.SLICES_IGNORED


_NEWEST = frozenset({"DRAListTypeAttributes", "DRADeviceCompatibilityGroups"})
"""With one of these on, releases run their newest allocator."""

_BEYOND_STABLE = {
    "DRAConsumableCapacity",
    "DRAListTypeAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAFractionalCapacityRange",
}


def _stable_variant(minor: int, on: frozenset[str]) -> bool:
    """Whether the release runs its most stable allocator, which knows nothing of consumable capacity.

    1.34 counts each gate of binding conditions, also the one on by default, as a feature of the newest.
    """
    if minor == 0:
        return False
    if minor == 34:
        return not (_BEYOND_STABLE | _BINDING) & on
    return (
        not _BEYOND_STABLE & on and not {"DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"} <= on
    )
