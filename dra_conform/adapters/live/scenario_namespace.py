"""The objects of one scenario on a cluster, read and written with the scenario's own names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dra_conform.adapters.live.api import APPLY, MERGE, Answer, Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.isolation_fields import STORY, marked, marked_patch, unmarked, unmarked_path
from dra_conform.adapters.live.resources import RESOURCES, Address, Resource, version_of
from dra_conform.adapters.live.scenario_names import DEFAULT, ScenarioNames
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.kube.field_paths import field_at
from dra_conform.kube.versions import GROUP, from_v1, to_v1

Json = Any

_MOST_SELECTORS = 32
"""So many are valid; the class of a story gets one that selects its own devices."""


class ScenarioNamespace:
    """Objects go in and come out with the names that the story knows, and without marks.

    Raises CannotRun for an object that no request can be made of, or that the guard of the API lets nobody
    write.
    """

    def __init__(self, api: Api, served: ServedVersions, names: ScenarioNames) -> None:
        self.api = api
        self.served = served
        self.names = names

    def create(self, raw: Json, user: Json = None) -> Answer:
        resource, version = _address_of(raw)
        written = self._written(raw)
        path = resource.address(version, _namespace_of(written))
        return self._seen(resource, self.api.create(path, written, user))

    def stored(self, raw: Json) -> Json:
        """An object as it lies in the store of a cluster that is there for nothing else."""
        return marked(self.names.own(self.newest(raw)), self.names)

    def replace(self, raw: Json, subresource: str = "", user: Json = None) -> Answer:
        """Write over what is there."""
        resource, version = _address_of(raw)
        written = self._written(raw)
        name = str(field_at(written, "metadata.name"))
        path = resource.address(version, _namespace_of(written), name, subresource)
        return self._seen(resource, self.api.replace(path, written, user))

    def get(self, kind: str, name: str, namespace: str = "", version: str = "") -> Answer:
        """In a version of the API; the newest that is served, as v1, where none is named."""
        path = self.path(kind, name, namespace, version=version)
        answer = self._seen(RESOURCES[kind], self.api.get(path))
        return answer if version or not answer.taken else replace(answer, body=_v1(answer.body))

    def delete(self, kind: str, name: str, namespace: str = "", *, now: bool = False) -> Answer:
        return self._seen(RESOURCES[kind], self.api.delete(self.path(kind, name, namespace), now=now))

    def patch(self, kind: str, name: str, namespace: str, body: Json, subresource: str = "") -> Answer:
        """A strategic merge patch by whoever plays a part of the cluster."""
        path = self.path(kind, name, namespace, subresource)
        return self._seen(RESOURCES[kind], self.api.patch(path, self.names.own(body)))

    def merge(
        self, kind: str, name: str, namespace: str, patch: Json, subresource: str, user: Json
    ) -> Answer:
        """A JSON merge patch, as a story has it."""
        path = self.path(kind, name, namespace, subresource)
        body = marked_patch(kind, self.names.own(patch), self.names)
        return self._seen(RESOURCES[kind], self.api.write("PATCH", path, body, content_type=MERGE, user=user))

    def apply(self, raw: Json, manager: str, subresource: str, user: Json, *, force: bool) -> Answer:
        """Server-side apply by a field manager."""
        resource, version = _address_of(raw)
        written = self._written(raw)
        name = str(field_at(written, "metadata.name"))
        path = resource.address(version, _namespace_of(written), name, subresource)
        query = {"fieldManager": manager, **({"force": "true"} if force else {})}
        asked = self.api.write("PATCH", path, written, content_type=APPLY, query=query, user=user)
        return self._seen(resource, asked)

    def all(self, kind: str) -> list[Json]:
        """The objects of a kind in the story, as v1, in the order they were created."""
        if not self.served.has(kind):
            return []
        resource, version = RESOURCES[kind], self.served.newest(kind)
        if not resource.namespaced:
            return self._listed(resource, version, "", labelSelector=f"{STORY}={self.names.story}")
        rooms = (self.names.namespace(one) for one in self.names.namespaces)
        return [one for room in rooms for one in self._listed(resource, version, room)]

    def path(
        self, kind: str, name: str, namespace: str = "", subresource: str = "", version: str = ""
    ) -> Address:
        """The address of an object that the story calls so."""
        resource = RESOURCES[kind]
        version = version or self.served.newest(kind)
        if resource.namespaced:
            return resource.address(version, self.names.namespace(namespace or DEFAULT), name, subresource)
        own = self.names.namespace(name) if kind == "Namespace" else self.names.name(name)
        return resource.address(version, "", own, subresource)

    def newest(self, raw: Json) -> Json:
        """A v1 object in the newest version in which it can be written."""
        if field_group(raw) != GROUP:
            return raw
        return from_v1(to_v1(raw), f"{GROUP}/{self.served.newest(raw['kind'])}")

    def seen(self, raw: Json) -> Json:
        """An object of the cluster in the words of the story."""
        return self.names.said(unmarked(raw, self.names))

    def _written(self, raw: Json) -> Json:
        """An object as it is written; raises CannotRun where it could not be kept apart from others."""
        selectors = field_at(raw, "spec.selectors") if raw.get("kind") == "DeviceClass" else None
        if isinstance(selectors, list) and len(selectors) == _MOST_SELECTORS:
            raise CannotRun(f"a class with {_MOST_SELECTORS} selectors has no room for one more")
        return marked(self.names.own(raw), self.names)

    def _listed(self, resource: Resource, version: str, namespace: str, **query: str) -> list[Json]:
        answer = self.api.get(resource.address(version, namespace), **query)
        if not answer.taken:
            raise Unreachable(f"cannot list {resource.plural}: {answer.message}")
        header = {"apiVersion": answer.body["apiVersion"], "kind": resource.kind}
        found = [_v1(self.seen({**header, **one})) for one in answer.body.get("items") or ()]
        return sorted(found, key=lambda one: str(field_at(one, "metadata.creationTimestamp")))

    def _seen(self, resource: Resource, answer: Answer) -> Answer:
        """An answer in the words of the story, and so its paths."""
        if answer.taken and isinstance(answer.body, dict) and answer.body.get("kind") == resource.kind:
            return replace(answer, body=self.seen(answer.body))
        body = self.names.said(answer.body)
        details = (body.get("details") or {}) if isinstance(body, dict) else {}
        for cause in details.get("causes") or ():
            cause["field"] = unmarked_path(resource.kind, cause.get("field", ""))
        return replace(answer, body=body, warnings=tuple(map(self.names.said, answer.warnings)))


def field_group(raw: Json) -> str:
    """The API group of an object, empty for the core."""
    return str(raw.get("apiVersion", "")).rpartition("/")[0]


def _address_of(raw: Json) -> tuple[Resource, str]:
    resource = RESOURCES.get(str(field_at(raw, "kind")))
    if resource is None or not isinstance(field_at(raw, "metadata"), dict):
        raise CannotRun("an object of a kind or a shape that has no address")
    if field_group(raw) != resource.group:
        raise CannotRun(f"{resource.kind} of {raw.get('apiVersion')!r}, which has no address")
    return resource, version_of(raw)


def _namespace_of(written: Json) -> str:
    namespace = field_at(written, "metadata.namespace")
    return namespace if isinstance(namespace, str) else ""


def _v1(raw: Json) -> Json:
    return to_v1(raw) if field_group(raw) == GROUP else raw
