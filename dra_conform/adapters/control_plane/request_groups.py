"""The order of requests to control planes: batches that need no change of components in between."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from dra_conform.adapters.live.isolation import Isolation, isolation_of
from dra_conform.conformance.implementation import Request
from dra_conform.kube.json_values import Json

PARTS = {"admit": 0, "allocate": 1}
"""The operations that need only some components, with their order in a run before multi-step scenarios."""

_LONG_SECONDS = 10
"""The fewest seconds that a scenario lets pass for it to count as waiting."""

_WORTH_JOINING = 8
"""The fewest requests left in a batch for which another control plane changes its gates."""


class Batch:
    """Requests with equal gates and isolation, which one control plane runs, or several together.

    `isolation` is None for requests that are not scenarios, and if every scenario runs alone. `urgent`:
    control planes leave other requests that run alone for it. Several threads may take requests.
    """

    def __init__(
        self, requests: Sequence[Request], isolation: Isolation | None = None, *, urgent: bool = False
    ) -> None:
        self._left = deque(requests)
        self.isolation = isolation
        self.urgent = urgent
        self.profile = requests[0].profile

    def __len__(self) -> int:
        """Return the number of requests that nobody has taken."""
        return len(self._left)

    @property
    def concurrent(self) -> bool:
        """Whether a control plane may run several of the requests at the same time."""
        return self.isolation in (Isolation.ONLY_WRITES, Isolation.OWN_OBJECTS)

    def fits(self, other: Batch) -> bool:
        """Whether the requests of two batches may run at the same time."""
        return self.concurrent and (self.isolation, self.profile) == (other.isolation, other.profile)

    def join(self, other: Batch) -> None:
        """Take over the requests of another batch, as the next ones."""
        while (request := other.take()) is not None:
            self._left.appendleft(request)

    def take(self) -> Request | None:
        """Return the next request, None if there is none."""
        try:
            return self._left.popleft()
        except IndexError:
            return None


class RequestQueue:
    """The batches of a run, for control planes that run at the same time, each in a thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._urgent: deque[Batch] = deque()
        self._waiting: deque[Batch] = deque()
        self._begun: list[Batch] = []
        self._closed = False

    def add(self, batches: Iterable[Batch]) -> None:
        """Add batches, which are run in their order.

        An urgent batch joins one that is being run, if it fits.
        """
        with self._changed:
            for batch in batches:
                running = next((one for one in self._begun if len(one) and one.fits(batch)), None)
                if batch.urgent and running is not None:
                    running.join(batch)
                else:
                    (self._urgent if batch.urgent else self._waiting).append(batch)
            self._changed.notify_all()

    def next_batch(self) -> Batch | None:
        """Wait for a batch and return it: one that is not begun, or the longest one if that is worth joining.

        None: the queue is closed.
        """
        with self._changed:
            while not self._closed:
                batch = self._next()
                if batch is not None:
                    return batch
                self._changed.wait()
        return None

    def _next(self) -> Batch | None:
        waiting = self._urgent or self._waiting
        if waiting:
            self._begun.append(waiting.popleft())
            return self._begun[-1]
        self._begun = [batch for batch in self._begun if len(batch)]
        longest = max(self._begun, key=len, default=None)
        return longest if longest is not None and len(longest) >= _WORTH_JOINING else None

    def take(self, batch: Batch) -> Request | None:
        """Return the next request of a begun batch. None: it has no more, or it has to be left."""
        with self._changed:
            has_to_be_left = self._urgent and not batch.urgent and not batch.concurrent
            return None if self._closed or has_to_be_left else batch.take()

    def leave(self, batch: Batch) -> None:
        """Let a batch wait again if it has requests left."""
        with self._changed:
            if len(batch) and batch not in self._waiting:
                self._waiting.appendleft(batch)
                self._changed.notify_all()

    def drain(self) -> Iterator[Request]:
        """Take all requests."""
        with self._changed:
            for batch in (*self._urgent, *self._waiting, *self._begun):
                while (request := batch.take()) is not None:
                    yield request

    def close(self) -> None:
        """Give no more batches and requests."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def batches(requests: Iterable[Request], *, concurrent: bool, urgent: bool = False) -> list[Batch]:
    """Divide the requests of a call; with `concurrent`, scenarios with own objects run at the same time."""
    parts = (
        (isolation, part)
        for group in grouped(requests)
        for isolation, part in (by_isolation(group) if concurrent else [(None, group)])
    )
    return [Batch(part, isolation, urgent=urgent) for isolation, part in parts if part]


def grouped(requests: Iterable[Request]) -> list[list[Request]]:
    """Group requests by gates: single operations before multi-step scenarios, smaller groups before larger.

    Results are reported in the order of the suite, so with the largest group last an interrupted run loses
    few results.
    """
    groups: dict[Json, list[Request]] = {}
    for request in requests:
        gates = tuple(sorted(request.profile.gates.items()))
        is_scenario = request.operation not in PARTS
        groups.setdefault((is_scenario, request.profile.name, gates), []).append(request)
    return [
        sorted(groups[key], key=lambda request: PARTS.get(request.operation, 0))
        for key in sorted(groups, key=lambda key: (key[0], len(groups[key])))
    ]


def by_isolation(group: Sequence[Request]) -> list[tuple[Isolation | None, list[Request]]]:
    """Group scenarios by the isolation that they need; the key None has the requests of other operations.

    Scenarios that let much time pass come first, so that none of them runs alone at the end of its group.
    """
    parts: dict[Isolation | None, list[Request]] = {None: []}
    for request in group:
        isolation = _isolation_of(request)
        parts.setdefault(isolation, []).append(request)
    for requests in parts.values():
        requests.sort(key=_advanced_seconds, reverse=True)
    return sorted(parts.items(), key=lambda part: -1 if part[0] is None else part[0])


def _isolation_of(request: Request) -> Isolation | None:
    if request.operation != "cluster":
        return None
    return isolation_of(request.objects, request.ask, request.profile)


def mostly_waits(request: Request) -> bool:
    """Whether a scenario lets so much time pass that it needs hardly any CPU."""
    return _advanced_seconds(request) >= _LONG_SECONDS


def _advanced_seconds(request: Request) -> int:
    return sum(action.get("seconds", 0) for action in request.ask.get("actions", ()))
