"""The operation `schedule`: execute actions on a cluster, and return the body of a `result`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.cluster_state.pods import allocation_of, claim_keys, owner_of, status_of
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.scheduler import SchedulerSwitches
from dra_conform.simulation.attempts.attempt_run import AttemptRun, IdleCluster, StoppedAttempt
from dra_conform.simulation.parts import NotSimulated, Objects, executor_of

_NODE_FIELDS = ("metadata.labels", "status.allocatable")
_POD_FIELDS = ("resourceClaimStatuses", "extendedResourceClaimStatus")


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """An object before and after a change; None before its creation and after its deletion."""

    kind: str
    before: Json
    after: Json


class QueueingHints:
    """Decides whether a change can make a pending pod schedulable; `claims` are those after the change.

    A created or changed Node, DeviceClass or ResourceSlice can help every pod
    (DRA/workflow/unmet-request-waits, KEP-5004/scheduling-phase/requeue-on-node-allocatable), and so can a
    changed or deleted DeviceTaintRule. A ResourceClaim can help the pods that use it, and every pod if it was
    deallocated.
    """

    def __init__(self, claims: Iterable[Json], profile: Profile) -> None:
        self._claims = {key_in(claim): claim for claim in claims}
        switches = SchedulerSwitches.of(profile)
        self._deletions_help = switches.deletions_retried
        self._slice_deletions_help = switches.slice_deletions_retried

    def help(self, pod: Json, change: ObjectChange) -> bool:
        """Whether the change requeues the pod for another scheduling attempt."""
        match change.kind:
            case "Node":
                return change.after is not None and _node_helps(change)
            case "DeviceClass":
                return change.after is not None
            case "ResourceSlice":
                return change.after is not None or self._slice_deletions_help
            case "DeviceTaintRule":
                return change.before is not None
            case "ResourceClaim":
                return self._claim_helps(pod, change)
            case "Pod":
                return self._pod_helps(pod, change)
            case _:
                return False

    def _claim_helps(self, pod: Json, change: ObjectChange) -> bool:
        freed = change.before is not None and allocation_of(change.before) is not None
        if change.after is None:
            return freed and self._deletions_help
        used = self._used_by(pod)
        if used is None:
            return False
        if freed and allocation_of(change.after) is None:
            return True
        if key_in(change.after) not in used:
            return False
        return change.before is None or status_of(change.before) != status_of(change.after)

    def _pod_helps(self, pod: Json, change: ObjectChange) -> bool:
        """Whether the status of the pod names new claims, and all its claims exist."""
        before, after = change.before, change.after
        if before is None or after is None or after["metadata"]["uid"] != pod["metadata"]["uid"]:
            return False
        same = all(status_of(before).get(name) == status_of(after).get(name) for name in _POD_FIELDS)
        return not same and self._used_by(after) is not None

    def _used_by(self, pod: Json) -> set[Key] | None:
        """Return the keys of a pod's claims, None if a claim is missing, being deleted, or of another pod."""
        keys = set()
        for entry, key in claim_keys(pod):
            claim = self._claims.get(key) if key else None
            if claim is None or "deletionTimestamp" in claim["metadata"]:
                return None
            owner = owner_of(claim)
            if not entry.get("resourceClaimName") and (owner or {}).get("uid") != pod["metadata"]["uid"]:
                return None
            keys.add(key_in(claim))
        return keys


def _node_helps(change: ObjectChange) -> bool:
    """Whether the node is new, or its labels or allocatable resources changed."""
    if change.before is None:
        return True
    return any(_field(change.before, path) != _field(change.after, path) for path in _NODE_FIELDS)


def _field(raw: Json, path: str) -> Json:
    outer, _, inner = path.partition(".")
    return (raw.get(outer) or {}).get(inner) or {}


Observation = dict[str, Json]


def run_attempts(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int = 0
) -> dict[str, Json]:
    """Run scheduling attempts on new objects, and return the body of a `result`.

    Raises DecodeErrors for malformed objects, ValueError or KeyError for malformed actions.
    """
    return attempts_in(IdleCluster(objects, profile, seed), ask)


