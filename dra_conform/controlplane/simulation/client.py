"""A component's client: it uses the types of the component's release, and its writes may fail."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.simulation.claim_metrics import ClaimMetrics
from dra_conform.controlplane.simulation.components import Components
from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.server import Server, Written
from dra_conform.controlplane.simulation.watched_kind import WatchedKind
from dra_conform.controlplane.simulation.write_failures import ANSWER_LOST, WriteFailures
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1

Json = Any

MOST_TRIES = 5
"""How often a write that meets a conflict is made before it counts as failed."""
MOST_TRIES_FOR_PODS = 4
"""How often the status of a pod is written before that counts as failed."""


class WriteFailed(Exception):  # noqa: N818 - it reads as what happened
    """The API server did not take a write of a component. `again`: it may the next time."""

    def __init__(self, reason: str, message: str = "", *, again: bool = False) -> None:
        super().__init__(f"{reason}: {message}" if message else reason)
        self.reason = reason
        self.again = again


def tried_again(
    write: Callable[[], Json], reasons: Container[str] = ("Conflict",), most: int = MOST_TRIES
) -> Json:
    """Make a write that reads what it changes, a few times as long as it fails for one of these reasons.

    Raises WriteFailed.
    """
    for _ in range(most - 1):
        try:
            return write()
        except WriteFailed as failed:
            if failed.reason not in reasons:
                raise
    return write()


@dataclass(frozen=True, slots=True)
class Mark:
    """A point in the changes of a kind: how many writes there were, and who read them."""

    readers: tuple[Profile, Profile]
    count: int


class Client:
    """The API server as one component sees it. Every write raises WriteFailed where it is refused."""

    def __init__(
        self,
        component: str,
        server: Server,
        components: Components,
        failures: WriteFailures,
        metrics: ClaimMetrics,
    ) -> None:
        self._component = component
        self._server = server
        self._components = components
        self._failures = failures
        self._metrics = metrics
        self._watched: dict[str, WatchedKind] = {}

    @property
    def profile(self) -> Profile:
        return self._components[self._component].profile

    @property
    def started(self) -> int:
        """How often the component was started."""
        return self._components[self._component].started

    def get(self, key: Key) -> Json | None:
        return self._server.get(key, self.profile)

    def all(self, kind: str) -> list[Json]:
        """The objects of a kind, in the order they were created."""
        return list(self.by_key(kind).values())

    def by_key(self, kind: str) -> Mapping[Key, Json]:
        """The objects of a kind, in the order they were created; brought up to date when asked again."""
        if kind not in self._watched:
            self._watched[kind] = WatchedKind(self._server, kind)
        return self._watched[kind].now(self.profile)

    def changes(self, kind: str, since: Mark | None) -> tuple[Sequence[Key], Mark]:
        """The keys of the objects of a kind that have changed, and the mark to ask with the next time. Where
        objects are read otherwise since, because a component was replaced, all that there ever were."""
        written = self._server.store.written(kind)
        own, reader = readers = (self._server.profile, self.profile)
        if since is None or since.readers[0] is not own or since.readers[1] is not reader:
            return written[:], Mark(readers, len(written))
        if since.count == len(written):
            return (), since
        return written[since.count :], Mark(readers, len(written))

    def create(self, raw: Json) -> Json:
        """The object as it was created."""
        succeeded = False
        try:
            created = self._create(raw)
            succeeded = True
        finally:
            if raw["kind"] == "ResourceClaim":
                self._metrics.made(self._component, raw, self.profile, succeeded=succeeded)
        return created

    def _create(self, raw: Json) -> Json:
        failing = self._failures.next("create", raw["kind"])
        return _made(failing, lambda: self._taken(self._server.create(self._as_written(raw))))

    def update(self, raw: Json, subresource: str = "") -> Json:
        """The object as it is now, None where only its finalizers had held it."""
        failing = self._failures.next("update", raw["kind"], subresource)
        return _made(failing, lambda: self._taken(self._server.update(self._as_written(raw), subresource)))

    def bind(self, pod: Json, node: str) -> None:
        failing = self._failures.next("create", "Pod", "binding")
        _made(failing, lambda: self._server.bind(key_in(pod), node))

    def delete(self, key: Key) -> None:
        failing = self._failures.next("delete", key[0])
        _made(failing, lambda: self._taken(self._server.delete(key)))

    def _as_written(self, raw: Json) -> Json:
        return from_v1(raw, self._server.version_of(raw["kind"]))

    def _taken(self, written: Written) -> Json:
        if written["outcome"] == "rejected":
            raise WriteFailed(written["reason"], written.get("message", ""))
        if "object" not in written:
            return None
        return self.get(key_in(written["object"]))


def _made(failing: str, write: Callable[[], Json]) -> Json:
    """A write that may be failing: before it is made, or after it if only its answer is lost."""
    if failing and failing != ANSWER_LOST:
        raise WriteFailed(failing, again=True)
    written = write()
    if failing:
        raise WriteFailed(failing, again=True)
    return written
