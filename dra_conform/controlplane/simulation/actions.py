"""The actions of a scenario, each with its observation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dra_conform.controlplane.apiserver.served import serves
from dra_conform.controlplane.parts import NotSimulated
from dra_conform.controlplane.simulation.components import CONTROLLER_MANAGER
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.controlplane.simulation.references import resolve, resolved
from dra_conform.controlplane.simulation.running import Running
from dra_conform.controlplane.simulation.scheduling.phases import PhaseResult
from dra_conform.controlplane.simulation.scheduling.scheduler import Attempt
from dra_conform.controlplane.simulation.server import refused
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.versions import GROUP, SERVED, from_v1

Json = Any
Observation = dict[str, Json]

_DONE: Mapping[str, Json] = {"outcome": "done"}


class Actions:
    """The actions of a story on a running cluster."""

    def __init__(self, cluster: Running) -> None:
        self._cluster = cluster
        self._server = cluster.server
        self._metrics()  # what is given has not grown
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
            "fail": self._fail,
            "settle": self._settle,
        }

    def do(self, action: Mapping[str, Json]) -> Observation:
        """Do one action; raises NotSimulated for one that is not known."""
        name = action["do"]
        if name not in self._by_name:
            raise NotSimulated(f"the action {name!r}, known are {', '.join(self._by_name)}")
        return self._by_name[name](action)

    def _create(self, action: Json) -> Observation:
        return self._server.create(self._meant(action["object"]), action.get("user"))

    def _update(self, action: Json) -> Observation:
        raw = self._meant(action["object"])
        return self._server.update(raw, action.get("subresource", ""), action.get("user"))

    def _change(self, action: Json) -> Observation:
        key = self._key(action)
        raw = self._server.get(key) if key else None
        if raw is None:
            return refused("NotFound", "the object to change was not found")
        for path, value in action["fields"].items():
            raw = with_field(raw, path, self._meant(value))
        written = from_v1(raw, self._server.version_of(raw["kind"]))
        return self._server.update(written, action.get("subresource", ""), action.get("user"))

    def _patch(self, action: Json) -> Observation:
        """A JSON merge patch on the newest version that is served."""
        key = self._key(action)
        raw = self._server.get(key) if key else None
        if raw is None:
            return refused("NotFound", "the object to patch was not found")
        served = from_v1(raw, self._server.version_of(raw["kind"]))
        patched = _merge_patch(served, self._meant(action["patch"]))
        return self._server.update(patched, action.get("subresource", ""), action.get("user"))

    def _apply(self, action: Json) -> Observation:
        raw, endpoint = self._meant(action["object"]), action.get("subresource", "")
        force = action.get("force", False)
        return self._server.apply(raw, action["manager"], endpoint, action.get("user"), force=force)

    def _delete(self, action: Json) -> Observation:
        """Pods end at once, so that there is nothing to `force`."""
        key = self._key(action)
        return self._server.delete(key) if key else refused("NotFound", "the object was never made")

    def _get(self, action: Json) -> Observation:
        key = self._key(action)
        raw = self._server.get(key) if key else None
        if raw is None:
            return {"outcome": "missing"}
        if "version" in action and raw["kind"] in SERVED:
            version = f"{GROUP}/{action['version'].removeprefix(f'{GROUP}/')}"
            if not serves(raw["kind"], version, self._server.profile):
                return {"outcome": "missing"}
            raw = from_v1(raw, version)
        return {"outcome": "found", "object": raw}

    def _set_gates(self, action: Json) -> Observation:
        self._cluster.components.restart(_components(action), action["gates"])
        return {**_DONE}

    def _set_version(self, action: Json) -> Observation:
        """Without a release, that of the case."""
        components = self._cluster.components
        if "release" in action:
            components.replace(_components(action), action["release"])
        else:
            components.put_back(_components(action))
        return {**_DONE}

    def _restart(self, action: Json) -> Observation:
        self._cluster.components.restart(_components(action))
        return {**_DONE}

    def _advance(self, action: Json) -> Observation:
        self._cluster.clock.advance(action["seconds"])
        return {**_DONE}

    def _fail(self, action: Json) -> Observation:
        self._cluster.failures.add(action)
        return {**_DONE}

    def _settle(self, action: Json) -> Observation:
        self._cluster.settle()
        objects = {name: self._server.all(kind) for kind, name in COLLECTIONS.items()}
        return {
            "outcome": "settled",
            "objects": {name: found for name, found in objects.items() if found},
            "events": self._cluster.events.take(),
            "attempts": [_told(one) for one in self._cluster.scheduler.take_attempts()],
            "prepared": self._cluster.kubelets.take_prepared(),
            "metrics": self._metrics(),
        }

    def _metrics(self) -> list[Json]:
        return self._cluster.metrics.take(self._cluster.components[CONTROLLER_MANAGER].profile)

    def _key(self, action: Json) -> Key | None:
        return resolve(action["of"], self._server.store)

    def _meant(self, value: Json) -> Json:
        return resolved(value, self._server.store)


def _components(action: Json) -> list[str]:
    return [action["component"]] if "component" in action else list(action["components"])


def _merge_patch(value: Json, patch: Json) -> Json:
    """RFC 7396: maps are merged, null takes a member away, all else is replaced."""
    if not isinstance(patch, Mapping):
        return patch
    members = value if isinstance(value, Mapping) else {}
    put = {name: _merge_patch(members.get(name), item) for name, item in patch.items() if item is not None}
    return {**{name: item for name, item in members.items() if name not in patch}, **put}


def _told(attempt: Attempt) -> dict[str, Json]:
    return {
        "pod": attempt.pod,
        "node": attempt.node,
        "result": attempt.result,
        "message": attempt.message,
        "phases": [_phase(one) for one in attempt.phases],
    }


def _phase(result: PhaseResult) -> dict[str, Json]:
    said: dict[str, Json] = {"phase": result.phase.value, "code": result.code.value}
    if result.nodes:
        said["nodes"] = list(result.nodes)
    if result.reason:
        said["reason"] = result.reason
    if result.score is not None:
        said["score"] = result.score
    return said
