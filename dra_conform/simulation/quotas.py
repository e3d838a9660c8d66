"""Quota admission of ResourceClaims and pods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Pod, ResourceQuota
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import ResourceClaim
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import (
    UsageCounter,
    has_scopes,
    in_scopes,
    is_counted,
    is_terminating,
    unspecified_resources,
)

Objects = Mapping[str, Sequence[Json]]


def counter_of(objects: Objects, profile: Profile, columns: ColumnUse = ColumnUse.BY_SIZE) -> UsageCounter:
    """Return the usage counter for the objects of a cluster; raise DecodeErrors."""
    classes, claims, pods = (
        tuple(map(decode, objects.get(name, ()))) for name in ("deviceClasses", "resourceClaims", "pods")
    )
    return UsageCounter(classes, claims, pods, QuotaSwitches.of(profile), columns)


def count_usage(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, columns: ColumnUse = ColumnUse.BY_SIZE
) -> dict[str, Json]:
    """Count the quota usage of the namespace `ask["namespace"]`, and return the body of a `result`.

    Raises DecodeErrors.
    """
    used = counter_of(objects, profile, columns).of_namespace(ask["namespace"])
    return {"outcome": "counted", "used": {name: str(quantity) for name, quantity in sorted(used.items())}}


Amounts = Mapping[str, Quantity]
Counted = Pod | ResourceClaim

_COUNTED = ("DeviceClass", "ResourceClaim", "Pod")


class OverQuota(Exception):  # noqa: N818 - it reads as what happened
    """A ResourceQuota rejects the object; the message is that of the API server."""


def usage_counter(read: Callable[[str], list[Json]], profile: Profile) -> UsageCounter:
    """Return the usage counter for all objects; `read` returns the objects of a kind. Raises DecodeErrors."""
    return counter_of({COLLECTIONS[kind]: read(kind) for kind in _COUNTED}, profile)


class QuotaAdmission:
    """Checks one write against the ResourceQuotas of its namespace."""

    def __init__(self, read: Callable[[str], list[Json]], profile: Profile) -> None:
        self._read = read
        self._profile = profile

    def quotas(self, new: Json, old: Json = None, subresource: str = "") -> list[Json]:
        """Return the quotas whose usage the write increases, with the new usage; raise OverQuota.

        `old` is the stored object before an update. A quota without a status allows everything.
        """
        if new["kind"] not in ("ResourceClaim", "Pod"):
            return []
        namespace = new["metadata"].get("namespace")
        raw = [quota for quota in self._read("ResourceQuota") if quota["metadata"]["namespace"] == namespace]
        written: Counted = decode(new)
        before: Counted | None = decode(old) if old and raw else None
        if not raw or not _can_increase(written, before, subresource):
            return []
        return [changed for quota in raw for changed in self._charged(quota, written, before)]

    def _charged(self, raw: Json, new: Counted, old: Counted | None) -> Iterator[Json]:
        quota: ResourceQuota = decode(raw)
        if quota.status is None or not _applies(quota, new):
            return
        hard, used = quota.status.hard, quota.status.used
        if isinstance(new, Pod):
            _check_required(quota, new)
        before = self._usage(old) if old is not None and _applies(quota, old) else {}
        increase = {
            name: quantity - before.get(name, Quantity(0)) for name, quantity in self._usage(new).items()
        }
        charged = {
            name: quantity
            for name, quantity in increase.items()
            if quantity > Quantity(0) and name in hard and name in used
        }
        exceeded = sorted(name for name, quantity in charged.items() if used[name] + quantity > hard[name])
        if exceeded:
            requested, taken, limited = (_format(amounts, exceeded) for amounts in (charged, used, hard))
            name = quota.metadata.name
            raise OverQuota(
                f"exceeded quota: {name}, requested: {requested}, used: {taken}, limited: {limited}"
            )
        if charged:
            total = {name: str(used[name] + quantity) for name, quantity in charged.items()}
            status = {**raw["status"], "used": {**raw["status"]["used"], **total}}
            yield {**raw, "status": status}

    def _usage(self, counted: Counted) -> Amounts:
        return self._counter.of_pod(counted) if isinstance(counted, Pod) else self._counter.of_claim(counted)

    @cached_property
    def _counter(self) -> UsageCounter:
        return usage_counter(self._read, self._profile)


def _can_increase(new: Counted, old: Counted | None, subresource: str) -> bool:
    """Whether a write can increase the usage.

    It is a creation, a change of a claim, a pod resize, or a change of whether the pod is terminating.
    """
    if old is None or not isinstance(new, Pod):
        return not subresource
    assert isinstance(old, Pod)
    terminating_changes = not subresource and is_terminating(new) != is_terminating(old)
    return subresource == "resize" or terminating_changes


def _applies(quota: ResourceQuota, counted: Counted) -> bool:
    return in_scopes(counted, quota.spec) if isinstance(counted, Pod) else not has_scopes(quota.spec)


def missing_resources(quota: str, hard: Iterable[str], pod: Pod) -> str:
    """Return why a quota with limits on the names `hard` rejects a pod whose containers do not specify a
    resource, empty if they specify all."""
    missing = unspecified_resources(pod, filter(is_counted, hard))
    unspecified = "; ".join(f"{name} for: {','.join(names)}" for name, names in missing.items())
    return f"failed quota: {quota}: must specify {unspecified}" if missing else ""


def _check_required(quota: ResourceQuota, pod: Pod) -> None:
    """Raise OverQuota if a container does not specify a resource that the quota limits."""
    assert quota.status is not None
    problem = missing_resources(quota.metadata.name, quota.status.hard, pod)
    if problem:
        raise OverQuota(problem)


def _format(amounts: Amounts, names: list[str]) -> str:
    return ",".join(f"{name}={amounts[name]}" for name in names)
