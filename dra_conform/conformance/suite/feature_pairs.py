"""The pairs and triples of interacting features in cases, and whether some allocate and some fail."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import features_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS

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
    objects = {name: list(items) for name, items in case.objects.items()}
    for action in actions:
        if isinstance(created := action.get("object"), Mapping) and action.get("do") == "create":
            objects.setdefault(COLLECTIONS.get(created.get("kind", ""), ""), []).append(created)
    used = set(features_of(objects)) | set(_of_pods(objects.get("pods", ())))
    if objects.get("resourceQuotas") or case.operation == "usage":
        used.add("quota")
    used.update("resize" for action in actions if action.get("subresource") == "resize")
    used.update("gate-changes" for action in actions if action.get("do") == "set-gates")
    return tuple(feature for feature in CLUSTER_FEATURES if feature in used)


def _of_pods(pods: Sequence[Json]) -> Iterator[str]:
    claims: Counter[tuple[str, str]] = Counter()
    for pod in pods:
        spec = pod.get("spec") or {}
        init_containers = spec.get("initContainers") or ()
        for container in (*init_containers, *(spec.get("containers") or ())):
            claims.update(_claims(pod, container))
        if any(container.get("restartPolicy") == "Always" for container in init_containers):
            yield "sidecars"
        if spec.get("overhead"):
            yield "overhead"
        if spec.get("resources"):
            yield "pod-level-resources"
    if any(count > 1 for count in claims.values()):
        yield "shared-claims"


def _claims(pod: Json, container: Json) -> Iterator[tuple[str, str]]:
    """Yield the claims of a container: namespace and name, or pod and entry if generated from a template."""
    metadata, spec = pod["metadata"], pod["spec"]
    entries = {entry["name"]: entry.get("resourceClaimName") for entry in spec.get("resourceClaims") or ()}
    for name in {str(entry["name"]) for entry in (container.get("resources") or {}).get("claims") or ()}:
        generated = f"{name} of pod {metadata.get('name')}"
        yield str(metadata.get("namespace", "")), str(entries.get(name) or generated)


Using = Callable[[Case], tuple[str, ...]]

CONSTRAINTS = "constraints"
"""matchAttribute and distinctAttribute, which count as one feature here."""

INTERACTING: tuple[str, ...] = (
    "allocation-mode-all",
    "prioritized-list",
    "admin-access",
    "consumable-capacity",
    "partitionable-devices",
    "compatibility-groups",
    "device-taints",
    "binding-conditions",
    CONSTRAINTS,
    "list-attributes",
)
"""The features that interact in the search of an allocator."""

_NAMES = {"match-attribute": CONSTRAINTS, "distinct-attribute": CONSTRAINTS}


def interacting(case: Case) -> tuple[str, ...]:
    """Return the interacting features of a case, in the order of `INTERACTING`."""
    used = {_NAMES.get(feature, feature) for feature in case.features}
    return tuple(feature for feature in INTERACTING if feature in used)


def pairs(cases: Iterable[Case]) -> Mapping[str, Json]:
    """Return each pair of features with its cases, their numbers by polarity, and totals.

    A pair is covered if its cases have both polarities. `meetings` has the pairs of features that interact in
    clusters.
    """
    return _with_cluster_features(cases, "pairs", 2)


def triples(cases: Iterable[Case]) -> Mapping[str, Json]:
    """Return each triple of features, in the form of `pairs`."""
    return _with_cluster_features(cases, "triples", 3)


def _with_cluster_features(cases: Iterable[Case], name: str, size: int) -> Mapping[str, Json]:
    all_cases = tuple(cases)
    in_clusters = _combinations(all_cases, name, size, CLUSTER_FEATURES, cluster_features)
    return {**_combinations(all_cases, name, size, INTERACTING, interacting), "meetings": in_clusters}


def _combinations(
    cases: Iterable[Case], name: str, size: int, features: tuple[str, ...], features_of_case: Using
) -> Mapping[str, Json]:
    by_combination: dict[tuple[str, ...], list[Case]] = defaultdict(list)
    for case in cases:
        for combination in combinations(features_of_case(case), size):
            by_combination[combination].append(case)
    rows = [_row(combination, by_combination[combination]) for combination in combinations(features, size)]
    return {name: rows, "totals": {"total": len(rows), "covered": sum(row["covered"] for row in rows)}}


def _row(features: tuple[str, ...], cases: list[Case]) -> dict[str, Json]:
    accepts = sum(case.accepts for case in cases)
    rejects = sum(case.rejects for case in cases)
    return {
        "features": list(features),
        "covered": bool(accepts and rejects),
        "cases": [case.id for case in cases],
        "accepts": accepts,
        "rejects": rejects,
    }
