"""Switches of device taint eviction, the ResourceClaim controller and the metrics of ResourceClaims."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, switch


@dataclass(frozen=True, slots=True)
class ControllerSwitches(Switches):
    """The users of claims and the devices that the controllers know."""

    READ_BY = (Reader.CONTROLLERS,)

    extended_resource_claims_evict: bool = switch("kep", source="DRA/taint/applies-to-all-pods-of-the-claim")
    """A NoExecute taint also evicts pods that use the device through their extended-resource claim."""
    rules_reach_unpublished: bool = switch("kep", "since 1.35", source="DRA/taint-rule/independent-of-driver")
    """A DeviceTaintRule by driver, pool or device also selects allocated devices without a ResourceSlice."""
    other_consumers_block_release: bool = switch("until 1.35", source="API/reservation/of-each-user")
    """No reservation of a pod is removed while the claim is reserved for a consumer that is not a pod."""
    templates_need_gates: bool = switch(
        "since 1.33", source="DRA/feature-gate/admin-access-off-removes-field"
    )
    """No ResourceClaim is created from a ResourceClaimTemplate with adminAccess or firstAvailable while
    DRAAdminAccess or DRAPrioritizedList is off in the controller."""
    any_effect_tolerates_eviction: bool = switch("kep", source="DRA/eviction/tolerating-pods-stay")
    """A toleration without an effect also tolerates NoExecute, otherwise only other effects."""


@dataclass(frozen=True, slots=True)
class ClaimMetricSwitches(Switches):
    """Metrics of created and existing ResourceClaims."""

    READ_BY = (Reader.METRICS,)

    exist: bool = switch("kep", "since 1.35")
    """Components count the ResourceClaims that they create and that exist."""
    common_prefix: bool = switch("since 1.37")
    """All components use one metric prefix, and creates have labels for the owner of the claim."""
    source_with_hyphens: bool = switch("kep", source="KEP-5004/metrics/resource-claims-source-label")
    """The label `source` is written with hyphens, otherwise with underscores."""
