"""The kinds that the API server serves."""

from __future__ import annotations

from dra_conform.controlplane.apiserver import (
    device_class,
    device_taint_rule,
    plain_kinds,
    pod,
    resource_claim,
    resource_claim_template,
    resource_quota,
    resource_slice,
)
from dra_conform.controlplane.apiserver.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "DeviceClass": device_class.STRATEGY,
    "DeviceTaintRule": device_taint_rule.STRATEGY,
    "Namespace": plain_kinds.NAMESPACE,
    "Node": plain_kinds.NODE,
    "Pod": pod.STRATEGY,
    "ResourceClaim": resource_claim.STRATEGY,
    "ResourceClaimTemplate": resource_claim_template.STRATEGY,
    "ResourceQuota": resource_quota.STRATEGY,
    "ResourceSlice": resource_slice.STRATEGY,
}
"""The strategies by kind."""
