"""The place in the written object that the path of a field error means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dra_conform.kube.yaml import Path

Json = Any

_NAME = re.compile(r"\.?([^.\[]+)")
_INDEX = re.compile(r"\[(\d+)\]")
_CUT = "..."
"""Stands for the middle of a key that is too long to be shown."""

_LEVELS = ("exactly", "basic", "spec")
"""Levels that a path and an object may differ in: v1beta1 has `basic` where v1 has nothing, and nothing where
v1 has `exactly`; and of a template admission gives some paths as of a claim."""


def place_of(path: str, value: Json) -> Path:
    """The place in a value that a path of the API server means, or the nearest one above it that exists.

    Keys of maps may stand in brackets or behind a dot, and hold dots and slashes themselves.
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
    """The value at a place, None where there is none."""
    try:
        for part in path:
            value = value[part]
    except (KeyError, IndexError, TypeError):
        return None
    return value


def _key(rest: str, value: Mapping[str, Json]) -> tuple[Path, str] | None:
    """The keys to follow, and what is left of the path."""
    for key in sorted(value, key=len, reverse=True):
        for shown in (f"[{key}]", f".{key}", key):
            after = rest.removeprefix(shown)
            if after != rest and (not after or after[0] in ".[" or shown[0] == "["):
                return (key,), after
    if rest.startswith("[") and _CUT in rest:
        start, _, end = rest[1:].partition("]")[0].partition(_CUT)
        for key in value:
            if key.startswith(start) and key.endswith(end):
                return (key,), rest.partition("]")[2]
    for level in _LEVELS:
        inner = value.get(level)
        if isinstance(inner, Mapping) and (found := _key(rest, inner)) is not None:
            return (level, *found[0]), found[1]
    name = _NAME.match(rest)
    if name and name[1] in _LEVELS:
        return _key(rest[name.end() :], value) if rest[name.end() :] else None
    return None


def _item(rest: str, value: list[Json]) -> tuple[Path, str] | None:
    found = _INDEX.match(rest)
    if found is None or int(found[1]) >= len(value):
        return None
    return (int(found[1]),), rest[found.end() :]
