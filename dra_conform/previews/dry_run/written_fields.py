"""Fields of written objects: the field for the path of an API server's field error, and the differences
between a written and a stored object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from dra_conform.kube.json_values import Json
from dra_conform.kube.yaml import Path

_NAME = re.compile(r"\.?([^.\[]+)")
_INDEX = re.compile(r"\[(\d+)\]")
_END = re.compile(r"[.\[\]]|\Z")
"""The character after a key in a path, or the end of the path."""

_MOST_ENDS = 500
"""The largest number of _END in the path of a field; no path of a valid object has so many."""

_CUT = "..."
"""The abbreviation of the middle of a long key."""

_LEVELS = ("exactly", "basic", "spec")
"""Fields that may be missing in one of path and object, such as `basic`.

Only v1beta1 has `basic`, and v1beta1 has no `exactly`. Some paths of a ResourceClaimTemplate lack the outer
`spec`.
"""


def place_of(path: str, value: Json) -> Path:
    """Return the path in a value for the path of a field error, or that of its nearest existing parent.

    A map key may be in brackets or after a dot, and contain dots and slashes itself.
    """
    place: tuple[str | int, ...] = ()
    rest = path
    while rest:
        if isinstance(value, Mapping):
            step = _key(rest, value)
        elif isinstance(value, list):
            step = _item(rest, value)
        else:
            break
        if step is None:
            break
        keys, rest = step
        for key in keys:
            value = value[key]
        place = (*place, *keys)
    return place


def value_at(value: Json, path: Path) -> Json:
    """Return the value at a path, None if there is none."""
    try:
        for part in path:
            value = value[part]
    except (KeyError, IndexError, TypeError):
        return None
    return value


def _key(rest: str, value: Mapping[str, Json]) -> tuple[Path, str] | None:
    """Return the keys for the first step of a path and the rest of the path, None if no key matches."""
    for key, length in _possible_keys(rest):
        if key in value:
            return (key,), rest[length:]
    if rest.startswith("[") and _CUT in rest:
        start, _, end = rest[1:].partition("]")[0].partition(_CUT)
        for key in value:
            if key.startswith(start) and key.endswith(end):
                return (key,), rest.partition("]")[2]
    for level in _LEVELS:
        inner = value.get(level)
        if isinstance(inner, Mapping) and (inner_step := _key(rest, inner)) is not None:
            return (level, *inner_step[0]), inner_step[1]
    name = _NAME.match(rest)
    if name and name[1] in _LEVELS:
        return _key(rest[name.end() :], value) if rest[name.end() :] else None
    return None


def _possible_keys(rest: str) -> Iterator[tuple[str, int]]:
    """Yield what a path can begin with as a key, the longest first, each with its length in the path."""
    ends = [match.start() for match in islice(_END.finditer(rest), _MOST_ENDS + 1)]
    for end in reversed(ends) if len(ends) <= _MOST_ENDS else ():
        if rest[end : end + 1] == "]":
            if rest[0] == "[":
                yield rest[1:end], end + 1
        elif end:
            yield rest[:end], end
            if rest[0] == ".":
                yield rest[1:end], end


def _item(rest: str, value: list[Json]) -> tuple[Path, str] | None:
    index = _INDEX.match(rest)
    if index is None or int(index[1]) >= len(value):
        return None
    return (int(index[1]),), rest[index.end() :]


class Change(StrEnum):
    """How a stored field differs from the written field."""

    ADDED = "added"
    DROPPED = "dropped"
    CHANGED = "changed"
    REMOVED = "removed"
    """The stored object has the field, and its update does not."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that is not stored as written; `written` or `stored` is None if the field is absent there.

    A removed field has its earlier value as `stored`. `gates` are the disabled gates that drop it. `reason`
    is another reason, empty if unknown.
    """

    change: Change
    path: Path
    written: Json = None
    stored: Json = None
    gates: tuple[str, ...] = ()
    reason: str = ""


def field_changes(written: Json, stored: Json, path: Path = ()) -> Iterator[FieldChange]:
    """Yield every field that differs, in the written order, then the added fields.

    A written field with a zero value (null, empty, zero, false) does not count as dropped. A number that is
    stored as a string does not count as changed.
    """
    if written == stored:
        return
    if isinstance(written, Mapping) and isinstance(stored, Mapping):
        for name, value in written.items():
            if name in stored:
                yield from field_changes(value, stored[name], (*path, name))
            elif not _is_zero(value):
                yield FieldChange(Change.DROPPED, (*path, name), value)
        for name, value in stored.items():
            if name not in written and not _is_zero(value):
                yield FieldChange(Change.ADDED, (*path, name), stored=value)
    elif isinstance(written, list) and isinstance(stored, list):
        for index, value in enumerate(written):
            place = (*path, index)
            if index < len(stored):
                yield from field_changes(value, stored[index], place)
            else:
                yield FieldChange(Change.DROPPED, place, value)
        for index in range(len(written), len(stored)):
            yield FieldChange(Change.ADDED, (*path, index), stored=stored[index])
    elif _is_zero(written) and not _is_zero(stored):
        yield FieldChange(Change.ADDED, path, stored=stored)
    elif not _same(written, stored):
        yield FieldChange(Change.CHANGED, path, written, stored)


_NOT_WRITTEN = ("managedFields", "resourceVersion", "selfLink")
"""The metadata that only an API server writes."""


def removed_fields(old: Json, written: Json, stored: Json, path: Path = ()) -> Iterator[FieldChange]:
    """Yield the fields of the stored object `old` that are neither written nor stored by its update.

    Items of lists are paired by their names. Lists of other items are not compared: these may have moved.
    """
    if isinstance(old, Mapping) and isinstance(stored, Mapping):
        for name, value in old.items():
            new = value_at(written, (name,))
            if name in stored:
                yield from removed_fields(value, new, stored[name], (*path, name))
            elif new is None and not _is_zero(value) and not (path == ("metadata",) and name in _NOT_WRITTEN):
                yield FieldChange(Change.REMOVED, (*path, name), stored=value)
        return
    before, after, new_items = (_by_name(items) for items in (old, stored, written))
    for name, index in before.items() if after else ():
        if name in after:
            new = written[new_items[name]] if name in new_items else None
            yield from removed_fields(old[index], new, stored[after[name]], (*path, after[name]))
        else:
            yield FieldChange(Change.REMOVED, (*path, index), stored=old[index])


def _by_name(items: Json) -> dict[str, int]:
    """Return the index of each item of a list by its name, empty unless all items have different names."""
    if not isinstance(items, list):
        return {}
    names = [item.get("name") for item in items if isinstance(item, Mapping)]
    known = {name: index for index, name in enumerate(names) if isinstance(name, str)}
    return known if len(known) == len(items) else {}


def _is_zero(value: Json) -> bool:
    if isinstance(value, Mapping):
        return all(map(_is_zero, value.values()))
    return value in (None, "", 0, []) and not isinstance(value, float)


def _same(written: Json, stored: Json) -> bool:
    if isinstance(stored, str) and isinstance(written, int | float) and not isinstance(written, bool):
        return str(written) == stored
    return bool(written == stored) or (_is_zero(written) and _is_zero(stored))
