"""Server-side apply of v1 objects: structured merge, and the ownership of fields.

Replaced fields, removed fields and conflicts follow from the owners of fields. A path consists of
strings for
fields and map keys, and of tuples for list items. The tuple of a list item has the names and values of
its
keys, that of a set item its value. A list or struct that the API types declare atomic is one field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = Any
Path = tuple[str | tuple[Any, ...], ...]

_SET: tuple[str, ...] = ()
_BY_NAME = ("name",)
_NODE_ALLOCATABLE = "status.nodeAllocatableResourceClaimStatuses"

_LISTS: Mapping[str, tuple[str, ...]] = {
    "metadata.finalizers": _SET,
    "metadata.ownerReferences": ("uid",),
    "spec.containers": _BY_NAME,
    "spec.containers[].resources.claims": _BY_NAME,
    "spec.initContainers": _BY_NAME,
    "spec.initContainers[].resources.claims": _BY_NAME,
    "spec.resourceClaims": _BY_NAME,
    "spec.resources.claims": _BY_NAME,
    "spec.schedulingGates": _BY_NAME,
    "spec.skipNodeOperations": _SET,
    "status.conditions": ("type",),
    "status.devices": ("driver", "device", "pool", "shareID"),
    "status.devices[].conditions": ("type",),
    _NODE_ALLOCATABLE: ("resourceClaimName",),
    f"{_NODE_ALLOCATABLE}[].containers": _SET,
    f"{_NODE_ALLOCATABLE}[].mapping": _BY_NAME,
    f"{_NODE_ALLOCATABLE}[].overhead": _BY_NAME,
    "status.reservedFor": ("uid",),
    "status.resourceClaimStatuses": _BY_NAME,
}
"""The lists that are merged, with the keys of their items (none for sets); all other lists are atomic."""

_ATOMIC = frozenset(
    {
        "metadata.ownerReferences[]",
        "spec.nodeSelector",
        "spec.scopeSelector",
        "status.allocation.nodeSelector",
    }
)
"""Atomic structs and maps, which are replaced as a whole."""


def _fields_of(value: Json, path: Path = (), place: str = "") -> Iterator[tuple[Path, Json]]:
    """Yield every field with its value; an item of a merged list is also a field, with value None."""
    if isinstance(value, Mapping) and value and place not in _ATOMIC:
        for name, item in value.items():
            if item is not None:
                yield from _fields_of(item, (*path, name), f"{place}.{name}" if place else name)
    elif isinstance(value, list) and place in _LISTS:
        for key, item in _items(value, place):
            if f"{place}[]" in _ATOMIC or _LISTS[place] == _SET:
                yield (*path, key), item
            else:
                yield (*path, key), None
                yield from _fields_of(item, (*path, key), f"{place}[]")
    else:
        yield path, value


def _merged(live: Json, applied: Json, place: str = "") -> Json:
    """Return the live value with the applied fields merged into it."""
    if isinstance(live, Mapping) and isinstance(applied, Mapping) and place not in _ATOMIC:
        result = {
            name: _merged(live.get(name), item, f"{place}.{name}" if place else name)
            for name, item in applied.items()
            if item is not None
        }
        return {**live, **result}
    if isinstance(live, list) and isinstance(applied, list) and place in _LISTS:
        existing = dict(_items(live, place))
        result = {key: _merged(existing.get(key), item, f"{place}[]") for key, item in _items(applied, place)}
        return list({**existing, **result}.values())
    return applied


def without(value: Json, removed: Collection[Path], path: Path = (), place: str = "") -> Json:
    """Return the value without the fields and items at these paths."""
    if isinstance(value, Mapping) and place not in _ATOMIC:
        return {
            name: without(item, removed, (*path, name), f"{place}.{name}" if place else name)
            for name, item in value.items()
            if (*path, name) not in removed
        }
    if isinstance(value, list) and place in _LISTS:
        return [
            without(item, removed, (*path, key), f"{place}[]")
            for key, item in _items(value, place)
            if (*path, key) not in removed
        ]
    return value


def _with_parents(paths: Iterable[Path]) -> set[Path]:
    """Return the paths and all their parents."""
    return {path[:length] for path in paths for length in range(1, len(path) + 1)}


def _items(values: Iterable[Json], place: str) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """Yield the items of a merged list with their path elements."""
    keys = _LISTS[place]
    for item in values:
        fields = item if isinstance(item, Mapping) else {}
        yield tuple((name, fields.get(name)) for name in keys) if keys else ("", item), item


Manager = tuple[str, str]
"""The name of a field manager and the subresource that it applies to."""

_NOT_OWNED = frozenset({"apiVersion", "kind"})
_NEVER_REMOVED: frozenset[Path] = frozenset({("metadata",), ("spec",)})
"""Fields that stay even if no manager owns a field within them."""
_OWNED_METADATA = ("annotations", "finalizers", "labels", "ownerReferences")
_WITHOUT_APPLY: Manager = ("", "")
"""The single field manager of all creates and updates, which never give up a field."""


class FieldConflict(Exception):  # noqa: N818 - it reads as what happened
    """A manager applies different values to fields that other managers own."""

    def __init__(self, conflicts: list[tuple[Manager, Path]]) -> None:
        listed = "; ".join(
            f'conflict with "{manager or "update"}": {_format(path)}' for (manager, _), path in conflicts
        )
        super().__init__(f"Apply failed with {len(conflicts)} conflict(s): {listed}")


@dataclass(frozen=True, slots=True)
class FieldManagers:
    """The field managers of one object with the fields that each owns."""

    owned: Mapping[Manager, frozenset[Path]]

    @classmethod
    def before_apply(cls, live: Json, dropped: frozenset[Path]) -> FieldManagers:
        """Return the managers of an object without any apply: creates and updates own all fields.

        They also own the `dropped` fields of disabled features, since ownership is recorded before the drop.
        """
        return cls({_WITHOUT_APPLY: frozenset(_content(live)) | dropped})

    @classmethod
    def of_new(cls, applied: Json, manager: str) -> FieldManagers:
        """Return the managers of an object that a manager creates by apply."""
        return cls({(manager, ""): frozenset(_owned(applied, ""))})

    def apply(
        self, live: Json, applied: Json, manager: Manager, *, force: bool
    ) -> tuple[Json, FieldManagers]:
        """Return the object after an apply, and its field managers.

        A field that the manager applied before and leaves out now is removed unless another manager owns it.
        Raises FieldConflict if another manager owns a field with another value, unless `force` is set.
        """
        applied_fields = _owned(applied, manager[1]).keys()
        result = _merged(live, _part(applied, manager[1]))
        changed = _changed(_content(live), _content(result))
        others = {other: paths for other, paths in self.owned.items() if other != manager}
        conflicts = [
            (other, path) for other, paths in others.items() for path in sorted(paths & changed, key=str)
        ]
        if conflicts and not force:
            raise FieldConflict(conflicts)
        others = {other: paths - changed for other, paths in others.items()}
        dropped = self.owned.get(manager, frozenset()) - applied_fields
        kept = _with_parents(applied_fields).union(*map(_with_parents, others.values()))
        content = without(result, _with_parents(dropped) - kept - _NEVER_REMOVED)
        return content, FieldManagers({**others, manager: frozenset(applied_fields)})

    def update(self, old: Json, new: Json, dropped: frozenset[Path]) -> FieldManagers:
        """Return the managers after a write without apply, which owns the changed fields."""
        before, after = _content(old), _content(new)
        changed = _changed(before, after) | dropped
        removed = before.keys() - after.keys()
        kept = {manager: paths - removed - changed for manager, paths in self.owned.items()}
        written = kept.get(_WITHOUT_APPLY, frozenset()) | changed
        return FieldManagers({**kept, _WITHOUT_APPLY: written})


def dropped_fields(written: Json, stored: Json) -> frozenset[Path]:
    """Return the fields of a written object that are not stored."""
    return frozenset(_owned(written, "").keys() - _owned(stored, "").keys())


def _owned(applied: Json, subresource: str) -> dict[Path, Json]:
    return dict(_fields_of(_part(applied, subresource)))


def _content(live: Json) -> dict[Path, Json]:
    """Return all fields of an object, including the empty metadata that the API server adds to templates."""
    if live.get("kind") == "ResourceClaimTemplate":
        live = {**live, "spec": {"metadata": {}, **live["spec"]}}
    return {**_owned(live, ""), **_owned(live, "status")}


def _changed(before: Mapping[Path, Json], after: Mapping[Path, Json]) -> frozenset[Path]:
    """Return the fields that are new or have a different value."""
    return frozenset(path for path, value in after.items() if path not in before or before[path] != value)


def _part(raw: Json, subresource: str) -> dict[str, Json]:
    """Return the fields that an endpoint writes: the status, or all other fields that clients can set."""
    if subresource:
        return {subresource: raw[subresource]} if subresource in raw else {}
    metadata = {name: raw["metadata"][name] for name in _OWNED_METADATA if name in raw["metadata"]}
    rest = {name: value for name, value in raw.items() if name not in (*_NOT_OWNED, "metadata", "status")}
    return {**({"metadata": metadata} if metadata else {}), **rest}


def _format(path: Path) -> str:
    return "".join(f".{part}" if isinstance(part, str) else f"[{part}]" for part in path)
