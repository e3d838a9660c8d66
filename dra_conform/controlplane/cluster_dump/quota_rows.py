"""The quota usage of a cluster by namespace and ResourceQuota, now and after changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dra_conform.controlplane.cluster_dump.cluster_objects import ClusterObjects
from dra_conform.controlplane.cluster_dump.quantity_formats import quantity_of
from dra_conform.controlplane.cluster_dump.reading import ClusterDump
from dra_conform.kube.core import Pod, ResourceQuota
from dra_conform.kube.extended_resources import is_extended
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceClass, ResourceClaim
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import is_counted, names
from dra_conform.quota.cluster_usage import ClusterUsage


@dataclass(frozen=True, slots=True)
class QuotaRow:
    """The usage of one quota name.

    `quota` is empty for usage in a namespace that none of its ResourceQuotas limits. `hard_before` and `hard`
    are the limits now and after changes, None without a limit.
    """

    namespace: str
    quota: str
    name: str
    before: Quantity
    after: Quantity
    hard_before: Quantity | None
    hard: Quantity | None

    @property
    def over_before(self) -> bool:
        """Whether the usage exceeds the limit now."""
        return self.hard_before is not None and self.before > self.hard_before

    @property
    def over(self) -> bool:
        """Whether the usage exceeds the limit after changes."""
        return self.hard is not None and self.after > self.hard


@dataclass(frozen=True, slots=True)
class QuotaUsage:
    """All rows in the order of namespace, ResourceQuota and name, and the counts behind them.

    `uncounted` are quota names that have limits and are not counted, such as `services`.
    """

    rows: tuple[QuotaRow, ...]
    before: ClusterUsage
    after: ClusterUsage
    quotas: Mapping[str, ResourceQuota]
    uncounted: tuple[str, ...]


def quota_usage(dump: ClusterDump, profile: Profile) -> QuotaUsage:
    """Count the quota usage of all claims and pods.

    Each ResourceQuota has a row for each name with a limit that is counted. Each namespace has rows for
    claims, devices and extended resources that none of its ResourceQuotas without scopes limits.
    """
    before = _counted(dump.now, profile)
    after = before if dump.after is dump.now else _counted(dump.after, profile)
    quotas_before, quotas = (each.by_key(ResourceQuota) for each in (dump.now, dump.after))
    limited = [name for quota in quotas.values() for name in quota.spec.hard]
    rows = [*_limited(before, after, quotas_before, quotas), *_unlimited(before, after, quotas)]
    return QuotaUsage(
        tuple(sorted(rows, key=lambda row: (row.namespace, not row.quota, row.quota, row.name))),
        before,
        after,
        quotas,
        tuple(sorted({name for name in limited if not is_counted(name)})),
    )


def _counted(objects: ClusterObjects, profile: Profile) -> ClusterUsage:
    classes, claims, pods = objects.all(DeviceClass), objects.all(ResourceClaim), objects.all(Pod)
    return ClusterUsage(classes, claims, pods, QuotaSwitches.of(profile))


def _limited(
    before: ClusterUsage,
    after: ClusterUsage,
    quotas_before: Mapping[str, ResourceQuota],
    quotas: Mapping[str, ResourceQuota],
) -> Iterator[QuotaRow]:
    for key, quota in quotas.items():
        namespace, _, name = key.partition("/")
        old = quotas_before.get(key)
        used_after = after.of_quota(quota)
        used_before = used_after if before is after else before.of_quota(quota if old is None else old)
        for resource, hard in quota.spec.hard.items():
            if is_counted(resource):
                limit = None if old is None else old.spec.hard.get(resource)
                now, then = (
                    quantity_of(used.get(resource, 0), resource, hard) for used in (used_before, used_after)
                )
                yield QuotaRow(namespace, name, resource, now, then, limit, hard)


def _unlimited(
    before: ClusterUsage, after: ClusterUsage, quotas: Mapping[str, ResourceQuota]
) -> Iterator[QuotaRow]:
    limited = {
        (key.partition("/")[0], name)
        for key, quota in quotas.items()
        if not (quota.spec.scopes or quota.spec.scope_selector)
        for name in quota.spec.hard
    }
    for namespace in {**before.by_namespace, **after.by_namespace}:
        used_before, used_after = (each.by_namespace.get(namespace, {}) for each in (before, after))
        for name in {**used_before, **used_after}:
            if (namespace, name) not in limited and _is_of_devices(name):
                now, then = (quantity_of(used.get(name, 0), name, None) for used in (used_before, used_after))
                yield QuotaRow(namespace, "", name, now, then, None, None)


def _is_of_devices(name: str) -> bool:
    """Whether a quota name counts claims, devices or an extended resource."""
    extended = name.startswith(names.requested("")) and is_extended(name)
    return extended or name == names.CLAIMS or name.endswith(names.DEVICES)
