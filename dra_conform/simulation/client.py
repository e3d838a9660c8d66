"""The API client of a simulated component: typed reads, writes that a scenario can make fail, and changes.

It reads with the types of the component's release.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.cluster_state.components import Components
from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1
from dra_conform.simulation.metrics import MetricGrowth
from dra_conform.simulation.server import Server, WriteResult

ANSWER_LOST = "Timeout"
"""The reason for a write that takes effect although its answer is lost."""


@dataclass(slots=True)
class _Failure:
    times: int
    verb: str
    kind: str
    subresource: str
    reason: str


class WriteFailures:
    """Failures that a scenario injects; each applies to a number of matching writes, the oldest first."""

    def __init__(self) -> None:
        self._due: list[_Failure] = []
        self.happened = 0
        """The number of writes that have failed."""

    def add(self, action: Json) -> None:
        """Add the failure of a scenario's action `fail`."""
        subresource = action.get("subresource", "")
        self._due.append(
            _Failure(action["times"], action["verb"], action["kind"], subresource, action["reason"])
        )

    def next(self, verb: str, kind: str, subresource: str = "") -> str:
        """Return the reason why this write fails, empty if it does not, and count the failure."""
        for failure in self._due:
            if failure.times and (failure.verb, failure.kind, failure.subresource) == (
                verb,
                kind,
                subresource,
            ):
                failure.times -= 1
                self.happened += 1
                return failure.reason
        return ""


class _WatchedKind:
    """All objects of one kind by key, in creation order."""

    def __init__(self, server: Server, kind: str) -> None:
        self._server = server
        self._kind = kind
        self._seen = 0
        self._readers: tuple[Profile, Profile] | None = None
        self._objects: dict[Key, Json] = {}

    def current(self, profile: Profile) -> Mapping[Key, Json]:
        """Return the objects as a release reads them, as a mapping that later calls update."""
        own, written = self._server.profile, self._server.store.written(self._kind)
        if self._readers is not None and self._readers[0] is own and self._readers[1] is profile:
            for key in dict.fromkeys(written[self._seen :]):  # Many objects are written several times.
                self._update(key, self._server.get(key, profile))
        else:
            self._readers = own, profile
            self._objects.clear()
            self._objects.update((key_in(raw), raw) for raw in self._server.all(self._kind, profile))
        self._seen = len(written)
        return self._objects

    def _update(self, key: Key, raw: Json | None) -> None:
        known = self._objects.get(key)
        if known is not None and (raw is None or known["metadata"]["uid"] != raw["metadata"]["uid"]):
            del self._objects[key]
        if raw is not None:
            self._objects[key] = raw


MAX_ATTEMPTS = 5
"""The number of attempts for a write that fails with a conflict."""
MAX_POD_STATUS_ATTEMPTS = 4
"""The number of attempts for a write of a pod's status."""


_MESSAGES = {"TooManyRequests": "the server has received too many requests"}
"""The messages of failed writes, by reason."""


class WriteFailed(Exception):  # noqa: N818 - it reads as what happened
    """A write of a component failed. `retryable`: a repeated attempt may succeed."""

    def __init__(self, reason: str, message: str = "", *, retryable: bool = False) -> None:
        super().__init__(f"{reason}: {message}" if message else reason)
        self.reason = reason
        self.retryable = retryable


def with_retries(
    write: Callable[[], Json], reasons: Container[str] = ("Conflict",), attempts: int = MAX_ATTEMPTS
) -> Json:
    """Call `write` up to `attempts` times while it fails for one of the reasons, and return its result.

    `write` must read the object that it changes. Raises WriteFailed.
    """
    for _ in range(attempts - 1):
        try:
            return write()
        except WriteFailed as failed:
            if failed.reason not in reasons:
                raise
    return write()


@dataclass(frozen=True, slots=True)
class Mark:
    """A position in the writes of a kind: their number, and the releases of API server and reader."""

    readers: tuple[Profile, Profile]
    count: int


