"""A cluster in memory that stores every object and records every write.

It validates only names, and decodes paths like an API server behind a proxy: percent-decoded, with `..` resolved. So
a write that would change objects of others does so here too.
"""

from __future__ import annotations

import itertools
import posixpath
import threading
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

from dra_conform.adapters.live.api_answers import MalformedAnswer, object_answer
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.meta import path_segment
from dra_conform.kube.versions import GROUP
from tests.support.adapters.live.scripted_server import HttpRequest, HttpResponse

_CORE = "/api/v1"
_DRA = f"/apis/{GROUP}/v1"
_PLURALS = {one.plural: one for one in RESOURCES.values()}


def foreign_objects() -> dict[str, Json]:
    """Return objects of other users, by path."""
    paths = [
        f"{_CORE}/namespaces/kube-system",
        f"{_CORE}/namespaces/default",
        f"{_CORE}/namespaces/dra-conform-other-1-default",
        f"{_CORE}/nodes/worker",
        f"{_CORE}/namespaces/default/pods/web",
        f"{_CORE}/namespaces/kube-system/pods/dns",
        f"{_CORE}/namespaces/default/resourcequotas/quota",
        f"{_DRA}/deviceclasses/gpu",
        f"{_DRA}/deviceclasses/dra-conform-run-1.stolen",
        f"{_DRA}/resourceslices/slice",
        f"{_DRA}/devicetaintrules/rule",
        f"{_DRA}/namespaces/default/resourceclaims/claim",
        f"{_DRA}/namespaces/default/resourceclaimtemplates/template",
    ]
    return {path: _foreign(path, number) for number, path in enumerate(paths)}


def _foreign(path: str, number: int) -> Json:
    parts = path.split("/")
    resource = _PLURALS[parts[-2]]
    namespace = {"namespace": parts[-3]} if resource.namespaced else {}
    metadata = {"name": parts[-1], "uid": f"foreign-{number}", "resourceVersion": "1", **namespace}
    version = f"{resource.group}/v1".removeprefix("/")
    return {"apiVersion": version, "kind": resource.kind, "metadata": metadata, "spec": {}}


@dataclass
class RecordingCluster:
    """A cluster that answers requests; `writes` has every write request with its resolved path."""

    objects: dict[str, Json] = field(default_factory=foreign_objects)
    writes: list[tuple[str, str, Json]] = field(default_factory=list)
    users: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._numbers = itertools.count(2)
        self._lock = threading.Lock()

    def answer(self, asked: HttpRequest) -> HttpResponse:
        """Answer a request like an API server that decodes objects without validation."""
        split = urlsplit(asked.path)
        path = posixpath.normpath(unquote(split.path))
        query = {name: values[0] for name, values in parse_qs(split.query).items()}
        with self._lock:
            self.users += [value for name, value in asked.headers if name.lower() == "impersonate-user"]
            if asked.method != "GET":
                self.writes.append((asked.method, path, asked.body))
                return self._written(asked.method, path, asked.body)
            return self._read(path, query)

    def _read(self, path: str, query: dict[str, str]) -> HttpResponse:
        if query.get("watch"):
            return HttpResponse(lines=[])
        if path == _DRA:
            return HttpResponse({"resources": [{"name": plural} for plural in _PLURALS]})
        if path.endswith("/serviceaccounts/default"):
            metadata = {"name": "default", "uid": "account", "resourceVersion": "1"}
            return HttpResponse({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata})
        if path in self.objects:
            return HttpResponse(self.objects[path])
        if posixpath.basename(path) not in (*_PLURALS, "events"):
            return _missing(path)
        label, _, value = query.get("labelSelector", "").partition("=")
        found = [
            one
            for where, one in self.objects.items()
            if posixpath.dirname(where) == path
            and (
                not label
                or (one["metadata"].get("labels") or {}).get(label) in ({value} if value else {value, *"x"})
            )
        ]
        return HttpResponse(
            {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": "1"}, "items": found}
        )

    def _written(self, method: str, path: str, body: Json) -> HttpResponse:
        if method == "POST":
            name = (
                body["metadata"].get("name") or f"{body['metadata'].get('generateName')}{next(self._numbers)}"
            )
            if any(path_segment(name)):
                return HttpResponse({"kind": "Status", "reason": "Invalid", "message": name}, 422)
            path = f"{path}/{name}"
            if path in self.objects:
                return HttpResponse({"kind": "Status", "reason": "AlreadyExists", "message": path}, 409)
            return self._store(path, {**body, "metadata": {**body["metadata"], "name": name}}, 201)
        if posixpath.basename(path) in ("status", "resize"):
            path = posixpath.dirname(path)
        if path not in self.objects:
            return _missing(path)
        found = self.objects[path]
        wanted = (body.get("preconditions") or body.get("metadata") or {}) if isinstance(body, dict) else {}
        if wanted.get("uid", found["metadata"]["uid"]) != found["metadata"]["uid"]:
            return HttpResponse({"kind": "Status", "reason": "Conflict", "message": path}, 409)
        if method == "DELETE":
            for inner in [one for one in self.objects if one == path or one.startswith(f"{path}/")]:
                del self.objects[inner]
            return HttpResponse({"kind": "Status", "status": "Success"})
        changed = body if method == "PUT" else _merged(found, body)
        return self._store(
            path, {**changed, "metadata": {**found["metadata"], **changed.get("metadata", {})}}, 200
        )

    def _store(self, path: str, raw: Json, code: int) -> HttpResponse:
        metadata = {
            "uid": f"uid-{next(self._numbers)}",
            "creationTimestamp": "2026-01-01T00:00:00Z",
            **raw["metadata"],
            "resourceVersion": str(next(self._numbers)),
        }
        raw = {**raw, "metadata": metadata}
        if raw.get("kind") == "Pod":
            tried = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
            raw["status"] = {"conditions": [tried], **(raw.get("status") or {})}
        if raw.get("kind") == "ResourceQuota":
            raw["status"] = {"hard": (raw.get("spec") or {}).get("hard")}
        try:
            object_answer(encode_json(raw))
        except MalformedAnswer as error:  # an API server cannot decode it either
            return HttpResponse({"kind": "Status", "reason": "BadRequest", "message": str(error)}, 400)
        self.objects[path] = raw
        return HttpResponse(raw, code)


def _merged(old: Json, patch: Json) -> Json:
    if not isinstance(old, dict) or not isinstance(patch, dict):
        return patch
    merged = {**old, **{name: _merged(old.get(name), value) for name, value in patch.items()}}
    return {name: value for name, value in merged.items() if value is not None}


def _missing(path: str) -> HttpResponse:
    return HttpResponse({"kind": "Status", "reason": "NotFound", "message": f"{path} not found"}, 404)
