"""A simulated cluster that runs scenarios: it executes actions such as `create` and `settle`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dra_conform.apiserver.kinds import serves
from dra_conform.cluster_state.components import CONTROLLER_MANAGER, Components
from dra_conform.cluster_state.object_keys import Key
from dra_conform.kube.field_paths import with_field
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.json_values import Json
from dra_conform.kube.merge_patch import merge_patch
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import GROUP, SERVED, from_v1
from dra_conform.simulation.parts import NotSimulated, Objects, Parts, allocate, executor_of
from dra_conform.simulation.references import resolve, resolved
from dra_conform.simulation.running import RunningCluster
from dra_conform.simulation.scheduling.phases import PhaseResult
from dra_conform.simulation.scheduling.scheduler import SchedulingAttempt
from dra_conform.simulation.server import rejection

Observation = dict[str, Json]

_DONE: Mapping[str, Json] = {"outcome": "done"}


class _Actions:
    """Executes the actions of one scenario on a running cluster."""

    def __init__(self, cluster: RunningCluster, ask: Mapping[str, Json]) -> None:
        self._cluster = cluster
        self._server = cluster.server
        wanted: Mapping[str, Callable[[], list[Json]]] = {
            "metrics": self._metrics,
            "requests": cluster.metrics.take_writes,
            "log": cluster.log.take,
        }
        self._wanted = {name: take for name, take in wanted.items() if ask.get(name)}
        for take in self._wanted.values():
            take()  # Objects of the setup must not count as growth of a metric.
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
            "advance": self._advance,
            "fail": self._fail,
            "settle": self._settle,
        }

    def do(self, action: Mapping[str, Json]) -> Observation:
        """Execute one action and return its observation; raise NotSimulated for an unknown action."""
        return executor_of(action, self._by_name)(action)

    def _create(self, action: Json) -> Observation:
        return self._server.create(self._resolved(action["object"]), action.get("user"))

    def _update(self, action: Json) -> Observation:
        raw = self._resolved(action["object"])
        return self._server.update(raw, action.get("subresource", ""), action.get("user"))

    def _change(self, action: Json) -> Observation:
        key = self._key(action)
        raw = self._server.get(key) if key else None
        if raw is None:
            return rejection("NotFound", "the object to change was not found")
        for path, value in action["fields"].items():
            raw = with_field(raw, path, self._resolved(value))
        written = from_v1(raw, self._server.version_of(raw["kind"]))
        return self._server.update(written, action.get("subresource", ""), action.get("user"))

    def _patch(self, action: Json) -> Observation:
        """Apply a JSON merge patch to the object in the newest API version that is served."""
        key = self._key(action)
        raw = self._server.get(key) if key else None
        if raw is None:
            return rejection("NotFound", "the object to patch was not found")
        served = from_v1(raw, self._server.version_of(raw["kind"]))
        patched = merge_patch(served, self._resolved(action["patch"]))
        return self._server.update(patched, action.get("subresource", ""), action.get("user"))

    def _apply(self, action: Json) -> Observation:
        raw, endpoint = self._resolved(action["object"]), action.get("subresource", "")
        force = action.get("force", False)
        return self._server.apply(raw, action["manager"], endpoint, action.get("user"), force=force)

    def _delete(self, action: Json) -> Observation:
        """Delete an object; `force` has no effect because simulated pods have no grace period."""
        key = self._key(action)
        return (
            self._server.delete(key) if key else rejection("NotFound", "the object to delete was not found")
        )

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

    def _list(self, action: Json) -> Observation:
        """List the objects of a kind whose spec has the values of a field selector."""
        selected = action["spec"].items()
        items = [raw for raw in self._server.all(action["kind"]) if selected <= raw["spec"].items()]
        return {"outcome": "found", "object": {"kind": f"{action['kind']}List", "items": items}}

    def _set_gates(self, action: Json) -> Observation:
        self._cluster.components.restart(_components(action), action["gates"])
        return {**_DONE}

    def _set_version(self, action: Json) -> Observation:
        """Replace components with those of a release; without `release`, with those of the case's profile."""
        components = self._cluster.components
        if "release" in action:
            components.replace(_components(action), action["release"])
        else:
            components.restore(_components(action))
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
            "objects": {name: existing for name, existing in objects.items() if existing},
            "events": self._cluster.events.take(),
            "attempts": [_attempt_json(attempt) for attempt in self._cluster.scheduler.take_attempts()],
            "prepared": self._cluster.kubelets.take_prepared(),
            **{name: take() for name, take in self._wanted.items()},
        }

    def _metrics(self) -> list[Json]:
        cluster = self._cluster
        profile = cluster.components[CONTROLLER_MANAGER].profile
        scheduler = cluster.scheduler
        return cluster.metrics.take(profile, scheduler.unschedulable_pods(), scheduler.waiting)

    def _key(self, action: Json) -> Key | None:
        return resolve(action["of"], self._server.store)

    def _resolved(self, value: Json) -> Json:
        return resolved(value, self._server.store)


def _components(action: Json) -> list[str]:
    return [action["component"]] if "component" in action else list(action["components"])


def _attempt_json(attempt: SchedulingAttempt) -> dict[str, Json]:
    return {
        "pod": attempt.pod,
        "node": attempt.node,
        "result": attempt.result,
        "message": attempt.message,
        "phases": [_phase_json(result) for result in attempt.phases],
    }


def _phase_json(result: PhaseResult) -> dict[str, Json]:
    encoded: dict[str, Json] = {"phase": result.phase.value, "code": result.code.value}
    if result.nodes:
        encoded["nodes"] = list(result.nodes)
    if result.reason:
        encoded["reason"] = result.reason
    if result.score is not None:
        encoded["score"] = result.score
    return encoded


class SimulatedCluster:
    """Runs each scenario in a new cluster; equal scenarios and seeds give equal observations."""

    def __init__(self, parts: Parts, profile: Profile, seed: int = 0) -> None:
        self._parts = parts
        self._profile = profile
        self._seed = seed

    def run(self, objects: Objects, ask: Mapping[str, Json]) -> list[dict[str, Json]]:
        """Store the objects of the setup without admission, execute the actions, and return their
        observations.

        Raises NotSimulated for an unsupported action, Unsettled if the components reach no steady state, and
        ValueError or KeyError for a malformed scenario.
        """
        components = Components(ask.get("components") or {}, self._profile)
        if self._parts.allocator is not allocate:  # It logs by itself what it does.
            ask = {**ask, "log": 0}
        cluster = RunningCluster(self._parts, components, self._seed, verbosity=ask.get("log") or 0)
        with without_garbage_collection():
            for collection in objects.values():
                for raw in collection:
                    cluster.server.load(raw)
            actions = _Actions(cluster, ask)
            return [actions.do(action) for action in ask["actions"]]


def run_scenario(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int = 0, parts: Parts | None = None
) -> dict[str, Json]:
    """Run a multi-step scenario on a simulated cluster, and return the body of a `result`.

    Raises Unsettled if the cluster reaches no steady state, ValueError or KeyError for a malformed scenario.
    """
    try:
        observations = SimulatedCluster(parts or Parts(), profile, seed).run(objects, ask)
    except NotSimulated as error:
        return {"status": "unsupported", "message": str(error)}
    return {"outcome": "observed", "observations": observations}
