"""Pending work of components, derived from pods and claims."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.pending_work import unfinished

Json = Any

CLAIMS = [{"name": "gpu", "resourceClaimName": "c"}]


def pod(*, meta: Json = None, status: Json = None, **spec: Json) -> Json:
    metadata = {"name": "p", "namespace": "n", "uid": "1", **(meta or {})}
    return {"kind": "Pod", "metadata": metadata, "spec": spec, "status": status or {}}


def claim(*, meta: Json = None, **status: Json) -> Json:
    return {
        "kind": "ResourceClaim",
        "metadata": {"name": "c", "namespace": "n", **(meta or {})},
        "status": status,
    }


def condition(reason: str) -> Json:
    return {"conditions": [{"type": "PodScheduled", "status": "False", "reason": reason}]}


RESERVED = [{"resource": "pods", "name": "p", "uid": "1"}]
OWNED = {"ownerReferences": [{"kind": "Pod", "name": "p", "uid": "1", "controller": True}]}
ALLOCATION = {"devices": {"results": []}}
BINDING = {"devices": {"results": [{"bindingConditions": ["ready"]}]}}
SPECIAL = {"extendedResourceClaimStatus": {"resourceClaimName": "c"}}
GONE = {"deletionTimestamp": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize(
    ("pods", "claims", "expected"),
    [
        ([], [], ""),
        ([pod()], [], "was not tried"),
        ([pod(status=condition("Unschedulable"))], [], ""),
        ([pod(status=condition("SchedulerError"))], [], "tried again after an error"),
        ([pod(status={**condition("Unschedulable"), **SPECIAL})], [], "without the extended-resource claim"),
        ([pod(status={**condition("Unschedulable"), **SPECIAL})], [claim()], ""),
        ([pod(schedulingGates=[{"name": "g"}])], [], ""),
        ([pod(resourceClaims=CLAIMS)], [], ""),
        ([pod(resourceClaims=CLAIMS)], [claim()], "was not tried"),
        ([pod(resourceClaims=CLAIMS)], [claim(allocation=BINDING)], ""),
        ([pod(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "t"}])], [], "no generated claim"),
        ([pod(nodeName="m", resourceClaims=CLAIMS)], [claim()], ""),
        ([pod(nodeName="m", resourceClaims=CLAIMS)], [claim(allocation=ALLOCATION)], "not reserved"),
        (
            [pod(nodeName="m", resourceClaims=CLAIMS)],
            [claim(allocation=ALLOCATION, reservedFor=RESERVED)],
            "",
        ),
        ([pod(status={"phase": "Succeeded"})], [], ""),
        ([pod(status={"phase": "Failed"})], [claim(reservedFor=RESERVED)], "deleted or finished"),
        ([pod(meta=GONE)], [], "being deleted"),
        ([pod(meta={**GONE, "finalizers": ["f"]})], [], ""),
        ([], [claim(reservedFor=RESERVED)], "deleted or finished"),
        ([], [claim(meta=OWNED)], "was generated for a pod"),
        ([], [claim(meta=GONE)], "being deleted"),
        ([], [claim(meta=GONE, reservedFor=[{"resource": "others", "name": "o", "uid": "2"}])], ""),
    ],
)
def test_pending_work(pods: list[Json], claims: list[Json], expected: str) -> None:
    found = list(unfinished(pods, claims))
    assert expected in "; ".join(found)
    assert bool(expected) == bool(found)


def test_a_claim_that_cannot_be_generated_is_not_pending() -> None:
    waiting = pod(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "t"}])
    assert not list(unfinished([waiting], [], frozenset({"1"})))
