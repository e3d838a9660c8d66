"""Errors at a position of an expression, their messages, and the limits of an expression."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.cel.values.cel_errors import CompileError

MAX_LENGTH = 10 * 1024
"""The longest expression that the API accepts, in bytes."""
MAX_DEPTH = 250
"""The nesting limit of an expression, as in cel-go."""


class Issue(Exception):  # noqa: N818 -- a value collected by the checker as often as raised
    """An error at an offset of the expression; reported to callers of `compile` as part of a CompileError."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


def compile_error(source: str, issues: Iterable[Issue]) -> CompileError:
    """Return one error for all issues, by position, each with line, column, source line and a caret."""
    ordered = sorted(issues, key=lambda issue: issue.offset)
    return CompileError("\n".join(_shown(source, issue) for issue in ordered))


def _shown(source: str, issue: Issue) -> str:
    before = source[: issue.offset]
    line = before.count("\n") + 1
    column = issue.offset - (before.rfind("\n") + 1)
    text = source.split("\n")[line - 1].replace("\t", " ")
    return f"ERROR: <input>:{line}:{column + 1}: {issue.message}\n | {text}\n | {'.' * column}^"
