"""Field selection and indexing, compiled to closures."""

from __future__ import annotations

from dra_conform.cel.evaluation.cost import DEVICE, Closure, Frame
from dra_conform.cel.functions.indexing import index, index_if_present
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.device import DeviceView
from dra_conform.cel.values.value import NONE, Optional_, UInt, Value, type_of


def _driver(frame: Frame) -> Value:
    return frame[DEVICE].driver


def _attributes(frame: Frame) -> Value:
    return frame[DEVICE].attributes


def _capacity(frame: Frame) -> Value:
    return frame[DEVICE].capacity


def _allow_multiple_allocations(frame: Frame) -> Value:
    return frame[DEVICE].allow_multiple_allocations


_FIELDS: dict[str, Closure] = {
    "driver": _driver,
    "attributes": _attributes,
    "capacity": _capacity,
    "allowMultipleAllocations": _allow_multiple_allocations,
}


def device_field(field: str, test_only: bool) -> Closure:
    """Return a closure for a field of `device`. With `test_only` (`has`) it is always true."""
    return (lambda _: True) if test_only else _FIELDS[field]


def selection(operand: Closure, key: str, is_map: bool) -> Closure:
    """Return a closure for `operand.key` or `operand["key"]`. With `is_map` the operand is surely a map."""

    def of_map(frame: Frame) -> Value:
        try:
            return operand(frame)[key]
        except KeyError:
            raise EvaluationError(f"no such key: {key}") from None

    def of_any(frame: Frame) -> Value:
        return at(operand(frame), key)

    return of_map if is_map else of_any


def _fields(value: Value) -> Value:
    """Return a device as a map of its fields, which is needed if `device` is bound to another variable."""
    if type(value) is not DeviceView:
        return value
    return {
        "driver": value.driver,
        "attributes": value.attributes,
        "capacity": value.capacity,
        "allowMultipleAllocations": value.allow_multiple_allocations,
    }


def at(value: Value, key: Value) -> Value:
    """Return `value[key]`; the entry of an optional value is optional too."""
    value = _fields(value)
    return _within(value, key) if type(value) is Optional_ else index(value, key)


def _within(value: Optional_, key: Value) -> Optional_:
    return index_if_present(_fields(value.value), key) if value.present else NONE


def _if_present(value: Value, key: Value) -> Optional_:
    """Return `value[?key]` or `value.?key`."""
    value = _fields(value)
    return _within(value, key) if type(value) is Optional_ else index_if_present(value, key)


def indexing(operand: Closure, key: Closure, optional: bool) -> Closure:
    """Return a closure for `operand[key]`, or for `operand[?key]` if `optional`."""
    find = _if_present if optional else at

    def look_up(frame: Frame) -> Value:
        value = operand(frame)
        # The key of an absent value is not evaluated, as in cel-go.
        return value if value is NONE or value == NONE else find(value, qualifier(key(frame)))

    return look_up


_QUALIFIERS = frozenset({bool, int, UInt, float, str})


def qualifier(key: Value) -> Value:
    """Return the key. Raise EvaluationError for a type that cannot be a key or an index."""
    if type(key) in _QUALIFIERS:
        return key
    raise EvaluationError(f"invalid qualifier type: {type_of(key).name}")


def presence(operand: Closure, field: str) -> Closure:
    """Return a closure for `has(operand.field)`; false for a value without fields."""
    return lambda frame: _if_present(operand(frame), field).present
