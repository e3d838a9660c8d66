"""Fields that objects have in some profiles only."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile


@dataclass(frozen=True, slots=True)
class ProfileFields:
    """Which of the fields that not every profile has may be used.

    `recorded_groups`: allocations record the compatibility groups of their devices (KEP-5963).
    `rules_by_class`: DeviceTaintRules select by device class and CEL too (the page on DRA, up to 1.34).
    `mixed_slices`: counter sets stand in one slice with devices (likewise).
    """

    recorded_groups: bool = False
    rules_by_class: bool = False
    mixed_slices: bool = False

    @staticmethod
    def of(profile: Profile) -> ProfileFields:
        """What the objects of a profile have."""
        documents = profile.release is None
        early = documents or profile.release in {"1.33", "1.34"}
        return ProfileFields(recorded_groups=documents, rules_by_class=early, mixed_slices=early)


IN_EVERY_PROFILE = ProfileFields()
"""No field beyond those that every profile has."""
