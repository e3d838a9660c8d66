"""Guards of writes: which writes a connection may send to an API server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.resources import Address
from dra_conform.kube.json_values import Json


@dataclass(frozen=True, slots=True)
class Write:
    """A write request before it is sent."""

    method: str
    address: Address
    body: Json
    content_type: str
    user: Json = None


class WriteGuard(Protocol):
    """A guard that checks every write before it is sent."""

    def checked(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        """Return the write to send, or the answer if the written object does not exist.

        `read` reads an object from the API server. Raises CannotRun for a write that must not be sent.
        """
        ...

    def sent(self, write: Write, answer: Answer) -> None:
        """Handle the answer to a write."""
        ...


class NoWrites:
    """The guard of connections that only read."""

    def checked(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        raise CannotRun(f"cannot send {write.method} {write.address} on a read-only connection")

    def sent(self, write: Write, answer: Answer) -> None:
        """Do nothing: no write is sent."""


class EveryWrite:
    """The guard that allows every write, for a control plane started for the run."""

    def checked(self, write: Write, read: Callable[[Address], Answer]) -> Write | Answer:
        return write

    def sent(self, write: Write, answer: Answer) -> None:
        """Do nothing, because every write is allowed."""
