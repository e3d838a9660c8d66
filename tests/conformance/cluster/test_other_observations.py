"""Observations other than objects are compared only if they are reported."""

from __future__ import annotations

import pytest

from dra_conform.conformance.cluster.answer import read
from dra_conform.conformance.cluster.documents import actual, align, expected
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from tests.support.conformance.cluster.scenarios import (
    SHARE,
    claim,
    judged,
    pod,
    result,
    scenario_case,
    settled,
)

TEXT = """Feature: Beside
  @case:one
  Scenario: One
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "c" requesting 3 of "bw"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then {}
"""
REFUSED = 'filtering of node "node-1" for pod "p" fails with Unschedulable'
WHOLE = 'scheduling of pod "p" fails with Error'
PREPARED = 'ResourceClaim "c" is prepared on node "node-1" with\n      | device | shareID |\n      | eth1   | yes     |'
NOWHERE = 'ResourceClaim "c" is prepared on no node'
EVENT = 'pod "p" has an event Evicted'
GROWN = "the metric claims_total{status=success} changes by 2"
INCREASED = "the metric claims_total{status=success} increases"
MORE = "the scheduler sends 1 more write request for pods/status than before"
NO_MORE = "the scheduler sends no more write requests for pods/status than before"
KNOWN = "the scheduler sends no new kind of write request"
LOGGED = 'the scheduler logs "too small" with "eth1" at verbosity 7'
NOT_LOGGED = 'the scheduler does not log "too small" at verbosity 7'
WORDS = f'{EVENT} with the message "was tainted"'
ONLY_WORDS = WORDS.replace(" Evicted", "")


def phase(name: str, code: str, *nodes: str) -> Json:
    return {"phase": name, "code": code, "nodes": list(nodes)}


def attempts(*phases: Json, pod_name: str = "default/p") -> Json:
    return {"attempts": [{"pod": pod_name, "result": "Unschedulable", "phases": list(phases)}]}


def prepared(node: str = "node-1", device: str = "eth1", share: str = SHARE) -> Json:
    devices = [{"pool": "pool-1", "device": device, "shareID": share}]
    one = {"node": node, "driver": "dra.example.com", "claim": "default/c", "devices": devices}
    return {"prepared": [one]}


def events(name: str = "p", reason: str = "Evicted", message: str = "It was Tainted") -> Json:
    about = {"kind": "Pod", "name": name, "namespace": "default"}
    return {"events": [{**about, "reason": reason, "message": message}]}


def metrics(*grown: int, name: str = "claims_total", **labels: str) -> Json:
    status = {"status": "success", **labels}
    return {"metrics": [{"name": name, "labels": {**status, "n": str(one)}, "growth": one} for one in grown]}


def requests(count: int, verb: str = "patch", resource: str = "pods/status") -> Json:
    entry = {"component": "scheduler", "verb": verb, "resource": resource, "count": count}
    return {"requests": [entry]}


def logged(*lines: str, component: str = "scheduler") -> Json:
    return {"log": [{"component": component, "line": line} for line in lines]}


def verdict(step: str, told: Json) -> Verdict:
    case = scenario_case(TEXT.format(step))
    state = settled(case, [claim("c", result(), pods=("p",))], [pod("p", "c")])
    for name in ("events", "attempts"):
        del state[name]
    return judged(case, {**state, **told}).verdict


@pytest.mark.parametrize(
    ("step", "missing"),
    [
        (REFUSED, "phases of attempts"),
        (WHOLE, "phases of attempts"),
        (PREPARED, "prepared"),
        (NOWHERE, "prepared"),
        (EVENT, "events"),
        (GROWN, "metrics"),
        (INCREASED, "metrics"),
        (MORE, "requests"),
        (NO_MORE, "requests"),
        (KNOWN, "requests"),
        (LOGGED, "log"),
        (NOT_LOGGED, "log"),
        (f"{LOGGED}\n    And {GROWN}", "log and metrics"),
    ],
)
def test_a_scenario_about_what_is_not_reported_is_unsupported(step: str, missing: str) -> None:
    case = scenario_case(TEXT.format(step))
    state = settled(case, [claim("c", result(), pods=("p",))], [pod("p", "c")])
    for name in ("events", "attempts"):
        del state[name]
    judgement = judged(case, state)
    assert judgement.verdict is Verdict.UNSUPPORTED
    assert judgement.detail == f"{missing} not reported; the rest of the answer is correct"
    wrong = settled(case, [], [pod("p", "c")])
    assert judged(case, wrong).verdict is Verdict.FAIL


