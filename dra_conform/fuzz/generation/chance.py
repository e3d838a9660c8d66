"""The source of random choices: a function that picks one of several options."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol, TypeVar

T = TypeVar("T")


class Choose(Protocol):
    """A function that picks one of several options, of which the first is the simplest."""

    def __call__(self, options: Sequence[T], /) -> T: ...


def happens(choose: Choose, once_in: int) -> bool:
    """Return True with probability 1 / `once_in`; False is the simplest option."""
    return choose(_odds(once_in))


@cache
def _odds(once_in: int) -> tuple[bool, ...]:
    return (*(False,) * (once_in - 1), True)
