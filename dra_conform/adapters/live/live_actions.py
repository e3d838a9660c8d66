"""The actions of a scenario on a real cluster, each with its observation."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from dra_conform.adapters.live.api import Answer
from dra_conform.adapters.live.emulated_nodes import add_node, ample, declare_again
from dra_conform.adapters.live.endpoint import CannotRun, Controls
from dra_conform.adapters.live.scenario_names import DEFAULT
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.settled_state import SettledState
from dra_conform.adapters.live.settling import Settling
from dra_conform.conformance.cluster.references import all_found
from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import GROUP

Json = Any
Observation = dict[str, Json]

MOST_SECONDS = 60
"""So much time a story may let pass on a cluster that has other users."""

MOST_SECONDS_ALONE = 300
"""So much on one that is there for nothing else."""

_TIMELESS = ("settle", "get", "advance")
"""What does not begin a new moment of the story."""

_VERSION = "metadata.resourceVersion"
_CONFLICTS = 5
"""So often a change is made again on a newer object."""


class LiveActions:
    """The actions of one story, on its own objects. `begin` is called when time passes for the first time.

    `kubelet` says as what the kubelet of its nodes runs, which is played.
    """

    def __init__(
        self,
        room: ScenarioNamespace,
        settling: Settling,
        state: SettledState,
        controls: Controls | None,
        kubelet: Callable[[], Profile],
        begin: Callable[[], None],
    ) -> None:
        self._room = room
        self._settling = settling
        self._state = state
        self._controls = controls
        self._kubelet = kubelet
        self._begin = begin
        self._begun = False
        self._passed = 0
        self._now = time.monotonic()
        self._by_name: dict[str, Callable[[Json], Observation]] = {
            "create": self._create,
            "update": self._update,
            "change": self._change,
            "patch": self._patch,
            "apply": self._apply,
            "delete": self._delete,
            "get": self._get,
            "set-gates": self._set_gates,
            "set-version": self._set_version,
            "restart": self._restart,
            "advance": self._advance,
            "settle": self._settle,
        }

    def do(self, action: Mapping[str, Json]) -> Observation:
        """Do one action; raises CannotRun."""
        if action["do"] not in self._by_name:
            raise CannotRun(
                "the scenario makes writes of components fail, which is impossible on a real cluster"
            )
        if action.get("user") and self._controls is None:
            raise CannotRun(f"user {action['user']['name']} has no rights on this cluster")
        observation = self._by_name[action["do"]](action)
        if action["do"] not in _TIMELESS:
            self._now = time.monotonic()
        return observation

    def _create(self, action: Json) -> Observation:
        raw = self._meant(action["object"])
        if raw.get("kind") == "Node" and not action.get("user"):
            add_node(self._room, raw, self._kubelet())
            return _written(self._room.get("Node", raw["metadata"]["name"], version="v1"))
        return _written(self._room.create(raw, action.get("user")))

    def _update(self, action: Json) -> Observation:
        """Where an API server takes no write without a version, with that of the newest object."""
        raw = ample(self._meant(action["object"]))
        subresource, user = action.get("subresource", ""), action.get("user")
        answer = self._room.replace(raw, subresource, user)
        if _needs_version(answer) and field_at(raw, _VERSION) in (ABSENT, ""):
            for _ in range(_CONFLICTS):
                now = self._room.get(
                    raw["kind"], raw["metadata"]["name"], raw["metadata"].get("namespace", "")
                )
                newest = with_field(raw, _VERSION, now.body["metadata"]["resourceVersion"])
                answer = self._room.replace(newest, subresource, user)
                if answer.reason != "Conflict":
                    break
        return _written(answer)

    def _change(self, action: Json) -> Observation:
        """Again on a newer object where a component has written in between."""
        for attempt in range(_CONFLICTS):
            read = self._read(action["of"])
            if not read or not read.taken:
                return _refused("NotFound", "the object to change was not found")
            raw = read.body
            for path, value in action["fields"].items():
                raw = with_field(raw, path, self._meant(value))
            raw = self._room.newest(ample(raw))
            answer = self._room.replace(raw, action.get("subresource", ""), action.get("user"))
            said = _VERSION in action["fields"]
            if answer.reason != "Conflict" or said or attempt == _CONFLICTS - 1:
                break
        return _written(answer)

    def _patch(self, action: Json) -> Observation:
        name = self._named(action["of"])
        if not name:
            return _refused("NotFound", "the object to patch was never made")
        patch = self._meant(action["patch"])
        subresource, user = action.get("subresource", ""), action.get("user")
        return _written(self._room.merge(action["of"]["kind"], *name, patch, subresource, user))

    def _apply(self, action: Json) -> Observation:
        raw, subresource = self._meant(action["object"]), action.get("subresource", "")
        force = bool(action.get("force"))
        return _written(
            self._room.apply(raw, action["manager"], subresource, action.get("user"), force=force)
        )

    def _delete(self, action: Json) -> Observation:
        """Pods end at once: their kubelet is played."""
        name = self._named(action["of"])
        if not name:
            return _refused("NotFound", "the object was never made")
        now = bool(action.get("force")) or action["of"]["kind"] == "Pod"
        answer = self._room.delete(action["of"]["kind"], *name, now=now)
        return {"outcome": "deleted"} if answer.taken else _written(answer)

    def _get(self, action: Json) -> Observation:
        version = str(action.get("version") or "").removeprefix(f"{GROUP}/")
        read = self._read(action["of"], version)
        return {"outcome": "found", "object": read.body} if read and read.taken else {"outcome": "missing"}

    def _set_gates(self, action: Json) -> Observation:
        controls, before = self._controlled("switch feature gates"), self._kubelet()
        controls.set_gates(action["components"], action["gates"])
        return self._restarted(before)

    def _set_version(self, action: Json) -> Observation:
        controls, before = self._controlled("start components of another release"), self._kubelet()
        controls.set_version(action["components"], action.get("release"))
        return self._restarted(before)

    def _restart(self, action: Json) -> Observation:
        controls, before = self._controlled("restart components"), self._kubelet()
        controls.restart(action["components"])
        return self._restarted(before)

    def _restarted(self, kubelet: Profile) -> Observation:
        """`kubelet` is as what it ran before."""
        self._room.served.forget()
        declare_again(self._room, kubelet, self._kubelet())
        return {"outcome": "done"}

    def _controlled(self, purpose: str) -> Controls:
        if self._controls is None:
            raise CannotRun(f"the scenario needs to {purpose}")
        return self._controls

    def _advance(self, action: Json) -> Observation:
        """Real time passes from the moment of the last write on; the kubelet goes on with its work.

        To settle takes time as well. Where it took longer than the story lets pass, what was observed was
        of a later moment.
        """
        self._left_alone()
        if action["seconds"] < 2:
            raise CannotRun("moments a second apart: the times of the API are whole seconds")
        self._passed += action["seconds"]
        most = MOST_SECONDS_ALONE if self._controls else MOST_SECONDS
        if self._passed > most:
            raise CannotRun(f"{self._passed} seconds have to pass, more than {most} are not waited")
        self._now += action["seconds"]
        if time.monotonic() > self._now:
            raise CannotRun(f"the cluster takes longer to settle than {action['seconds']} seconds")
        while (left := self._now - time.monotonic()) > 0:
            self._room.api.check()
            time.sleep(min(0.2, left))
            self._settling.play()
        return {"outcome": "done"}

    def _settle(self, _: Json) -> Observation:
        self._left_alone()
        self._settling.settle()
        return self._state.observe()

    def _left_alone(self) -> None:
        if not self._begun:
            self._begun = True
            self._begin()

    def _read(self, of: Json, version: str = "") -> Answer | None:
        name = self._named(of)
        return self._room.get(of["kind"], *name, version=version) if name else None

    def _named(self, of: Json) -> tuple[str, str] | None:
        """The name and namespace of what is meant, the newest where several are; None for nothing."""
        if "name" in of:
            return of["name"], of.get("namespace") or DEFAULT
        claims = {COLLECTIONS["ResourceClaim"]: self._room.all("ResourceClaim")}
        found = [one["metadata"] for one in all_found(claims, of)]
        return (found[-1]["name"], found[-1]["namespace"]) if found else None

    def _meant(self, value: Json) -> Json:
        """A value in which each `{"$name": REFERENCE}` is the name of what is meant, empty for nothing."""
        if isinstance(value, dict) and set(value) == {"$name"}:
            name = self._named(value["$name"])
            return name[0] if name else ""
        if isinstance(value, dict):
            return {field: self._meant(item) for field, item in value.items()}
        return [self._meant(item) for item in value] if isinstance(value, list) else value


def _needs_version(answer: Answer) -> bool:
    causes = () if answer.taken else (answer.body.get("details") or {}).get("causes") or ()
    return any(one.get("field") == _VERSION for one in causes)


def _written(answer: Answer) -> Observation:
    """What became of a write."""
    if answer.taken:
        warnings = {"warnings": list(answer.warnings)} if answer.warnings else {}
        return {"outcome": "admitted", "object": answer.body, **warnings}
    causes = (answer.body.get("details") or {}).get("causes") or ()
    errors = [
        {"path": one.get("field", ""), "type": one.get("reason", ""), "detail": one.get("message", "")}
        for one in causes
    ]
    return {**_refused(answer.reason, answer.message), "errors": errors}


def _refused(reason: str, message: str) -> Observation:
    return {"outcome": "rejected", "reason": reason, "errors": [], "message": message}
