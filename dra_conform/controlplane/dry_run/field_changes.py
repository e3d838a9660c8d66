"""The differences between a written and a stored object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dra_conform.kube.yaml import Path

Json = Any


class Change(StrEnum):
    """What became of a field between writing and storing."""

    ADDED = "added"
    DROPPED = "dropped"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field that is not stored as it was written; `written` or `stored` is None where it is not there.

    `gates`: those that are off and therefore drop it. `reason`: other reasons, in words; often there is none.
    """

    change: Change
    path: Path
    written: Json = None
    stored: Json = None
    gates: tuple[str, ...] = ()
    reason: str = ""


def field_changes(written: Json, stored: Json, path: Path = ()) -> Iterator[FieldChange]:
    """Every field that differs, in the order written, those that were added after it.

    A field that is as good as absent (null, empty, zero, false) is not said to be dropped, and neither are
    numbers said to be changed that are stored as text.
    """
    if written == stored:
        return
    if isinstance(written, Mapping) and isinstance(stored, Mapping):
        for name, value in written.items():
            if name in stored:
                yield from field_changes(value, stored[name], (*path, name))
            elif not _is_nothing(value):
                yield FieldChange(Change.DROPPED, (*path, name), value)
        for name, value in stored.items():
            if name not in written and not _is_nothing(value):
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
    elif _is_nothing(written) and not _is_nothing(stored):
        yield FieldChange(Change.ADDED, path, stored=stored)
    elif not _same(written, stored):
        yield FieldChange(Change.CHANGED, path, written, stored)


def _is_nothing(value: Json) -> bool:
    if isinstance(value, Mapping):
        return all(map(_is_nothing, value.values()))
    return value in (None, "", 0, []) and not isinstance(value, float)


def _same(written: Json, stored: Json) -> bool:
    if isinstance(stored, str) and isinstance(written, int | float) and not isinstance(written, bool):
        return str(written) == stored
    return bool(written == stored) or (_is_nothing(written) and _is_nothing(stored))
