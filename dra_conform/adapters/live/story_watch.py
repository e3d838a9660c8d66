"""The pods, claims and events of a story as they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from dra_conform.adapters.live.resources import EVENTS, RESOURCES, Resource
from dra_conform.adapters.live.room import Room
from dra_conform.adapters.live.watched import Watched

Json = Any

Versions = frozenset[tuple[str, str]]
"""The UIDs and resource versions of objects."""


class StoryWatch:
    """Objects are those of the API server, with their names on the cluster."""

    def __init__(self, room: Room, watched: Watched, paths: dict[str, list[str]]) -> None:
        self._room = room
        self._watched = watched
        self._paths = paths

    @classmethod
    @contextmanager
    def open(cls, room: Room) -> Iterator[StoryWatch]:
        """Watch in the namespaces of a story; raises Unreachable."""
        resources = [EVENTS, RESOURCES["Pod"]]
        resources += [RESOURCES["ResourceClaim"]] if room.served.has("ResourceClaim") else []
        paths = {one.kind: _paths(one, room) for one in resources}
        with Watched.open(room.api, [path for several in paths.values() for path in several]) as watched:
            yield cls(room, watched, paths)

    @property
    def changes(self) -> int:
        """How many changes were seen."""
        return self._watched.changes

    def wait(self, seconds: float, seen: int) -> bool:
        """Whether there is another change than the `seen` ones within a time."""
        return self._watched.wait(seconds, seen)

    def versions(self) -> Versions:
        """Those of all pods and claims."""
        return _versions((*self.pods(), *self.claims()))

    def pods(self) -> list[Json]:
        return self._all("Pod")

    def claims(self) -> list[Json]:
        return self._all("ResourceClaim")

    def events(self) -> list[Json]:
        return self._all("Event")

    def is_current(self) -> bool:
        """Whether lists say the same as the watches have told."""
        return all(
            _versions(self._room.api.get(path).body.get("items") or ()) == _versions(self._watched.all(path))
            for path in (*self._paths["Pod"], *self._paths.get("ResourceClaim", ()))
        )

    def _all(self, kind: str) -> list[Json]:
        """The objects of a kind; watched ones of built-in kinds do not always say their kind."""
        found = (one for path in self._paths.get(kind, ()) for one in self._watched.all(path))
        return [{"kind": kind, **one} for one in found]


def _paths(resource: Resource, room: Room) -> list[str]:
    version = room.served.newest(resource.kind) if resource.kind in RESOURCES else "v1"
    return [resource.address(version, room.names.namespace(one)) for one in room.names.namespaces]


def _versions(found: Iterable[Json]) -> Versions:
    return frozenset((one["metadata"]["uid"], one["metadata"]["resourceVersion"]) for one in found)
