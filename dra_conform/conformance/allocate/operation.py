"""The operation `allocate`: the devices allocated to ResourceClaims on a node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.allocate.alignment import align
from dra_conform.conformance.allocate.declined_parts import without
from dra_conform.conformance.allocate.documents import actual, expected
from dra_conform.conformance.allocate.expectation import AllocationExpectationBuilder
from dra_conform.conformance.allocate.judging import judge
from dra_conform.conformance.allocate.negations import negations
from dra_conform.conformance.allocate.posing import pose, take
from dra_conform.conformance.allocate.probes import PROBES
from dra_conform.conformance.allocate.steps import STEPS
from dra_conform.conformance.allocate.wire_form import read, write
from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.operation import Operation

Json = Any


def _features(objects: Objects, _: Mapping[str, Json]) -> frozenset[str]:
    return features_of(objects)


def _question(ask: Mapping[str, Json]) -> str:
    claims = ask.get("claims")
    names = ", ".join(map(str, claims)) if isinstance(claims, (list, tuple)) else str(claims)
    node = ask.get("node")
    return f"allocate {names}" + (f" on {node}" if node else "")


ALLOCATE = Operation(
    name="allocate",
    steps=STEPS,
    take=take,
    pose=pose,
    features=_features,
    expect=lambda ask, _: AllocationExpectationBuilder(ask),
    read=read,
    write=write,
    judge=judge,
    negations=negations,
    probes=PROBES,
    question=_question,
    expected=expected,
    actual=actual,
    align=align,
    without=without,
)
"""The operation of KEP-5075, KEP-5963 and the DRA page: allocate devices to ResourceClaims on a node."""
