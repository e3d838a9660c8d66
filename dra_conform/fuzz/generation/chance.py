"""The source of random choices: a function that picks an option, the simplest first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol, TypeVar

T = TypeVar("T")


class Choose(Protocol):
    """Gives one of the options, of which the first is the simplest; the same choices, the same scenario."""

    def __call__(self, options: Sequence[T], /) -> T: ...


def happens(choose: Choose, once_in: int) -> bool:
    """True once in so many times; the simple answer is no."""
    return choose(_odds(once_in))


@cache
def _odds(once_in: int) -> tuple[bool, ...]:
    return (*(False,) * (once_in - 1), True)
