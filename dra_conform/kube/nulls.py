"""Removal of null fields: null means absent, as in Go.

Nulls stay in untyped fields, such as opaque parameters, and as entries of lists and maps.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import inspect


def without_nulls(value: Any, kind: Any) -> Any:
    """Return the plain value of a type without null fields; the same object if it has none."""
    return _pruned(value, _type_info(kind))


@cache
def _type_info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


@cache
def _fields(struct: type) -> dict[str, inspect.Type]:
    info = _type_info(struct)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: field.type for field in info.fields}


def _pruned(value: Any, info: inspect.Type) -> Any:
    match info:
        case inspect.UnionType(types=types) if value is not None:
            return _pruned(
                value, next(member for member in types if not isinstance(member, inspect.NoneType))
            )
        case inspect.StructType(cls=cls) if isinstance(value, dict):
            fields = _fields(cls)
            pruned = {
                name: _pruned(item, fields[name]) if name in fields else item
                for name, item in value.items()
                if item is not None or name not in fields
            }
        case inspect.DictType(value_type=inner) if isinstance(value, dict):
            pruned = {name: _pruned(item, inner) for name, item in value.items()}
        case inspect.VarTupleType(item_type=inner) if isinstance(value, list | tuple):
            items = [_pruned(item, inner) for item in value]
            return value if _same(items, value) else items
        case _:
            return value
    return value if len(pruned) == len(value) and _same(pruned.values(), value.values()) else pruned


def _same(new: Any, old: Any) -> bool:
    return all(item is previous for item, previous in zip(new, old, strict=True))
