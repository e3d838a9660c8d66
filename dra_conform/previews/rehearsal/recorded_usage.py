"""A note on ResourceQuotas of a cluster that record more usage than its objects in the manifests have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dra_conform.kube.core import ResourceQuota
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import listed
from dra_conform.kube.objects import decode
from dra_conform.kube.quantity import Quantity
from dra_conform.quota import is_counted
from dra_conform.simulation.quotas import usage_counter
from dra_conform.simulation.server import Server


def notes_on_quotas(existing: Iterable[Json], server: Server) -> Iterator[str]:
    """Yield a note for each ResourceQuota that records more usage; `server` has the existing objects only."""
    quotas: list[ResourceQuota] = [decode(raw) for raw in existing if raw["kind"] == "ResourceQuota"]
    counter = usage_counter(server.all, server.profile) if quotas else None
    for quota in quotas if counter is not None else ():
        assert counter is not None
        usage = counter.of_quota(quota)
        more = [
            f"{name} {recorded} instead of {usage.get(name, Quantity(0))}"
            for name, recorded in (quota.status.used if quota.status is not None else {}).items()
            if is_counted(name) and recorded > usage.get(name, Quantity(0))
        ]
        if more:
            name = f"{quota.metadata.namespace or 'default'}/{quota.metadata.name}"
            yield (
                f"note: ResourceQuota {name} records more usage than the manifests have, and only the "
                f"manifests count: {listed(more)}"
            )
