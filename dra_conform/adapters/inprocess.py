"""`python:`: an object of this process as an implementation, with its input guarded."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from time import perf_counter
from typing import Any

import msgspec

from dra_conform.adapters.answers import Malformed, to_reply
from dra_conform.conformance.implementation import CannotStart, Identity, Reply, Request, Status, Suite

Json = Any
Allocate = Callable[..., Mapping[str, Json]]

_pack = msgspec.json.Encoder().encode
_unpack = msgspec.json.Decoder().decode


class InProcessImplementation:
    """Something with `allocate(objects, ask, profile) -> dict`, the dict being the body of a `result` frame.

    `load` gives the object: a class is instantiated, a plain callable is taken as `allocate` itself. If
    `allocate` has parameters `seed` or `deadline_ms`, it gets them by name. What it says of itself is read
    from the attributes `name`, `version`, `operations`, `features`, `homepage` and `source`, all optional.
    A deadline cannot be enforced inside the own process.
    """

    def __init__(self, load: Callable[[], object], *, spec: str) -> None:
        self._load = load
        self._spec = spec
        self._allocate: Allocate | None = None
        self._extras: tuple[str, ...] = ()
        self._operations: frozenset[str] = frozenset()

    def start(self, suite: Suite) -> Identity:
        """Load the object; raises CannotStart."""
        try:
            found = self._load()
            target = found() if inspect.isclass(found) else found
            allocate = getattr(target, "allocate", None) or target
            if not callable(allocate):
                raise CannotStart(f"{self._spec}: neither has a method 'allocate' nor is callable")
            self._extras = _extras(allocate)
            identity = _identity(target, self._spec)
        except CannotStart:
            raise
        except (Exception, SystemExit) as error:
            raise CannotStart(f"{self._spec}: {_said(error)}") from error
        self._allocate = allocate
        self._operations = identity.operations
        return identity

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """One reply for each request, in order."""
        return map(self._reply, requests)

    def close(self) -> None:
        """Nothing is held."""

    def _reply(self, request: Request) -> Reply:
        if self._allocate is None:
            return Reply(request.id, Status.NOT_RUN, detail="it was not started")
        if request.operation not in self._operations:
            detail = f"operation {request.operation!r} is not declared"
            return Reply(request.id, Status.UNSUPPORTED, detail=detail)
        pristine = _pack((request.objects, request.ask))
        objects, ask = _unpack(pristine)  # lists and dicts of its own: the case stays as it is
        extras = {name: getattr(request, name) for name in self._extras}
        began = perf_counter()
        try:
            body = self._allocate(objects, ask, request.profile, **extras)
        except (Exception, SystemExit) as error:
            seconds = perf_counter() - began
            log = "".join(traceback.format_exception(error))
            return Reply(request.id, Status.FAILED, detail=_said(error), log=log, seconds=seconds)
        seconds = perf_counter() - began
        reply = _read(request, body, seconds)
        if reply.status is Status.OK and _changed(pristine, objects, ask):
            detail = "it changed its input" + _where(_unpack(pristine), [objects, ask])
            return Reply(request.id, Status.MUTATED, reply.answer, detail, seconds=seconds)
        return reply


def _read(request: Request, body: object, seconds: float) -> Reply:
    if not isinstance(body, Mapping):
        detail = f"allocate returned {type(body).__name__}, expected a dict"
        return Reply(request.id, Status.PROTOCOL, detail=detail, seconds=seconds)
    try:
        # As if it had come over the wire: plain lists and dicts that nobody else holds.
        plain = _unpack(_pack({"type": "result", "status": "ok", **body}))
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError) as error:
        detail = f"allocate returned something that is no JSON: {error}"
        return Reply(request.id, Status.PROTOCOL, detail=detail, seconds=seconds)
    reply = to_reply(request.id, plain, seconds)
    if isinstance(reply, Malformed):
        return Reply(
            request.id, Status.PROTOCOL, detail=f"breaks the schema: {reply.problem}", seconds=seconds
        )
    return reply


def _changed(pristine: bytes, objects: Json, ask: Json) -> bool:
    try:
        now = _pack((objects, ask))
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return True  # something was put in that is no JSON
    return now != pristine and _unpack(now) != _unpack(pristine)


def _where(before: Json, now: Json) -> str:
    for collection in before[0]:
        if now[0].get(collection) != before[0][collection]:
            return f" ({collection})"
    return " (ask)" if now[1] != before[1] else ""


def _extras(allocate: Allocate) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(allocate).parameters
    except (TypeError, ValueError):
        return ()
    return tuple(name for name in ("seed", "deadline_ms") if name in parameters)


def _identity(target: object, spec: str) -> Identity:
    def text(attribute: str, default: str = "") -> str:
        value = getattr(target, attribute, default)
        return value if isinstance(value, str) and value else default

    features = getattr(target, "features", {})
    operations = getattr(target, "operations", ("allocate",))
    return Identity(
        name=text("name", spec.removeprefix("python:")),
        version=text("version", "0"),
        spec=spec,
        language="python",
        homepage=text("homepage"),
        source=text("source"),
        operations=frozenset(operations),
        features={str(name): str(support) for name, support in dict(features).items()},
    )


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
