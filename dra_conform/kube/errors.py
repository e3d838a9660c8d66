"""Errors in input files: `file:line: path: what is wrong, what was expected`."""

from __future__ import annotations

from collections.abc import Iterable


class InputError(Exception):
    """A problem in an input file. `line` is None and `path` is empty if unknown."""

    def __init__(self, file: str, line: int | None, path: str, message: str) -> None:
        super().__init__(file, line, path, message)
        self.file = file
        self.line = line
        self.path = path
        self.message = message

    def __str__(self) -> str:
        file, path = (text.replace("\n", "\\n") for text in (self.file, self.path))
        where = file if self.line is None else f"{file}:{self.line}"
        return ": ".join(part for part in (where, path, self.message) if part)


class InputErrors(Exception):  # noqa: N818 - a group of InputError
    """All problems of an input, each as an InputError."""

    def __init__(self, errors: Iterable[InputError]) -> None:
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)
