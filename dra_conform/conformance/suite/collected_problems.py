"""Collection of all problems of a file, so that one run reports all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.objects import DecodeErrors
from dra_conform.kube.yaml import Document

T = TypeVar("T")

ENOUGH = 100
"""The limit of problems of a file. Authors fix these before they read the file again."""


def each(parts: Iterable[Callable[[], Iterable[T]]]) -> Iterator[T]:
    """Yield the items of all parts; then raise InputError or InputErrors with each problem once.

    Reading stops at a hundred problems; a final problem says so if parts are left.
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
                stopped = f"has {len(errors)} problems up to this line; the rest of the file was not read"
                errors[stopped] = InputError(last.file, last.line, "", stopped)
            break
    if errors:
        raise _together(list(errors.values()))


def undecodable(document: Document, error: DecodeErrors) -> InputError | InputErrors:
    """Return the problems of a document that cannot be decoded, each with its line."""
    return _together([document.error(problem.path, problem.message) for problem in error.problems])


def _together(errors: list[InputError]) -> InputError | InputErrors:
    return errors[0] if len(errors) == 1 else InputErrors(errors)
