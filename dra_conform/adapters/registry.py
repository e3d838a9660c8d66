"""How a user names an implementation: `builtin`, `python:module:attribute`, `exec:command arguments`."""

from __future__ import annotations

import importlib
import shlex
import sys
from collections.abc import Callable
from functools import reduce
from pathlib import Path

from dra_conform.adapters import builtin
from dra_conform.adapters.exec import ExecImplementation
from dra_conform.adapters.faults import Limits
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.implementation import CannotStart, Implementation


class BadSpec(ValueError):  # noqa: N818 - it reads as what happened
    """`spec` names no implementation."""

    def __init__(self, spec: str, problem: str) -> None:
        super().__init__(problem)
        self.spec = spec


def open_implementation(spec: str, *, limits: Limits | None = None) -> Implementation:
    """The implementation a spec names, not yet started; raises BadSpec. `limits` are for `exec:`."""
    if spec.startswith("exec:"):
        return ExecImplementation(command_of(spec), spec=spec, limits=limits)
    return open_in_process(spec)


def open_in_process(spec: str) -> InProcessImplementation:
    """Like `open_implementation`, for the specs that need no process of their own."""
    kind, colon, rest = spec.partition(":")
    if spec == "builtin":
        return InProcessImplementation(builtin.Builtin, spec=spec)
    if kind == "python" and colon:
        return InProcessImplementation(_loader(spec, rest), spec=spec)
    known = "'builtin', 'python:module:attribute' or 'exec:command arguments'"
    raise BadSpec(spec, f"{spec!r} names no implementation, expected {known}")


def command_of(spec: str) -> tuple[str, ...]:
    """The command of an `exec:` spec, split as a shell splits words; raises BadSpec."""
    if not spec.startswith("exec:"):
        raise BadSpec(spec, f"{spec!r} is no adapter process, expected 'exec:command arguments'")
    try:
        command = tuple(shlex.split(spec.removeprefix("exec:")))
    except ValueError as error:
        raise BadSpec(spec, f"cannot split the command of {spec!r}: {error}") from None
    if not command or not command[0]:
        raise BadSpec(spec, f"{spec!r} names no command, expected 'exec:command arguments'")
    if "\0" in spec:
        raise BadSpec(spec, "a command cannot hold a NUL character")
    return command


def _loader(spec: str, rest: str) -> Callable[[], object]:
    module, colon, attribute = rest.partition(":")
    if not (colon and module and attribute):
        raise BadSpec(spec, f"{spec!r} is incomplete, expected 'python:module:attribute'")

    def load() -> object:
        if str(Path.cwd()) not in sys.path and "" not in sys.path:
            sys.path.insert(0, str(Path.cwd()))  # as `python -m` has it
        try:
            found: object = importlib.import_module(module)
        except ModuleNotFoundError as error:
            raise CannotStart(f"{spec}: no module named {error.name!r}") from error
        try:
            return reduce(getattr, attribute.split("."), found)
        except AttributeError:
            raise CannotStart(f"{spec}: {module} has no attribute {attribute!r}") from None

    return load
