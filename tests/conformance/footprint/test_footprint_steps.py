"""The steps of node resource usage: equal in golden files and in feature files."""

from __future__ import annotations

from textwrap import indent

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.footprint.operation import Footprint
from tests.support.conformance.suite.phrases import require_each_phrase
from tests.support.conformance.suite.writing import feature, golden

FOOTPRINT = Footprint()

GIVEN = ("pod: {name: p, resourceClaims: [c]}", 'a pod "p" that uses ResourceClaim "c"')
WHEN = {
    "from its claims": ("nodeResourceUsage: {pod: p}", 'the node resource usage of pod "p" is computed'),
    "from its status": (
        "nodeResourceUsage: {pod: p, source: status}",
        'the node resource usage of pod "p" is computed from its status',
    ),
    "without overhead": (
        "nodeResourceUsage: {pod: p, without: [overhead]}",
        'the node resource usage of pod "p" is computed without its overhead',
    ),
    "without what it requests": (
        "nodeResourceUsage: {pod: p, source: status, without: [pod-level]}",
        'the node resource usage of pod "p" is computed from its status without its pod-level requests',
    ),
}
THEN = {
    "uses resources": ("podUses: {cpu: '5', memory: 1Gi}", 'the pod uses 5 of "cpu" and 1Gi of "memory"'),
    "uses no resources": ("podUses: {}", "the pod uses no node resources"),
    "a claim": (
        "resourceClaimUses: {resourceClaim: c, resources: {cpu: '4'}}",
        'ResourceClaim "c" uses 4 of "cpu"',
    ),
    "a claim of containers": (
        "resourceClaimUses: {resourceClaim: c, resources: {cpu: '4'}, containers: [a, b]}",
        'ResourceClaim "c" uses 4 of "cpu" for containers "a, b"',
    ),
    "a claim of none": (
        "resourceClaimUses: {resourceClaim: c, resources: {cpu: '4'}, containers: []}",
        'ResourceClaim "c" uses 4 of "cpu" for no container',
    ),
    "a claim without": ("resourceClaimUses: {resourceClaim: c}", 'ResourceClaim "c" uses no node resources'),
    "uncounted": ("usageError: true", "the node resource usage cannot be computed"),
    "uncounted with a reason": (
        "usageError: {reason: OverBudget}",
        "the node resource usage cannot be computed because of OverBudget",
    ),
}


def both(when: tuple[str, str], then: tuple[str, str]) -> tuple[Case, Case]:
    """The case from the golden file and the case from the feature file."""
    text = (
        "document: KEP-5075\narea: a\ntitle: t\ncases:\n  - case: one\n    title: One\n    requirements: [r]\n"
        f"    given:\n      - {GIVEN[0]}\n    when: {{{when[0]}}}\n    then:\n      - {{{then[0]}}}\n"
    )
    words = f"Given {GIVEN[1]}\nWhen {when[1]}\nThen {then[1]}\n"
    (from_golden,) = golden(text)
    (from_gherkin,) = feature(f"Feature: T\n  @case:one\n  Scenario: One\n{indent(words, '    ')}")
    return from_golden, from_gherkin


def meaning(case: Case) -> tuple[object, ...]:
    """The question and the expectations of a case, without their texts."""
    expected = case.case_steps[0].expectation
    amounts = (expected.resources, expected.claims, expected.is_error, expected.reason)
    return case.operation, case.objects, case.ask, amounts


@pytest.mark.parametrize("name", WHEN)
def test_when_steps_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(WHEN[name], THEN["uses resources"])
    assert meaning(from_golden) == meaning(from_gherkin)
    assert from_golden.operation == "footprint"


@pytest.mark.parametrize("name", THEN)
def test_then_steps_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(WHEN["from its claims"], THEN[name])
    assert meaning(from_golden) == meaning(from_gherkin)


def test_each_step_and_phrase_is_tested() -> None:
    for step in FOOTPRINT.steps:
        table = WHEN if step.keyword == "when" else THEN
        assert any(key.startswith(f"{step.key}:") for key, _ in table.values())
    require_each_phrase(FOOTPRINT.steps, "when", (words for _, words in WHEN.values()))
    require_each_phrase(FOOTPRINT.steps, "then", (words for _, words in THEN.values()))
