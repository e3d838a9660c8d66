"""Quota usage of ResourceClaims and pods by quota name (KEP-5004 "Resource Quota")."""

from dra_conform.quota.names import is_counted
from dra_conform.quota.object_usage import (
    ALL_DEVICES,
    claim_usage,
    devices_by_class,
    pod_usage,
    unspecified_resources,
)
from dra_conform.quota.scopes import has_scopes, in_scopes, is_terminating
from dra_conform.quota.usage_counter import UsageCounter

__all__ = [
    "ALL_DEVICES",
    "UsageCounter",
    "claim_usage",
    "devices_by_class",
    "has_scopes",
    "in_scopes",
    "is_counted",
    "is_terminating",
    "pod_usage",
    "unspecified_resources",
]
