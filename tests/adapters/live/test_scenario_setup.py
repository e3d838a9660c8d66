"""The setup of a scenario as it is created on a cluster."""

from __future__ import annotations

import pytest

from dra_conform.adapters.live.scenario_setup import (
    with_allocation_times,
    with_cluster_uid,
    without_allocation_time,
)
from dra_conform.kube.json_values import Json

TIME, ADDED = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


def claim(name: str, allocation: Json) -> Json:
    return {"kind": "ResourceClaim", "metadata": {"name": name}, "status": {"allocation": allocation}}


def test_only_allocations_without_a_time_get_one() -> None:
    allocation = {"devices": {"results": [{"device": "gpu-0"}]}}
    claims = [
        claim("a", allocation),
        claim("b", {**allocation, "allocationTimestamp": TIME}),
        claim("c", None),
    ]
    found = with_allocation_times({"resourceClaims": claims, "pods": ["p"]}, ADDED)
    assert found["pods"] == ["p"]
    added, *rest = found["resourceClaims"]
    assert rest == claims[1:]
    assert added == claim("a", {**allocation, "allocationTimestamp": ADDED})
    assert [without_allocation_time(one, ADDED) for one in found["resourceClaims"]] == claims


@pytest.mark.parametrize(
    ("reference", "uid"),
    [
        ({"resource": "pods", "name": "p", "uid": "1"}, "on-cluster"),
        ({"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "1"}, "on-cluster"),
        ({"resource": "pods", "name": "q", "uid": "1"}, "1"),
        ({"apiGroup": "example.com", "resource": "pods", "name": "p", "uid": "1"}, "1"),
        ({"apiGroup": "batch", "resource": "jobs", "name": "p", "uid": "1"}, "1"),
    ],
)
def test_only_pods_get_the_uid_that_they_have_on_the_cluster(reference: Json, uid: str) -> None:
    found = with_cluster_uid(reference, {"namespace": "default"}, {"default/p": "on-cluster"})
    assert found == {**reference, "uid": uid}
