"""The status of ResourceQuotas, computed from the objects that exist."""

from __future__ import annotations

from typing import Any

from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.pods import with_status
from dra_conform.controlplane.simulation.quotas import usage_counter
from dra_conform.kube.core import ResourceQuota, ResourceQuotaStatus
from dra_conform.kube.objects import decode
from dra_conform.kube.quantity import Quantity
from dra_conform.quota import is_counted

Json = Any


def count_quotas(client: Client) -> None:
    """Write the status of each quota that does not count what exists."""
    quotas = client.all("ResourceQuota")
    counter = usage_counter(client.all, client.profile) if quotas else None
    for raw in quotas if counter else ():
        quota: ResourceQuota = decode(raw)
        assert counter is not None
        usage = counter.of_quota(quota)
        used = {name: usage.get(name, Quantity(0)) for name in quota.spec.hard if is_counted(name)}
        if quota.status == ResourceQuotaStatus(hard=quota.spec.hard, used=used):
            continue
        try:
            told = {name: str(amount) for name, amount in used.items()}
            client.update(
                with_status(raw, hard=(raw.get("spec") or {}).get("hard") or {}, used=told), "status"
            )
        except WriteFailed:
            continue  # tried again in the next round