class Client:
    """The API server as one component sees it. A rejected write raises WriteFailed."""

    def __init__(
        self,
        component: str,
        server: Server,
        components: Components,
        failures: WriteFailures,
        metrics: MetricGrowth,
    ) -> None:
        self._component = component
        self._server = server
        self._components = components
        self._failures = failures
        self._metrics = metrics
        self._watched: dict[str, _WatchedKind] = {}

    @property
    def profile(self) -> Profile:
        return self._components[self._component].profile

    @property
    def started(self) -> int:
        """The number of starts of the component, 1 before its first restart."""
        return self._components[self._component].started

    def get(self, key: Key) -> Json | None:
        """Return the object with this key, None if there is none."""
        return self._server.get(key, self.profile)

    def all(self, kind: str) -> list[Json]:
        """Return the objects of a kind in creation order."""
        return list(self.by_key(kind).values())

    def by_key(self, kind: str) -> Mapping[Key, Json]:
        """Return the objects of a kind by key, in creation order, as a mapping that later calls update."""
        if kind not in self._watched:
            self._watched[kind] = _WatchedKind(self._server, kind)
        return self._watched[kind].current(self.profile)

    def changes(self, kind: str, since: Mark | None) -> tuple[Sequence[Key], Mark]:
        """Return the keys of the objects of a kind written since a mark, and the new mark.

        The keys of all writes are returned after a component was replaced, since it may read other fields.
        """
        written = self._server.store.written(kind)
        own, reader = readers = (self._server.profile, self.profile)
        if since is None or since.readers[0] is not own or since.readers[1] is not reader:
            return written[:], Mark(readers, len(written))
        if since.count == len(written):
            return (), since
        return written[since.count :], Mark(readers, len(written))

    def create(self, raw: Json) -> Json:
        """Create an object and return its stored form; raise WriteFailed."""
        succeeded = False
        try:
            created = self._create(raw)
            succeeded = True
        finally:
            if raw["kind"] == "ResourceClaim":
                self._metrics.record_create(self._component, raw, self.profile, succeeded=succeeded)
        return created

    def _create(self, raw: Json) -> Json:
        self._metrics.record_write(self._component, "create", raw["kind"])
        failing = self._failures.next("create", raw["kind"])
        return _write(failing, lambda: self._result(self._server.create(self._as_written(raw))))

    def update(self, raw: Json, subresource: str = "") -> Json:
        """Update an object and return its stored form; raise WriteFailed.

        The result is None if the update removed the last finalizer of an object that is being deleted.
        """
        verb = "patch" if (raw["kind"], subresource) == ("Pod", "status") else "update"
        self._metrics.record_write(self._component, verb, raw["kind"], subresource)
        failing = self._failures.next("update", raw["kind"], subresource)
        return _write(failing, lambda: self._result(self._server.update(self._as_written(raw), subresource)))

    def bind(self, pod: Json, node: str) -> None:
        """Assign a pod to a node; raise WriteFailed."""
        self._metrics.record_write(self._component, "create", "Pod", "binding")
        failing = self._failures.next("create", "Pod", "binding")
        _write(failing, lambda: self._server.bind(key_in(pod), node))

    def delete(self, key: Key) -> None:
        """Delete an object; raise WriteFailed."""
        self._metrics.record_write(self._component, "delete", key[0])
        failing = self._failures.next("delete", key[0])
        _write(failing, lambda: self._result(self._server.delete(key)))

    def _as_written(self, raw: Json) -> Json:
        return from_v1(raw, self._server.version_of(raw["kind"]))

    def _result(self, written: WriteResult) -> Json:
        if written["outcome"] == "rejected":
            raise WriteFailed(written["reason"], written.get("message", ""))
        if "object" not in written:
            return None
        return self.get(key_in(written["object"]))


def _write(failing: str, write: Callable[[], Json]) -> Json:
    """Call `write` unless the scenario makes it fail with the reason `failing`.

    With the reason ANSWER_LOST the write takes effect, but its caller gets an error.
    """
    if failing and failing != ANSWER_LOST:
        raise WriteFailed(failing, _MESSAGES.get(failing, ""), retryable=True)
    result = write()
    if failing:
        raise WriteFailed(failing, _MESSAGES.get(failing, ""), retryable=True)
    return result


class Changes:
    """Tracks for each kind which writes a component has already observed."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._marks: dict[str, Mark] = {}

    def of(self, kind: str) -> Sequence[Key]:
        """Return the keys of objects written since the last call, in write order.

        The first call returns the keys of all writes. A key is repeated if its object was written repeatedly.
        """
        keys, self._marks[kind] = self._client.changes(kind, self._marks.get(kind))
        return keys
