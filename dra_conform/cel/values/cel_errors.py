"""The errors of a device selector: at compile time, and at evaluation."""

from __future__ import annotations


class CelError(Exception):
    """What both have in common: a message a user can act on."""


class CompileError(CelError):
    """The expression is no valid selector; the message carries line, column, source line and caret."""


class EvaluationError(CelError):
    """A valid expression fails on a device, such as `no such key: model`."""


class Aborted(EvaluationError):  # noqa: N818 -- not an error of a part, but the end of the whole
    """The evaluation ends here; unlike any other failure, `&&` and `||` cannot hide this one."""


class CostLimitExceeded(Aborted):
    """The expression has spent its budget."""
