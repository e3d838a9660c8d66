"""The kinds that can be written."""

from __future__ import annotations

from dra_conform.controlplane.apiserver import (
    device_class,
    device_taint_rule,
    resource_claim,
    resource_claim_template,
    resource_slice,
)
from dra_conform.controlplane.apiserver.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "DeviceClass": device_class.STRATEGY,
    "DeviceTaintRule": device_taint_rule.STRATEGY,
    "ResourceClaim": resource_claim.STRATEGY,
    "ResourceClaimTemplate": resource_claim_template.STRATEGY,
    "ResourceSlice": resource_slice.STRATEGY,
}
"""The strategy of each kind."""
