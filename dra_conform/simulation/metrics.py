"""Metrics of ResourceClaims, of pending pods and of requests (KEP-5004 and KEP-5075, under "Monitoring"), and
the write requests of components.

Names of the first differ between releases. 1.35 and 1.36 have the names of the KEP with other values of
`source`. 1.37 has one name for both components that create claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from dra_conform.cluster_state.components import SCHEDULER
from dra_conform.cluster_state.pods import allocation_of, owner_of, requests_of
from dra_conform.footprint.containers import limited, requested
from dra_conform.kube.core import Pod
from dra_conform.kube.extended_resources import EXTENDED_RESOURCE_CLAIM
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.controllers import ClaimMetricSwitches
from dra_conform.simulation.store import Store

_Series = tuple[str, tuple[tuple[str, str], ...]]
"""A metric name with its labels."""

_POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"
_PREFIX_SINCE_1_37 = "dynamic_resource_allocation"
_PROFILE = "default-scheduler"
"""The scheduler profile of all simulated pods."""
_METHODS = {"create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE"}
"""The label `verb` of requests."""


class MetricGrowth:
    """Growth of the metrics since the last steady state; `take` returns and resets it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counted: Counter[_Series] = Counter()
        self._writes: Counter[tuple[str, str, str]] = Counter()
        """The number of write requests by component, verb and resource."""
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
        self._counted[_series(f"{name}_creates_total", labels)] += 1

    def record_write(self, component: str, verb: str, kind: str, subresource: str = "") -> None:
        """Count a component's write request, `create`, `update`, `patch` or `delete`."""
        plural = COLLECTIONS[kind].lower()
        self._writes[component, verb, f"{plural}/{subresource}".rstrip("/")] += 1
        labels = {"verb": _METHODS[verb], "resource": plural, "subresource": subresource}
        self._counted[_series("apiserver_request_total", labels)] += 1

    def record_scheduled(self) -> None:
        """Count a pod that the scheduler has bound."""
        self._counted[_series("scheduler_pod_scheduling_sli_duration_seconds_count", {})] += 1

    def record_queued_claim(self) -> None:
        """Count a ResourceClaim that the controller of ResourceClaims handles."""
        self._counted[_series("workqueue_adds_total", {"name": "resource_claim"})] += 1

    def take_writes(self) -> list[dict[str, Json]]:
        """Return the number of write requests by component, verb and resource; reset them."""
        taken, self._writes = self._writes, Counter()
        return [
            {"component": component, "verb": verb, "resource": resource, "count": count}
            for (component, verb, resource), count in sorted(taken.items())
        ]

    def take(self, profile: Profile, unschedulable: Mapping[str, int], waiting: int) -> list[dict[str, Json]]:
        """Return each series that has changed, with its labels and its growth.

        `unschedulable` is the number of pods that each plugin of the scheduler rejects
        (KEP-5075/metrics/unschedulable-pods), `waiting` the number of all unschedulable pods.
        """
        existing = Counter(self._series_of_claims(profile))
        existing.update(dict(self._series_of_pods()))
        for plugin, pods in unschedulable.items():
            existing[_series("scheduler_unschedulable_pods", {"plugin": plugin, "profile": _PROFILE})] = pods
        existing[_series("scheduler_pending_pods", {"queue": "unschedulable"})] = waiting
        grown = {
            series: existing[series] - self._existing[series] for series in {**self._existing, **existing}
        }
        growths = [
            {"name": name, "labels": dict(labels), "growth": growth}
            for (name, labels), growth in sorted({**grown, **self._counted}.items())
            if growth
        ]
        self._counted, self._existing = Counter(), existing
        return growths

    def _series_of_pods(self) -> Iterator[tuple[_Series, int]]:
        """Yield the series of extended resources in requests and limits of each pod, each with its value
        (KEP-5004/metrics/pod-resource-metrics-do-not-differ)."""
        for pod in self._store.of_kind("Pod"):
            names = {"namespace": pod["metadata"]["namespace"], "pod": pod["metadata"]["name"]}
            typed: Pod = decode(pod)
            for word, amounts in (("request", requested(typed)), ("limit", limited(typed))):
                for resource, amount in amounts.items():
                    if "/" in resource:
                        labels = names | {"resource": resource, "unit": "integer"}
                        yield _series(f"kube_pod_resource_{word}", labels), amount.value()

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
