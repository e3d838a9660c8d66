"""The explanation of a quota usage: which claims and pods count what, by which request and requirement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dra_conform.controlplane.cluster_dump.quota_rows import QuotaRow, QuotaUsage
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceRequest, DeviceSubRequest, ExactDeviceRequest, ResourceClaim
from dra_conform.quota import has_scopes, in_scopes, names
from dra_conform.quota.claim_usage import counted_devices
from dra_conform.quota.cluster_usage import ClusterUsage


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
