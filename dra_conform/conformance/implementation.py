"""The interface between runner and implementations: requests and replies, never expectations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

Answer = Any
"""The decision of an implementation, as a frozen value of its operation."""


DEFAULT_OPERATION = "allocate"
"""The operation of an implementation that declares none."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The implementation under test, with the operations and features that it declares.

    `features` maps a feature id to `full`, `partial` or `none`. Cases with a feature declared `none` are not
    run. For a feature that is not declared, the answer `unsupported` is accepted. `spec` is the
    implementation as given on the command line. `tries`: how often a failing case is run, more than once if
    answers depend on time or chance. `components`: the components under test of a control plane, each with
    its command.
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
    components: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suite:
    """The suite as described to implementations. `fingerprint` is SHA-256 over the cases that were read.

    `folder`: the value of `--suite`, empty for the shipped suite. Implementations do not get it.
    """

    name: str
    version: str
    fingerprint: str
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One case as an implementation sees it, without expectations."""

    id: int
    case_id: str
    operation: str
    profile: Profile
    objects: Mapping[str, tuple[Json, ...]]
    ask: Mapping[str, Json]
    seed: int = 0
    deadline_ms: int = 2000


class Status(StrEnum):
    """The result of sending a request to an implementation."""

    OK = "ok"
    UNSUPPORTED = "unsupported"
    UNDECLARED = "undeclared"
    """The request needs an operation that the implementation does not declare."""
    FAILED = "failed"
    """The adapter reports an internal error (verdict `adapter-error`)."""
    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    MUTATED = "mutated"
    """An in-process implementation changed its input."""
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a request, or why it is missing. `detail` is for people; `log` is the tail of stderr."""

    id: int
    status: Status
    answer: Answer | None = None
    detail: str = ""
    log: str = ""
    seconds: float = 0.0


class CannotStart(Exception):  # noqa: N818 - the name is the event
    """The implementation could not be started, or is too unstable to continue (exit code 3)."""


class Implementation(Protocol):
    """An implementation under test. Call start, run (any number of times), then close."""

    def start(self, suite: Suite) -> Identity:
        """Start the implementation; raises CannotStart."""
        ...

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Yield one reply for each request, in any order. Faults are replies, never exceptions."""
        ...

    def close(self) -> None:
        """Stop the implementation; never raises."""
        ...


class Observed(Implementation):
    """An implementation whose replies are shown to an observer."""

    def __init__(self, implementation: Implementation, observe: Callable[[Reply], object]) -> None:
        self._implementation = implementation
        self._observe = observe

    def start(self, suite: Suite) -> Identity:
        return self._implementation.start(suite)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for reply in self._implementation.run(requests):
            self._observe(reply)
            yield reply

    def close(self) -> None:
        self._implementation.close()
