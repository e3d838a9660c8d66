"""The release switches of device taint eviction and of the ResourceClaim controller."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch


@dataclass(frozen=True, slots=True)
class ControllerRules:
    """The users of claims and the devices that the controllers know."""

    special_claims_evict: bool = switch("kep")
    """A NoExecute taint also evicts pods that use the device through their extended-resource claim
    (DRA/taint/applies-to-all-pods-of-the-claim)."""
    rules_reach_unpublished: bool = switch("kep", "since 1.35")
    """A DeviceTaintRule by driver, pool or device also selects allocated devices that no ResourceSlice has
    (DRA/taint-rule/independent-of-driver)."""
    others_block_release: bool = switch("until 1.35")
    """No reservation of a pod is removed while the claim is reserved for a consumer that is not a pod
    (API/reservation/of-each-user)."""
    templates_need_gates: bool = switch("since 1.33")
    """No claim is created from a template with adminAccess or firstAvailable while DRAAdminAccess or
    DRAPrioritizedList is off in the controller (DRA/feature-gate/admin-access-off-removes-field)."""

    @staticmethod
    def of(profile: Profile) -> ControllerRules:
        """Return the switches of a profile."""
        return settled(ControllerRules, profile)