def test_attempts_without_phases_do_not_report_failures() -> None:
    told = {"attempts": [{"pod": "default/p", "result": "Scheduled"}]}
    assert verdict(REFUSED, told) is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (REFUSED, attempts(phase("Filter", "Unschedulable", "node-1"))),
        (REFUSED, attempts(phase("Filter", "Error", "node-1"), phase("Filter", "Unschedulable", "node-1"))),
        (WHOLE, attempts(phase("PreFilter", "Error"), phase("PostFilter", "Unschedulable"))),
        (PREPARED, prepared()),
        (PREPARED, {"prepared": prepared()["prepared"] * 2}),
        (NOWHERE, {"prepared": []}),
        (EVENT, events()),
        (WORDS, events()),
        (ONLY_WORDS, events(reason="Other")),
        (GROWN, metrics(2)),
        (GROWN, metrics(3, -1)),
        (GROWN.replace("2", "0"), metrics()),
        (INCREASED, metrics(1)),
        (LOGGED, logged("another", '"Too small" device=eth1')),
        (NOT_LOGGED, logged("another")),
        (NOT_LOGGED, logged("too small", component="controller-manager")),
    ],
)
def test_expected_observations_pass(step: str, told: Json) -> None:
    assert verdict(step, told) is Verdict.PASS


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (REFUSED, attempts()),
        (REFUSED, attempts(phase("Filter", "Unschedulable", "node-2"))),
        (REFUSED, attempts(phase("Filter", "UnschedulableAndUnresolvable", "node-1"))),
        (REFUSED, attempts(phase("Filter", "Unschedulable", "node-1"), pod_name="default/q")),
        (WHOLE, attempts(phase("PreFilter", "Success"))),
        (PREPARED, {"prepared": []}),
        (PREPARED, prepared(node="node-2")),
        (PREPARED, prepared(device="eth2")),
        (PREPARED, prepared(share="")),
        (PREPARED, prepared(share="another")),
        (NOWHERE, prepared()),
        (EVENT, events(name="q")),
        (EVENT, events(reason="Other")),
        (WORDS, events(message="It was not")),
        (WORDS, events(reason="Other")),
        (ONLY_WORDS, events(message="It was not")),
        (GROWN, metrics()),
        (GROWN, metrics(1)),
        (GROWN, metrics(2, name="others_total")),
        (GROWN, metrics(2, status="failure")),
        (INCREASED, metrics()),
        (INCREASED, metrics(1, -1)),
        (LOGGED, logged()),
        (LOGGED, logged("too small", "eth1")),
        (LOGGED, logged("too small eth1", component="controller-manager")),
        (NOT_LOGGED, logged("is too small")),
    ],
)
def test_different_observations_fail(step: str, told: Json) -> None:
    assert verdict(step, told) is Verdict.FAIL


@pytest.mark.parametrize(
    ("step", "event"),
    [(EVENT, "event Evicted of Pod p"), (ONLY_WORDS, "event of Pod p with the message 'was tainted'")],
    ids=["reason", "words"],
)
def test_the_finding_names_the_missing_event(step: str, event: str) -> None:
    case = scenario_case(TEXT.format(step))
    state = settled(case, [claim("c", result(), pods=("p",))], [pod("p", "c")])
    found = judged(case, {**state, **events(name="q")}).findings
    assert [one.message for one in found] == [f"expected the {event}, got none"]


TWO_STATES = TEXT.replace(
    "    Then {}",
    """    Then pod "p" is Running
    When the cluster reaches a steady state
    Then {}""",
)


def verdict_after(step: str, before: Json, now: Json) -> Verdict:
    case = scenario_case(TWO_STATES.format(step))
    state = settled(case, [claim("c", result(), pods=("p",))], [pod("p", "c")])
    return judged(case, {**state, **before}, {**state, **now}).verdict


@pytest.mark.parametrize(
    ("step", "before", "now"),
    [
        (MORE, requests(1), requests(2)),
        (MORE, requests(5, resource="pods/binding"), requests(1)),
        (NO_MORE, requests(1), requests(1)),
        (NO_MORE, requests(2), requests(1)),
        (KNOWN, requests(1), requests(9)),
        (KNOWN, requests(1), {"requests": []}),
    ],
)
def test_requests_like_earlier_ones_pass(step: str, before: Json, now: Json) -> None:
    assert verdict_after(step, before, now) is Verdict.PASS


@pytest.mark.parametrize(
    ("step", "before", "now"),
    [
        (MORE, requests(1), requests(1)),
        (MORE, requests(1), requests(3)),
        (NO_MORE, requests(1), requests(2)),
        (KNOWN, requests(1, verb="update"), requests(1)),
        (KNOWN, requests(1, resource="pods/binding"), requests(1)),
    ],
)
def test_further_requests_fail(step: str, before: Json, now: Json) -> None:
    assert verdict_after(step, before, now) is Verdict.FAIL


def test_the_finding_names_new_requests_and_missing_lines() -> None:
    case = scenario_case(TWO_STATES.format(f"{KNOWN}\n    And {LOGGED}"))
    state = settled(case, [claim("c", result(), pods=("p",))], [pod("p", "c")])
    found = judged(case, {**state, **requests(1)}, {**state, **requests(1, "create"), **logged()}).findings
    assert [one.message for one in found] == [
        "new-kinds-of-write-requests of Component scheduler: expected absent, got ['create pods/status']",
        "expected a line with 'too small' and 'eth1' in the log of the scheduler, got none",
    ]


def test_the_diff_compares_requests_with_earlier_states() -> None:
    case = scenario_case(TWO_STATES.format(f"{MORE}\n    And {KNOWN}\n    And {LOGGED}"))
    state = settled(case, [claim("c", result(), pods=("p",))], [pod("p", "c")])
    answer = read(
        {
            "outcome": "observed",
            "observations": [{**state, **requests(1)}, {**state, **requests(2), **logged()}],
        }
    )
    left, right = align(case, expected(case.expected("kep")), actual(answer))
    component = right["step 2"]["Component scheduler"]
    assert {
        path for path, value in component.items() if left["step 2"]["Component scheduler"][path] != value
    } == {'log at 7 with "too small" and "eth1"'}


@pytest.mark.parametrize("verbosity", [0, 10])
def test_a_log_has_a_verbosity_from_one_to_nine(verbosity: int) -> None:
    with pytest.raises(InputError, match=f"has the verbosity {verbosity}, expected 1 to 9"):
        scenario_case(TEXT.format(LOGGED.replace("verbosity 7", f"verbosity {verbosity}")))
