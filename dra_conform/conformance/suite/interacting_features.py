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
"""The operations whose cases have pods that take and count something."""
OF_OBJECTS = ("extended-resources", "node-allocatable-resources", "device-taints")
MEETING: tuple[str, ...] = (
    *OF_OBJECTS,
    "shared-claims",
    "sidecars",
    "overhead",
    "pod-level-resources",
    "quota",
    "resize",
    "gate-changes",
)
"""The features that bear on where pods run, what they take there, and what they count."""


def meeting(case: Case) -> tuple[str, ...]:
    """The features that a case uses of those that meet in clusters, in the order of `MEETING`.

    A claim is shared that two containers use, of one pod or of two. Gates change where a story turns one.
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
    return tuple(feature for feature in MEETING if feature in used)


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
    """Namespace and name of the claims that a container uses; one made from a template by pod and entry."""
    metadata, spec = pod["metadata"], pod["spec"]
    entries = {one["name"]: one.get("resourceClaimName") for one in spec.get("resourceClaims") or ()}
    for name in {str(one["name"]) for one in (container.get("resources") or {}).get("claims") or ()}:
        made = f"{name} of pod {metadata.get('name')}"
        yield str(metadata.get("namespace", "")), str(entries.get(name) or made)
