"""The objects of one scenario on a cluster, read and written with the names in the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dra_conform.adapters.live.api import APPLY, MERGE, Api, Unreachable
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation_fields import (
    SCENARIO_LABEL,
    patch_with_isolation,
    path_without_isolation,
    with_isolation,
    without_isolation,
)
from dra_conform.adapters.live.resources import RESOURCES, Address, Resource, version_of
from dra_conform.adapters.live.scenario_names import DEFAULT, ScenarioNames
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.kube.field_paths import field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.versions import GROUP, from_v1, to_v1

_MOST_SELECTORS = 32
"""The limit of the API; a DeviceClass of a scenario gets one more selector, for devices of the scenario."""


class ScenarioNamespace:
    """Reads and writes objects with the names in the scenario and without isolation fields.

    Raises CannotRun for an object without a URL path, and for a write that the guard of the API rejects.
    """

    def __init__(self, api: Api, served: ServedVersions, names: ScenarioNames) -> None:
        self.api = api
        self.served = served
        self.names = names

    def create(self, raw: Json, user: Json = None) -> Answer:
        """Create an object of the scenario."""
        resource, version = _address_of(raw)
        written = self._written(raw)
        path = resource.address(version, _namespace_of(written))
        return self._converted(resource, self.api.create(path, written, user))

    def stored(self, raw: Json) -> Json:
        """Return an object in the form that is written directly to etcd."""
        return with_isolation(self.names.on_cluster(self.newest(raw)), self.names)

    def replace(self, raw: Json, subresource: str = "", user: Json = None) -> Answer:
        """Replace the object or one of its subresources."""
        resource, version = _address_of(raw)
        written = self._written(raw)
        name = str(field_at(written, "metadata.name"))
        path = resource.address(version, _namespace_of(written), name, subresource)
        return self._converted(resource, self.api.replace(path, written, user))

    def get(self, kind: str, name: str, namespace: str = "", version: str = "") -> Answer:
        """Read an object in an API version, or in the newest served version and converted to v1."""
        path = self.path(kind, name, namespace, version=version)
        answer = self._converted(RESOURCES[kind], self.api.get(path))
        return answer if version or not answer.accepted else replace(answer, body=_v1(answer.body))

    def delete(self, kind: str, name: str, namespace: str = "", *, now: bool = False) -> Answer:
        """Delete an object; with `now`, without a grace period."""
        return self._converted(RESOURCES[kind], self.api.delete(self.path(kind, name, namespace), now=now))

    def patch(self, kind: str, name: str, namespace: str, body: Json, subresource: str = "") -> Answer:
        """Send a strategic merge patch, as an emulated component."""
        path = self.path(kind, name, namespace, subresource)
        return self._converted(RESOURCES[kind], self.api.patch(path, self.names.on_cluster(body)))

    def merge(
        self, kind: str, name: str, namespace: str, patch: Json, subresource: str, user: Json
    ) -> Answer:
        """Send a JSON merge patch of the scenario."""
        path = self.path(kind, name, namespace, subresource)
        body = patch_with_isolation(kind, self.names.on_cluster(patch), self.names)
        return self._converted(
            RESOURCES[kind], self.api.write("PATCH", path, body, content_type=MERGE, user=user)
        )

    def apply(self, raw: Json, manager: str, subresource: str, user: Json, *, force: bool) -> Answer:
        """Send a server-side apply of a field manager."""
        resource, version = _address_of(raw)
        written = self._written(raw)
        name = str(field_at(written, "metadata.name"))
        path = resource.address(version, _namespace_of(written), name, subresource)
        query = {"fieldManager": manager, **({"force": "true"} if force else {})}
        answer = self.api.write("PATCH", path, written, content_type=APPLY, query=query, user=user)
        return self._converted(resource, answer)

    def all(self, kind: str) -> list[Json]:
        """Return the objects of a kind in the scenario, as v1, in the order of their creation."""
        if not self.served.has(kind):
            return []
        resource, version = RESOURCES[kind], self.served.newest(kind)
        if not resource.namespaced:
            return self._listed(
                resource, version, "", labelSelector=f"{SCENARIO_LABEL}={self.names.scenario_id}"
            )
        namespaces = map(self.names.namespace, self.names.namespaces)
        return [raw for namespace in namespaces for raw in self._listed(resource, version, namespace)]

    def listed_by(self, kind: str, spec: Mapping[str, str]) -> Answer:
        """List the objects of a cluster-scoped kind in the scenario by a field selector of the spec."""
        fields = (f"spec.{name}={value}" for name, value in self.names.on_cluster(spec).items())
        answer = self.api.get(
            RESOURCES[kind].address(self.served.newest(kind)),
            labelSelector=f"{SCENARIO_LABEL}={self.names.scenario_id}",
            fieldSelector=",".join(fields),
        )
        return replace(answer, body=self.in_scenario(answer.body)) if answer.accepted else answer

    def path(
        self, kind: str, name: str, namespace: str = "", subresource: str = "", version: str = ""
    ) -> Address:
        """Return the address of the object that has this name in the scenario."""
        resource = RESOURCES[kind]
        version = version or self.served.newest(kind)
        if resource.namespaced:
            return resource.address(version, self.names.namespace(namespace or DEFAULT), name, subresource)
        on_cluster = self.names.namespace(name) if kind == "Namespace" else self.names.name(name)
        return resource.address(version, "", on_cluster, subresource)

    def newest(self, raw: Json) -> Json:
        """Return a v1 object converted to the newest served version."""
        if field_group(raw) != GROUP:
            return raw
        return from_v1(to_v1(raw), f"{GROUP}/{self.served.newest(raw['kind'])}")

    def in_scenario(self, raw: Json) -> Json:
        """Return an object of the cluster with the names in the scenario and without isolation fields."""
        return self.names.in_scenario(without_isolation(raw, self.names))

    def _written(self, raw: Json) -> Json:
        """Return an object in the form that is written; raises CannotRun if it cannot be isolated."""
        selectors = field_at(raw, "spec.selectors") if raw.get("kind") == "DeviceClass" else None
        if isinstance(selectors, list) and len(selectors) == _MOST_SELECTORS:
            problem = f"has {_MOST_SELECTORS} selectors, expected fewer: the run adds one for isolation"
            raise CannotRun(f"a DeviceClass {problem}")
        return with_isolation(self.names.on_cluster(raw), self.names)

    def _listed(self, resource: Resource, version: str, namespace: str, **query: str) -> list[Json]:
        answer = self.api.get(resource.address(version, namespace), **query)
        if not answer.accepted:
            raise Unreachable(f"cannot list {resource.plural}: {answer.message}")
        header = {"apiVersion": answer.body["apiVersion"], "kind": resource.kind}
        objects = [_v1(self.in_scenario({**header, **item})) for item in answer.body.get("items") or ()]
        return sorted(objects, key=lambda raw: str(field_at(raw, "metadata.creationTimestamp")))

    def _converted(self, resource: Resource, answer: Answer) -> Answer:
        """Return an answer with the names, field paths and messages as in the scenario."""
        if answer.accepted and isinstance(answer.body, dict) and answer.body.get("kind") == resource.kind:
            return replace(answer, body=self.in_scenario(answer.body))
        body = self.names.in_scenario(answer.body)
        details = (body.get("details") or {}) if isinstance(body, dict) else {}
        for cause in details.get("causes") or ():
            cause["field"] = path_without_isolation(resource.kind, cause.get("field", ""))
        return replace(answer, body=body, warnings=tuple(map(self.names.in_scenario, answer.warnings)))


def field_group(raw: Json) -> str:
    """Return the API group of an object, empty for the core group."""
    return str(raw.get("apiVersion", "")).rpartition("/")[0]


def _address_of(raw: Json) -> tuple[Resource, str]:
    resource = RESOURCES.get(str(field_at(raw, "kind")))
    if resource is None or not isinstance(field_at(raw, "metadata"), dict):
        raise CannotRun("cannot write an object that has no metadata, or whose kind scenarios do not support")
    if field_group(raw) != resource.group:
        raise CannotRun(f"{resource.kind} does not exist in {raw.get('apiVersion')!r}")
    return resource, version_of(raw)


def _namespace_of(written: Json) -> str:
    namespace = field_at(written, "metadata.namespace")
    return namespace if isinstance(namespace, str) else ""


def _v1(raw: Json) -> Json:
    return to_v1(raw) if field_group(raw) == GROUP else raw
