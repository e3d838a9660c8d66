"""CEL device selectors: compile them, and evaluate them on the devices of ResourceSlices.

Subpackages, each importing only the earlier ones: `values`, `patterns` (regular expressions), `functions`,
`syntax`, `checking`, `evaluation` (on one device), `columns` (on many devices).
"""

from dra_conform.cel.checking.environment import Environment
from dra_conform.cel.columns.device_table import DeviceTable, match
from dra_conform.cel.evaluation.program import Program, compile  # noqa: A004 -- its name in every CEL library
from dra_conform.cel.evaluation.worst_cost import worst_cost
from dra_conform.cel.values.cel_errors import CelError, CompileError, EvaluationError
from dra_conform.cel.values.device import DeviceView, device_of

__all__ = [
    "CelError",
    "CompileError",
    "DeviceTable",
    "DeviceView",
    "Environment",
    "EvaluationError",
    "Program",
    "compile",
    "device_of",
    "match",
    "worst_cost",
]
