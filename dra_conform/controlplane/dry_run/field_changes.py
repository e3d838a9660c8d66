"""The differences between a written and a stored object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from dra_conform.kube.json_values import CheckedJson
from dra_conform.kube.yaml import Path


class Change(StrEnum):
    """How a stored field differs from the written field."""

    ADDED = "added"
    DROPPED = "dropped"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that is not stored as written; `written` or `stored` is None if the field is absent there.

    `gates` are the disabled gates that drop it. `reason` is another reason, empty if unknown.
    """

    change: Change
    path: Path
    written: CheckedJson = None
    stored: CheckedJson = None
    gates: tuple[str, ...] = ()
    reason: str = ""


def field_changes(written: CheckedJson, stored: CheckedJson, path: Path = ()) -> Iterator[FieldChange]:
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


def _is_zero(value: CheckedJson) -> bool:
    if isinstance(value, Mapping):
        return all(map(_is_zero, value.values()))
    return value in (None, "", 0, []) and not isinstance(value, float)


def _same(written: CheckedJson, stored: CheckedJson) -> bool:
    if isinstance(stored, str) and isinstance(written, int | float) and not isinstance(written, bool):
        return str(written) == stored
    return bool(written == stored) or (_is_zero(written) and _is_zero(stored))
