"""The operation `cluster`: what a sequence of actions brings about in a whole cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.admit.posing import take
from dra_conform.conformance.cluster.answer import read, write
from dra_conform.conformance.cluster.declined_parts import without
from dra_conform.conformance.cluster.documents import actual, align, expected
from dra_conform.conformance.cluster.expectation import ActExpectationBuilder
from dra_conform.conformance.cluster.judged_parts import with_judges
from dra_conform.conformance.cluster.judging import judge
from dra_conform.conformance.cluster.negations import negations
from dra_conform.conformance.cluster.posing import features, pose, turned_on
from dra_conform.conformance.cluster.probes import PROBES
from dra_conform.conformance.cluster.then_steps import OBSERVED
from dra_conform.conformance.cluster.when_steps import STORY
from dra_conform.conformance.operation import Operation

Json = Any


def _question(ask: Mapping[str, Json]) -> str:
    return "tell: " + ", ".join(str(action.get("do")) for action in ask["actions"])


CLUSTER = Operation(
    name="cluster",
    steps=(*STORY, *OBSERVED),
    take=take,
    pose=pose,
    features=features,
    expect=ActExpectationBuilder,
    read=read,
    write=write,
    judge=judge,
    negations=negations,
    probes=PROBES,
    question=_question,
    expected=expected,
    actual=actual,
    align=align,
    tells_stories=True,
    without=without,
    turned_on=turned_on,
    asked=with_judges,
)
"""A story: the world that is there, actions in order, and one observation for each."""
