"""Fields of plain API objects by paths of the API server: `spec.devices[0].capacity[bw].value`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from math import prod
from typing import Final

from dra_conform.kube.json_values import Json

_RANGE = re.compile(r"\[([^\]\[]*?)(\d+)\.\.(\d+)\]")
_PART = re.compile(r"\.?([A-Za-z][A-Za-z0-9]*)|\[([^\]]*)\]")

MAX_PARTS = 100
"""The largest number of parts of a path; no API object is nested deeper."""

MAX_FIELDS = 10_000
"""The largest number of fields that one path with ranges can set."""


class Marker(Enum):
    """A value that no field of an object can have, shown by its words."""

    def __str__(self) -> str:
        return str(self.value)

    __repr__ = __str__


class _Absent(Marker):
    """The type of ABSENT, the value of a field that does not exist."""

    ABSENT = "absent"


ABSENT: Final = _Absent.ABSENT


@lru_cache(maxsize=4096)
def parts_of(path: str) -> tuple[str, ...]:
    """Return the names, indices and keys of a path; raises ValueError for a malformed path."""
    return tuple(part for part, _ in _split(path))


def _split(path: str) -> tuple[tuple[str, bool], ...]:
    """Return the parts, each with whether it is an index, which is a number in brackets."""
    matches = list(_PART.finditer(path))
    if not path or "".join(match[0] for match in matches) != path:
        raise ValueError(f"{path!r} is not a path, expected a path such as spec.devices[0].name")
    if len(matches) > MAX_PARTS:
        raise ValueError(f"{path[:40]!r}… has {len(matches)} parts, expected at most {MAX_PARTS}")
    return tuple(
        (match[1], False) if match[1] is not None else (match[2], match[2].isdecimal()) for match in matches
    )


def field_at(value: Json, path: str) -> Json:
    """Return the value at a path, ABSENT if the field does not exist or is null.

    A path selects an item of a list by its index or by a field: `conditions[type=Ready].status`.
    """
    for part in parts_of(path):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, (list, tuple)) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, (list, tuple)) and "=" in part:
            value = _item_with(value, *part.split("=", 1))
        else:
            return ABSENT
    return ABSENT if value is None else value


def _item_with(items: Sequence[Json], field: str, wanted: str) -> Json:
    return next((item for item in items if isinstance(item, Mapping) and item.get(field) == wanted), None)


def with_field(value: Json, path: str, new: Json) -> Json:
    """Return a copy of a value with the field at a path set to `new`; None removes the field.

    Missing parents are created: a list if an index follows, otherwise a map. The first index after the end of
    a list appends an item. The path may have ranges, see `each_field`. Raises ValueError for a path that does
    not fit the value.
    """
    for field, item in each_field(path, new):
        value = _with(value, _split(field), item, field)
    return value


def each_field(path: str, new: Json) -> Iterator[tuple[str, Json]]:
    """Return the path of each field that a path with ranges selects, with its new value.

    A range selects a field for each number: `devices[0..63]`, or `labels[a0..9]` in a map. In the strings of
    `new`, `#` is replaced by the number. A path without ranges is returned as it is. Raises ValueError for
    more than MAX_FIELDS fields.
    """
    fields = prod(max(0, int(last) - int(first) + 1) for _, first, last in _RANGE.findall(path))
    if fields > MAX_FIELDS:
        raise ValueError(f"{path!r} names {fields} fields, expected at most {MAX_FIELDS}")
    return _each(path, new)


def _each(path: str, new: Json) -> Iterator[tuple[str, Json]]:
    match = _RANGE.search(path)
    if match is None:
        yield path, new
        return
    before, after = path[: match.start()], path[match.end() :]
    for number in range(int(match[2]), int(match[3]) + 1):
        yield from _each(f"{before}[{match[1]}{number}]{after}", _numbered(new, str(number)))


def _numbered(value: Json, number: str) -> Json:
    if isinstance(value, Mapping):
        return {name: _numbered(item, number) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_numbered(item, number) for item in value]
    return value.replace("#", number) if isinstance(value, str) else value


def _with(value: Json, parts: tuple[tuple[str, bool], ...], new: Json, path: str) -> Json:
    if not parts:
        return new
    (part, index), *rest = parts
    if value is None and new is None:
        return None
    if value is None:
        value = [] if index else {}
    if isinstance(value, Mapping):
        inner = _with(value.get(part), tuple(rest), new, path)
        fields = {name: item for name, item in value.items() if name != part or inner is not None}
        return {**fields, part: inner} if inner is not None else fields
    if isinstance(value, (list, tuple)) and part.isdecimal() and int(part) <= len(value):
        at = int(part)
        inner = _with(value[at] if at < len(value) else None, tuple(rest), new, path)
        return [*value[:at], *([] if inner is None else [inner]), *value[at + 1 :]]
    raise ValueError(f"{path!r} does not exist at {part!r}, expected a field or the index of an item")
