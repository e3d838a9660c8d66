"""The operation `kubelet`."""

from __future__ import annotations

from dra_conform.conformance.kubelet.answer import read, write
from dra_conform.conformance.kubelet.expectation import KubeletExpectationBuilder
from dra_conform.conformance.kubelet.judging import (
    actual_document,
    align,
    expected_document,
    judge,
    negations,
)
from dra_conform.conformance.kubelet.steps import (
    THEN_STEPS,
    WHEN_STEPS,
    build_question,
    convert,
    features,
    question_in_words,
)
from dra_conform.conformance.operation import Operation, Probe

KUBELET = Operation(
    name="kubelet",
    steps=(*WHEN_STEPS, *THEN_STEPS),
    convert=convert,
    build_question=build_question,
    features=features,
    expect=lambda ask, _: KubeletExpectationBuilder(),
    read=read,
    write=write,
    judge=judge,
    negations=negations,
    probes=(Probe("a kubelet that is restarted", {}, {"actions": [{"do": "restart-kubelet"}]}),),
    question=question_in_words,
    expected=expected_document,
    actual=actual_document,
    align=align,
    multi_step=True,
)
"""What a kubelet asks of DRA drivers and gives to containers, with one observation for each action."""
