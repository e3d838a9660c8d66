"""Metrics of components about claims: created and existing ones (KEP-5004 "Monitoring").

Releases have other names for the same: 1.35 and 1.36 those of the document with other values of `source`,
1.37 one name for both components that make claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dra_conform.controlplane.simulation.components import SCHEDULER
from dra_conform.controlplane.simulation.pods import allocation_of, owner_of, requests_of
from dra_conform.controlplane.simulation.store import Store
from dra_conform.kube.extended_resources import SPECIAL_CLAIM
from dra_conform.kube.profile import Profile

Json = Any
_Series = tuple[str, tuple[tuple[str, str], ...]]
"""A name with its labels."""

_POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"
_NEWER = "dynamic_resource_allocation"
"""What names of metrics begin with since 1.37."""


class ClaimMetrics:
    """Counts since the cluster was at rest before; `take` begins anew."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: Counter[_Series] = Counter()
        self._there: Counter[_Series] = Counter()

    def made(self, component: str, claim: Json, profile: Profile, *, succeeded: bool) -> None:
        """A component has asked to create a claim (KEP-5004/metrics/creates-total)."""
        labels = {"status": "success" if succeeded else "failure"}
        if component != SCHEDULER or _renamed(profile):
            labels["admin_access"] = _text(_has_admin_access(claim))
        name = "scheduler_resourceclaim" if component == SCHEDULER else "resourceclaim_controller"
        if _renamed(profile):
            name = f"{_NEWER}_resourceclaim"
            labels |= {"owner_api_group": "", "owner_api_kind": (owner_of(claim) or {}).get("kind", "")}
        self._made[_series(f"{name}_creates_total", labels)] += 1

    def take(self, profile: Profile) -> list[dict[str, Json]]:
        """By how much each has grown, with its labels; those that have not are left out."""
        there = Counter(self._counted(profile))
        grown = {one: there[one] - self._there[one] for one in {**self._there, **there}}
        told = [
            {"name": name, "labels": dict(labels), "growth": growth}
            for (name, labels), growth in sorted({**grown, **self._made}.items())
            if growth
        ]
        self._made, self._there = Counter(), there
        return [] if profile.before("1.35") else told

    def _counted(self, profile: Profile) -> Iterator[_Series]:
        """Each claim that there is (KEP-5004/metrics/resource-claims-source-label)."""
        prefix = _NEWER if _renamed(profile) else "resourceclaim_controller"
        for claim in self._store.of_kind("ResourceClaim"):
            source = _source(claim)
            labels = {
                "admin_access": _text(_has_admin_access(claim)),
                "allocated": _text(allocation_of(claim) is not None),
                "source": source if profile.release is None else source.replace("-", "_"),
            }
            yield _series(f"{prefix}_resource_claims", labels)


def _renamed(profile: Profile) -> bool:
    return profile.release is not None and not profile.before("1.37")


def _source(claim: Json) -> str:
    """What a claim was made for by its annotations (KEP-5004/metrics/source-from-annotation)."""
    annotations = claim["metadata"].get("annotations") or {}
    if annotations.get(SPECIAL_CLAIM):
        return "extended-resource"
    return "resource-claim-template" if annotations.get(_POD_CLAIM_NAME) else ""


def _has_admin_access(claim: Json) -> bool:
    return any((one.get("exactly") or {}).get("adminAccess") for one in requests_of(claim))


def _series(name: str, labels: dict[str, str]) -> _Series:
    return name, tuple(sorted(labels.items()))


def _text(value: bool) -> str:
    return "true" if value else "false"
