"""Replies that are not passed on yet, because later output of the adapter may make them faults."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from dra_conform.adapters.faults import Fault
from dra_conform.conformance.implementation import Reply, Status

FAULTS = frozenset({Status.CRASH, Status.TIMEOUT, Status.PROTOCOL})
"""The statuses of faults of an adapter process."""


@dataclass(slots=True)
class _Entry:
    number: int | None
    reply: Reply


class PendingReplies:
    """The latest replies in the order of arrival, with the ids of their requests.

    A second answer to a request, or junk after an answer, makes a good reply a fault. This is noticed only
    when the next frame is read. So the number of replies kept back is the number of requests that may be in
    flight.
    """

    def __init__(self) -> None:
        self._entries: deque[_Entry] = deque()

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, reply: Reply, number: int | None = None) -> None:
        """Add a reply, with the id of its request if the adapter answered it."""
        self._entries.append(_Entry(number, reply))

    def set_fault(self, number: int, fault: Fault) -> bool:
        """Turn the reply to a request into a fault; return False if the reply was released already."""
        return self._set_fault((entry for entry in self._entries if entry.number == number), fault)

    def set_last_fault(self, fault: Fault) -> bool:
        """Turn the latest answer of the adapter into a fault; return False if there is none."""
        answered = (entry for entry in reversed(self._entries) if entry.number is not None)
        return self._set_fault(answered, fault)

    def has_fault(self, first: int) -> bool:
        """Whether a reply from index `first` on is a fault."""
        return any(entry.reply.status in FAULTS for entry in islice(self._entries, first, None))

    def set_fault_at(self, index: int, fault: Fault) -> None:
        """Turn the reply at an index into a fault."""
        self._set_fault(islice(self._entries, index, None), fault)

    def merge_last(self, number: int) -> bool:
        """Remove the latest reply; if it is a fault, record it as the reply to request `number`.

        Returns whether the reply to that request became a fault.
        """
        latest = self._entries.pop().reply
        entry = next((entry for entry in self._entries if entry.number == number), None)
        if entry is None or latest.status not in FAULTS:
            return False
        entry.reply = latest
        return True

    def release(self, keep: int = 0) -> Iterator[Reply]:
        """Yield and remove all but the latest `keep` replies."""
        while len(self._entries) > keep:
            yield self._entries.popleft().reply

    def _set_fault(self, entries: Iterable[_Entry], fault: Fault) -> bool:
        entry = next(iter(entries), None)
        if entry is None:
            return False
        if entry.reply.status not in FAULTS:
            entry.reply = replace(entry.reply, status=fault.status, answer=None, detail=fault.detail)
        return True
