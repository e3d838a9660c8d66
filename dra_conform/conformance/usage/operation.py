"""The operation `usage`: the quota usage of the ResourceClaims and pods of a namespace, by quota name."""

from __future__ import annotations

from dra_conform.conformance.operation import Operation
from dra_conform.conformance.usage.answer import read, write
from dra_conform.conformance.usage.documents import actual, align, expected
from dra_conform.conformance.usage.expectation import UsageExpectationBuilder
from dra_conform.conformance.usage.judging import judge
from dra_conform.conformance.usage.negations import negations
from dra_conform.conformance.usage.posing import features, pose, take
from dra_conform.conformance.usage.probes import PROBES
from dra_conform.conformance.usage.steps import STEPS

USAGE = Operation(
    name="usage",
    steps=STEPS,
    take=take,
    pose=pose,
    features=features,
    expect=lambda ask, _: UsageExpectationBuilder(),
    read=read,
    write=write,
    judge=judge,
    negations=negations,
    probes=PROBES,
    question=lambda ask: f"quota usage of namespace {ask['namespace']}",
    expected=expected,
    actual=actual,
    align=align,
)
"""From DeviceClasses, ResourceClaims and pods to the quota usage of a namespace."""
