"""The built-in answer to `schedule`: plain objects and actions in, the body of a `result` out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dra_conform.controlplane.attempts.idle_cluster import StillCluster
from dra_conform.controlplane.attempts.one_attempt import Held, OneAttempt
from dra_conform.controlplane.attempts.queueing_hints import ObjectChange, QueueingHints
from dra_conform.controlplane.parts import NotSimulated, Objects
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.profile import Profile

Json = Any
Observation = dict[str, Json]


def tell_attempts(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int = 0
) -> dict[str, Json]:
    """The body of a result; raises DecodeErrors, and ValueError or KeyError for actions without sense."""
    return attempts_in(StillCluster(objects, profile, seed), ask)


def attempts_in(cluster: StillCluster, ask: Mapping[str, Json]) -> dict[str, Json]:
    """The same in a cluster that is there."""
    told = _ToldAttempts(cluster)
    try:
        return {"outcome": "tried", "observations": [told.do(action) for action in ask["actions"]]}
    except NotSimulated as what:
        return {"status": "unsupported", "message": str(what)}


class _ToldAttempts:
    """What has come of the attempts so far: who is on the way to a node, and who waits for a change."""

    def __init__(self, cluster: StillCluster) -> None:
        self._cluster = cluster
        self._held: dict[str, Held] = {}
        """The pods that have something reserved and are not bound yet."""
        self._waiting: dict[str, Json] = {}
        """The pods that were refused, as they were tried."""
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
        """One action with its observation; raises NotSimulated for one that is not known."""
        name = action["do"]
        if name not in self._by_name:
            raise NotSimulated(f"the action {name!r}, known are {', '.join(self._by_name)}")
        return self._by_name[name](action)

    def _try(self, action: Json) -> Observation:
        pod = self._pod(action)
        if action["pod"] in self._held or pod["spec"].get("nodeName"):
            return _nothing_to_do()
        assumed = [one.attempt.cycle.assumed for one in self._held.values()]
        attempt = OneAttempt(self._cluster.begun(pod, assumed), self._cluster)
        return self._told(
            action["pod"], attempt, attempt.run(action.get("nodes"), action.get("through", "Bind"))
        )

    def _bind(self, action: Json) -> Observation:
        held = self._held.get(action["pod"])
        if held is None:
            return _nothing_to_do()
        attempt = OneAttempt(held.attempt, self._cluster)
        return self._told(action["pod"], attempt, attempt.go_on(held))

    def _give_up(self, action: Json) -> Observation:
        held = self._held.get(action["pod"])
        if held is None:
            return _nothing_to_do()
        attempt = OneAttempt(held.attempt, self._cluster)
        attempt.give_up()
        return self._told(action["pod"], attempt, None)

    def _told(self, pod: str, attempt: OneAttempt, held: Held | None) -> Observation:
        self._held.pop(pod, None)
        self._waiting.pop(pod, None)
        if held is not None:
            self._held[pod] = held
        elif attempt.refused:
            self._waiting[pod] = attempt.pod
        return {"outcome": "attempted", "phases": attempt.phases}

    def _fail(self, action: Json) -> Observation:
        self._cluster.failures.add(action)
        return {"outcome": "done"}

    def _create(self, action: Json) -> Observation:
        return self._changed(
            ObjectChange(action["object"]["kind"], None, self._cluster.put(action["object"]))
        )

    def _change(self, action: Json) -> Observation:
        before = self._cluster.meant(action["of"])
        after = before
        for path, value in action["fields"].items():
            after = with_field(after, path, value)
        return self._changed(ObjectChange(before["kind"], before, self._cluster.put(after)))

    def _delete(self, action: Json) -> Observation:
        before = self._cluster.meant(action["of"])
        self._cluster.remove(before)
        return self._changed(ObjectChange(before["kind"], before, None))

    def _changed(self, change: ObjectChange) -> Observation:
        hints = QueueingHints(self._cluster.objects("ResourceClaim"), self._cluster.profile)
        pods = {name: self._cluster.find("Pod", name) or pod for name, pod in self._waiting.items()}
        return {
            "outcome": "changed",
            "triedAgain": sorted(name for name, pod in pods.items() if hints.help(pod, change)),
        }

    def _pod(self, action: Json) -> Json:
        pod = self._cluster.find("Pod", action["pod"])
        if pod is None:
            raise ValueError(f"there is no pod {action['pod']}")
        return pod


def _nothing_to_do() -> Observation:
    """Of a pod that has a node already, or nothing that is reserved."""
    return {"outcome": "attempted", "phases": []}
