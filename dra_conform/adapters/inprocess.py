"""A Python object as an implementation, with a check that it does not change its input."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from time import perf_counter

import msgspec

from dra_conform.adapters.answers import reply_with
from dra_conform.adapters.declared_identity import declared_identity
from dra_conform.conformance.implementation import (
    DEFAULT_OPERATION,
    CannotStart,
    Identity,
    Reply,
    Request,
    Status,
    Suite,
)
from dra_conform.kube.json_values import Json, encode_json

Question = Callable[..., Mapping[str, Json]]
"""A method of an implementation that takes `(objects, ask, profile)` and returns the body of a `result`."""

_unpack = msgspec.json.Decoder().decode
_ordered = msgspec.json.Encoder(order="deterministic").encode


@dataclass(frozen=True, slots=True)
class _Method:
    ask: Question
    extras: tuple[str, ...]
    """The optional parameters of the method, of `seed` and `deadline_ms`."""


class InProcessImplementation:
    """A Python object with methods such as `allocate(objects, ask, profile)`, which return the body of a
    `result`.

    Each operation that the object declares is a method of that name, with `_` for `-`; without `operations`,
    the object only declares `allocate`. `load` returns the object. A class is instantiated; a function is
    used as `allocate`. A method gets `seed` and `deadline_ms` by name if it has these parameters. The
    optional attributes `name`, `version`, `operations`, `features`, `homepage` and `source` describe the
    implementation. Deadlines are not enforced within the process. With `alone` the process only serves this
    object, so any KeyboardInterrupt comes from the object. With `trusted` requests and answers are passed on
    without a copy, so a changed input is not detected.
    """

    def __init__(
        self, load: Callable[[], object], *, spec: str, alone: bool = False, trusted: bool = False
    ) -> None:
        self._load = load
        self._spec = spec
        self._alone = alone
        self._trusted = trusted
        self._methods: dict[str, _Method] | None = None

    def start(self, suite: Suite) -> Identity:
        """Load the object; raises CannotStart."""
        try:
            loaded = self._load()
            target = loaded() if inspect.isclass(loaded) else loaded
            identity = declared_identity(target, self._spec)
            methods = {name: self._method(target, name) for name in sorted(identity.operations)}
        except CannotStart:
            raise
        except BaseException as error:
            self._raise_interrupt(error)
            raise CannotStart(f"{self._spec}: {_described(error)}") from error
        self._methods = methods
        return identity

    def _method(self, target: object, operation: str) -> _Method:
        name = operation.replace("-", "_")
        method = getattr(target, name, None) or (target if operation == DEFAULT_OPERATION else None)
        if not callable(method):
            if operation == DEFAULT_OPERATION:
                raise CannotStart(f"{self._spec}: has no method {name!r} and is not callable")
            raise CannotStart(f"{self._spec}: declares the operation {operation} but has no method {name!r}")
        extras = _extras(method)
        if not _takes_a_question(method, extras):
            name = getattr(method, "__qualname__", name)
            parameters = ", ".join(inspect.signature(method).parameters)
            detail = f"{name}({parameters}) has another signature, expected (objects, ask, profile)"
            raise CannotStart(f"{self._spec}: {detail}")
        return _Method(method, extras)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Return one reply for each request, in order."""
        return map(self._reply, requests)

    def close(self) -> None:
        """Do nothing; the object has no resources to release."""

    def _reply(self, request: Request) -> Reply:
        if self._methods is None:
            return Reply(request.id, Status.NOT_RUN, detail="the implementation was not started")
        method = self._methods.get(request.operation)
        if method is None:
            detail = f"the implementation does not declare operation {request.operation!r}"
            return Reply(request.id, Status.UNDECLARED, detail=detail)
        objects: Json = request.objects
        ask: Json = request.ask
        pristine = b""
        if not self._trusted:
            pristine = encode_json((objects, ask))
            objects, ask = _unpack(pristine)  # The object gets a copy, so that it cannot change the case.
        extras = {name: getattr(request, name) for name in method.extras}
        began = perf_counter()
        try:
            body = method.ask(objects, ask, request.profile, **extras)
        except BaseException as error:
            self._raise_interrupt(error)
            seconds = perf_counter() - began
            log = "".join(traceback.format_exception(error))
            return Reply(request.id, Status.FAILED, detail=_described(error), log=log, seconds=seconds)
        seconds = perf_counter() - began
        reply = _read(request, body, seconds, copied=not self._trusted)
        if reply.status is Status.OK and not self._trusted and _changed(pristine, objects, ask):
            detail = "the implementation changed its input" + _changed_part(_unpack(pristine)[0], objects)
            return Reply(request.id, Status.MUTATED, reply.answer, detail, seconds=seconds)
        return reply

    def _raise_interrupt(self, error: BaseException) -> None:
        if isinstance(error, KeyboardInterrupt) and not self._alone:
            raise error


