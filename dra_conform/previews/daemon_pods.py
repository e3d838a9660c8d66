"""The pods of DaemonSets: each has one node by its affinity."""

from __future__ import annotations

from typing import Any

import msgspec

from dra_conform.cluster_state.acceptable_nodes import wants
from dra_conform.kube.core import Node, Pod, Toleration
from dra_conform.kube.field_paths import field_at
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.node_selectors import SelectorError
from dra_conform.kube.objects import DecodeErrors
from dra_conform.simulation.scheduling.node_plugins import BLOCKING, tolerated

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_DAEMON_TOLERATIONS = {
    "not-ready": "NoExecute",
    "unreachable": "NoExecute",
    "disk-pressure": "NoSchedule",
    "memory-pressure": "NoSchedule",
    "pid-pressure": "NoSchedule",
    "unschedulable": "NoSchedule",
}
"""The taints `node.kubernetes.io/...` that the pods of a DaemonSet tolerate."""


def only_on(pod: Pod, node: str) -> Pod:
    """Return the pod restricted to one node by affinity, with tolerations, as the DaemonSet controller
    creates it."""
    tolerations = (
        Toleration(key=f"node.kubernetes.io/{taint}", operator="Exists", effect=effect)
        for taint, effect in _DAEMON_TOLERATIONS.items()
    )
    spec = msgspec.structs.replace(
        pod.spec,
        affinity=_with_node(pod.spec.affinity, node),
        tolerations=(*pod.spec.tolerations, *tolerations),
    )
    return msgspec.structs.replace(pod, spec=spec)


def accepts(pod: Pod, node: Node, item: LoadedObject) -> bool:
    """Whether the pod of a DaemonSet matches and tolerates a node."""
    try:
        accepted = wants(pod, node)
    except (DecodeErrors, SelectorError) as error:
        raise item.manifest.error(("spec", "template", "spec", "affinity"), str(error)) from None
    return accepted and all(tolerated(taint, pod) for taint in node.spec.taints if taint.effect in BLOCKING)


def node_of(pod: Pod) -> str:
    """Return the node of the pod of a DaemonSet, which its affinity names before it is scheduled."""
    if pod.spec.node_name:
        return pod.spec.node_name
    terms = field_at(pod.spec.affinity or {}, f"nodeAffinity.{_REQUIRED}.nodeSelectorTerms")
    term = terms[0] if isinstance(terms, list | tuple) and terms else {}
    fields = term.get("matchFields") if isinstance(term, dict) else ()
    for field in fields if isinstance(fields, list | tuple) else ():
        values = field.get("values") if isinstance(field, dict) else ()
        if isinstance(values, list | tuple) and len(values) == 1:
            return str(values[0])
    return ""


def _with_node(affinity: Any, node: str) -> Any:
    """Return an affinity whose required terms match one node only; a malformed affinity is returned
    unchanged."""
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    affinity_fields = affinity or {}
    try:
        node_affinity = affinity_fields.get("nodeAffinity") or {}
        terms = (node_affinity.get(_REQUIRED) or {}).get("nodeSelectorTerms", [{}])
        narrowed = {"nodeSelectorTerms": [{**term, "matchFields": [field]} for term in terms]}
    except (AttributeError, TypeError):
        return affinity
    return {**affinity_fields, "nodeAffinity": {**node_affinity, _REQUIRED: narrowed}}
