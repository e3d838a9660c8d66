"""List and map literals, compiled to closures."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.cel.evaluation.cost import Closure, Frame
from dra_conform.cel.functions.indexing import displayed
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.equality import hashed
from dra_conform.cel.values.value import Duration, Optional_, Timestamp, UInt, Value, type_of


def _optional(value: Value, where: str) -> Optional_:
    if type(value) is Optional_:
        return value
    raise EvaluationError(f"cannot initialize optional {where} from non-optional value {displayed(value)}")


def list_of_closures(items: Sequence[Closure], optional: frozenset[int]) -> Closure:
    """Return a closure that builds a list. An absent optional element is omitted."""
    if not optional:
        return lambda frame: tuple([item(frame) for item in items])

    def build(frame: Frame) -> Value:
        values: list[Value] = []
        for position, item in enumerate(items):
            value = item(frame)
            if position in optional:
                value = _optional(value, "list element")
                if not value.present:
                    continue
                value = value.value
            values.append(value)
        return tuple(values)

    return build


_KEYS = frozenset({bool, int, UInt, float, str, type(None), Duration, Timestamp})


def map_of_closures(entries: Sequence[tuple[Closure, Closure, bool]]) -> Closure:
    """Return a closure that builds a map. If keys are equal, the last entry is kept.

    The closure raises EvaluationError for an unsupported key type, and for keys of different types that
    Python treats as one key.
    """

    def build(frame: Frame) -> Value:
        values: dict[Value, Value] = {}
        for key_of, value_of, optional in entries:
            key, value = key_of(frame), value_of(frame)
            if type(key) not in _KEYS:
                raise EvaluationError(f"unsupported key type: {type_of(hashed(key)).name}")
            if key in values and not any(type(k) is type(key) and k == key for k in values):
                raise EvaluationError(f"keys of different types: {displayed(key)}")
            if optional:
                value = _optional(value, "entry")
                if not value.present:
                    values.pop(key, None)
                    continue
                value = value.value
            values[key] = value
        return values

    return build
