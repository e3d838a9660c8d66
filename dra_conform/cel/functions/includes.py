"""`includes` (1.36): membership in a list-type attribute, equality with a scalar attribute."""

from __future__ import annotations

from dra_conform.cel.functions import charge
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.equality import same
from dra_conform.cel.values.types import BOOL, DYN
from dra_conform.cel.values.value import Value

MOST = 48
"""The most values that all attributes of a device may have together."""


def _includes(value: Value, wanted: Value) -> bool:
    if not isinstance(value, tuple):
        return same(value, wanted)
    if any(same(v, wanted) for v in value[:MOST]):
        return True
    if len(value) > MOST:
        raise EvaluationError(f"'includes' function cannot be applied to lists longer than {MOST} values")
    return False


OVERLOADS = (Overload("includes", True, (DYN, DYN), BOOL, _includes, charge.elements),)
