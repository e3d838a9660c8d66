"""Scheduling failures, prepared devices, events and metrics: compared only if they are reported."""

from __future__ import annotations

import pytest

from dra_conform.conformance.verdict import Verdict
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


def verdict(step: str, told: Json) -> Verdict:
    case = scenario_case(TEXT.format(step))
    state = settled(case, [claim("c", result(), pods=("p",))], [pod("p", "c")])
    for name in ("events", "attempts"):
        del state[name]
    return judged(case, {**state, **told}).verdict


@pytest.mark.parametrize("step", [REFUSED, WHOLE, PREPARED, NOWHERE, EVENT, GROWN])
def test_observations_that_are_not_reported_pass(step: str) -> None:
    assert verdict(step, {}) is Verdict.PASS


def test_attempts_without_phases_do_not_report_failures() -> None:
    assert verdict(REFUSED, {"attempts": [{"pod": "default/p", "result": "Scheduled"}]}) is Verdict.PASS


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
