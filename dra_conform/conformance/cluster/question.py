"""The question of a scenario, made from the setup: the objects that exist, and the actions in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.conformance.case import Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.object_references import key_of, reference
from dra_conform.conformance.steps.given import CLASS, NODE, RESOURCE, Given, collected, in_v1
from dra_conform.conformance.steps.publishing import Published, slices_of
from dra_conform.conformance.steps.step import StepError
from dra_conform.conformance.steps.written_objects import each_by_path, with_fields
from dra_conform.kube.field_paths import field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.meta import path_segment

Action = dict[str, Json]


def build_question(given: Given, actions: Sequence[Mapping[str, Json]]) -> tuple[Objects, Mapping[str, Json]]:
    """Return the unconverted objects of the setup, and one action for each step; raises StepError.

    Add the default node, and the default DeviceClass without selectors, if steps imply them. An object of the
    setup that a step creates does not exist before.
    """
    nodes = given.names("Node") or [NODE]
    objects = [] if given.names("Node") else [_bare_object("v1", "Node", NODE)]
    if given.default_class and CLASS not in given.names("DeviceClass"):
        objects.append({**_bare_object(RESOURCE, "DeviceClass", CLASS), "spec": {}})
    builder = _ActionBuilder([*objects, *given.all_objects(nodes[0])], given.declared, nodes[0])
    ask: dict[str, Json] = {"actions": [builder.action(action) for action in actions]}
    if given.components:
        ask["components"] = {name: dict(settings) for name, settings in given.components.items()}
    return collected(builder.given), ask


def _bare_object(api_version: str, kind: str, name: str) -> dict[str, Json]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}


class _ActionBuilder:
    """The state that actions depend on: objects of the setup, and ResourceSlices as written so far."""

    def __init__(
        self, given: list[dict[str, Json]], declared: Mapping[tuple[str, str], int], node: str
    ) -> None:
        self.given = given
        self._declared = declared
        self._node = node
        self._slices = {_name(raw): raw for raw in given if raw["kind"] == "ResourceSlice"}

    def action(self, params: Mapping[str, Json]) -> Action:
        """Return the action of a When step in its wire form; raises StepError."""
        action = self._action(params)
        if action["do"] != "create":  # the API server rejects such names on creation
            _check_address(action.get("of") or field_at(action, "object.metadata"))
        return action

    def _action(self, params: Mapping[str, Json]) -> Action:
        if "do" not in params:
            return self._write(params)
        if params["do"] == "publish":
            return self._publish(params["published"])
        if params["do"] == "republish":
            return self._republish(params["device"], params["fields"])
        return self._remember(dict(params))

    def _write(self, params: Mapping[str, Json]) -> Action:
        """Return a write of `admit` as an action: of an object of the setup, or of the object in the step."""
        if "object" in params:
            written = with_fields(params["object"], params["fields"])
            action: Action = {"do": params["verb"], "object": written}
        elif params["verb"] == "create":
            raw = self._remove_from_setup(params["kind"], params["name"])
            action = {"do": "create", "object": with_fields(raw, params["fields"])}
        else:
            ref = reference(params["kind"], params["name"])
            action = {"do": "change", "of": ref, "fields": each_by_path(params["fields"])}
        more = {name: params[name] for name in ("subresource", "user") if name in params}
        return self._remember({**action, **more})

    def _remove_from_setup(self, kind: str, name: str) -> dict[str, Json]:
        ref = reference(kind, name)
        for raw in self.given:
            if raw["kind"] == kind and reference(kind, key_of(raw)) == ref:
                self.given.remove(raw)
                return raw
        raise StepError(
            f"{kind} {name!r} is not in the setup or already created, expected an object of the setup"
        )

    def _publish(self, published: Sequence[Published]) -> Action:
        """Return the write of the only ResourceSlice with these devices: its creation, or an update."""
        slices = slices_of(published, self._declared, self._node)
        if len(slices) != 1:
            raise StepError(f"publishes {len(slices)} ResourceSlices, expected one in each step")
        old = self._slices.get(_name(slices[0]))
        if old is None:
            return self._remember({"do": "create", "object": slices[0]})
        return self._update_slice(old, {**old, "spec": {**slices[0]["spec"], "pool": old["spec"]["pool"]}})

    def _republish(self, device: tuple[str, str, str], fields: Mapping[str, Json]) -> Action:
        driver, pool, name = device
        for old in self._of_pool(driver, pool):
            for index, published in enumerate(old["spec"].get("devices", ())):
                if published["name"] == name:
                    paths = {f"spec.devices[{index}].{path}": value for path, value in fields.items()}
                    return self._update_slice(old, with_fields(old, paths))
        raise StepError(f"device {driver}/{pool}/{name} is not published, expected a published device")

    def _update_slice(self, old: Mapping[str, Json], new: dict[str, Json]) -> Action:
        """Return the update of a ResourceSlice, with a higher generation if it is the only one of its pool.

        A pool of several ResourceSlices keeps its generation, so that the pool is never incomplete.
        """
        pool = old["spec"]["pool"]
        if len(self._of_pool(old["spec"]["driver"], pool["name"])) == 1:
            new = {**new, "spec": {**new["spec"], "pool": {**pool, "generation": pool["generation"] + 1}}}
        return self._remember({"do": "update", "object": new})

    def _of_pool(self, driver: str, pool: str) -> list[dict[str, Json]]:
        return [
            raw
            for raw in self._slices.values()
            if (field_at(raw, "spec.driver"), field_at(raw, "spec.pool.name")) == (driver, pool)
        ]

    def _remember(self, action: Action) -> Action:
        """Keep track of slices that are created, updated or deleted."""
        if action["do"] != "apply" and field_at(action, "object.kind") == "ResourceSlice":
            self._slices[_name(action["object"])] = action["object"]
        if action["do"] == "delete" and action["of"]["kind"] == "ResourceSlice":
            self._slices.pop(action["of"]["name"], None)
        return action


def _check_address(ref: Json) -> None:
    """Raise StepError for a name that cannot be part of a URL path."""
    for part in ("name", "namespace"):
        name = ref.get(part) if isinstance(ref, Mapping) else None
        for problem in path_segment(name) if isinstance(name, str) else ():
            raise StepError(f"the {part} {name!r} of an object {problem}")


def _name(raw: Mapping[str, Json]) -> str:
    return str(field_at(raw, "metadata.name"))


def features(objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the feature ids of all objects, including those that actions write."""
    written = [action["object"] for action in ask["actions"] if "object" in action]
    return features_of(collected(in_v1((*(raw for items in objects.values() for raw in items), *written))))


def gates_turned_on(ask: Mapping[str, Json]) -> frozenset[str]:
    """Return the gates that the scenario turns on in components of the profile's release."""
    components = ask.get("components", {})
    others = {name for name, settings in components.items() if "release" in settings}
    gates = {gate for name in components.keys() - others for gate in _gates_turned_on(components[name])}
    for action in ask["actions"]:
        names = set(action.get("components", ()))
        if action["do"] == "set-version":
            others = others | names if "release" in action else others - names
        elif names - others:
            gates.update(_gates_turned_on(action))
    return frozenset(gates)


def _gates_turned_on(settings: Mapping[str, Json]) -> list[str]:
    return [gate for gate, on in settings.get("gates", {}).items() if on]
