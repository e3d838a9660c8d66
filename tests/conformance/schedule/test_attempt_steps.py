"""The steps of scheduling attempts: equal in golden files and in feature files."""

from __future__ import annotations

import pytest
import yaml

from dra_conform.conformance.case import Case
from dra_conform.conformance.schedule.operation import Schedule
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from tests.support.conformance.suite.writing import feature, golden

SCHEDULE = Schedule()


TRY = ("schedule: {pod: p}", 'scheduling of pod "p" is attempted')
ENDS = ("phaseReturns: {phase: Filter, code: Success}", "Filter returns Success")
WHEN = {
    "schedule: {pod: p, upTo: Reserve, nodes: [left, right]}": (
        'scheduling of pod "p" up to Reserve on nodes "left, right" is attempted'
    ),
    "runBindingCycle: p": 'the binding cycle of pod "p" runs',
    "abortScheduling: p": 'the scheduling attempt of pod "p" is aborted',
    "failSchedulerWrites: {times: 2, verb: delete, kind: ResourceClaim, reason: Forbidden}": (
        "the next 2 deletions of a ResourceClaim by the scheduler fail with Forbidden"
    ),
    "failSchedulerWrites: {kind: Pod, subresource: status, reason: Timeout}": (
        "the next 1 update of the status of a pod by the scheduler fails with Timeout"
    ),
    "failSchedulerWrites: {verb: create, kind: Pod, subresource: binding}": (
        "the next 1 creation of the binding of a pod by the scheduler fails with Conflict"
    ),
    "anotherClientUpdates: {kind: Node, name: left, fields: {metadata.labels: {zone: a}}}": (
        'another client updates node "left" with\n'
        "      | field           | value     |\n      | metadata.labels | {zone: a} |"
    ),
    "anotherClientDeletes: {kind: ResourceClaim, name: c}": ('another client deletes ResourceClaim "c"'),
    "anotherClientCreates: {apiVersion: v1, kind: Node, metadata: {name: left}}": (
        "another client creates this object\n"
        '      """\n      apiVersion: v1\n      kind: Node\n      metadata: {name: left}\n      """'
    ),
}
THEN = {
    "phaseReturns: {phase: Filter, code: Unschedulable, node: left, reason: cpu}": (
        'Filter on node "left" returns Unschedulable with reason "cpu"'
    ),
    "notReached: Reserve": "Reserve is not reached",
    "inFlight: {after: Reserve, resourceClaims: [c, d]}": 'after Reserve only ResourceClaims "c, d" are in flight',
    "inFlight: {after: Unreserve}": "after Unreserve no ResourceClaim is in flight",
    "allocatedAfter: {after: PreBind, resourceClaim: c, devices: [a, b]}": 'after PreBind ResourceClaim "c" is allocated exactly "a, b"',
    "allocatedAfter: {after: PostFilter, resourceClaim: c}": 'after PostFilter ResourceClaim "c" is not allocated',
    "reservedForAfter: {after: PreBind, resourceClaim: c, pods: [p]}": (
        'after PreBind ResourceClaim "c" is reserved for pod "p"'
    ),
    "reservedForAfter: {after: Unreserve, resourceClaim: c}": 'after Unreserve ResourceClaim "c" is reserved for no pod',
    "objectAfter: {after: PreBind, kind: Pod, name: p, fields: {spec.nodeName: null}}": (
        'after PreBind pod "p" has\n      | field         | value |\n      | spec.nodeName |       |'
    ),
    "objectAfter: {after: Unreserve, kind: ResourceClaim, name: c}": (
        'after Unreserve ResourceClaim "c" does not exist'
    ),
}
RETRIED = {
    "retried: {pod: p}": 'pod "p" is retried',
    "retried: {pod: p, again: false}": 'pod "p" is not retried',
}


def both(when: tuple[str, str], then: tuple[str, str]) -> tuple[Case, Case]:
    """The case from the golden file and from the feature file: an attempt, then `when`."""
    nodes = [{"node": {"name": "left"}}, {"node": {"name": "right"}}, {"pod": {"name": "p"}}]
    case: Json = {
        "case": "one",
        "title": "One",
        "requirements": ["r"],
        "given": nodes,
        "steps": [{"when": yaml.safe_load(one)} for one in (TRY[0], when[0])],
    }
    if when[0].startswith("failSchedulerWrites"):
        case["steps"].append({"when": yaml.safe_load(TRY[0])})
        when = (when[0], f"{when[1]}\n    And {TRY[1]}")
    case["steps"][-1]["then"] = [yaml.safe_load(then[0])]
    text = yaml.safe_dump({"document": "KEP-5075", "area": "a", "title": "t", "cases": [case]})
    words = (
        'Feature: T\n  @case:one\n  Scenario: One\n    Given a node "left"\n    And a node "right"\n'
        f'    And a pod "p" without ResourceClaims\n    When {TRY[1]}\n    And {when[1]}\n    Then {then[1]}\n'
    )
    (from_golden,) = golden(text)
    (from_gherkin,) = feature(words)
    return from_golden, from_gherkin


def same(when: tuple[str, str], then: tuple[str, str]) -> None:
    from_golden, from_gherkin = both(when, then)
    assert from_golden.operation == from_gherkin.operation == "schedule"
    assert from_golden.objects == from_gherkin.objects
    assert from_golden.ask == from_gherkin.ask
    for name in ("ends", "in_flight", "stored", "retries"):
        wanted, said = (getattr(one.case_steps[1].expectation, name) for one in (from_golden, from_gherkin))
        assert wanted == said


@pytest.mark.parametrize("when", WHEN)
def test_when_steps_are_equal_in_both_formats(when: str) -> None:
    from_golden, from_gherkin = both((when, WHEN[when]), _fitting(when))
    assert from_golden.operation == from_gherkin.operation == "schedule"
    assert from_golden.objects == from_gherkin.objects
    assert from_golden.ask == from_gherkin.ask


def _fitting(when: str) -> tuple[str, str]:
    """A Then step that may follow."""
    return next(iter(RETRIED.items())) if when.startswith("another") else ENDS


@pytest.mark.parametrize("then", THEN)
def test_then_steps_of_attempts_are_equal_in_both_formats(then: str) -> None:
    same(TRY, (then, THEN[then]))


@pytest.mark.parametrize("then", RETRIED)
def test_then_steps_of_changes_are_equal_in_both_formats(then: str) -> None:
    deleted = "anotherClientDeletes: {kind: ResourceClaim, name: c}"
    same((deleted, WHEN[deleted]), (then, RETRIED[then]))


def test_each_phrase_is_tested() -> None:
    said = [*WHEN.values(), *THEN.values(), *RETRIED.values(), TRY[1]]
    for step in SCHEDULE.steps:
        for phrase in step.phrases:
            assert any(phrase.pattern.fullmatch(one.partition("\n")[0]) for one in said), phrase.words


@pytest.mark.parametrize(
    ("when", "then", "said"),
    [
        ('scheduling of pod "q" is attempted', "Filter returns Success", "'q' is not in the setup"),
        (
            'scheduling of pod "p" on node "n" is attempted',
            "Filter returns Success",
            "'n' is not in the setup",
        ),
        (
            'scheduling of pod "p" is attempted',
            'pod "p" is retried',
            "expected a When step that changes an object",
        ),
        ('another client deletes node "left"', "Filter returns Success", "a scheduling attempt"),
    ],
)
def test_invalid_steps(when: str, then: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        both((TRY[0], when), ("notReached: Bind", then))
