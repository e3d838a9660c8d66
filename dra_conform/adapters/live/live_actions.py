"""The actions of a scenario on a real cluster, each with its observation."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.emulated_nodes import add_node, redeclare_features, with_default_resources
from dra_conform.adapters.live.endpoint import CannotRun, Controls, RejectedWrite
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.adapters.live.scenario_names import DEFAULT
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.settled_state import SettledState
from dra_conform.adapters.live.settling import Settling
from dra_conform.conformance.object_references import find_objects
from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import GROUP

Observation = dict[str, Json]

MOST_SECONDS = 60
"""The most seconds that a scenario may wait on a shared cluster."""

MOST_SECONDS_ALONE = 300
"""The most seconds that a scenario may wait on a control plane started for the run."""

WAITS = ("settle", "advance")
"""Actions that let time pass, at the end of a step."""
_TIMELESS = (*WAITS, "get", "list")
"""Actions that do not restart the clock from which `advance` counts."""

_CONFIGURATION = frozenset(
    {"DeviceClass", "DeviceTaintRule", "Node", "ResourceClaimTemplate", "ResourceQuota", "ResourceSlice"}
)
"""Kinds of objects that components watch apart from pods, so that they can see a newer pod first."""

_VERSION = "metadata.resourceVersion"
_CONFLICTS = 5
"""Tries of a change whose object changes at the same time."""


class LiveActions:
    """The actions of one scenario, on its objects.

    `begin` is called before the first `settle` or `advance`, and is None for a scenario without them.

    `kubelet` returns the profile of the emulated kubelet.
    """

    def __init__(
        self,
        scenario: ScenarioNamespace,
        settling: Settling,
        state: SettledState,
        controls: Controls | None,
        kubelet: Callable[[], Profile],
        begin: Callable[[], None] | None,
    ) -> None:
        self._scenario = scenario
        self._settling = settling
        self._state = state
        self._controls = controls
        self._kubelet = kubelet
        self._begin = begin
        self._begun = False
        self._advanced = 0
        self._configured = self._pod_changed = False
        """Whether a step has changed configuration or a pod, which components may not have seen yet."""
        self._now = time.monotonic()
        self._by_name: dict[str, Callable[[Json], Observation]] = {
            "create": self._create,
            "update": self._update,
            "change": self._change,
            "patch": self._patch,
            "apply": self._apply,
            "delete": self._delete,
            "get": self._get,
            "list": self._list,
            "set-gates": self._set_gates,
            "set-version": self._set_version,
            "restart": self._restart,
            "fail": self._fail,
            "advance": self._advance,
            "settle": self._settle,
        }

    def do(self, action: Mapping[str, Json]) -> Observation:
        """Run one action and return its observation; raises CannotRun."""
        if action["do"] not in self._by_name:
            raise CannotRun(f"a real cluster cannot run the action {action['do']}")
        if action.get("user") and self._controls is None:
            raise CannotRun(f"user {action['user']['name']} has no rights on this cluster")
        self._let_components_see_changes(action)
        observation = self._by_name[action["do"]](action)
        if action["do"] not in _TIMELESS:
            self._now = time.monotonic()
        return observation

    def _let_components_see_changes(self, action: Json) -> None:
        """Wait for a probe pod between changed configuration and the next pod, which comes with the first
        `settle` or `advance` in the setup, and between a changed pod and the next change of configuration.
        """
        do, kind = action["do"], (action.get("object") or action.get("of") or {}).get("kind")
        next_pod = (do == "create" and kind == "Pod") or (do in WAITS and not self._begun)
        configures = kind in _CONFIGURATION and do != "get"
        if (self._configured and next_pod) or (self._pod_changed and configures):
            self._settling.handle_probe()
            self._configured = self._pod_changed = False
        elif do == "settle":
            self._configured = self._pod_changed = False
        self._configured |= configures and self._begin is not None
        self._pod_changed |= self._begun and kind == "Pod" and do not in ("create", "get")

    def _create(self, action: Json) -> Observation:
        raw = self._resolved(action["object"])
        if raw.get("kind") == "Node" and not action.get("user"):
            add_node(self._scenario, raw, self._kubelet())
            return _written(self._scenario.get("Node", raw["metadata"]["name"], version="v1"))
        return _written(self._scenario.create(raw, action.get("user")))

    def _update(self, action: Json) -> Observation:
        """Update an object; if the API server requires a resourceVersion, use that of the current object."""
        raw = with_default_resources(self._resolved(action["object"]))
        subresource, user = action.get("subresource", ""), action.get("user")
        answer = self._scenario.replace(raw, subresource, user)
        if _needs_version(answer) and field_at(raw, _VERSION) in (ABSENT, ""):
            for _ in range(_CONFLICTS):
                metadata = raw["metadata"]
                current = self._scenario.get(raw["kind"], metadata["name"], metadata.get("namespace", ""))
                with_version = with_field(raw, _VERSION, current.body["metadata"]["resourceVersion"])
                answer = self._scenario.replace(with_version, subresource, user)
                if answer.reason != "Conflict":
                    break
        return _written(answer)

    def _change(self, action: Json) -> Observation:
        """Change fields of an object; retry on 409 Conflict (a component wrote the object too)."""
        for attempt in range(_CONFLICTS):
            read = self._read(action["of"])
            if not read or not read.accepted:
                return _rejected("NotFound", "the object to change was not found")
            raw = read.body
            for path, value in action["fields"].items():
                raw = with_field(raw, path, self._resolved(value))
            raw = self._scenario.newest(with_default_resources(raw))
            answer = self._scenario.replace(raw, action.get("subresource", ""), action.get("user"))
            has_version = _VERSION in action["fields"]
            if answer.reason != "Conflict" or has_version or attempt == _CONFLICTS - 1:
                break
        return _written(answer)

    def _patch(self, action: Json) -> Observation:
        name = self._named(action["of"])
        if not name:
            return _rejected("NotFound", "the object to patch was not found")
        patch = self._resolved(action["patch"])
        subresource, user = action.get("subresource", ""), action.get("user")
        return _written(self._scenario.merge(action["of"]["kind"], *name, patch, subresource, user))

    def _apply(self, action: Json) -> Observation:
        raw, subresource = self._resolved(action["object"]), action.get("subresource", "")
        force = bool(action.get("force"))
        return _written(
            self._scenario.apply(raw, action["manager"], subresource, action.get("user"), force=force)
        )

    def _delete(self, action: Json) -> Observation:
        """Delete an object; pods without grace period, because their kubelet is emulated."""
        name = self._named(action["of"])
        if not name:
            return _rejected("NotFound", "the object to delete was not found")
        now = bool(action.get("force")) or action["of"]["kind"] == "Pod"
        answer = self._scenario.delete(action["of"]["kind"], *name, now=now)
        return {"outcome": "deleted"} if answer.accepted else _written(answer)

    def _get(self, action: Json) -> Observation:
        version = str(action.get("version") or "").removeprefix(f"{GROUP}/")
        read = self._read(action["of"], version)
        return {"outcome": "found", "object": read.body} if read and read.accepted else {"outcome": "missing"}

    def _list(self, action: Json) -> Observation:
        answer = self._scenario.listed_by(action["kind"], action["spec"])
        return {"outcome": "found", "object": answer.body} if answer.accepted else {"outcome": "missing"}

    def _set_gates(self, action: Json) -> Observation:
        controls, before = self._require_controls("change feature gates"), self._kubelet()
        controls.set_gates(action["components"], action["gates"])
        return self._restarted(before)

    def _set_version(self, action: Json) -> Observation:
        controls, before = self._require_controls("start components of another release"), self._kubelet()
        controls.set_version(action["components"], action.get("release"))
        return self._restarted(before)

    def _restart(self, action: Json) -> Observation:
        controls, before = self._require_controls("restart components"), self._kubelet()
        controls.restart(action["components"])
        return self._restarted(before)

    def _fail(self, action: Json) -> Observation:
        controls, names = self._require_controls("make writes of components fail"), self._scenario.names
        subresource = action.get("subresource")
        resource = "/".join(filter(None, (RESOURCES[action["kind"]].plural, subresource)))
        namespaces = [names.namespace(name) for name in names.namespaces]
        write = RejectedWrite(action["verb"], resource, action["reason"])
        controls.fail_writes(names.prefix, namespaces, write, action["times"])
        return {"outcome": "done"}

    def _restarted(self, before: Profile) -> Observation:
        """Return the observation of a restart; `before` is the previous profile of the kubelet."""
        self._scenario.served.forget()
        self._scenario.api.end_streams()
        redeclare_features(self._scenario, before, self._kubelet())
        return {"outcome": "done"}

    def _require_controls(self, purpose: str) -> Controls:
        if self._controls is None:
            raise CannotRun(f"the scenario needs to {purpose}, which a shared cluster does not allow")
        return self._controls

    def _advance(self, action: Json) -> Observation:
        """Wait until a number of seconds has passed since the last write, while the emulated kubelet works.

        Waiting for a steady state takes time too. Raises CannotRun if it took longer than the scenario
        allows, because the observation would be too late.
        """
        self._begin_once()
        if action["seconds"] < 2:
            raise CannotRun("the scenario advances by one second, expected more: API times are in seconds")
        self._advanced += action["seconds"]
        most = MOST_SECONDS_ALONE if self._controls else MOST_SECONDS
        if self._advanced > most:
            raise CannotRun(f"the scenario advances by {self._advanced} seconds, expected at most {most}")
        self._now += action["seconds"]
        if time.monotonic() > self._now:
            seconds = action["seconds"]
            raise CannotRun(f"the cluster takes longer than {seconds} seconds to reach a steady state")
        while (left := self._now - time.monotonic()) > 0:
            self._scenario.api.check()
            time.sleep(min(0.2, left))
            self._settling.run_kubelet()
        return {"outcome": "done"}

    def _settle(self, _: Json) -> Observation:
        self._begin_once()
        self._settling.settle()
        return self._state.observe()

    def _begin_once(self) -> None:
        if self._begin and not self._begun:
            self._begun = True
            self._begin()

    def _read(self, of: Json, version: str = "") -> Answer | None:
        name = self._named(of)
        return self._scenario.get(of["kind"], *name, version=version) if name else None

    def _named(self, of: Json) -> tuple[str, str] | None:
        """Return the name and namespace of the newest object that a reference matches, None for no match."""
        if "name" in of:
            return of["name"], of.get("namespace") or DEFAULT
        claims = {COLLECTIONS["ResourceClaim"]: self._scenario.all("ResourceClaim")}
        matches = [claim["metadata"] for claim in find_objects(claims, of)]
        return (matches[-1]["name"], matches[-1]["namespace"]) if matches else None

    def _resolved(self, value: Json) -> Json:
        """Replace each `{"$name": REFERENCE}` in a value by the name of the object, empty if none matches."""
        if isinstance(value, dict) and set(value) == {"$name"}:
            name = self._named(value["$name"])
            return name[0] if name else ""
        if isinstance(value, dict):
            return {field: self._resolved(item) for field, item in value.items()}
        return [self._resolved(item) for item in value] if isinstance(value, list) else value


def _needs_version(answer: Answer) -> bool:
    causes = () if answer.accepted else (answer.body.get("details") or {}).get("causes") or ()
    return any(cause.get("field") == _VERSION for cause in causes)


def _written(answer: Answer) -> Observation:
    """Return the observation of a write."""
    if answer.accepted:
        warnings = {"warnings": list(answer.warnings)} if answer.warnings else {}
        return {"outcome": "admitted", "object": answer.body, **warnings}
    causes = (answer.body.get("details") or {}).get("causes") or ()
    errors = [
        {"path": cause.get("field", ""), "type": cause.get("reason", ""), "detail": cause.get("message", "")}
        for cause in causes
    ]
    return {**_rejected(answer.reason, answer.message), "errors": errors}


def _rejected(reason: str, message: str) -> Observation:
    return {"outcome": "rejected", "reason": reason, "errors": [], "message": message}
