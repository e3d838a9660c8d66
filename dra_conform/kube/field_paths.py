"""Fields of a plain API object by the API server's paths: `spec.devices[0].capacity[bw].value`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final

Json = Any

_RANGE = re.compile(r"\[([^\]\[]*?)(\d+)\.\.(\d+)\]")
_PART = re.compile(r"\.?([A-Za-z][A-Za-z0-9]*)|\[([^\]]*)\]")

MAX_PARTS = 100
"""No object is that deep."""

MAX_NUMBERS = 10_000
"""So many fields are written by one path with ranges; no list is that long."""


class _Absent:
    """The value of a field that is not there."""

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()


def parts_of(path: str) -> tuple[str, ...]:
    """The names, indices and keys of a path; raises ValueError for a text that is none."""
    return tuple(part for part, _ in _split(path))


def _split(path: str) -> tuple[tuple[str, bool], ...]:
    """The parts, each with whether it is an index: a number in brackets."""
    found = list(_PART.finditer(path))
    if not path or "".join(one[0] for one in found) != path:
        raise ValueError(f"{path!r} is not a path, expected one such as spec.devices[0].name")
    if len(found) > MAX_PARTS:
        raise ValueError(f"{path[:40]!r}… has {len(found)} parts, expected at most {MAX_PARTS}")
    return tuple((one[1], False) if one[1] is not None else (one[2], one[2].isdecimal()) for one in found)


def field_at(value: Json, path: str) -> Json:
    """The value at a path, ABSENT where there is none; a null field is as good as absent.

    An item of a list is named by its index, or by one of its fields: `conditions[type=Ready].status`.
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
    return next((one for one in items if isinstance(one, Mapping) and one.get(field) == wanted), None)


def with_field(value: Json, path: str, new: Json) -> Json:
    """A copy of a value in which the field at a path is `new`; None takes it away.

    What is missing on the way is made, a list where an index follows; an index just behind a list's end adds
    an item. The path may have ranges, see `each_field`. Raises ValueError where it leads elsewhere.
    """
    for one, item in each_field(path, new):
        value = _with(value, _split(one), item, one)
    return value


def each_field(path: str, new: Json) -> Iterator[tuple[str, Json]]:
    """The fields that a path with ranges names, and what each becomes; the path itself without a range.

    A range means a field for each number: `devices[0..63]`, or `labels[a0..9]` in a map; `#` in the texts of
    `new` is then the number. Raises ValueError for too many.
    """
    fields = prod(max(0, int(last) - int(first) + 1) for _, first, last in _RANGE.findall(path))
    if fields > MAX_NUMBERS:
        raise ValueError(f"{path!r} names {fields} fields, expected at most {MAX_NUMBERS}")
    return _each(path, new)


def _each(path: str, new: Json) -> Iterator[tuple[str, Json]]:
    found = _RANGE.search(path)
    if found is None:
        yield path, new
        return
    before, behind = path[: found.start()], path[found.end() :]
    for number in range(int(found[2]), int(found[3]) + 1):
        yield from _each(f"{before}[{found[1]}{number}]{behind}", _numbered(new, str(number)))


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
        kept = {name: item for name, item in value.items() if name != part or inner is not None}
        return {**kept, part: inner} if inner is not None else kept
    if isinstance(value, (list, tuple)) and part.isdecimal() and int(part) <= len(value):
        at = int(part)
        inner = _with(value[at] if at < len(value) else None, tuple(rest), new, path)
        return [*value[:at], *([] if inner is None else [inner]), *value[at + 1 :]]
    raise ValueError(f"{path!r} leads nowhere at {part!r}, expected a field or the index of an item")
