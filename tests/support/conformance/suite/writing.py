"""Small suites for single tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.gherkin import feature_cases
from dra_conform.conformance.suite.golden import golden_cases

GOLDEN_FILE = "golden/kep-5075/trial.yaml"
FEATURE_FILE = "features/kep-5075/trial.feature"

GOLDEN = """\
# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
document: KEP-5075
area: rounding
title: A trial
cases:
  - case: one
    title: One case passes
    requirements: [KEP-5075/rounding/step-up]
    given:
      - devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}}]
      - resourceClaim: {name: c, capacity: {bw: 3}}
    when: {allocate: {resourceClaims: [c]}}
    then: [{consumes: {resourceClaim: c, capacity: {bw: 3}}}]
"""

CATALOGUE = """\
document: KEP-5075
title: A trial
requirements:
  - id: KEP-5075/rounding/step-up
    level: MUST
    area: rounding
    operation: consume
    section: Rounding
    statement: A quantity between two steps is rounded up.
    polarity: [accepts, rejects]
  - id: KEP-5075/api/stored
    level: SHOULD
    area: api
    operation: admit
    section: API
    statement: A value is stored.
    polarity: [accepts]
"""

FIXTURES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "two-nodes": [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in ("left", "right")
    ]
}


def golden(text: str = GOLDEN) -> list[Case]:
    """Return the cases of the text of a golden file."""
    return list(golden_cases(text, GOLDEN_FILE, FIXTURES.__getitem__))


def feature(text: str) -> list[Case]:
    """Return the cases of the text of a feature file."""
    return list(feature_cases(text, FEATURE_FILE, FIXTURES.__getitem__))


def suite(
    folder: Path, *, golden_text: str = GOLDEN, feature_text: str = "", catalogue: str = CATALOGUE
) -> Path:
    """Write a suite with one file of each kind, and return its folder."""
    files = {GOLDEN_FILE: golden_text, FEATURE_FILE: feature_text, "requirements/kep-5075.yaml": catalogue}
    for file, text in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        if text:
            path.write_text(text, encoding="utf-8")
    return folder


def case_of(*steps: str) -> Case:
    """Return the case of a scenario with these steps."""
    lines = "".join(f"    {step}\n" for step in steps)
    (case,) = feature(f"Feature: T\n  @case:one\n  Scenario: One\n{lines}")
    return case