def attempts_in(cluster: IdleCluster, ask: Mapping[str, Json]) -> dict[str, Json]:
    """Run scheduling attempts in an existing cluster, and return the body of a `result`."""
    actions = _AttemptActions(cluster)
    try:
        return {"outcome": "tried", "observations": [actions.do(action) for action in ask["actions"]]}
    except NotSimulated as error:
        return {"status": "unsupported", "message": str(error)}


class _AttemptActions:
    """Executes the actions, and keeps track of the pods that are being bound or are pending."""

    def __init__(self, cluster: IdleCluster) -> None:
        self._cluster = cluster
        self._stopped: dict[str, StoppedAttempt] = {}
        """The attempts of pods with reserved resources that are not bound yet, by `namespace/name`."""
        self._pending: dict[str, Json] = {}
        """The unschedulable pods at their last attempt, by `namespace/name`."""
        self._by_name: dict[str, Callable[[Json], Observation]] = {
            "try": self._try,
            "bind": self._bind,
            "give-up": self._give_up,
            "fail": self._fail,
            "create": self._create,
            "change": self._change,
            "delete": self._delete,
        }

    def do(self, action: Mapping[str, Json]) -> Observation:
        """Execute one action and return its observation; raise NotSimulated for an unknown action."""
        return executor_of(action, self._by_name)(action)

    def _try(self, action: Json) -> Observation:
        pod = self._pod(action)
        if action["pod"] in self._stopped or pod["spec"].get("nodeName"):
            return _no_phases()
        assumed = [stopped.attempt.cycle.assumed for stopped in self._stopped.values()]
        attempt = AttemptRun(self._cluster.cycle_for(pod, assumed), self._cluster)
        return self._observation(
            action["pod"], attempt, attempt.run(action.get("nodes"), action.get("through", "Bind"))
        )

    def _bind(self, action: Json) -> Observation:
        stopped = self._stopped.get(action["pod"])
        if stopped is None:
            return _no_phases()
        attempt = AttemptRun(stopped.attempt, self._cluster)
        return self._observation(action["pod"], attempt, attempt.continue_binding(stopped))

    def _give_up(self, action: Json) -> Observation:
        stopped = self._stopped.get(action["pod"])
        if stopped is None:
            return _no_phases()
        attempt = AttemptRun(stopped.attempt, self._cluster)
        attempt.abandon()
        return self._observation(action["pod"], attempt, None)

    def _observation(self, pod: str, attempt: AttemptRun, stopped: StoppedAttempt | None) -> Observation:
        self._stopped.pop(pod, None)
        self._pending.pop(pod, None)
        if stopped is not None:
            self._stopped[pod] = stopped
        elif attempt.unschedulable:
            self._pending[pod] = attempt.pod
        return {"outcome": "attempted", "phases": attempt.phases}

    def _fail(self, action: Json) -> Observation:
        self._cluster.failures.add(action)
        return {"outcome": "done"}

    def _create(self, action: Json) -> Observation:
        return self._changed(
            ObjectChange(action["object"]["kind"], None, self._cluster.put(action["object"]))
        )

    def _change(self, action: Json) -> Observation:
        before = self._cluster.referenced(action["of"])
        after = before
        for path, value in action["fields"].items():
            after = with_field(after, path, value)
        return self._changed(ObjectChange(before["kind"], before, self._cluster.put(after)))

    def _delete(self, action: Json) -> Observation:
        before = self._cluster.referenced(action["of"])
        self._cluster.remove(before)
        return self._changed(ObjectChange(before["kind"], before, None))

    def _changed(self, change: ObjectChange) -> Observation:
        hints = QueueingHints(self._cluster.objects("ResourceClaim"), self._cluster.profile)
        pods = {name: self._cluster.find("Pod", name) or pod for name, pod in self._pending.items()}
        return {
            "outcome": "changed",
            "triedAgain": sorted(name for name, pod in pods.items() if hints.help(pod, change)),
        }

    def _pod(self, action: Json) -> Json:
        pod = self._cluster.find("Pod", action["pod"])
        if pod is None:
            raise ValueError(f"unknown pod {action['pod']}")
        return pod


def _no_phases() -> Observation:
    """Return the observation for a pod that is already bound or has no reserved resources."""
    return {"outcome": "attempted", "phases": []}
