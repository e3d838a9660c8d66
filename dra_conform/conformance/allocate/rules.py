"""The points of validity on which a release and the documents differ, as the judge sees them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from dra_conform.capacity import Arithmetic
from dra_conform.cel import Environment
from dra_conform.kube.profile import Profile


class Groups(StrEnum):
    """What compatibility groups (KEP-5963) mean. The first two are the documents, the next two are 1.37."""

    RECORDED = "recorded"
    """Devices on a counter set need a common group; what holds counts with the groups recorded for it."""
    SKIPPED = "skipped"
    """The gate is off: grouped devices and counter sets with recorded groups are left alone
    (KEP-5963/feature-gate/off-skips-declaring-devices, .../off-respects-recorded-groups)."""
    LIVE = "live"
    """As recorded, but what holds counts with the groups its slice has now; results record none."""
    HIDDEN = "hidden"
    """The gate is off: a slice with groups does not exist, which leaves its pool incomplete."""
    UNKNOWN = "unknown"
    """The field does not exist (KEP-5963/rollback/to-a-version-without-the-field)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the judge holds an allocation to.

    Feature gates; what is off is not to be used:
    `consumable`: DRAConsumableCapacity; without it every device is dedicated.
    `admin_access`: DRAAdminAccess; without it such a request is an ordinary one.
    `prioritized_list`: DRAPrioritizedList.
    `partitions`: DRAPartitionableDevices, which also lets devices of a slice choose their nodes.
    `binding_conditions`: DRADeviceBindingConditions and DRAResourceClaimDeviceStatus.
    `list_attributes`: DRAListTypeAttributes; without it a list is no value to compare.
    `taints`: DRADeviceTaints.
    `taint_rules`: what DeviceTaintRules need besides: DRADeviceTaintRules where it exists.

    Capacity and requests:
    `arithmetic`: how a stepped range rounds (KEP-5075/rounding/fractional-step).
    `bare_names_in_driver_domain`: capacity `x` and `driver/x` are one name (KEP-5075/filter/name-resolution).
    `policy_on_dedicated`: a request policy rounds and restricts on dedicated devices too, and their capacity
    is compared with what shares of an earlier time still hold (KEP-5075/filter/dedicated-policy-not-rounded).
    `shares_block_dedicated`: a device that became dedicated while shares of it exist is in use.
    `all_drops_exhausted`: mode All leaves out devices without enough remaining capacity
    (KEP-5075/allocation/all-mode-fails-on-unavailable-device).
    `all_drops_refused`: mode All leaves out devices that could not serve the request even if unused, for
    instance because a policy refuses the amount (KEP-5075/allocation/all-mode-policy-violation).
    `later_all_goes_astray`: a request whose list has an alternative of mode All behind the first gets
    whatever the search stumbles on: one of all devices, then those of the first alternative.
    `all_needs_valid_pools`: mode All fails while a pool of the node is invalid.
    `one_share_a_request`: a request takes each device once
    (KEP-5075/allocation/count-needs-different-devices).
    `admin_once_a_claim`: a claim takes a dedicated device once, whatever access its requests ask for. The
    page says of admin access only that it reaches devices in use (DRA/admin-access/reaches-devices-in-use).
    `admin_consumes`: a share given with admin access consumes capacity while others are chosen
    (DRA/admin-access/does-not-consume).
    `environment`: what selectors may use.
    `selectors_see_sharing`: selectors see allowMultipleAllocations as published, even with the gate off.

    Constraints:
    `distinct_by_request`: distinctAttribute remembers one value for each request, the last, and forgets it
    when the search goes back (KEP-5075/constraint/distinct-count).
    `distinct_compares_devices`: only shares of one device are not distinct, whatever the values.
    `first_match_unchecked`, `first_distinct_unchecked`: the first device of matchAttribute or
    distinctAttribute may have a value of any kind, even one that is never equal to another. No document says
    what a constraint makes of a list while lists are off.

    Pools:
    `pools_seen_whole`: a pool is judged by all its slices, not by those of the node where they suffice.
    `pools_in_any_order`: which pool is searched first is left to chance, and with it more than a choice
    between devices: the search ends at the first error, and in these releases it forgets and leaks.
    `incomplete_pools_used`: only mode All minds that slices of a pool are missing
    (DRA/pool/incomplete-exact-count); a pool is what the node sees of it.
    `counter_slices_everywhere`: a slice with counter sets concerns every node.
    `counter_slices_only_count`: devices in a slice with counter sets are not there, and neither are these
    slices with the gate off (DRA/partitionable/example-8gi-6gi has both in one slice).

    Counters:
    `counters_by_slice`: counter sets are those of the device's own slice.
    `counters_mix_drivers`: pools of one name share their counters across drivers, whichever comes first.
    `shares_hold_counters`: a device of which claims hold shares takes its counters.

    `checks_another_device`: a device is given if the capacity of another one of its slice suffices, so mode
    All may oversell; where there is no such device the release crashes.

    Groups, taints, nodes:
    `groups`: see Groups.
    `empty_toleration_matches_all`: a toleration without key and value tolerates every key and value; else it
    compares its empty value (DRA/toleration/empty-matches-everything).
    `tolerations_copied`: results carry the tolerations of their request.
    `rules_without_selector_taint_all`: a DeviceTaintRule without selector taints every device
    (DRA/taint-rule/no-selector-matches-nothing).
    `rules_select_by_class`: a DeviceTaintRule may select by class and CEL (DRA/taint-rule/select-by-class).
    `rules_see_sharing`: its selectors see allowMultipleAllocations.
    `binds_to_node`: bindsToNode ties an allocation to its node, in releases whatever the gates.
    """

    consumable: bool
    admin_access: bool
    prioritized_list: bool
    partitions: bool
    binding_conditions: bool
    list_attributes: bool
    taints: bool
    taint_rules: bool
    arithmetic: Arithmetic
    bare_names_in_driver_domain: bool
    policy_on_dedicated: bool
    shares_block_dedicated: bool
    all_drops_exhausted: bool
    all_drops_refused: bool
    later_all_goes_astray: bool
    all_needs_valid_pools: bool
    one_share_a_request: bool
    admin_once_a_claim: bool
    admin_consumes: bool
    environment: Environment
    selectors_see_sharing: bool
    distinct_by_request: bool
    distinct_compares_devices: bool
    first_match_unchecked: bool
    first_distinct_unchecked: bool
    pools_seen_whole: bool
    pools_in_any_order: bool
    incomplete_pools_used: bool
    counter_slices_everywhere: bool
    counter_slices_only_count: bool
    counters_by_slice: bool
    counters_mix_drivers: bool
    shares_hold_counters: bool
    checks_another_device: bool
    groups: Groups
    empty_toleration_matches_all: bool
    tolerations_copied: bool
    rules_without_selector_taint_all: bool
    rules_select_by_class: bool
    rules_see_sharing: bool
    binds_to_node: bool

    @staticmethod
    def of(profile: Profile) -> Rules:
        """The rules of a profile with its gates."""
        on = frozenset(gate for gate, enabled in profile.gates.items() if enabled)
        return _rules(profile.release, on, Arithmetic.of(profile), Environment.of(profile))


_BINDING = frozenset({"DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"})
_SORTING = frozenset(
    {
        "DRAConsumableCapacity",
        "DRAListTypeAttributes",
        "DRADeviceCompatibilityGroups",
        "DRAFractionalCapacityRange",
    }
)
"""With any of these on, or with binding conditions, 1.36 and 1.37 run an allocator that sorts pools."""


@cache
def _rules(
    release: str | None, on: frozenset[str], arithmetic: Arithmetic, environment: Environment
) -> Rules:
    documents = release is None
    until_1_34 = release in {"1.33", "1.34"}
    until_1_35 = until_1_34 or release == "1.35"
    until_1_36 = until_1_35 or release == "1.36"
    consumable = "DRAConsumableCapacity" in on
    lists = "DRAListTypeAttributes" in on
    binding = on >= _BINDING
    # Without the features of its successors, a release runs an allocator that knows nothing of them; 1.34
    # counts the status of devices among them.
    newer = bool(_BINDING & on) if release == "1.34" else binding
    stable = not lists and not newer
    return Rules(
        consumable=consumable,
        admin_access="DRAAdminAccess" in on,
        prioritized_list="DRAPrioritizedList" in on,
        partitions="DRAPartitionableDevices" in on,
        binding_conditions=binding,
        list_attributes=lists,
        taints="DRADeviceTaints" in on,
        taint_rules=until_1_34 or "DRADeviceTaintRules" in on,
        arithmetic=arithmetic,
        bare_names_in_driver_domain=documents,
        policy_on_dedicated=not documents,
        shares_block_dedicated=documents,
        all_drops_exhausted=until_1_36,
        all_drops_refused=not documents,
        later_all_goes_astray=until_1_35,
        all_needs_valid_pools=not documents,
        one_share_a_request=not until_1_35,
        admin_once_a_claim=not documents and release != "1.33",
        admin_consumes=not documents,
        environment=environment,
        selectors_see_sharing=consumable or not (documents or stable),
        distinct_by_request=until_1_36,
        distinct_compares_devices=until_1_34,
        first_match_unchecked=not lists,
        first_distinct_unchecked=until_1_36 or not lists,
        pools_seen_whole=documents,
        pools_in_any_order=until_1_35 or (not documents and not on & _SORTING and not binding),
        incomplete_pools_used=until_1_34,
        counter_slices_everywhere=release in {"1.35", "1.36"},
        counter_slices_only_count=not documents and not until_1_34,
        counters_by_slice=until_1_34,
        counters_mix_drivers=release == "1.35",
        shares_hold_counters=not until_1_35,
        checks_another_device=until_1_34 and consumable,
        groups=_groups(release, on="DRADeviceCompatibilityGroups" in on),
        empty_toleration_matches_all=documents,
        tolerations_copied="DRADeviceTaints" in on and not until_1_34,
        rules_without_selector_taint_all=until_1_36,
        rules_select_by_class=documents or until_1_34,
        rules_see_sharing=documents,
        binds_to_node=binding or not documents,
    )


def _groups(release: str | None, *, on: bool) -> Groups:
    if release is None:
        return Groups.RECORDED if on else Groups.SKIPPED
    if release in {"1.33", "1.34", "1.35", "1.36"}:
        return Groups.UNKNOWN
    return Groups.LIVE if on else Groups.HIDDEN
