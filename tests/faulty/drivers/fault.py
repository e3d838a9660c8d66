"""A fault of a driver: the requirement that it violates, and the change of the reference driver."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

FAULTS: dict[str, Fault] = {}
"""All faults by name."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault. `apply` changes the modules of the reference driver in the process of the driver.

    `requirement`: the violated requirement. `also`: further requirements that cannot hold with the fault.
    `starts`: whether the driver registers and publishes; if
    not, every case fails.
    """

    requirement: str
    apply: Callable[[], None]
    also: tuple[str, ...] = ()
    starts: bool = True


def fault(
    requirement: str, *also: str, starts: bool = True
) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Return a decorator that adds a function to `FAULTS`, with dashes in its name."""

    def add(apply: Callable[[], None]) -> Callable[[], None]:
        name = apply.__name__.replace("_", "-")
        assert name not in FAULTS, f"two faults have the name {name}"
        FAULTS[name] = Fault(requirement, apply, also, starts)
        return apply

    return add


def around(owner: Any, name: str) -> Callable[[Callable[..., Any]], None]:
    """Return a decorator that replaces a function or method; the new one gets the original first."""
    original = getattr(owner, name)

    def replace(new: Callable[..., Any]) -> None:
        @functools.wraps(original)
        def replacement(*arguments: Any, **named: Any) -> Any:
            return new(original, *arguments, **named)

        setattr(owner, name, replacement)

    return replace
