"""Collection of all problems of a file, so that one run reports all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.objects import DecodeErrors
from dra_conform.kube.yaml import Document

T = TypeVar("T")

ENOUGH = 100
"""Nobody mends more problems of a file before reading it again."""


def each(parts: Iterable[Callable[[], Iterable[T]]]) -> Iterator[T]:
    """What the parts give; raises InputError or InputErrors with what was wrong, each problem once.

    With a hundred problems it stops, and says so if there is more to read.
    """
    errors: dict[str, InputError] = {}
    rest = iter(parts)
    for part in rest:
        try:
            yield from part()
        except InputError as error:
            errors[str(error)] = error
        except InputErrors as several:
            errors |= {str(error): error for error in several.errors}
        if len(errors) >= ENOUGH:
            if next(rest, None) is not None:
                last = next(reversed(errors.values()))
                stopped = f"was read no further: it has {len(errors)} problems up to here, expected none"
                errors[stopped] = InputError(last.file, last.line, "", stopped)
            break
    if errors:
        raise _together(list(errors.values()))


def undecodable(document: Document, error: DecodeErrors) -> InputError | InputErrors:
    """The problems of a document that is not of its kind, each with its line."""
    return _together([document.error(problem.path, problem.message) for problem in error.problems])


def _together(errors: list[InputError]) -> InputError | InputErrors:
    return errors[0] if len(errors) == 1 else InputErrors(errors)
