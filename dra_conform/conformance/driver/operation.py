"""The operation `driver`."""

from __future__ import annotations

from dra_conform.conformance.driver.answer import read, write
from dra_conform.conformance.driver.expectation import DriverExpectationBuilder
from dra_conform.conformance.driver.judging import (
    actual_document,
    align,
    expected_document,
    judge,
    negations,
)
from dra_conform.conformance.driver.steps import (
    THEN_STEPS,
    WHEN_STEPS,
    build_question,
    features,
    gates_turned_on,
    question_in_words,
)
from dra_conform.conformance.operation import Operation, Probe

DRIVER = Operation(
    name="driver",
    steps=(*WHEN_STEPS, *THEN_STEPS),
    convert=dict,
    build_question=build_question,
    features=features,
    expect=lambda ask, _: DriverExpectationBuilder(),
    read=read,
    write=write,
    judge=judge,
    negations=negations,
    probes=(Probe("a driver that prepares no claims", {}, {"actions": [{"do": "call-empty"}]}),),
    question=question_in_words,
    expected=expected_document,
    actual=actual_document,
    align=align,
    multi_step=True,
    gates_turned_on=gates_turned_on,
)
"""What a DRA driver answers, publishes and leaves behind, with one observation for each action."""
