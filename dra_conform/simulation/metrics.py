"""Metrics of ResourceClaims (KEP-5004) and of unschedulable pods (KEP-5075), under "Monitoring".

Names of the first differ between releases. 1.35 and 1.36 have the names of the KEP with other values of
`source`. 1.37 has one name for both components that create claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from dra_conform.cluster_state.components import SCHEDULER
from dra_conform.cluster_state.pods import allocation_of, owner_of, requests_of
from dra_conform.kube.extended_resources import EXTENDED_RESOURCE_CLAIM
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.controllers import ClaimMetricSwitches
from dra_conform.simulation.store import Store

_Series = tuple[str, tuple[tuple[str, str], ...]]
"""A metric name with its labels."""

_POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"
_PREFIX_SINCE_1_37 = "dynamic_resource_allocation"
_PROFILE = "default-scheduler"
"""The scheduler profile of all simulated pods."""


class MetricGrowth:
    """Growth of the metrics since the last steady state; `take` returns and resets it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._creates: Counter[_Series] = Counter()
        self._existing: Counter[_Series] = Counter()

    def record_create(self, component: str, claim: Json, profile: Profile, *, succeeded: bool) -> None:
        """Count a component's request to create a claim (KEP-5004/metrics/creates-total)."""
        labels = {"status": "success" if succeeded else "failure"}
        switches = ClaimMetricSwitches.of(profile)
        if not switches.exist:
            return
        if component != SCHEDULER or switches.common_prefix:
            labels["admin_access"] = _label_value(_has_admin_access(claim))
        name = "scheduler_resourceclaim" if component == SCHEDULER else "resourceclaim_controller"
        if switches.common_prefix:
            name = f"{_PREFIX_SINCE_1_37}_resourceclaim"
            labels |= {"owner_api_group": "", "owner_api_kind": (owner_of(claim) or {}).get("kind", "")}
        self._creates[_series(f"{name}_creates_total", labels)] += 1

    def take(self, profile: Profile, unschedulable: Mapping[str, int]) -> list[dict[str, Json]]:
        """Return each series that has changed, with its labels and its growth.

        `unschedulable` is the number of pods that each plugin of the scheduler rejects
        (KEP-5075/metrics/unschedulable-pods).
        """
        existing = Counter(self._series_of_claims(profile))
        for plugin, pods in unschedulable.items():
            existing[_series("scheduler_unschedulable_pods", {"plugin": plugin, "profile": _PROFILE})] = pods
        grown = {
            series: existing[series] - self._existing[series] for series in {**self._existing, **existing}
        }
        growths = [
            {"name": name, "labels": dict(labels), "growth": growth}
            for (name, labels), growth in sorted({**grown, **self._creates}.items())
            if growth
        ]
        self._creates, self._existing = Counter(), existing
        return growths

    def _series_of_claims(self, profile: Profile) -> Iterator[_Series]:
        """Yield the series of each existing claim (KEP-5004/metrics/resource-claims-source-label)."""
        switches = ClaimMetricSwitches.of(profile)
        if not switches.exist:
            return
        prefix = _PREFIX_SINCE_1_37 if switches.common_prefix else "resourceclaim_controller"
        for claim in self._store.of_kind("ResourceClaim"):
            source = _source(claim)
            labels = {
                "admin_access": _label_value(_has_admin_access(claim)),
                "allocated": _label_value(allocation_of(claim) is not None),
                "source": source if switches.source_with_hyphens else source.replace("-", "_"),
            }
            yield _series(f"{prefix}_resource_claims", labels)


def _source(claim: Json) -> str:
    """Return the `source` label according to the claim's annotations
    (KEP-5004/metrics/source-from-annotation)."""
    annotations = claim["metadata"].get("annotations") or {}
    if annotations.get(EXTENDED_RESOURCE_CLAIM):
        return "extended-resource"
    return "resource-claim-template" if annotations.get(_POD_CLAIM_NAME) else ""


def _has_admin_access(claim: Json) -> bool:
    return any((request.get("exactly") or {}).get("adminAccess") for request in requests_of(claim))


def _series(name: str, labels: dict[str, str]) -> _Series:
    return name, tuple(sorted(labels.items()))


def _label_value(value: bool) -> str:
    return "true" if value else "false"
