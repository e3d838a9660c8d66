"""The release switches of the claim controllers."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch


@dataclass(frozen=True, slots=True)
class ControllerRules:
    """Which users of a claim and which devices the controllers know."""

    special_claims_evict: bool = switch("kep")
    """A tainted device reaches pods that have it through their special claim
    (DRA/taint/applies-to-all-pods-of-the-claim)."""
    rules_reach_unpublished: bool = switch("kep", "since 1.35")
    """A rule for a driver, a pool or a device is also for devices in use that no slice has any more
    (DRA/taint-rule/independent-of-driver)."""
    others_block_release: bool = switch("until 1.35")
    """As long as a claim is reserved for something that is not a pod, no reservation of a pod is taken back
    (API/reservation/of-each-user)."""

    @staticmethod
    def of(profile: Profile) -> ControllerRules:
        """Those of a profile."""
        return settled(ControllerRules, profile)
