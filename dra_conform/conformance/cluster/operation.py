"""The operation `cluster`: the effect of a sequence of actions on a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.admit.posing import take
from dra_conform.conformance.cluster.answer import read, write
from dra_conform.conformance.cluster.declined_parts import without
from dra_conform.conformance.cluster.documents import actual, align, expected
from dra_conform.conformance.cluster.expectation import ClusterExpectationBuilder
from dra_conform.conformance.cluster.judged_parts import with_judges
from dra_conform.conformance.cluster.judging import judge
from dra_conform.conformance.cluster.negations import negations
from dra_conform.conformance.cluster.posing import features, pose, turned_on
from dra_conform.conformance.cluster.probes import PROBES
from dra_conform.conformance.cluster.then_steps import THEN_STEPS
from dra_conform.conformance.cluster.when_steps import WHEN_STEPS
from dra_conform.conformance.operation import Operation

Json = Any


def _question(ask: Mapping[str, Json]) -> str:
    return "run on a cluster: " + ", ".join(str(action.get("do")) for action in ask["actions"])


CLUSTER = Operation(
    name="cluster",
    steps=(*WHEN_STEPS, *THEN_STEPS),
    take=take,
    pose=pose,
    features=features,
    expect=ClusterExpectationBuilder,
    read=read,
    write=write,
    judge=judge,
    negations=negations,
    probes=PROBES,
    question=_question,
    expected=expected,
    actual=actual,
    align=align,
    multi_step=True,
    without=without,
    turned_on=turned_on,
    asked=with_judges,
)
"""A multi-step scenario: existing objects, and actions in order, with one observation for each."""