def _read(request: Request, body: object, seconds: float, *, copied: bool) -> Reply:
    if not isinstance(body, Mapping):
        detail = f"{request.operation} returned {type(body).__name__}, expected a dict with 'outcome'"
        return Reply(request.id, Status.PROTOCOL, detail=detail, seconds=seconds)
    problem = ""
    try:
        plain = {"type": "result", "status": "ok", **body}
        if copied:
            encoded = encode_json(plain)
            problem = _not_json(plain)
            plain = _unpack(encoded)  # Plain lists and dicts, as if they came over the wire.
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        problem = _described(error)
    if problem:
        detail = f"{request.operation} returned a value that is not JSON: {problem}"
        return Reply(request.id, Status.PROTOCOL, detail=detail, seconds=seconds)
    return reply_with(request, plain, seconds, prefix="the result violates the schema: ")


def _not_json(value: object) -> str:
    """Return where a value has NaN, an infinity or bytes, which msgspec encodes as null or as a string.

    The position is a JSON pointer. Empty if there is no such value.
    """
    if isinstance(value, str | int):
        return ""
    if isinstance(value, float):
        return "" if isfinite(value) else f": is {value}, expected a finite number"
    if isinstance(value, bytes | bytearray | memoryview):
        return f": has type {type(value).__name__}, expected a string"
    if isinstance(value, Mapping):
        members: Iterable[tuple[object, object]] = value.items()
    elif isinstance(value, list | tuple | set | frozenset):
        members = enumerate(value)
    else:
        return ""
    for name, member in members:
        if isinstance(name, bytes):
            return f"/{name!r}: is a name of type bytes, expected a string"
        if found := _not_json(member):
            escaped = str(name).replace("~", "~0").replace("/", "~1")
            return f"/{escaped}{found}"
    return ""


def _changed(pristine: bytes, objects: Json, ask: Json) -> bool:
    try:
        now = encode_json((objects, ask))
    except Exception:
        return True  # The method added something that is not JSON.
    # The comparison of JSON tells true from 1; the order of members does not count.
    return now != pristine and _ordered(_unpack(now)) != _ordered(_unpack(pristine))


def _changed_part(before: Json, objects: Json) -> str:
    """Return the first changed collection in parentheses, such as ` (slices)`; ` (ask)` if none changed."""
    for collection in before:
        if _changed(encode_json((before[collection], None)), objects.get(collection), None):
            return f" ({collection})"
    return " (ask)"


def _extras(method: Question) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(method).parameters
    except (TypeError, ValueError):
        return ()
    return tuple(name for name in ("seed", "deadline_ms") if name in parameters)


def _takes_a_question(method: Question, extras: Sequence[str]) -> bool:
    """Whether a method can be called with a question; true if its parameters are unknown."""
    try:
        signature = inspect.signature(method, follow_wrapped=False)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind("objects", "ask", "profile", **dict.fromkeys(extras))
    except TypeError:
        return False
    return True


def _described(error: BaseException) -> str:
    name = type(error).__name__
    try:
        text = str(error)
    except BaseException:
        return f"{name}, whose message cannot be read"
    return f"{name}: {text}" if text else name
