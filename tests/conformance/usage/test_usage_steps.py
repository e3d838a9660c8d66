"""The steps of quota usage: equal in golden files and in feature files."""

from __future__ import annotations

import pytest

from dra_conform.conformance.case import Case
from dra_conform.conformance.usage.operation import Usage
from tests.support.conformance.suite.writing import feature, golden

USAGE = Usage()

WHEN = ("quotaUsage: team-a", 'the quota usage of namespace "team-a" is computed')
THEN = (
    "namespaceUses: {requests.cpu: '1', pods: '2'}",
    'the namespace uses 1 of "requests.cpu" and 2 of "pods"',
)
GIVEN = {
    "a quota": (
        "resourceQuota: {name: team-a/q, hard: {pods: '3', requests.cpu: '4'}}",
        'a ResourceQuota "team-a/q" with the hard limits 3 of "pods" and 4 of "requests.cpu"',
    ),
    "an extended-resource claim": (
        "extendedResourceClaim: {resourceClaim: c, pod: p}",
        'ResourceClaim "c" is the extended-resource claim of pod "p"',
    ),
    "one that is not named": (
        "extendedResourceClaim: {resourceClaim: c, pod: p, inPodStatus: false}",
        'ResourceClaim "c" is the extended-resource claim of pod "p", whose status does not name it yet',
    ),
}


def both(given: tuple[str, str]) -> tuple[Case, Case]:
    """The case from the golden file and the case from the feature file."""
    text = (
        "document: KEP-5075\narea: a\ntitle: t\ncases:\n  - case: one\n    title: One\n    requirements: [r]\n"
        f"    given:\n      - resourceClaim: {{name: c}}\n      - pod: {{name: p}}\n      - {given[0]}\n"
        f"    when: {{{WHEN[0]}}}\n    then:\n      - {{{THEN[0]}}}\n"
    )
    words = (
        "Feature: T\n  @case:one\n  Scenario: One\n"
        '    Given a ResourceClaim "c" requesting no capacity\n    And a pod "p" without ResourceClaims\n'
        f"    And {given[1]}\n    When {WHEN[1]}\n    Then {THEN[1]}\n"
    )
    (from_golden,) = golden(text)
    (from_gherkin,) = feature(words)
    return from_golden, from_gherkin


@pytest.mark.parametrize("name", GIVEN)
def test_steps_are_equal_in_both_formats(name: str) -> None:
    from_golden, from_gherkin = both(GIVEN[name])
    assert from_golden.operation == from_gherkin.operation == "usage"
    assert from_golden.objects == from_gherkin.objects
    assert from_golden.ask == from_gherkin.ask == {"namespace": "team-a"}
    assert from_golden.case_steps[0].expectation.uses == from_gherkin.case_steps[0].expectation.uses


def test_each_step_has_one_phrase_that_is_tested() -> None:
    for step in USAGE.steps:
        [phrase] = step.phrases
        assert phrase.pattern.fullmatch((WHEN if step.keyword == "when" else THEN)[1])
