"""Quota admission: claims and pods are charged to the ResourceQuotas of their namespace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from dra_conform.controlplane.counting_usage import counter_of
from dra_conform.kube.core import Pod, ResourceQuota
from dra_conform.kube.objects import COLLECTIONS, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import ResourceClaim
from dra_conform.quota import (
    UsageCounter,
    has_scopes,
    in_scopes,
    is_counted,
    is_terminating,
    unnamed_amounts,
)

Json = Any
Amounts = Mapping[str, Quantity]
Counted = Pod | ResourceClaim

_COUNTED = ("DeviceClass", "ResourceClaim", "Pod")


class OverQuota(Exception):  # noqa: N818 - it reads as what happened
    """A quota does not allow the object; the text is that of the API server."""


def usage_counter(read: Callable[[str], list[Json]], profile: Profile) -> UsageCounter:
    """The counter of all objects; `read` gives those of a kind. Raises DecodeErrors."""
    return counter_of({COLLECTIONS[kind]: read(kind) for kind in _COUNTED}, profile)


class Charging:
    """One write, charged to quotas."""

    def __init__(self, read: Callable[[str], list[Json]], profile: Profile) -> None:
        self._read = read
        self._profile = profile

    def quotas(self, new: Json, old: Json = None, subresource: str = "") -> list[Json]:
        """The quotas that count an object more than before, with their use of it; raises OverQuota.

        `old` is what a changed object was. A quota that was never counted allows everything.
        """
        if new["kind"] not in ("ResourceClaim", "Pod"):
            return []
        namespace = new["metadata"].get("namespace")
        raw = [one for one in self._read("ResourceQuota") if one["metadata"]["namespace"] == namespace]
        written: Counted = decode(new)
        before: Counted | None = decode(old) if old and raw else None
        if not raw or not _is_charged(written, before, subresource):
            return []
        return [changed for one in raw for changed in self._charged(one, written, before)]

    def _charged(self, raw: Json, new: Counted, old: Counted | None) -> Iterator[Json]:
        quota: ResourceQuota = decode(raw)
        if quota.status is None or not _covers(quota, new):
            return
        hard, used = quota.status.hard, quota.status.used
        if isinstance(new, Pod):
            _all_named(quota, new)
        before = self._usage(old) if old is not None and _covers(quota, old) else {}
        more = {name: amount - before.get(name, Quantity(0)) for name, amount in self._usage(new).items()}
        asked = {
            name: amount
            for name, amount in more.items()
            if amount > Quantity(0) and name in hard and name in used
        }
        over = sorted(name for name, amount in asked.items() if used[name] + amount > hard[name])
        if over:
            requested, taken, limited = (_told(amounts, over) for amounts in (asked, used, hard))
            name = quota.metadata.name
            raise OverQuota(
                f"exceeded quota: {name}, requested: {requested}, used: {taken}, limited: {limited}"
            )
        if asked:
            now = {name: str(used[name] + amount) for name, amount in asked.items()}
            status = {**raw["status"], "used": {**raw["status"]["used"], **now}}
            yield {**raw, "status": status}

    def _usage(self, one: Counted) -> Amounts:
        return self._counter.of_pod(one) if isinstance(one, Pod) else self._counter.of_claim(one)

    @cached_property
    def _counter(self) -> UsageCounter:
        return usage_counter(self._read, self._profile)


def _is_charged(new: Counted, old: Counted | None, subresource: str) -> bool:
    """Whether a write can count more: new objects, claims, pods that are resized or end by themselves now."""
    if old is None or not isinstance(new, Pod):
        return not subresource
    assert isinstance(old, Pod)
    ends_now = not subresource and is_terminating(new) != is_terminating(old)
    return subresource == "resize" or ends_now


def _covers(quota: ResourceQuota, one: Counted) -> bool:
    return in_scopes(one, quota.spec) if isinstance(one, Pod) else not has_scopes(quota.spec)


def _all_named(quota: ResourceQuota, pod: Pod) -> None:
    """Raises OverQuota for a container that does not name what the quota limits."""
    assert quota.status is not None
    missing = unnamed_amounts(pod, filter(is_counted, quota.status.hard))
    if missing:
        told = "; ".join(f"{name} for: {','.join(names)}" for name, names in missing.items())
        raise OverQuota(f"failed quota: {quota.metadata.name}: must specify {told}")


def _told(amounts: Amounts, names: list[str]) -> str:
    return ",".join(f"{name}={amounts[name]}" for name in names)
