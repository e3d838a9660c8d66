"""Watches of the pods, claims and events of a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from dra_conform.adapters.live.resources import EVENTS, RESOURCES, Resource
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.watched_collections import WatchedCollections
from dra_conform.kube.json_writing import encode_json

Json = Any

Standing = frozenset[tuple[str, bytes]]
"""The UIDs of objects, and how things are with each."""

_OF_EVERY_WRITE = ("resourceVersion", "managedFields")


class ScenarioWatch:
    """Objects are those of the API server, with their names on the cluster."""

    def __init__(
        self, room: ScenarioNamespace, watched: WatchedCollections, paths: dict[str, list[str]]
    ) -> None:
        self._room = room
        self._watched = watched
        self._paths = paths

    @classmethod
    @contextmanager
    def open(cls, room: ScenarioNamespace) -> Iterator[ScenarioWatch]:
        """Watch in the namespaces of a story; raises Unreachable."""
        resources = [EVENTS, RESOURCES["Pod"]]
        resources += [RESOURCES["ResourceClaim"]] if room.served.has("ResourceClaim") else []
        paths = {one.kind: _paths(one, room) for one in resources}
        with WatchedCollections.open(room.api, chain.from_iterable(paths.values()), _said) as watched:
            yield cls(room, watched, paths)

    @property
    def changes(self) -> int:
        """How many changes were seen, other than words and times, and attempts that fail again."""
        return self._watched.changes

    def wait(self, seconds: float, seen: int) -> bool:
        """Whether there is another change than the `seen` ones within a time."""
        return self._watched.wait(seconds, seen)

    def standing(self) -> Standing:
        """How things are with pods and claims, whatever words and times conditions have for it."""
        return frozenset((one["metadata"]["uid"], _standing(one)) for one in (*self.pods(), *self.claims()))

    def pods(self) -> list[Json]:
        return self._all("Pod")

    def claims(self) -> list[Json]:
        return self._all("ResourceClaim")

    def events(self) -> list[Json]:
        return self._all("Event")

    def is_current(self) -> bool:
        """Whether lists say the same as the watches have told."""
        return all(
            _versions(self._room.api.list(path).body.get("items") or ()) == _versions(self._watched.all(path))
            for path in (*self._paths["Pod"], *self._paths.get("ResourceClaim", ()))
        )

    def _all(self, kind: str) -> list[Json]:
        """The objects of a kind; those of a list do not say what they are."""
        found = (one for path in self._paths.get(kind, ()) for one in self._watched.all(path))
        return [{**self._header(kind), **one} for one in found]

    def _header(self, kind: str) -> dict[str, str]:
        resource = RESOURCES.get(kind, EVENTS)
        version = _version(resource, self._room)
        return {"apiVersion": f"{resource.group}/{version}".removeprefix("/"), "kind": kind}


def _paths(resource: Resource, room: ScenarioNamespace) -> list[str]:
    version = _version(resource, room)
    return [str(resource.address(version, room.names.namespace(one))) for one in room.names.namespaces]


def _version(resource: Resource, room: ScenarioNamespace) -> str:
    return room.served.newest(resource.kind) if resource.kind in RESOURCES else "v1"


def _said(one: Json) -> object:
    """What an object says; an event that comes again, of whom and why."""
    return (one["regarding"]["uid"], one.get("reason")) if "regarding" in one else _standing(one)


def _standing(one: Json) -> bytes:
    metadata = {name: value for name, value in one["metadata"].items() if name not in _OF_EVERY_WRITE}
    status = one.get("status") or {}
    conditions = [
        {name: value for name, value in condition.items() if name in ("type", "status", "reason")}
        for condition in status.get("conditions") or ()
    ]
    return encode_json({**one, "metadata": metadata, "status": {**status, "conditions": conditions}})


def _versions(found: Iterable[Json]) -> frozenset[tuple[str, str]]:
    return frozenset((one["metadata"]["uid"], one["metadata"]["resourceVersion"]) for one in found)
