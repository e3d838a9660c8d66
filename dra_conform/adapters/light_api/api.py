"""The simulated API server with patches, selectors, watch events and a log of writes for HTTP clients."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from dra_conform.apiserver.kinds import STRATEGIES, versions_served
from dra_conform.cluster_state.components import APISERVER, Components
from dra_conform.cluster_state.object_keys import Key, key_in, key_of
from dra_conform.kube.json_values import Json
from dra_conform.kube.merge_patch import merge_patch
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1
from dra_conform.simulation.parts import admit
from dra_conform.simulation.server import Server, WriteResult, rejection
from dra_conform.simulation.shared_state import Clock, RandomValues
from dra_conform.simulation.store import Store

KINDS: Mapping[str, str] = {
    f"{kind.lower()}es" if kind.endswith("s") else f"{kind.lower()}s": kind for kind in STRATEGIES
}
"""The kinds by their plural name in URL paths."""

HISTORY = 10_000
"""The number of past events from which a watch can start."""

MAX_OBJECTS = 2000
"""The maximum number of objects of a kind."""


@dataclass(frozen=True, slots=True)
class Event:
    """A change of an object in its v1 form; `type` is ADDED, MODIFIED or DELETED."""

    revision: int
    type: str
    object: Json


@dataclass(frozen=True, slots=True)
class ReceivedWrite:
    """A request to change an object, or a collection if `name` is empty."""

    verb: str
    kind: str
    name: str
    subresource: str
    user_agent: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class Target:
    """The object or the collection that a request names, in an API version."""

    kind: str
    api_version: str
    namespace: str = ""
    name: str = ""
    subresource: str = ""

    @property
    def key(self) -> Key:
        return key_of(self.kind, self.name, self.namespace)


class ObservedStore(Store):
    """A store that keeps its newest events and notifies waiting threads of new ones."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = threading.Condition(threading.RLock())
        self.events: deque[Event] = deque(maxlen=HISTORY)

    def put(self, raw: Json) -> Json:
        with self.changed:
            event = "ADDED" if self.get(key_in(raw)) is None else "MODIFIED"
            stored = super().put(raw)
            self._record(event, stored)
            return stored

    def remove(self, key: Key) -> None:
        with self.changed:
            removed = self.get(key) or {}
            super().remove(key)
            metadata = {**removed["metadata"], "resourceVersion": str(self.revision)}
            self._record("DELETED", {**removed, "metadata": metadata})

    def _record(self, event: str, stored: Json) -> None:
        self.events.append(Event(self.revision, event, stored))
        self.changed.notify_all()


