"""The interacting features that a case uses in a cluster: in its setup and in its actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import features_of
from dra_conform.kube.objects import COLLECTIONS

Json = Any

IN_CLUSTERS = ("cluster", "footprint", "usage", "schedule")
"""The operations with pods that use node resources or quota."""
OF_OBJECTS = ("extended-resources", "node-allocatable-resources", "device-taints")
CLUSTER_FEATURES: tuple[str, ...] = (
    *OF_OBJECTS,
    "shared-claims",
    "sidecars",
    "overhead",
    "pod-level-resources",
    "quota",
    "resize",
    "gate-changes",
)
"""The features that interact in scheduling, node resource usage and quota usage of pods."""


def cluster_features(case: Case) -> tuple[str, ...]:
    """Return the features of a case that interact in clusters, in the order of `CLUSTER_FEATURES`.

    `shared-claims`: two containers use a ResourceClaim. `gate-changes`: the scenario sets a gate in a step.
    """
    if case.operation not in IN_CLUSTERS:
        return ()
    actions: Sequence[Json] = case.ask.get("actions", ())
    objects = {name: list(several) for name, several in case.objects.items()}
    for action in actions:
        if isinstance(made := action.get("object"), Mapping) and action.get("do") == "create":
            objects.setdefault(COLLECTIONS.get(made.get("kind", ""), ""), []).append(made)
    used = set(features_of(objects)) | set(_of_pods(objects.get("pods", ())))
    if objects.get("resourceQuotas") or case.operation == "usage":
        used.add("quota")
    used.update("resize" for one in actions if one.get("subresource") == "resize")
    used.update("gate-changes" for one in actions if one.get("do") == "set-gates")
    return tuple(feature for feature in CLUSTER_FEATURES if feature in used)


def _of_pods(pods: Sequence[Json]) -> Iterator[str]:
    claims: Counter[tuple[str, str]] = Counter()
    for pod in pods:
        spec = pod.get("spec") or {}
        before = spec.get("initContainers") or ()
        for container in (*before, *(spec.get("containers") or ())):
            claims.update(_claims(pod, container))
        if any(one.get("restartPolicy") == "Always" for one in before):
            yield "sidecars"
        if spec.get("overhead"):
            yield "overhead"
        if spec.get("resources"):
            yield "pod-level-resources"
    if any(times > 1 for times in claims.values()):
        yield "shared-claims"


def _claims(pod: Json, container: Json) -> Iterator[tuple[str, str]]:
    """Yield the claims of a container: namespace and name, or pod and entry if made from a template."""
    metadata, spec = pod["metadata"], pod["spec"]
    entries = {one["name"]: one.get("resourceClaimName") for one in spec.get("resourceClaims") or ()}
    for name in {str(one["name"]) for one in (container.get("resources") or {}).get("claims") or ()}:
        made = f"{name} of pod {metadata.get('name')}"
        yield str(metadata.get("namespace", "")), str(entries.get(name) or made)
