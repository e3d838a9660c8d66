"""The points of validity on which a release and the documents differ, as the judge sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from dra_conform.capacity import Arithmetic
from dra_conform.kube.profile import Profile


@dataclass(frozen=True, slots=True)
class Rules:
    """What the judge holds an allocation to.

    `consumable`: the gate DRAConsumableCapacity is on; without it every device is dedicated.
    `arithmetic`: how a stepped range rounds (KEP-5075/rounding/fractional-step).
    `bare_names_in_driver_domain`: capacity `x` and `driver/x` are one name (KEP-5075/filter/name-resolution).
    `policy_on_dedicated`: a request policy rounds and restricts on dedicated devices too, and their capacity
    is compared with what shares of an earlier time still hold (KEP-5075/filter/dedicated-policy-not-rounded).
    `shares_block_dedicated`: a device that became dedicated while shares of it exist is in use.
    `distinct_by_request`: distinctAttribute remembers one value for each request, the last, and forgets it
    when the search goes back (KEP-5075/constraint/distinct-count).
    `all_drops_exhausted`: mode All leaves out devices without enough remaining capacity
    (KEP-5075/allocation/all-mode-fails-on-unavailable-device).
    `all_drops_refused`: mode All leaves out devices that could not serve the request even if unused, for
    instance because a policy refuses the amount (KEP-5075/allocation/all-mode-policy-violation).
    `one_share_a_request`: a request takes each device once
    (KEP-5075/allocation/count-needs-different-devices).
    `selectors_see_sharing`: selectors see allowMultipleAllocations as published, even with the gate off.
    `pools_seen_whole`: a pool is judged by all its slices, not by those of the node where they suffice.
    """

    consumable: bool
    arithmetic: Arithmetic
    bare_names_in_driver_domain: bool
    policy_on_dedicated: bool
    shares_block_dedicated: bool
    distinct_by_request: bool
    all_drops_exhausted: bool
    all_drops_refused: bool
    one_share_a_request: bool
    selectors_see_sharing: bool
    pools_seen_whole: bool

    @staticmethod
    def of(profile: Profile) -> Rules:
        """The rules of a profile with its gates."""
        return _rules(
            profile.release,
            profile.enabled("DRAConsumableCapacity"),
            Arithmetic.of(profile),
            stable=profile.release != "1.34"
            and not profile.enabled("DRAListTypeAttributes")
            and not (
                profile.enabled("DRADeviceBindingConditions")
                and profile.enabled("DRAResourceClaimDeviceStatus")
            ),
        )


@cache
def _rules(release: str | None, consumable: bool, arithmetic: Arithmetic, *, stable: bool) -> Rules:
    """`stable`: without consumable capacity, releases but 1.34 run an allocator without it."""
    documents = release is None
    until_1_36 = release in {"1.33", "1.34", "1.35", "1.36"}
    return Rules(
        consumable=consumable,
        arithmetic=arithmetic,
        bare_names_in_driver_domain=documents,
        policy_on_dedicated=not documents,
        shares_block_dedicated=documents,
        distinct_by_request=until_1_36,
        all_drops_exhausted=until_1_36,
        all_drops_refused=not documents,
        one_share_a_request=release not in {"1.33", "1.34", "1.35"},
        selectors_see_sharing=consumable or not (documents or stable),
        pools_seen_whole=documents,
    )
