"""The pending work of a cluster's components, derived from its pods and claims, and from the queues in the
metrics of scheduler and controllers.

Pending work only shows that a scenario is not finished, not what its result must be. Objects have their names
on the cluster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from dra_conform.cluster_state.binding_conditions import Readiness, readiness_reported
from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.cluster_state.pods import (
    allocation_of,
    claim_keys,
    extended_resource_claim_key,
    finished,
    owner_of,
    reservations_of,
    reserved_for,
)
from dra_conform.kube.json_values import Json
from dra_conform.kube.switches.scheduler import BindingSwitches

_PENDING = re.compile(r'^scheduler_pending_pods\{queue="(active|backoff)"\} (\S+)$', re.MULTILINE)
_WORK_QUEUE = re.compile(
    r'^workqueue_(depth|unfinished_work_seconds|retries_total)\{name="(\w+)"\} (\S+)$', re.MULTILINE
)
_BINDING = re.compile(r'^scheduler_goroutines\{operation="binding"\} (\S+)$', re.MULTILINE)
"""The pods that the scheduler binds: they have left its queues, but their claims are not written yet."""
_QUEUES = {
    "garbage_collector_attempt_to_delete",
    "garbage_collector_graph_changes",
    "resource_claim",
    "resourcequota_primary",
    "resourcequota_priority",
}
"""The work queues of the controllers that write or delete ResourceClaims and quotas."""

_CLAIMS = ("depth", "resource_claim")
"""A value that every controller manager reports."""


class ComponentQueues:
    """Whether the queues of scheduler and controllers are empty, and no pod is being bound.

    `read` returns the metrics of each component in Prometheus format, or None if they are unknown. A work
    queue does not report keys that it adds later, after a failure. So a controller that has retried anything
    since `begin` is not idle.
    """

    def __init__(self, read: Callable[[], Mapping[str, str] | None]) -> None:
        self._read = read
        self._retries: Mapping[str, str] = {}

    def begin(self) -> None:
        """Remember the retries of the controllers so far."""
        self._retries = _retries("".join((self._read() or {}).values()))

    def idle(self) -> bool:
        """Whether all queues are empty, no pod is being bound, and no controller retried since `begin`."""
        text = "".join((self._read() or {}).values())
        pods = dict(_PENDING.findall(text))
        work = {(what, name): value for what, name, value in _WORK_QUEUE.findall(text) if name in _QUEUES}
        if len(pods) < 2 or _CLAIMS not in work:
            return False
        queued = [value for (what, _), value in work.items() if what != "retries_total"]
        queued += [*pods.values(), *_BINDING.findall(text)]
        # Texts are compared, because a component under test may report anything as a value.
        return all(value == "0" for value in queued) and _retries(text) == self._retries


def _retries(text: str) -> Mapping[str, str]:
    return {
        name: value
        for what, name, value in _WORK_QUEUE.findall(text)
        if what == "retries_total" and name in _QUEUES
    }


_SWITCHES = BindingSwitches(status_matched_by_share=False)
"""The evaluation of binding conditions in all releases."""

FAILED_GENERATION = "FailedResourceClaimCreation"
"""The reason of the event of a claim that could not be generated for a pod."""


BINDING_CHECKED = "has binding conditions that the scheduler checks every five seconds"
GENERATION_RETRIED = "has a claim whose generation failed before this step and is retried later"
DELAYED = (BINDING_CHECKED, GENERATION_RETRIED)
"""The ends of the descriptions of work that is in no queue."""


NO_FAILURES: Mapping[str, bool] = {}


def unfinished(
    pods: Iterable[Json],
    claims: Iterable[Json],
    failed_generations: Mapping[str, bool] = NO_FAILURES,
    *,
    writes_failed: bool = False,
) -> Iterator[str]:
    """Yield a description of each pending work of a component.

    `failed_generations` has the UIDs of pods with an event that a claim could not be generated, each with
    whether that was tried in the current step. If `writes_failed`, every pod without a node may be tried
    again: the scheduler first removes what a failed attempt has left.
    """
    pods_by_key = {key_in(pod): pod for pod in pods}
    claims_by_key = {key_in(claim): claim for claim in claims}
    for pod in pods_by_key.values():
        yield from _of_pod(pod, claims_by_key, failed_generations.get(pod["metadata"]["uid"]))
        if writes_failed and not pod["spec"].get("nodeName") and not finished(pod):
            yield f"pod {pod['metadata']['name']} may be tried again after failed writes"
    for claim in claims_by_key.values():
        yield from _of_claim(claim, pods_by_key)


def _of_pod(pod: Json, claims: Mapping[Key, Json], failed_in_step: bool | None) -> Iterator[str]:
    name = f"pod {pod['metadata']['name']}"
    if "deletionTimestamp" in pod["metadata"]:
        if not pod["metadata"].get("finalizers"):
            yield f"{name} is being deleted"
        return
    if finished(pod):
        return
    keys = [key for _, key in claim_keys(pod)]
    if None in keys:
        if failed_in_step is None:
            yield f"{name} has no generated claim yet"
        elif not failed_in_step:
            yield f"{name} {GENERATION_RETRIED}"
        return
    used = [claims.get(key) for key in keys if key]
    if pod["spec"].get("nodeName"):
        if any(claim and _to_be_reserved(claim, pod) for claim in used):
            yield f"{name} has a node, but its claim is not reserved for the pod"
    elif not pod["spec"].get("schedulingGates") and None not in used:
        existing = [claim for claim in used if claim]
        if not any("deletionTimestamp" in claim["metadata"] for claim in existing):
            yield from _of_attempt(pod, name, existing)
        if extended_resource_claim_key(pod) not in (None, *claims):
            yield f"{name} is tried again without the extended-resource claim that its status names"


def _of_attempt(pod: Json, name: str, used: list[Json]) -> Iterator[str]:
    """Yield pending scheduling: a pod without a node whose ResourceClaims exist and are not being deleted."""
    conditions = (pod.get("status") or {}).get("conditions") or ()
    scheduled = (condition for condition in conditions if condition["type"] == "PodScheduled")
    reason = next((condition.get("reason", "") for condition in scheduled), None)
    binding = [claim for claim in used if _has_binding_conditions(claim)]
    # A condition of a former scheduling gate stays until the scheduler has tried the pod.
    if reason in (None, "SchedulingGated") and not binding:
        yield f"{name} was not tried by the scheduler"
    if any(
        reserved_for(claim, pod) and readiness_reported(claim, _SWITCHES) is not Readiness.WAITING
        for claim in binding
    ):
        yield f"{name} {BINDING_CHECKED}"
    if reason == "SchedulerError":
        yield f"{name} is tried again after an error"


def _of_claim(claim: Json, pods: Mapping[Key, Json]) -> Iterator[str]:
    name, namespace = f"claim {claim['metadata']['name']}", claim["metadata"]["namespace"]

    def live(pod_name: str, uid: str) -> bool:
        pod = pods.get(("Pod", namespace, pod_name))
        return pod is not None and pod["metadata"]["uid"] == uid and not finished(pod)

    consumers = [consumer for consumer in reservations_of(claim) if consumer.get("resource") == "pods"]
    if not all(live(consumer["name"], consumer["uid"]) for consumer in consumers):
        yield f"{name} is reserved for a pod that is deleted or finished"
    owner = owner_of(claim)
    if owner and not live(owner["name"], owner["uid"]):
        yield f"{name} was generated for a pod that is deleted or finished"
    elif "deletionTimestamp" in claim["metadata"] and not reservations_of(claim):
        yield f"{name} is being deleted"


def _to_be_reserved(claim: Json, pod: Json) -> bool:
    allocated = allocation_of(claim) is not None and "deletionTimestamp" not in claim["metadata"]
    return allocated and not reserved_for(claim, pod)


def _has_binding_conditions(claim: Json) -> bool:
    results = ((allocation_of(claim) or {}).get("devices") or {}).get("results") or ()
    return any(result.get("bindingConditions") for result in results)
