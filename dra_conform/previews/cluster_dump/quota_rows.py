"""The quota usage of a cluster by namespace and ResourceQuota, and which claims and pods count what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from dra_conform.kube.core import Pod, ResourceQuota
from dra_conform.kube.extended_resources import CLASS_PREFIX, is_extended
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, quantity_of
from dra_conform.kube.resource import (
    DeviceClass,
    DeviceRequest,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
)
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.previews.cluster_dump.cluster_objects import ClusterObjects
from dra_conform.previews.cluster_dump.reading import ClusterDump
from dra_conform.previews.recorded_times import present_time, times_in_metadata
from dra_conform.quota import has_scopes, in_scopes, is_counted, names
from dra_conform.quota.cluster_usage import ClusterUsage
from dra_conform.quota.object_usage import counted_devices
from dra_conform.simulation.quotas import missing_resources


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
class RejectedPods:
    """New pods that a ResourceQuota rejects for the same reason, because containers have no requests."""

    namespace: str
    quota: str
    message: str
    pods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotaUsage:
    """All rows in the order of namespace, ResourceQuota and name, and the counts behind them.

    `uncounted` are quota names that have limits and are not counted, such as `services`. `rejected` pods
    count in the rows nevertheless.
    """

    rows: tuple[QuotaRow, ...]
    before: ClusterUsage
    after: ClusterUsage
    quotas: Mapping[str, ResourceQuota]
    uncounted: tuple[str, ...]
    rejected: tuple[RejectedPods, ...] = ()


def quota_usage(dump: ClusterDump, profile: Profile) -> QuotaUsage:
    """Count the quota usage of all claims and pods.

    Each ResourceQuota has a row for each name with a limit that is counted. Each namespace has rows for
    claims, devices and extended resources that none of its ResourceQuotas without scopes limits.
    """
    before = _counted(dump.now, profile)
    after = before if dump.after is dump.now else _counted(dump.after, profile)
    quotas_before, quotas = (each.by_key(ResourceQuota) for each in (dump.now, dump.after))
    limited = [name for quota in quotas.values() for name in quota.spec.hard]
    implicit = after.switches.implicit_in_pods
    rows = [*_limited(before, after, quotas_before, quotas), *_unlimited(before, after, quotas)]
    return QuotaUsage(
        tuple(sorted(rows, key=lambda row: (row.namespace, not row.quota, row.quota, row.name))),
        before,
        after,
        quotas,
        tuple(sorted({name for name in limited if not is_counted(name, implicit=implicit)})),
        tuple(_rejected(dump.after.all(Pod), quotas)),
    )


def _rejected(pods: Iterable[Pod], quotas: Mapping[str, ResourceQuota]) -> Iterator[RejectedPods]:
    """Yield the pods without a UID that a quota of their namespace rejects."""
    reasons: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for pod in pods:
        namespace = pod.metadata.namespace or "default"
        for key, quota in quotas.items() if not pod.metadata.uid else ():
            if key.partition("/")[0] == namespace and in_scopes(pod, quota.spec):
                name = quota.metadata.name
                message = missing_resources(name, quota.spec.hard, pod)
                if message:
                    reasons[namespace, name, message].append(pod.metadata.name)
    return (RejectedPods(*reason, tuple(names)) for reason, names in reasons.items())


def _counted(objects: ClusterObjects, profile: Profile) -> ClusterUsage:
    classes, claims, pods = objects.all(DeviceClass), objects.all(ResourceClaim), objects.all(Pod)
    metadata = [
        *(item.metadata for item in classes),
        *(item.metadata for item in claims),
        *(item.metadata for item in pods),
    ]
    now = present_time(chain.from_iterable(map(times_in_metadata, metadata)))
    return ClusterUsage(classes, claims, pods, QuotaSwitches.of(profile), now)


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
            if is_counted(resource, implicit=after.switches.implicit_in_pods):
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


@dataclass(frozen=True, slots=True)
class UsageReason:
    """Objects of a kind that each count the same quantity for the same reason.

    `requirement` is its id, empty if the count is that of any object.
    """

    kind: str
    objects: tuple[str, ...]
    each: Quantity
    why: str
    requirement: str

    @property
    def total(self) -> int:
        """The total usage in nano-units."""
        return self.each.nano * len(self.objects)


def usage_reasons(usage: QuotaUsage, row: QuotaRow) -> tuple[UsageReason, ...]:
    """Return what counts in a row after changes, the largest usage first."""
    quota = usage.quotas.get(f"{row.namespace}/{row.quota}")
    scoped = quota is not None and has_scopes(quota.spec)
    groups: dict[tuple[str, int, str, str], list[str]] = defaultdict(list)
    if not scoped:
        for name, amount, why, requirement in _of_claims(usage.after, row):
            groups["ResourceClaim", amount, why, requirement].append(name)
    for number in usage.after.pods_of(row.namespace):
        pod = usage.after.pods[number]
        if quota is not None and not in_scopes(pod, quota.spec):
            continue
        amount = sum(amount for name, amount in usage.after.of_pod(number) if name == row.name)
        if amount:
            groups["Pod", amount, *_why_pod(row.name)].append(pod.metadata.name)
    reasons = (
        UsageReason(kind, tuple(objects), Quantity(amount, row.after.format), why, requirement)
        for (kind, amount, why, requirement), objects in groups.items()
    )
    return tuple(sorted(reasons, key=lambda reason: (-reason.total, reason.kind, reason.why)))


def _of_claims(usage: ClusterUsage, row: QuotaRow) -> Iterator[tuple[str, int, str, str]]:
    """Yield name, amount in nano-units, reason and requirement of each claim that counts in a row."""
    classes = _counted_classes(usage, row.name)
    if row.name != names.CLAIMS and not classes:
        return
    for number in usage.claims_of(row.namespace):
        claim = usage.claims[number]
        count = usage.of_claim(number).get(row.name, 0)
        if not count:
            continue
        if row.name == names.CLAIMS:
            why, requirement = "every ResourceClaim counts 1", ""
        else:
            charged = usage.charged(number).get(row.name, 0)
            why, requirement = _why_claim(claim, classes, row.name, charged)
        yield claim.metadata.name, Quantity.whole(count).nano, why, requirement


def _counted_classes(usage: ClusterUsage, name: str) -> frozenset[str]:
    """Return the DeviceClasses whose devices count in a quota name."""
    if name.endswith(names.DEVICES):
        return frozenset({name.removesuffix(names.DEVICES)})
    return frozenset(
        device_class
        for device_class, resource in usage.resources.items()
        if name == names.implicit(device_class) or (resource and name == names.requested(resource))
    )


def _why_claim(claim: ResourceClaim, classes: frozenset[str], name: str, charged: int) -> tuple[str, str]:
    parts = [part for request in claim.spec.devices.requests for part in _why_request(request, classes, name)]
    why = "; ".join(parts)
    if charged:
        return f"{why}, without the {charged} that its pod counts", "KEP-5004/quota/no-double-count"
    if name.endswith(names.DEVICES):
        return why, "KEP-5004/quota/worked-example-after-adjustment"
    if name.startswith(names.requested(CLASS_PREFIX)):
        return why, "KEP-5004/quota/implicit-counts-claims-and-explicit-dra"
    return why, "KEP-5004/quota/explicit-counts-resource-claims"


def _why_request(request: DeviceRequest, classes: frozenset[str], name: str) -> Iterator[str]:
    """Yield what a request counts of each DeviceClass, for a prioritized list the largest subrequest."""
    alternatives: Sequence[tuple[str, ExactDeviceRequest | DeviceSubRequest]] = (
        [(request.name, request.exactly)]
        if request.exactly is not None
        else [(f"{request.name}/{each.name}", each) for each in request.first_available]
    )
    for device_class in dict.fromkeys(each.device_class_name for _, each in alternatives):
        if device_class not in classes:
            continue
        counted = [
            (counted_devices(each.allocation_mode, each.count), path, each.allocation_mode)
            for path, each in alternatives
            if each.device_class_name == device_class
        ]
        count, path, allocation_mode = max(counted, key=lambda known: known[0])
        mode = " by allocationMode All" if allocation_mode == "All" else ""
        backing = "" if name.endswith(names.DEVICES) else f" (backs {name.removeprefix('requests.')})"
        largest = ", the largest of firstAvailable" if len(counted) > 1 else ""
        yield f"request {path}: {count} of DeviceClass {device_class}{backing}{mode}{largest}"


def _why_pod(name: str) -> tuple[str, str]:
    if name in (names.PODS, names.ALL_PODS):
        return "every pod counts 1" if name == names.ALL_PODS else "every pod that has not ended counts 1", ""
    if name.startswith("limits."):
        return f"its limits of {name.removeprefix('limits.')}", ""
    resource = name.removeprefix("requests.")
    if resource.startswith(CLASS_PREFIX):
        return f"its requests of {resource}", "KEP-5004/quota/key-prefix"
    if "/" in resource:
        return f"its requests of {resource}", "KEP-5004/quota/explicit-counts-device-plugin"
    return f"its requests of {resource}", "KEP-5517/accounting/quota-counts-spec-only"
