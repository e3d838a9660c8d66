"""Quota scopes, which select the pods that a ResourceQuota counts; a quota with scopes counts no claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dra_conform.kube.core import Pod, ResourceQuotaSpec, ScopedResourceSelectorRequirement
from dra_conform.kube.json_values import Json
from dra_conform.kube.quality_of_service import BEST_EFFORT, qos_class

PRIORITY_CLASS = "PriorityClass"


def has_scopes(quota: ResourceQuotaSpec) -> bool:
    """Whether a quota has scopes."""
    return bool(_scopes(quota))


def in_scopes(pod: Pod, quota: ResourceQuotaSpec) -> bool:
    """Whether a pod is in all scopes of a quota, which is true if the quota has none."""
    return all(_is_in(pod, scope) for scope in _scopes(quota))


def is_terminating(pod: Pod) -> bool:
    """Whether a pod is in the scope Terminating: it has activeDeadlineSeconds."""
    seconds = pod.spec.active_deadline_seconds
    return seconds is not None and seconds >= 0


def _scopes(quota: ResourceQuotaSpec) -> tuple[ScopedResourceSelectorRequirement, ...]:
    selected = quota.scope_selector.match_expressions if quota.scope_selector else ()
    named = (ScopedResourceSelectorRequirement(scope_name=scope, operator="Exists") for scope in quota.scopes)
    return (*named, *selected)


def _is_in(pod: Pod, scope: ScopedResourceSelectorRequirement) -> bool:
    if scope.scope_name == PRIORITY_CLASS:
        return _has_priority(pod.spec.priority_class_name, scope)
    return _SCOPES[scope.scope_name](pod) if scope.scope_name in _SCOPES else False


def _has_priority(name: str, scope: ScopedResourceSelectorRequirement) -> bool:
    by_operator = {
        "In": name in scope.values,
        "NotIn": name not in scope.values,
        "Exists": bool(name),
        "DoesNotExist": not name,
    }
    return by_operator.get(scope.operator, False)


def _is_best_effort(pod: Pod) -> bool:
    """Whether the QoS class of a pod is BestEffort: that of its status or, without one, that of its spec
    (KEP-5517/kubelet/qos-from-spec-only)."""
    if pod.status is not None and pod.status.qos_class:
        return pod.status.qos_class == BEST_EFFORT
    containers = (*pod.spec.init_containers, *pod.spec.containers)
    resources = [pod.spec.resources] if pod.spec.resources else [each.resources for each in containers]
    return qos_class([(each.requests, each.limits) for each in resources]) == BEST_EFFORT


def _has_cross_namespace_affinity(pod: Pod) -> bool:
    affinity = pod.spec.affinity or {}
    kinds = (affinity.get(name) or {} for name in ("podAffinity", "podAntiAffinity"))
    terms = (term or {} for kind in kinds for term in _terms(kind))  # An API server reads null as {}.
    return any(term.get("namespaces") or term.get("namespaceSelector") is not None for term in terms)


def _terms(affinity: Mapping[str, Json]) -> Iterator[Json]:
    yield from affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or ()
    for preferred in affinity.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
        yield (preferred or {}).get("podAffinityTerm")


_SCOPES: Mapping[str, Callable[[Pod], bool]] = {
    "Terminating": is_terminating,
    "NotTerminating": lambda pod: not is_terminating(pod),
    "BestEffort": _is_best_effort,
    "NotBestEffort": lambda pod: not _is_best_effort(pod),
    "CrossNamespacePodAffinity": _has_cross_namespace_affinity,
}
