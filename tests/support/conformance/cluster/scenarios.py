"""A small scenario, correct observations of it, and their judgement."""

from __future__ import annotations

from dra_conform.conformance.case import Case
from dra_conform.conformance.cluster import answer as wire
from dra_conform.conformance.cluster.operation import Cluster
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.json_values import Json
from tests.support.conformance.suite.writing import feature

CLUSTER = Cluster()


SCENARIO = """\
Feature: T
  @case:one
  Scenario: One
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And the counter set
      | counterSet | pool   | counter memory |
      | gpu-0      | pool-2 | 8              |
    And the devices
      | device | pool   | consumesCounters gpu-0 |
      | part-0 | pool-2 | memory 6               |
      | part-1 | pool-2 | memory 6               |
    And a ResourceClaim "c" requesting 3 of "bw"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "node-1"
    And ResourceClaim "c" consumes 3 of "bw"
    When ResourceClaim "c" is updated with
      | field      | value |
      | spec.wrong | 1     |
    Then the object is rejected
    When the cluster reaches a steady state
    Then ResourceClaim "c" keeps its allocation
    And ResourceClaim "c" is reserved for pod "p"
    And pod "p" is Running
"""
SHARE = "0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01"


def scenario_case(text: str = SCENARIO) -> Case:
    """Return the only case of a feature file."""
    [case] = feature(text)
    return case


def result(device: str = "eth1", share: str = SHARE, consumed: str = "3", **more: Json) -> Json:
    """Return a result of an allocation, a shared one if `share` is not empty."""
    fields = {"request": "r0", "driver": "dra.example.com", "pool": "pool-1", "device": device, **more}
    return {**fields, "shareID": share, "consumedCapacity": {"bw": consumed}} if share else fields


def claim(name: str, *results: Json, pods: tuple[str, ...] = (), **metadata: Json) -> Json:
    """Return a claim, allocated if there are results."""
    allocation = {"allocation": {"devices": {"results": list(results)}}} if results else {}
    reserved = [{"resource": "pods", "name": pod, "uid": f"uid-{pod}"} for pod in pods]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "default", **metadata},
        "spec": {"devices": {"requests": [{"name": "r0"}]}},
        "status": {**allocation, **({"reservedFor": reserved} if pods else {})},
    }


def pod(name: str, *claims: str, phase: str = "Running") -> Json:
    """Return a pod on node-1 that uses claims."""
    entries = [{"name": claim, "resourceClaimName": claim} for claim in claims]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}"},
        "spec": {"nodeName": "node-1", "resourceClaims": entries},
        "status": {"phase": phase},
    }


def settled(case: Case, claims: list[Json], pods: list[Json], **objects: list[Json]) -> Json:
    """Return the observation of a steady state with these claims and pods, and the other objects of the case."""
    given = {name: list(several) for name, several in case.objects.items()}
    return {
        "outcome": "settled",
        "objects": {**given, "resourceClaims": claims, "pods": pods, **objects},
        "events": [],
        "attempts": [{"pod": "default/p", "node": "node-1", "result": "Scheduled"}],
    }


REFUSED = {"outcome": "rejected", "reason": "Invalid", "errors": [{"path": "spec", "type": "Invalid"}]}


def right(case: Case) -> list[Json]:
    """Return the observations of a correct cluster."""
    state = settled(case, [claim("c", result(), pods=("p",))], [pod("p", "c")])
    return [state, REFUSED, state]


def answer(*observations: Json) -> wire.ClusterAnswer:
    """Return the answer with these observations."""
    return CLUSTER.read({"outcome": "observed", "observations": list(observations)})


def judged(case: Case, *observations: Json, profile: str = "kep") -> Judgement:
    """Return the judgement in a profile."""
    of_case, _ = profile_of(case, profile)
    return CLUSTER.judge(case, of_case, case.expected(profile), answer(*observations), strict=False)
