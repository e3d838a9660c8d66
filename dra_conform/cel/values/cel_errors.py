"""The errors of a device selector: compile errors and runtime errors."""

from __future__ import annotations


class CelError(Exception):
    """The base class of all errors of a device selector."""


class CompileError(CelError):
    """The expression is not a valid selector. The message has line, column, source line and a caret."""


class EvaluationError(CelError):
    """A runtime error: a valid expression fails on a device, such as with `no such key: model`."""


class Aborted(EvaluationError):  # noqa: N818 -- the name says what happened to the evaluation
    """A runtime error that ends the whole evaluation; `&&` and `||` do not absorb it, unlike other errors."""


class CostLimitExceeded(Aborted):
    """The evaluation has exceeded the cost limit."""
