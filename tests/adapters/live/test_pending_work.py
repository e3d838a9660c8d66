"""Pending work of components, derived from pods, claims and metrics."""

from __future__ import annotations

import pytest

from dra_conform.adapters.live.pending_work import GENERATION_RETRIED, ComponentQueues, unfinished
from dra_conform.kube.json_values import Json

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


def test_a_claim_that_cannot_be_generated_is_pending_until_that_is_tried_in_the_step() -> None:
    waiting = pod(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "t"}])
    assert not list(unfinished([waiting], [], {"1": True}))
    (work,) = unfinished([waiting], [], {"1": False})
    assert work.endswith(GENERATION_RETRIED)


def test_a_pod_without_a_node_is_pending_after_failed_writes() -> None:
    unschedulable = pod(status=condition("Unschedulable"))
    assert not list(unfinished([unschedulable], []))
    assert list(unfinished([unschedulable], [], writes_failed=True))
    assert not list(unfinished([pod(nodeName="n")], [], writes_failed=True))


def test_a_pod_whose_scheduling_gates_were_removed_is_not_tried_yet() -> None:
    gated = condition("SchedulingGated")
    assert not list(unfinished([pod(status=gated, schedulingGates=[{"name": "g"}])], []))
    assert list(unfinished([pod(status=gated)], []))


SCHEDULER = """
scheduler_goroutines{operation="binding"} 0
scheduler_pending_pods{queue="active"} 0
scheduler_pending_pods{queue="backoff"} 0
scheduler_pending_pods{queue="unschedulable"} 3
"""
CONTROLLERS = """
workqueue_depth{name="deployment"} 5
workqueue_depth{name="resource_claim"} 0
workqueue_retries_total{name="deployment"} 7
workqueue_retries_total{name="resource_claim"} 2
workqueue_unfinished_work_seconds{name="resource_claim"} 0
"""


def idle_with(scheduler: str, controllers: str) -> bool:
    """Return whether components that begin without work are idle with these metrics."""
    metrics = {"scheduler": SCHEDULER, "controller-manager": CONTROLLERS}
    queues = ComponentQueues(lambda: metrics)
    queues.begin()
    assert queues.idle()
    metrics |= {"scheduler": scheduler, "controller-manager": controllers}
    return queues.idle()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('scheduler_goroutines{operation="binding"}', "1"),
        ('scheduler_pending_pods{queue="active"}', "1"),
        ('scheduler_pending_pods{queue="backoff"}', "1"),
        ('workqueue_depth{name="resource_claim"}', "1"),
        ('workqueue_depth{name="resource_claim"}', "many"),
        ('workqueue_unfinished_work_seconds{name="resource_claim"}', "0.2"),
        ('workqueue_retries_total{name="resource_claim"}', "3"),
    ],
)
def test_components_with_queued_work_or_new_retries_are_not_idle(line: str, value: str) -> None:
    changed = [
        "\n".join(f"{line} {value}" if one.startswith(line) else one for one in text.splitlines())
        for text in (SCHEDULER, CONTROLLERS)
    ]
    assert changed != [SCHEDULER, CONTROLLERS]
    assert not idle_with(*(text + "\n" for text in changed))


def test_pods_without_a_chance_and_other_controllers_are_no_work() -> None:
    assert idle_with(SCHEDULER.replace(" 3", " 4"), CONTROLLERS.replace(" 7", " 8"))


def test_components_without_metrics_are_not_idle() -> None:
    assert not idle_with("", CONTROLLERS)
    assert not idle_with(SCHEDULER, "")
    queues = ComponentQueues(lambda: None)
    queues.begin()
    assert not queues.idle()
