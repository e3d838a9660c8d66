"""Lookup of the field in a written object for the path of an API server's field error."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dra_conform.kube.json_values import CheckedJson
from dra_conform.kube.yaml import Path

_NAME = re.compile(r"\.?([^.\[]+)")
_INDEX = re.compile(r"\[(\d+)\]")
_CUT = "..."
"""The abbreviation of the middle of a long key."""

_LEVELS = ("exactly", "basic", "spec")
"""Fields that may be missing in one of path and object, such as `basic`.

Only v1beta1 has `basic`, and v1beta1 has no `exactly`. Some paths of a ResourceClaimTemplate lack the outer
`spec`.
"""


def place_of(path: str, value: CheckedJson) -> Path:
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


def value_at(value: CheckedJson, path: Path) -> CheckedJson:
    """Return the value at a path, None if there is none."""
    try:
        for part in path:
            value = value[part]
    except (KeyError, IndexError, TypeError):
        return None
    return value


def _key(rest: str, value: Mapping[str, CheckedJson]) -> tuple[Path, str] | None:
    """Return the keys for the first step of a path and the rest of the path, None if no key matches."""
    for key in sorted(value, key=len, reverse=True):
        for notation in (f"[{key}]", f".{key}", key):
            after = rest.removeprefix(notation)
            if after != rest and (not after or after[0] in ".[" or notation[0] == "["):
                return (key,), after
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


def _item(rest: str, value: list[CheckedJson]) -> tuple[Path, str] | None:
    index = _INDEX.match(rest)
    if index is None or int(index[1]) >= len(value):
        return None
    return (int(index[1]),), rest[index.end() :]
