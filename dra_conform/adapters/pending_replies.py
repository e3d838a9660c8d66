"""Replies that are held back, because later events may still change them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from dra_conform.adapters.faults import Fault
from dra_conform.conformance.implementation import Reply, Status

FAULTS = frozenset({Status.CRASH, Status.TIMEOUT, Status.PROTOCOL})


@dataclass(slots=True)
class _Entry:
    number: int | None
    reply: Reply


class PendingReplies:
    """The latest replies in the order they came, with the wire ids they answered.

    A second answer to the same id, or junk right behind an answer, makes a good reply a faulty one; that is
    seen when the next frame comes, so as many replies are held as requests may be in flight.
    """

    def __init__(self) -> None:
        self._entries: deque[_Entry] = deque()

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, reply: Reply, number: int | None = None) -> None:
        self._entries.append(_Entry(number, reply))

    def blame(self, number: int, fault: Fault) -> bool:
        """Turn the reply to a wire id into that fault; False where it is given away already."""
        return self._blame((entry for entry in self._entries if entry.number == number), fault)

    def blame_last(self, fault: Fault) -> bool:
        """Turn the latest answered reply into that fault; False where there is none."""
        return self._blame((entry for entry in reversed(self._entries) if entry.number is not None), fault)

    def guilty(self, first: int) -> bool:
        """Whether a reply from place `first` on is a fault."""
        return any(entry.reply.status in FAULTS for entry in islice(self._entries, first, None))

    def blame_at(self, place: int, fault: Fault) -> None:
        """Turn the reply at a place into that fault."""
        self._blame(islice(self._entries, place, None), fault)

    def merge_last(self, number: int) -> bool:
        """Take back the latest reply; where it is a fault, the reply to `number` becomes it."""
        latest = self._entries.pop().reply
        entry = next((entry for entry in self._entries if entry.number == number), None)
        if entry is None or latest.status not in FAULTS:
            return False
        entry.reply = latest
        return True

    def release(self, keep: int = 0) -> Iterator[Reply]:
        """Give away all but the latest `keep` replies."""
        while len(self._entries) > keep:
            yield self._entries.popleft().reply

    def _blame(self, entries: Iterable[_Entry], fault: Fault) -> bool:
        entry = next(iter(entries), None)
        if entry is None:
            return False
        if entry.reply.status not in FAULTS:
            entry.reply = replace(entry.reply, status=fault.status, answer=None, detail=fault.detail)
        return True
