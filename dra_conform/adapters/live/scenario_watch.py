"""Watches of the pods, claims and events of a scenario, in collections of the cluster that watches keep up to
date."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.client import GONE
from itertools import chain

from urllib3.response import BaseHTTPResponse

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.api_answers import watch_event
from dra_conform.adapters.live.resources import EVENTS, RESOURCES, Resource
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.kube.json_values import Json, encode_json

_CHECK_SECONDS = 0.5
_RETRY_SECONDS = 0.1
"""Time until a watch that ended is started again."""


class WatchedCollections:
    """The objects of some collections, kept up to date by one watch thread each.

    After the API server was unavailable, the collections are listed again. An object counts as changed only
    if `state_of` returns a different value for the object.
    """

    def __init__(self, api: Api, paths: Iterable[str], state_of: Callable[[Json], object]) -> None:
        self._api = api
        self._state_of = state_of
        self._objects: dict[str, dict[str, Json]] = {path: {} for path in paths}
        self._streams: dict[str, BaseHTTPResponse] = {}
        self._changed = threading.Condition()
        self._ended = False
        self.changes = 0
        """The number of changes so far."""

    @classmethod
    @contextmanager
    def open(
        cls, api: Api, paths: Iterable[str], state_of: Callable[[Json], object] = lambda raw: raw
    ) -> Iterator[WatchedCollections]:
        """Watch collections by their paths; raises Unreachable if a collection cannot be listed."""
        watched = cls(api, paths, state_of)
        versions = {path: watched._list(path) for path in watched._objects}
        for path, version in versions.items():
            threading.Thread(target=watched._follow, args=(path, version), daemon=True).start()
        try:
            yield watched
        finally:
            watched._end()

    def all(self, path: str) -> list[Json]:
        """Return the current objects of a collection."""
        with self._changed:
            return list(self._objects[path].values())

    def wait(self, seconds: float, seen: int) -> bool:
        """Wait some seconds for more than `seen` changes; return whether they were observed.

        Raises Unreachable.
        """
        end = time.monotonic() + seconds
        with self._changed:
            while self.changes == seen and (left := end - time.monotonic()) > 0:
                self._api.check()
                self._changed.wait(min(left, _CHECK_SECONDS))
            return self.changes != seen

    def _list(self, path: str) -> str:
        """List a collection; return the resourceVersion from which a watch continues."""
        answer = self._api.list(path)
        if not answer.accepted:
            raise Unreachable(f"cannot list {path}: {answer.message}")
        objects = {raw["metadata"]["uid"]: raw for raw in answer.body.get("items") or ()}
        with self._changed:
            if _resource_versions(objects) != _resource_versions(self._objects[path]):
                self._objects[path] = objects
                self._notify()
        return str(answer.body["metadata"]["resourceVersion"])

    def _follow(self, path: str, version: str) -> None:
        while not self._ended:
            try:
                if not version:
                    version = self._list(path)
                version = self._watch(path, version)
            except (Unreachable, ValueError, LookupError, TypeError, OSError):
                version = ""
            if not version and not self._ended:
                time.sleep(_RETRY_SECONDS)

    def _watch(self, path: str, version: str) -> str:
        """Watch until the server ends the watch; return the version to continue from.

        The version is empty if it is too old to continue from.
        """
        query = {"watch": "true", "resourceVersion": version, "allowWatchBookmarks": "true"}
        with self._api.stream(path, query) as response:
            self._streams[path] = response
            if self._ended or response.status != 200:
                return ""
            for line in _lines(response):
                event = watch_event(line)
                if event["type"] == "ERROR":
                    return "" if event["object"].get("code") == GONE else version
                version = event["object"]["metadata"]["resourceVersion"]
                self._handle(path, event["type"], event["object"])
        return version

    def _handle(self, path: str, event_type: str, raw: Json) -> None:
        if event_type == "BOOKMARK":
            return
        uid = raw["metadata"]["uid"]
        with self._changed:
            old = self._objects[path].get(uid)
            if event_type == "DELETED":
                self._objects[path].pop(uid, None)
            else:
                self._objects[path][uid] = raw
            if event_type == "DELETED" or old is None or self._state_of(old) != self._state_of(raw):
                self._notify()

    def _notify(self) -> None:
        self.changes += 1
        self._changed.notify_all()

    def _end(self) -> None:
        self._ended = True
        for response in list(self._streams.values()):
            try:
                response.shutdown()
            except (ValueError, OSError, RuntimeError):
                continue  # The response has ended already.


def _lines(response: BaseHTTPResponse) -> Iterator[bytes]:
    """Yield the lines of a response as they arrive."""
    rest = b""
    for chunk in response.stream(2**16, decode_content=True):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from filter(None, whole)


def _resource_versions(objects: dict[str, Json]) -> dict[str, str]:
    return {uid: raw["metadata"]["resourceVersion"] for uid, raw in objects.items()}


ObjectStates = frozenset[tuple[str, bytes]]
"""The UIDs of objects, each with its state as JSON, without messages and times."""

_NEW_IN_EACH_ATTEMPT = re.compile(
    rb"\d{4}-\d\d-\d\dT[0-9:.]+Z"
    rb"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    rb'|-[bcdfghjklmnpqrstvwxz2456789]{5}(?=")'
)
"""Times, UIDs, and the suffixes that the API server adds to `generateName`."""

_CHANGED_BY_EVERY_WRITE = ("resourceVersion", "managedFields")


class ScenarioWatch:
    """Watches of the objects of a scenario, which have their names on the cluster."""

    def __init__(
        self, scenario: ScenarioNamespace, watched: WatchedCollections, paths: dict[str, list[str]]
    ) -> None:
        self._scenario = scenario
        self._watched = watched
        self._paths = paths

    @classmethod
    @contextmanager
    def open(cls, scenario: ScenarioNamespace) -> Iterator[ScenarioWatch]:
        """Start the watches in the namespaces of a scenario; raises Unreachable."""
        resources = [EVENTS, RESOURCES["Pod"]]
        resources += [RESOURCES["ResourceClaim"]] if scenario.served.has("ResourceClaim") else []
        paths = {resource.kind: _paths(resource, scenario) for resource in resources}
        with WatchedCollections.open(scenario.api, chain.from_iterable(paths.values()), _state) as watched:
            yield cls(scenario, watched, paths)

    @property
    def changes(self) -> int:
        """The number of changes so far; changed messages and times and repeated failures do not count."""
        return self._watched.changes

    def wait(self, seconds: float, seen: int) -> bool:
        """Wait some seconds for more than `seen` changes; return whether they were observed."""
        return self._watched.wait(seconds, seen)

    def object_states(self) -> ObjectStates:
        """Return the states of pods and claims, without messages and times of conditions."""
        return frozenset(
            (raw["metadata"]["uid"], _object_state(raw)) for raw in (*self.pods(), *self.claims())
        )

    def recurring_state(self) -> bytes:
        """Return a digest of pods and claims without times, UIDs and random suffixes of names.

        It is equal again after a component has replaced a generated claim by a like one.
        """
        states = (_object_state(raw) for raw in (*self.pods(), *self.claims()))
        lasting = sorted(_NEW_IN_EACH_ATTEMPT.sub(b"", state) for state in states)
        return hashlib.sha256(b"\n".join(lasting)).digest()

    def pods(self) -> list[Json]:
        """Return the current pods."""
        return self._all("Pod")

    def claims(self) -> list[Json]:
        """Return the current ResourceClaims."""
        return self._all("ResourceClaim")

    def events(self) -> list[Json]:
        """Return the current events."""
        return self._all("Event")

    def is_current(self) -> bool:
        """Whether lists of pods and claims equal what the watches have reported."""
        return all(
            _versions(self._scenario.api.list(path).body.get("items") or ())
            == _versions(self._watched.all(path))
            for path in (*self._paths["Pod"], *self._paths.get("ResourceClaim", ()))
        )

    def _all(self, kind: str) -> list[Json]:
        """Return the objects of a kind, with apiVersion and kind, which items of lists do not have."""
        objects = (raw for path in self._paths.get(kind, ()) for raw in self._watched.all(path))
        return [{**self._header(kind), **raw} for raw in objects]

    def _header(self, kind: str) -> dict[str, str]:
        resource = RESOURCES.get(kind, EVENTS)
        version = _version(resource, self._scenario)
        return {"apiVersion": f"{resource.group}/{version}".removeprefix("/"), "kind": kind}


def _paths(resource: Resource, scenario: ScenarioNamespace) -> list[str]:
    version = _version(resource, scenario)
    namespaces = map(scenario.names.namespace, scenario.names.namespaces)
    return [str(resource.address(version, namespace)) for namespace in namespaces]


def _version(resource: Resource, scenario: ScenarioNamespace) -> str:
    return scenario.served.newest(resource.kind) if resource.kind in RESOURCES else "v1"


def _state(raw: Json) -> object:
    """Return the state of an object; for an event its object and reason, so a repetition is no change."""
    return (raw["regarding"]["uid"], raw.get("reason")) if "regarding" in raw else _object_state(raw)


def _object_state(raw: Json) -> bytes:
    metadata = {name: value for name, value in raw["metadata"].items() if name not in _CHANGED_BY_EVERY_WRITE}
    status = raw.get("status") or {}
    conditions = [
        {name: value for name, value in condition.items() if name in ("type", "status", "reason")}
        for condition in status.get("conditions") or ()
    ]
    return encode_json({**raw, "metadata": metadata, "status": {**status, "conditions": conditions}})


def _versions(objects: Iterable[Json]) -> frozenset[tuple[str, str]]:
    return frozenset((raw["metadata"]["uid"], raw["metadata"]["resourceVersion"]) for raw in objects)
