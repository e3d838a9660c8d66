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

_LOOK = 0.5
_AGAIN = 0.1
"""Seconds until a watch that ended is begun again."""


class WatchedCollections:
    """The objects of some collections, kept up to date by one thread each from the moment of `open`.

    An API server that goes away and comes back is listed anew. Only what `said` says of an object counts as a
    change of it.
    """

    def __init__(self, api: Api, paths: Iterable[str], said: Callable[[Json], object]) -> None:
        self._api = api
        self._said = said
        self._objects: dict[str, dict[str, Json]] = {path: {} for path in paths}
        self._streams: dict[str, BaseHTTPResponse] = {}
        self._changed = threading.Condition()
        self._ended = False
        self.changes = 0
        """How many changes were seen."""

    @classmethod
    @contextmanager
    def open(
        cls, api: Api, paths: Iterable[str], said: Callable[[Json], object] = lambda one: one
    ) -> Iterator[WatchedCollections]:
        """Watch collections by their addresses. Raises Unreachable where one cannot be listed."""
        watched = cls(api, paths, said)
        versions = {path: watched._list(path) for path in watched._objects}
        for path, version in versions.items():
            threading.Thread(target=watched._follow, args=(path, version), daemon=True).start()
        try:
            yield watched
        finally:
            watched._end()

    def all(self, path: str) -> list[Json]:
        """The objects of a collection as they are now."""
        with self._changed:
            return list(self._objects[path].values())

    def wait(self, seconds: float, seen: int) -> bool:
        """Whether there is another change than the `seen` ones within a time; raises Unreachable."""
        end = time.monotonic() + seconds
        with self._changed:
            while self.changes == seen and (left := end - time.monotonic()) > 0:
                self._api.check()
                self._changed.wait(min(left, _LOOK))
            return self.changes != seen

    def _list(self, path: str) -> str:
        """Take what is there; the version from which a watch goes on."""
        answer = self._api.list(path)
        if not answer.taken:
            raise Unreachable(f"cannot list {path}: {answer.message}")
        found = {one["metadata"]["uid"]: one for one in answer.body.get("items") or ()}
        with self._changed:
            if _versions(found) != _versions(self._objects[path]):
                self._objects[path] = found
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
                time.sleep(_AGAIN)

    def _watch(self, path: str, version: str) -> str:
        """Follow until the server ends the watch; the version to go on from, empty where it is too old."""
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
                self._take(path, event["type"], event["object"])
        return version

    def _take(self, path: str, how: str, one: Json) -> None:
        if how == "BOOKMARK":
            return
        uid = one["metadata"]["uid"]
        with self._changed:
            old = self._objects[path].get(uid)
            if how == "DELETED":
                self._objects[path].pop(uid, None)
            else:
                self._objects[path][uid] = one
            if how == "DELETED" or old is None or self._said(old) != self._said(one):
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
                continue  # it has ended by itself


def _lines(response: BaseHTTPResponse) -> Iterator[bytes]:
    """The lines of a response as they come."""
    rest = b""
    for chunk in response.stream(2**16, decode_content=True):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from filter(None, whole)


def _versions(found: dict[str, Json]) -> dict[str, str]:
    return {uid: one["metadata"]["resourceVersion"] for uid, one in found.items()}
