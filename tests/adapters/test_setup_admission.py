"""Objects of the setup are admitted, or the case has the step `rejectedObjects`."""

from __future__ import annotations

import pytest

from dra_conform.adapters.setup_admission import inadmissible_setups
from tests.support.conformance.suite.writing import golden

CASE = """
document: KEP-5075
area: a
title: t
cases:
  - case: one
    title: A policy with max {max} is given
    requirements: [r]
    given:
      {step}- devices:
          - {{device: d, allowMultipleAllocations: true, capacity: {{bw: 10}},
             requestPolicy: {{bw: {{default: 2, min: 2, step: 3, max: <max>}}}}}}
      - resourceClaim: {{name: c}}
    when: {{allocate: {{resourceClaims: [c]}}}}
    then: [{{allocated: c}}]
    table: {{columns: [max], rows: [{rows}]}}
"""
STEP = "- rejectedObjects: it may be old\n      "


@pytest.mark.parametrize(
    ("rows", "step", "messages"),
    [
        ("[8]", "", []),
        (
            "[6], [8]",
            "",
            ["not a multiple of a given step (3) from (2); expected an admitted object"],
        ),
        ("[6], [8]", STEP, []),
        ("[5], [8]", STEP, ["but every object is admitted"]),
    ],
)
def test_rejected_objects_need_the_step(rows: str, step: str, messages: list[str]) -> None:
    cases = golden(CASE.format(rows=rows, step=step, max="<max>"))
    found = [error.message for error in inadmissible_setups(cases)]
    assert len(found) == len(messages)
    assert all(expected in message for expected, message in zip(messages, found, strict=True))
