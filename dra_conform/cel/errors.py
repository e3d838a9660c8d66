"""The two ways a device selector can fail: before any device is seen, and on one device."""

from __future__ import annotations


class CelError(Exception):
    """What both have in common: a message a user can act on."""


class CompileError(CelError):
    """The expression is no valid selector; the message carries line, column, source line and caret."""


class EvaluationError(CelError):
    """A valid expression fails on a device, such as `no such key: model`."""


class CostLimitExceeded(EvaluationError):  # noqa: N818 -- cel-go's words
    """The expression has spent its budget; unlike any other failure, `&&` and `||` cannot hide this one."""
