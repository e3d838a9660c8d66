"""Collections of a cluster, kept up to date by watches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.client import GONE
from typing import Any

from urllib3.response import BaseHTTPResponse

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.api_answers import watch_event

Json = Any

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
            if _versions(objects) != _versions(self._objects[path]):
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


def _versions(objects: dict[str, Json]) -> dict[str, str]:
    return {uid: raw["metadata"]["resourceVersion"] for uid, raw in objects.items()}
