"""The interface between runner and implementations: requests and replies, never expectations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from dra_conform.kube.profile import Profile

Json = Any
Answer = Any
"""What an implementation decided, as a frozen value of the operation's own."""


DEFAULT_OPERATION = "allocate"
"""What an implementation offers that names no operation."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is judged, and what it says it can do.

    `operations` and `features` are what it declares; `features` maps a feature id to `full`, `partial` or
    `none`. A case that needs a feature declared `none` is not put to it; a feature it does not name is
    unknown, and "unsupported" is then an honest answer. `spec` is how the user named it. `tries`: how often
    a case that fails is asked, more than once where time and chance have a part in the answers.
    """

    name: str
    version: str
    spec: str = ""
    language: str = ""
    homepage: str = ""
    source: str = ""
    operations: frozenset[str] = frozenset({DEFAULT_OPERATION})
    features: Mapping[str, str] = field(default_factory=dict)
    tries: int = 1


@dataclass(frozen=True, slots=True)
class Suite:
    """The suite as an implementation gets to know it. `fingerprint` is SHA-256 over the canonical cases."""

    name: str
    version: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Request:
    """One case as an implementation sees it."""

    id: int
    case_id: str
    operation: str
    profile: Profile
    objects: Mapping[str, tuple[Json, ...]]
    ask: Mapping[str, Json]
    seed: int = 0
    deadline_ms: int = 2000


class Status(StrEnum):
    """How the exchange itself went."""

    OK = "ok"
    UNSUPPORTED = "unsupported"
    UNDECLARED = "undeclared"
    """It was asked for what it never said it could do."""
    FAILED = "failed"
    """The adapter reports a fault of its own (verdict `adapter-error`)."""
    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    MUTATED = "mutated"
    """An in-process implementation changed its input."""
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a request, or why there is none. `detail` is for people; `log` is the tail of stderr."""

    id: int
    status: Status
    answer: Answer | None = None
    detail: str = ""
    log: str = ""
    seconds: float = 0.0


class CannotStart(Exception):  # noqa: N818 - it reads as what happened
    """The implementation could not be started, or is too unstable to go on (exit code 3)."""


class Implementation(Protocol):
    """Something to be judged. Used as: start, run (any number of times), close."""

    def start(self, suite: Suite) -> Identity:
        """Begin; raises CannotStart."""
        ...

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Exactly one reply for each request, in any order. Faults are replies, never exceptions."""
        ...

    def close(self) -> None:
        """End; never raises."""
        ...
