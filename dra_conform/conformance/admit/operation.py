"""The operation `admit`: whether a write is accepted, and what is stored or reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.conformance.admit.answer import read, write
from dra_conform.conformance.admit.documents import actual, align, expected
from dra_conform.conformance.admit.expectation import AdmissionExpectationBuilder
from dra_conform.conformance.admit.judging import judge
from dra_conform.conformance.admit.negations import negations
from dra_conform.conformance.admit.posing import features, pose, take
from dra_conform.conformance.admit.probes import PROBES
from dra_conform.conformance.admit.then_steps import THEN_STEPS
from dra_conform.conformance.admit.when_steps import WHEN_STEPS
from dra_conform.conformance.operation import Operation
from dra_conform.kube.field_paths import field_at

Json = Any


def _question(ask: Mapping[str, Json]) -> str:
    written = ask["object"]
    part = f" {ask['subresource']} of" if "subresource" in ask else ""
    return f"{ask['verb']}{part} {field_at(written, 'kind')} {field_at(written, 'metadata.name')}"


ADMIT = Operation(
    name="admit",
    steps=(*WHEN_STEPS, *THEN_STEPS),
    take=take,
    pose=pose,
    features=features,
    expect=lambda ask, _: AdmissionExpectationBuilder(ask),
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
"""One write to the API server: from verb, object and stored object to the new object or all errors."""
