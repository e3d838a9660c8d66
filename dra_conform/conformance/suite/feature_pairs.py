"""The pairs and triples of interacting features in cases, and whether some allocate and some fail."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.interacting_features import CLUSTER_FEATURES, cluster_features

Json = Any
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
    return _both(cases, "pairs", 2)


def triples(cases: Iterable[Case]) -> Mapping[str, Json]:
    """Return the same for each three features."""
    return _both(cases, "triples", 3)


def _both(cases: Iterable[Case], name: str, size: int) -> Mapping[str, Json]:
    every = tuple(cases)
    in_clusters = _together(every, name, size, CLUSTER_FEATURES, cluster_features)
    return {**_together(every, name, size, INTERACTING, interacting), "meetings": in_clusters}


def _together(
    cases: Iterable[Case], name: str, size: int, features: tuple[str, ...], used: Using
) -> Mapping[str, Json]:
    using: dict[tuple[str, ...], list[Case]] = defaultdict(list)
    for case in cases:
        for several in combinations(used(case), size):
            using[several].append(case)
    rows = [_row(several, using[several]) for several in combinations(features, size)]
    return {name: rows, "totals": {"total": len(rows), "covered": sum(row["covered"] for row in rows)}}


def _row(several: tuple[str, ...], cases: list[Case]) -> dict[str, Json]:
    accepts = sum(case.accepts for case in cases)
    refuses = sum(case.refuses for case in cases)
    return {
        "features": list(several),
        "covered": bool(accepts and refuses),
        "cases": [case.id for case in cases],
        "accepts": accepts,
        "refuses": refuses,
    }
