"""CEL device selectors: parser, checker, interpreter and a translation to columns."""

from dra_conform.cel.cost_estimate import worst_cost
from dra_conform.cel.device import Device, device_of
from dra_conform.cel.environment import Environment
from dra_conform.cel.errors import CelError, CompileError, EvaluationError
from dra_conform.cel.match import match
from dra_conform.cel.program import Program, compile  # noqa: A004 -- the word for it in every CEL library

__all__ = [
    "CelError",
    "CompileError",
    "Device",
    "Environment",
    "EvaluationError",
    "Program",
    "compile",
    "device_of",
    "match",
    "worst_cost",
]