class LightApi:
    """A simulated API server in memory with real time. All methods are thread-safe."""

    def __init__(self, profile: Profile, seed: int) -> None:
        self._clock = Clock()
        self._components = Components({}, profile)
        self._server = Server(self._components, admit, self._clock, RandomValues(seed))
        self.store = ObservedStore()
        self._server.store = self.store
        self.profile = profile
        self.writes: list[ReceivedWrite] = []
        """All writes of clients in order, accepted or not."""

    def load(self, raw: Json) -> None:
        """Store an object without admission."""
        with self.store.changed:
            self._set_clock()
            self._server.load(raw)

    def restart(self, gates: Mapping[str, bool]) -> None:
        """Restart with other states of feature gates."""
        with self.store.changed:
            self._components.restart([APISERVER], gates)
            self.profile = self._components[APISERVER].profile

    def serves(self, target: Target) -> bool:
        """Return whether the release serves this kind in this version."""
        return target.api_version in versions_served(target.kind, self.profile)

    def get(self, target: Target) -> Json | None:
        """Return an object in the version of the request, None if there is none."""
        with self.store.changed:
            v1 = self._server.get(target.key)
        return None if v1 is None else from_v1(v1, target.api_version)

    def list_objects(self, target: Target, selected: Callable[[Json], bool]) -> tuple[list[Json], int]:
        """Return the selected objects of a collection, and the revision of the list."""
        with self.store.changed:
            objects = self._server.all(target.kind)
            revision = self.store.revision
        served = (from_v1(v1, target.api_version) for v1 in objects if _is_in(v1, target))
        return [raw for raw in served if selected(raw)], revision

    def create(self, target: Target, raw: Json, user_agent: str = "") -> WriteResult:
        """Create an object; kind, version and namespace are those of the request."""

        def write() -> WriteResult:
            if len(self.store.of_kind(target.kind)) >= MAX_OBJECTS:
                return rejection(
                    "Forbidden", f"there are {MAX_OBJECTS} objects of kind {target.kind} already"
                )
            return self._server.create(_placed(raw, target))

        return self._write("create", target, user_agent, write)

    def rehearse_create(self, target: Target, raw: Json) -> WriteResult:
        """Return the result of `create` without storing the object, as for `dryRun=All`."""
        with self.store.changed:
            self._set_clock()
            rehearsal = Store()
            for kind in ("Namespace", target.kind):
                for stored in self.store.of_kind(kind):
                    rehearsal.put(stored)
            self._server.store = rehearsal
            try:
                return self._server.create(_placed(raw, target))
            finally:
                self._server.store = self.store

    def update(self, target: Target, raw: Json, user_agent: str = "") -> WriteResult:
        """Replace an object or its subresource."""

        def write() -> WriteResult:
            return self._server.update(_placed(raw, target), target.subresource)

        return self._write("update", target, user_agent, write)

    def merge(self, target: Target, patch: Json, user_agent: str = "") -> WriteResult:
        """Change an object by a JSON merge patch (RFC 7396)."""

        def write() -> WriteResult:
            old = self.get(target)
            if old is None:
                return _not_found(target)
            return self._server.update(merge_patch(old, patch), target.subresource)

        return self._write("patch", target, user_agent, write)

    def apply(self, target: Target, raw: Json, manager: str, user_agent: str, *, force: bool) -> WriteResult:
        """Apply the fields of a field manager to an object."""

        def write() -> WriteResult:
            placed = _placed(raw, target)
            return self._server.apply(placed, manager, target.subresource, force=force)

        return self._write("apply", target, user_agent, write)

    def delete(self, target: Target, preconditions: Json, user_agent: str = "") -> WriteResult:
        """Delete an object if it has the UID and resource version of the preconditions."""

        def write() -> WriteResult:
            old = self._server.get(target.key)
            if old is None:
                return _not_found(target)
            for name, value in (preconditions or {}).items():
                if value and old["metadata"].get(name) != value:
                    return rejection("Conflict", f"the {name} of the precondition is not that of the object")
            return self._server.delete(target.key)

        return self._write("delete", target, user_agent, write)

    def delete_all(self, target: Target, selected: Callable[[Json], bool], user_agent: str = "") -> None:
        """Delete the selected objects of a collection."""

        def write() -> WriteResult:
            for raw in self.list_objects(target, selected)[0]:
                self._server.delete(key_in(raw))
            return {"outcome": "deleted"}

        self._write("deletecollection", target, user_agent, write)

    def wait_for_events(self, target: Target, since: int, seconds: float) -> tuple[list[Event], int] | None:
        """Wait for changes after a revision; return those of a collection, and the newest revision.

        Returns None if the changes after this revision are no longer known.
        """
        with self.store.changed:
            self.store.changed.wait_for(lambda: self.store.revision > since, seconds)
            oldest = self.store.events[0].revision if self.store.events else self.store.revision + 1
            if since + 1 < oldest:
                return None
            events = [event for event in self.store.events if event.revision > since]
            revision = self.store.revision
        return [event for event in events if _is_in(event.object, target)], revision

    def _write(
        self, verb: str, target: Target, user_agent: str, write: Callable[[], WriteResult]
    ) -> WriteResult:
        with self.store.changed:
            self._set_clock()
            result = write()
            accepted = result["outcome"] != "rejected"
            name = result["object"]["metadata"]["name"] if "object" in result else target.name
            self.writes.append(
                ReceivedWrite(verb, target.kind, name, target.subresource, user_agent, accepted)
            )
        return result

    def _set_clock(self) -> None:
        self._clock.advance((datetime.now(UTC) - self._clock.now).total_seconds())


def _is_in(raw: Json, target: Target) -> bool:
    in_namespace = not target.namespace or raw["metadata"].get("namespace") == target.namespace
    return bool(raw["kind"] == target.kind and in_namespace)


def _placed(raw: Json, target: Target) -> Json:
    """Return the object with the name and namespace in the path of the request."""
    if not isinstance(raw, dict):
        return raw
    metadata = raw.get("metadata")
    if isinstance(metadata, dict):
        of_path = {"name": target.name, "namespace": target.namespace}
        metadata = {**{key: value for key, value in of_path.items() if value}, **metadata}
    return {**raw, "kind": target.kind, "apiVersion": target.api_version, "metadata": metadata}


def _not_found(target: Target) -> WriteResult:
    return rejection("NotFound", f"{target.kind} {target.name} not found")
