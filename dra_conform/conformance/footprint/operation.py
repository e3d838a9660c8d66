"""The operation `footprint`: the node resource usage of a pod and of its ResourceClaims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.footprint.answer import read, write
from dra_conform.conformance.footprint.documents import actual, align, expected
from dra_conform.conformance.footprint.expectation import FootprintExpectationBuilder
from dra_conform.conformance.footprint.judging import judge
from dra_conform.conformance.footprint.negations import negations
from dra_conform.conformance.footprint.posing import features, pose, take
from dra_conform.conformance.footprint.probes import PROBES
from dra_conform.conformance.footprint.steps import STEPS
from dra_conform.conformance.operation import Operation

Json = Any


def _question(ask: Mapping[str, Json]) -> str:
    left_out = f" without {', '.join(ask['without'])}" if "without" in ask else ""
    return f"node resource usage of pod {ask['pod']} from its {ask['from']}{left_out}"


FOOTPRINT = Operation(
    name="footprint",
    steps=STEPS,
    take=take,
    pose=pose,
    features=features,
    expect=lambda ask, _: FootprintExpectationBuilder(),
    read=read,
    write=write,
    judge=judge,
    negations=negations,
    probes=PROBES,
    question=_question,
    expected=expected,
    actual=actual,
    align=align,
)
"""From a pod with its ResourceClaims and devices to its usage by resource and claim, or to an error."""
