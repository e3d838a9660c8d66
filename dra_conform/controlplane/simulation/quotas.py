"""The quota admission of an API server: a new claim or pod is charged to the quotas of its namespace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dra_conform.controlplane.counting_usage import counter_of
from dra_conform.kube.core import ResourceQuota
from dra_conform.kube.objects import COLLECTIONS, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.quota import UsageCounter

Json = Any
Amounts = Mapping[str, Quantity]

_COUNTED = ("DeviceClass", "ResourceClaim", "Pod")


class OverQuota(Exception):  # noqa: N818 - it reads as what happened
    """A quota does not allow the object; the text is that of the API server."""


def usage_counter(read: Callable[[str], list[Json]], profile: Profile) -> UsageCounter:
    """The counter of all objects; `read` gives those of a kind. Raises DecodeErrors."""
    return counter_of({COLLECTIONS[kind]: read(kind) for kind in _COUNTED}, profile)


def charged_quotas(new: Json, read: Callable[[str], list[Json]], profile: Profile) -> list[Json]:
    """The quotas that count a new object, with their use of it; raises OverQuota.

    A quota that was never counted allows everything.
    """
    namespace = new["metadata"].get("namespace")
    quotas = [one for one in read("ResourceQuota") if one["metadata"]["namespace"] == namespace]
    if not quotas or new["kind"] not in ("ResourceClaim", "Pod"):
        return []
    counter = usage_counter(read, profile)
    added = counter.of_pod(decode(new)) if new["kind"] == "Pod" else counter.of_claim(decode(new))
    return [_charged(quota, added) for quota in quotas]


def _charged(raw: Json, added: Amounts) -> Json:
    quota: ResourceQuota = decode(raw)
    if quota.status is None:
        return raw
    hard, used = quota.status.hard, quota.status.used
    asked = {name: amount for name, amount in added.items() if name in hard and name in used}
    over = sorted(name for name, amount in asked.items() if used[name] + amount > hard[name])
    if over:
        requested, before, limited = (_told(amounts, over) for amounts in (asked, used, hard))
        name = quota.metadata.name
        raise OverQuota(f"exceeded quota: {name}, requested: {requested}, used: {before}, limited: {limited}")
    now = {**raw["status"]["used"], **{name: str(used[name] + amount) for name, amount in asked.items()}}
    return {**raw, "status": {**raw["status"], "used": now}}


def _told(amounts: Amounts, names: list[str]) -> str:
    return ",".join(f"{name}={amounts[name]}" for name in names)
