"""Positions in an expression, and how they are shown in messages."""

from __future__ import annotations

from collections.abc import Iterable

from dra_conform.cel.values.cel_errors import CompileError

MAX_LENGTH = 10 * 1024
"""Bytes of an expression that the API accepts."""
MAX_DEPTH = 250
"""How deep an expression may nest, as in cel-go."""


class Issue(Exception):  # noqa: N818 -- a value collected by the checker as often as raised
    """Something wrong at one offset; becomes a CompileError at the edge of this package."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


def compile_error(source: str, issues: Iterable[Issue]) -> CompileError:
    """All issues in order of their place, each with line, column, the source line and a caret."""
    ordered = sorted(issues, key=lambda issue: issue.offset)
    return CompileError("\n".join(_shown(source, issue) for issue in ordered))


def _shown(source: str, issue: Issue) -> str:
    before = source[: issue.offset]
    line = before.count("\n") + 1
    column = issue.offset - (before.rfind("\n") + 1)
    text = source.split("\n")[line - 1].replace("\t", " ")
    return f"ERROR: <input>:{line}:{column + 1}: {issue.message}\n | {text}\n | {'.' * column}^"
