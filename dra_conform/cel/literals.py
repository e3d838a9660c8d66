"""List and map literals as closures."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.cel.cost import Closure, Frame
from dra_conform.cel.errors import EvaluationError
from dra_conform.cel.operators import spoken
from dra_conform.cel.values import Optional_, UInt, Value, type_of


def _optional(value: Value, where: str) -> Optional_:
    if type(value) is Optional_:
        return value
    raise EvaluationError(f"cannot initialize optional {where} from non-optional value {spoken(value)}")


def list_of_closures(items: Sequence[Closure], optional: frozenset[int]) -> Closure:
    """A list; an optional element that is absent leaves no gap."""
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


_KEYS = frozenset({bool, int, UInt, str})


def map_of_closures(entries: Sequence[tuple[Closure, Closure, bool]]) -> Closure:
    """A map. Raises EvaluationError for a repeated key and for keys of other types than the four allowed."""

    def build(frame: Frame) -> Value:
        values: dict[Value, Value] = {}
        for key_of, value_of, optional in entries:
            key, value = key_of(frame), value_of(frame)
            if type(key) not in _KEYS:
                raise EvaluationError(f"unsupported key type: {type_of(key).name}")
            if key in values:
                raise EvaluationError(f"Failed with repeated key: {spoken(key)}")
            if optional:
                value = _optional(value, "entry")
                if not value.present:
                    continue
                value = value.value
            values[key] = value
        return values

    return build
