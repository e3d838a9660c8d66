"""Switches of device taint eviction, the ResourceClaim controller and the metrics of ResourceClaims."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, switch


@dataclass(frozen=True, slots=True)
class ControllerSwitches(Switches):
    """How the controllers find the users of claims and the tainted devices."""

    READ_BY = (Reader.CONTROLLERS,)

    extended_resource_claims_evict: bool = switch("kep", source="DRA/taint/applies-to-all-pods-of-the-claim")
    """A NoExecute taint also evicts pods that use the device through their extended-resource claim."""
    extended_resource_claims_released: bool = switch(
        "kep", "since 1.35", source="KEP-5004/lifecycle/managed-by-scheduler-and-gc"
    )
    """The ResourceClaim controller releases and deletes the extended-resource claim of a finished pod. If
    off, it does so when the pod is deleted."""
    rules_reach_unpublished: bool = switch("kep", "since 1.35", source="DRA/taint-rule/independent-of-driver")
    """A DeviceTaintRule by driver, pool or device also selects allocated devices without a ResourceSlice."""
    other_consumers_block_release: bool = switch("until 1.35", source="API/reservation/of-each-user")
    """The reservation of a finished or deleted pod stays as long as the claim is also reserved for a consumer
    that is not a pod."""
    templates_need_gates: bool = switch(
        "since 1.33", source="DRA/feature-gate/admin-access-off-removes-field"
    )
    """No ResourceClaim is created from a ResourceClaimTemplate with adminAccess or firstAvailable while
    DRAAdminAccess or DRAPrioritizedList is off in the controller."""
    any_effect_tolerates_eviction: bool = switch(
        "kep",
        "since 1.38",
        source="DRA/eviction/tolerating-pods-stay",
        read_by=(Reader.CONTROLLERS, Reader.PREVIEWS),
    )
    """A toleration without an effect also tolerates NoExecute. If off, it tolerates only other effects."""


@dataclass(frozen=True, slots=True)
class ClaimMetricSwitches(Switches):
    """Metrics of created and existing ResourceClaims."""

    READ_BY = (Reader.METRICS,)

    exist: bool = switch("kep", "since 1.35")
    """Components count the ResourceClaims that they create and that exist."""
    common_prefix: bool = switch("since 1.37")
    """All components use one metric prefix, and creates have labels for the owner of the claim."""
    source_with_hyphens: bool = switch("kep", source="KEP-5004/metrics/resource-claims-source-label")
    """The values of the label `source` have hyphens. If off, they have underscores."""
