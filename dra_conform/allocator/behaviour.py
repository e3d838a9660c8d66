"""Every point where releases differ from each other or from the KEPs, as one named value each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from dra_conform.capacity import Arithmetic
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


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the allocator behaves.

    The first fields are the feature gates: what is off does not exist for the allocator.

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
    `selectors_see_sharing`: selectors see allowMultipleAllocations as published, even with the gate off.
    `one_share_a_request`: a request takes each device once, and its devices in total order; else it may take
    shares of one device (KEP-5075/allocation/count-needs-different-devices).
    `all_capacity`: see AllCapacity.
    `all_constraint_fails`: a constraint that refuses a device of mode All is an error, not a refusal
    (KEP-5075/constraint/distinct-all-mode).
    `pools_seen_whole`: a pool's generation, completeness and device names are those of all its slices; else
    slices that a node sees and that are complete among themselves are used as they are, whatever there is
    for other nodes.
    `counter_slices_everywhere`: a slice with shared counters concerns every node.
    `config_repeats`: a claim's configuration is listed once for each matching request instead of once.
    `config_clears_requests`: configuration that covers all requests is recorded without request names.
    """

    consumable_capacity: bool
    prioritized_list: bool
    admin_access: bool
    partitionable_devices: bool
    device_taints: bool
    binding_conditions: bool
    capacity_when_off_fails: bool
    distinct_known: bool
    arithmetic: Arithmetic
    policy_on_dedicated: bool
    shares_block_dedicated: bool
    names_in_driver_domain: bool
    distinct_by_request: bool
    selectors_see_sharing: bool
    one_share_a_request: bool
    all_capacity: AllCapacity
    all_constraint_fails: bool
    pools_seen_whole: bool
    counter_slices_everywhere: bool
    config_repeats: bool
    config_clears_requests: bool

    @staticmethod
    def of(profile: Profile) -> Behaviour:
        """What a profile does: `kep` the documents in our reading, `kubernetes-X.Y` that release."""
        return _of(profile.name, profile.release, frozenset(gate for gate, on in profile.gates.items() if on))


@lru_cache(maxsize=256)
def _of(name: str, release: str | None, on: frozenset[str]) -> Behaviour:
    kep = release is None
    recent = release is not None and int(release.partition(".")[2]) >= 37
    old = not kep and not recent
    profile = Profile(name, release, dict.fromkeys(on, True))
    stable = _stable_variant(release, on)
    return Behaviour(
        consumable_capacity="DRAConsumableCapacity" in on,
        prioritized_list="DRAPrioritizedList" in on,
        admin_access="DRAAdminAccess" in on,
        partitionable_devices="DRAPartitionableDevices" in on,
        device_taints="DRADeviceTaints" in on,
        binding_conditions={"DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"} <= on,
        capacity_when_off_fails=not stable,
        distinct_known=not stable,
        arithmetic=Arithmetic.of(profile),
        policy_on_dedicated=not kep,
        shares_block_dedicated=kep,
        names_in_driver_domain=kep,
        distinct_by_request=old,
        selectors_see_sharing="DRAConsumableCapacity" in on or not (kep or stable),
        one_share_a_request=release not in {"1.33", "1.34", "1.35"},
        all_capacity=AllCapacity.VALUE if kep else AllCapacity.EMPTY if recent else AllCapacity.REMAINING,
        all_constraint_fails=not kep,
        pools_seen_whole=kep,
        counter_slices_everywhere=old,
        config_repeats=old,
        config_clears_requests=recent,
    )


def _stable_variant(release: str | None, on: frozenset[str]) -> bool:
    """Whether the release runs its most stable allocator, which knows nothing of consumable capacity.

    1.34 never does: it counts the status of devices, which is on by default, as a feature of the newest one.
    """
    if release is None or release == "1.34":
        return False
    beyond = {"DRAConsumableCapacity", "DRAListTypeAttributes"} & on
    return not beyond and not {"DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"} <= on
