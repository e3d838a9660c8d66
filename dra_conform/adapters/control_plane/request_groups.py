"""The order of requests to control planes: batches that need no change of components in between."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence

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
    """Requests with equal gates, which one control plane runs, or several together.

    `concurrent`: a control plane may run several of them at the same time. Several threads may take requests.
    """

    def __init__(self, requests: Iterable[Request], *, concurrent: bool = False) -> None:
        self._left = deque(requests)
        self.concurrent = concurrent

    def __len__(self) -> int:
        """Return the number of requests that nobody has taken."""
        return len(self._left)

    def take(self) -> Request | None:
        """Return the next request, None if there is none."""
        try:
            return self._left.popleft()
        except IndexError:
            return None

    def clear(self) -> None:
        """Remove the requests that nobody has taken."""
        self._left.clear()


class RequestQueue:
    """The batches of a run, for control planes that run at the same time."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._lock = threading.Lock()
        self._waiting = deque(batches)
        self._begun: list[Batch] = []

    def __len__(self) -> int:
        """Return the number of requests that nobody has taken."""
        return sum(map(len, (*self._waiting, *self._begun)))

    def next_batch(self) -> Batch | None:
        """Return the next batch that no control plane has begun, else the longest one that is worth joining.

        None: no batch is left.
        """
        with self._lock:
            if self._waiting:
                self._begun.append(self._waiting.popleft())
                return self._begun[-1]
            longest = max(self._begun, key=len, default=None)
            return longest if longest is not None and len(longest) >= _WORTH_JOINING else None

    def take(self) -> Request | None:
        """Return a request that nobody has taken, None if there is none."""
        return next((request for batch in (*self._begun, *self._waiting) if (request := batch.take())), None)

    def clear(self) -> None:
        """Remove the requests that nobody has taken."""
        for batch in (*self._begun, *self._waiting):
            batch.clear()


def batches(requests: Iterable[Request], *, concurrent: bool) -> list[Batch]:
    """Divide the requests of a run; with `concurrent`, scenarios with own objects run at the same time."""
    found = []
    for group in grouped(requests):
        for isolation, part in by_isolation(group) if concurrent else [(None, group)]:
            together = isolation in (Isolation.ONLY_WRITES, Isolation.OWN_OBJECTS)
            found.append(Batch(part, concurrent=together))
    return [batch for batch in found if len(batch)]


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
        isolation = isolation_of(request.objects, request.ask) if request.operation == "cluster" else None
        parts.setdefault(isolation, []).append(request)
    for requests in parts.values():
        requests.sort(key=_advanced_seconds, reverse=True)
    return sorted(parts.items(), key=lambda part: -1 if part[0] is None else part[0])


def mostly_waits(request: Request) -> bool:
    """Whether a scenario lets so much time pass that it needs hardly any CPU."""
    return _advanced_seconds(request) >= _LONG_SECONDS


def _advanced_seconds(request: Request) -> int:
    return sum(action.get("seconds", 0) for action in request.ask.get("actions", ()))
