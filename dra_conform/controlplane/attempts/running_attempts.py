"""The operation `schedule`: execute actions on a cluster, and return the body of a `result`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dra_conform.controlplane.attempts.attempt_run import AttemptRun, IdleCluster, StoppedAttempt
from dra_conform.controlplane.attempts.queueing_hints import ObjectChange, QueueingHints
from dra_conform.controlplane.parts import NotSimulated, Objects
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.profile import Profile

Json = Any
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
        name = action["do"]
        if name not in self._by_name:
            raise NotSimulated(f"unknown action {name!r}, expected one of {', '.join(self._by_name)}")
        return self._by_name[name](action)

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
