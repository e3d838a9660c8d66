"""Fields of objects that only some profiles have."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.fuzzer import FuzzerSwitches


@dataclass(frozen=True, slots=True)
class ProfileFields:
    """The fields that a profile has in addition to those of all profiles.

    `recorded_groups`: allocations record the compatibility groups of their devices (KEP-5963).
    `rules_by_class`: DeviceTaintRules can select by DeviceClass and CEL (the DRA page, releases up to 1.34).
    `mixed_slices`: a slice can have counter sets and devices (the DRA page, releases up to 1.34).
    """

    recorded_groups: bool = False
    rules_by_class: bool = False
    mixed_slices: bool = False

    @staticmethod
    def of(profile: Profile) -> ProfileFields:
        """Return the fields of a profile."""
        switches = AllocationSwitches.of(profile)
        return ProfileFields(
            recorded_groups=FuzzerSwitches.of(profile).groups_recorded,
            rules_by_class=switches.taints.rules_select_by_class,
            mixed_slices=switches.counters.slices_have_devices,
        )


IN_EVERY_PROFILE = ProfileFields()
"""The fields that all profiles have, and no others."""
