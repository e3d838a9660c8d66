"""One vocabulary for attempts: what a step means does not depend on the format it is written in."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from dra_conform.conformance.case import Case
from dra_conform.conformance.schedule.operation import SCHEDULE
from dra_conform.kube.errors import InputError
from tests.support.conformance.suite.writing import feature, golden

Json = Any

TRY = ("try: {pod: p}", 'pod "p" is tried')
ENDS = ("ends: {phase: Filter, code: Success}", "Filter ends with Success")
WHEN = {
    "try: {pod: p, through: Reserve, nodes: [left, right]}": (
        'pod "p" is tried as far as Reserve on nodes "left, right"'
    ),
    "bind: p": 'pod "p" goes on to be bound',
    "give-up: p": 'the attempt for pod "p" is given up',
    "fail-write: {times: 2, verb: delete, kind: ResourceClaim, reason: Forbidden}": (
        "the next 2 deletions of a ResourceClaim by the scheduler end as Forbidden"
    ),
    "fail-write: {kind: Pod, subresource: status, reason: Timeout}": (
        "the next 1 update of the status of a Pod by the scheduler ends as Timeout"
    ),
    "fail-write: {verb: create, kind: Pod, subresource: binding}": (
        "the next 1 creation of the binding of a Pod by the scheduler ends as Conflict"
    ),
    "meanwhile-change: {kind: Node, name: left, fields: {metadata.labels: {zone: a}}}": (
        'somebody changes the Node "left" in the meantime\n'
        "      | field           | value     |\n      | metadata.labels | {zone: a} |"
    ),
    "meanwhile-delete: {kind: ResourceClaim, name: c}": (
        'somebody deletes the ResourceClaim "c" in the meantime'
    ),
    "meanwhile-create: {apiVersion: v1, kind: Node, metadata: {name: n}}": (
        "somebody creates this object in the meantime\n"
        '      """\n      apiVersion: v1\n      kind: Node\n      metadata: {name: n}\n      """'
    ),
}
THEN = {
    "ends: {phase: Filter, code: Unschedulable, node: left, because: cpu}": (
        'Filter on node "left" ends with Unschedulable because "cpu"'
    ),
    "unreached: Reserve": "Reserve is not reached",
    "in-flight: {after: Reserve, claims: [c, d]}": 'after Reserve only claims "c, d" are in flight',
    "in-flight: {after: Unreserve}": "after Unreserve nothing is in flight",
    "holds: {after: PreBind, claim: c, devices: [a, b]}": 'after PreBind claim "c" holds exactly "a, b"',
    "holds: {after: PostFilter, claim: c}": 'after PostFilter claim "c" holds nothing',
    "reserved-after: {after: PreBind, claim: c, pods: [p]}": (
        'after PreBind claim "c" is reserved for pod "p"'
    ),
    "reserved-after: {after: Unreserve, claim: c}": 'after Unreserve claim "c" is reserved for nobody',
    "after: {after: PreBind, kind: Pod, name: p, fields: {spec.nodeName: null}}": (
        'after PreBind the Pod "p" has\n      | field         | value |\n      | spec.nodeName |       |'
    ),
    "after: {after: Unreserve, kind: ResourceClaim, name: c}": (
        'after Unreserve the ResourceClaim "c" does not exist'
    ),
}
RETRIED = {
    "retried: {pod: p}": 'pod "p" is tried again',
    "retried: {pod: p, again: false}": 'pod "p" is not tried again',
}


def both(when: tuple[str, str], then: tuple[str, str]) -> tuple[Case, Case]:
    """The case from golden and the one from Gherkin: first a pod is tried, then comes `when`."""
    nodes = [{"node": {"name": "left"}}, {"node": {"name": "right"}}, {"pod": {"name": "p"}}]
    case: Json = {
        "case": "one",
        "title": "One",
        "requirements": ["r"],
        "given": nodes,
        "acts": [{"when": yaml.safe_load(one)} for one in (TRY[0], when[0])],
    }
    if when[0].startswith("fail-write"):
        case["acts"].append({"when": yaml.safe_load(TRY[0])})
        when = (when[0], f"{when[1]}\n    And {TRY[1]}")
    case["acts"][-1]["then"] = [yaml.safe_load(then[0])]
    text = yaml.safe_dump({"document": "KEP-5075", "area": "a", "title": "t", "cases": [case]})
    words = (
        'Feature: T\n  @case:one\n  Scenario: One\n    Given a node "left"\n    And a node "right"\n'
        f'    And a pod "p" without claims\n    When {TRY[1]}\n    And {when[1]}\n    Then {then[1]}\n'
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
        wanted, said = (getattr(one.acts[1].expectation, name) for one in (from_golden, from_gherkin))
        assert wanted == said


@pytest.mark.parametrize("when", WHEN)
def test_both_formats_ask_the_same(when: str) -> None:
    from_golden, from_gherkin = both((when, WHEN[when]), _fitting(when))
    assert from_golden.operation == from_gherkin.operation == "schedule"
    assert from_golden.objects == from_gherkin.objects
    assert from_golden.ask == from_gherkin.ask


def _fitting(when: str) -> tuple[str, str]:
    """A then step that may follow."""
    return next(iter(RETRIED.items())) if when.startswith("meanwhile") else ENDS


@pytest.mark.parametrize("then", THEN)
def test_both_formats_demand_the_same_of_an_attempt(then: str) -> None:
    same(TRY, (then, THEN[then]))


@pytest.mark.parametrize("then", RETRIED)
def test_both_formats_demand_the_same_of_a_change(then: str) -> None:
    deleted = "meanwhile-delete: {kind: ResourceClaim, name: c}"
    same((deleted, WHEN[deleted]), (then, RETRIED[then]))


def test_every_phrase_is_tried() -> None:
    said = [*WHEN.values(), *THEN.values(), *RETRIED.values(), TRY[1]]
    for step in SCHEDULE.steps:
        for phrase in step.phrases:
            assert any(phrase.pattern.fullmatch(one.partition("\n")[0]) for one in said), phrase.words


@pytest.mark.parametrize(
    ("when", "then", "said"),
    [
        ('pod "q" is tried', "Filter ends with Success", "'q' is not given"),
        ('pod "p" is tried on node "n"', "Filter ends with Success", "'n' is not given"),
        ('pod "p" is tried', 'pod "p" is tried again', "after a step that changes an object"),
        ('somebody deletes the Node "left" in the meantime', "Filter ends with Success", "tries a pod"),
    ],
)
def test_what_makes_no_sense_is_refused(when: str, then: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        both((TRY[0], when), ("unreached: Bind", then))
