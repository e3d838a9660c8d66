"""Optional values: `optional.of` and its methods.

The planner compiles `or` and `orValue` itself, because they evaluate their argument lazily.
"""

from __future__ import annotations

from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.types import BOOL, optional_of, param
from dra_conform.cel.values.value import NONE, Duration, Optional_, Value
from dra_conform.kube.quantity import Quantity

_T = param("T")
_OPTIONAL = optional_of(_T)


def _of(value: Value) -> Optional_:
    return Optional_(True, value)


def _none() -> Optional_:
    return NONE


def of_non_zero_value(value: Value) -> Optional_:
    """Return `optional.none()` for null, false, zero and empty values, otherwise `optional.of(value)`."""
    return Optional_(True, value) if _is_something(value) else NONE


def _is_something(value: Value) -> bool:
    if isinstance(value, Duration):
        return value.nanos != 0
    if isinstance(value, Optional_):
        return value.present
    if isinstance(value, Quantity):
        return True
    return bool(value)


def _value_of(optional: Optional_) -> Value:
    if not optional.present:
        raise EvaluationError("optional.none() dereference")
    return optional.value


OVERLOADS = (
    Overload("optional.of", False, (_T,), _OPTIONAL, _of),
    Overload("optional.none", False, (), _OPTIONAL, _none),
    Overload("optional.ofNonZeroValue", False, (_T,), _OPTIONAL, of_non_zero_value),
    Overload("hasValue", True, (_OPTIONAL,), BOOL, lambda o: o.present),
    Overload("value", True, (_OPTIONAL,), _T, _value_of),
    Overload("or", True, (_OPTIONAL, _OPTIONAL), _OPTIONAL, lambda o, other: o if o.present else other),
    Overload("orValue", True, (_OPTIONAL, _T), _T, lambda o, other: o.value if o.present else other),
)
