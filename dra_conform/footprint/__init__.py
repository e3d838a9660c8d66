"""The node resource usage of a pod by its containers, claims and overhead (KEP-5517)."""

from dra_conform.footprint.claim_amounts import (
    ClaimResourceUsage,
    CountingFailed,
    claims_of,
    counted,
    recorded,
)
from dra_conform.footprint.device_amounts import without_policy
from dra_conform.footprint.pod_footprint import (
    FootprintOptions,
    container_over_limit,
    exceeded,
    footprint,
    limits,
    on_nodes,
)

__all__ = [
    "ClaimResourceUsage",
    "CountingFailed",
    "FootprintOptions",
    "claims_of",
    "container_over_limit",
    "counted",
    "exceeded",
    "footprint",
    "limits",
    "on_nodes",
    "recorded",
    "without_policy",
]
