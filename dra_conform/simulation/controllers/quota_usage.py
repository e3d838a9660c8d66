"""The quota controller: it computes the status of ResourceQuotas from existing objects."""

from __future__ import annotations

from dra_conform.cluster_state.pods import with_status
from dra_conform.kube.core import ResourceQuota, ResourceQuotaStatus
from dra_conform.kube.objects import decode
from dra_conform.kube.quantity import Quantity
from dra_conform.quota import is_counted
from dra_conform.simulation.client import Client, WriteFailed
from dra_conform.simulation.quotas import usage_counter


def count_quotas(client: Client) -> None:
    """Write the status of each ResourceQuota whose recorded usage differs from the current usage."""
    quotas = client.all("ResourceQuota")
    counter = usage_counter(client.all, client.profile) if quotas else None
    for raw in quotas if counter else ():
        quota: ResourceQuota = decode(raw)
        assert counter is not None
        usage = counter.of_quota(quota)
        used = {
            name: usage.get(name, Quantity(0))
            for name in quota.spec.hard
            if is_counted(name, implicit=counter.switches.implicit_in_pods)
        }
        if quota.status == ResourceQuotaStatus(hard=quota.spec.hard, used=used):
            continue
        try:
            encoded = {name: str(quantity) for name, quantity in used.items()}
            client.update(
                with_status(raw, hard=(raw.get("spec") or {}).get("hard") or {}, used=encoded), "status"
            )
        except WriteFailed:
            continue  # The next round tries again.
