"""Server-side apply: the merge of applied fields, and their managers.

A path consists of strings for fields and map keys, and of tuples for list items. The tuple of a list item
has the names and values of its keys.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches

Path = tuple[str | tuple[Any, ...], ...]
MergedLists = Mapping[str, tuple[str, ...]]
"""The keys of the items of each list that is merged, none for a set; all other lists are atomic."""

_SET: tuple[str, ...] = ()
_BY_NAME = ("name",)
_NODE_ALLOCATABLE = "status.nodeAllocatableResourceClaimStatuses"

_LISTS: MergedLists = {
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
    "status.reservedFor": ("uid",),
    "status.resourceClaimStatuses": _BY_NAME,
}
"""The lists that every API server merges."""

_CLAIM_STATUSES: MergedLists = {
    _NODE_ALLOCATABLE: ("resourceClaimName",),
    f"{_NODE_ALLOCATABLE}[].containers": _SET,
    f"{_NODE_ALLOCATABLE}[].mapping": _BY_NAME,
    f"{_NODE_ALLOCATABLE}[].overhead": _BY_NAME,
}
"""The further lists of API servers that merge nodeAllocatableResourceClaimStatuses."""

_ATOMIC = frozenset(
    {
        "metadata.ownerReferences[]",
        "spec.nodeSelector",
        "spec.scopeSelector",
        "status.allocation.nodeSelector",
    }
)
"""Atomic structs and maps, which are replaced as a whole."""


def merged_lists(profile: Profile) -> MergedLists:
    """Return the lists that the API server of a profile merges."""
    switches = ApiServerSwitches.of(profile)
    return {**_LISTS, **_CLAIM_STATUSES} if switches.claim_statuses_merged else _LISTS


def fields_of(
    value: Json, lists: MergedLists, path: Path = (), place: str = ""
) -> Iterator[tuple[Path, Json]]:
    """Yield every field with its value; an item of a merged list is also a field, with value None."""
    if isinstance(value, Mapping) and value and place not in _ATOMIC:
        for name, item in value.items():
            if item is not None:
                yield from fields_of(item, lists, (*path, name), f"{place}.{name}" if place else name)
    elif isinstance(value, list) and place in lists:
        for key, item in _items(value, lists[place]):
            if f"{place}[]" in _ATOMIC or lists[place] == _SET:
                yield (*path, key), item
            else:
                yield (*path, key), None
                yield from fields_of(item, lists, (*path, key), f"{place}[]")
    else:
        yield path, value


def merged(live: Json, applied: Json, lists: MergedLists, place: str = "") -> Json:
    """Return the live value with the applied fields merged into it."""
    if isinstance(live, Mapping) and isinstance(applied, Mapping) and place not in _ATOMIC:
        result = {
            name: merged(live.get(name), item, lists, f"{place}.{name}" if place else name)
            for name, item in applied.items()
            if item is not None
        }
        return {**live, **result}
    if isinstance(live, list) and isinstance(applied, list) and place in lists:
        existing = dict(_items(live, lists[place]))
        result = {
            key: merged(existing.get(key), item, lists, f"{place}[]")
            for key, item in _items(applied, lists[place])
        }
        return list({**existing, **result}.values())
    return applied


def without(
    value: Json, removed: Collection[Path], lists: MergedLists, path: Path = (), place: str = ""
) -> Json:
    """Return the value without the fields and items at these paths."""
    if isinstance(value, Mapping) and place not in _ATOMIC:
        return {
            name: without(item, removed, lists, (*path, name), f"{place}.{name}" if place else name)
            for name, item in value.items()
            if (*path, name) not in removed
        }
    if isinstance(value, list) and place in lists:
        return [
            without(item, removed, lists, (*path, key), f"{place}[]")
            for key, item in _items(value, lists[place])
            if (*path, key) not in removed
        ]
    return value


def with_parents(paths: Iterable[Path]) -> set[Path]:
    """Return the paths and all their parents."""
    return {path[:length] for path in paths for length in range(1, len(path) + 1)}


def _items(values: Iterable[Json], keys: tuple[str, ...]) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """Yield the items of a list that is merged by these keys, with their path elements."""
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
    def before_apply(cls, live: Json, dropped: frozenset[Path], lists: MergedLists) -> FieldManagers:
        """Return the managers of an object without any apply: creates and updates own all fields.

        They also own the `dropped` fields of disabled features, since ownership is recorded before the drop.
        """
        return cls({_WITHOUT_APPLY: frozenset(_content(live, lists)) | dropped})

    @classmethod
    def of_new(cls, applied: Json, manager: str, lists: MergedLists) -> FieldManagers:
        """Return the managers of an object that a manager creates by apply."""
        return cls({(manager, ""): frozenset(_owned(applied, "", lists))})

    def apply(
        self, live: Json, applied: Json, manager: Manager, lists: MergedLists, *, force: bool
    ) -> tuple[Json, FieldManagers]:
        """Return the object after an apply, and its field managers.

        A field that the manager applied before and leaves out now is removed unless another manager owns it.
        Raises FieldConflict if another manager owns a field with another value, unless `force` is set.
        """
        applied_fields = _owned(applied, manager[1], lists).keys()
        result = merged(live, _part(applied, manager[1]), lists)
        changed = _changed(_content(live, lists), _content(result, lists))
        others = {other: paths for other, paths in self.owned.items() if other != manager}
        conflicts = [
            (other, path) for other, paths in others.items() for path in sorted(paths & changed, key=str)
        ]
        if conflicts and not force:
            raise FieldConflict(conflicts)
        others = {other: paths - changed for other, paths in others.items()}
        dropped = self.owned.get(manager, frozenset()) - applied_fields
        kept = with_parents(applied_fields).union(*map(with_parents, others.values()))
        content = without(result, with_parents(dropped) - kept - _NEVER_REMOVED, lists)
        return content, FieldManagers({**others, manager: frozenset(applied_fields)})

    def update(self, old: Json, new: Json, dropped: frozenset[Path], lists: MergedLists) -> FieldManagers:
        """Return the managers after a write without apply, which owns the changed fields."""
        before, after = _content(old, lists), _content(new, lists)
        changed = _changed(before, after) | dropped
        removed = before.keys() - after.keys()
        kept = {manager: paths - removed - changed for manager, paths in self.owned.items()}
        written = kept.get(_WITHOUT_APPLY, frozenset()) | changed
        return FieldManagers({**kept, _WITHOUT_APPLY: written})


def dropped_fields(written: Json, stored: Json, lists: MergedLists) -> frozenset[Path]:
    """Return the fields of a written object that are not stored."""
    return frozenset(_owned(written, "", lists).keys() - _owned(stored, "", lists).keys())


def _owned(applied: Json, subresource: str, lists: MergedLists) -> dict[Path, Json]:
    return dict(fields_of(_part(applied, subresource), lists))


def _content(live: Json, lists: MergedLists) -> dict[Path, Json]:
    """Return all fields of an object; API servers set the metadata of a ResourceClaimTemplate even if
    empty."""
    if live.get("kind") == "ResourceClaimTemplate":
        live = {**live, "spec": {"metadata": {}, **live["spec"]}}
    return {**_owned(live, "", lists), **_owned(live, "status", lists)}


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
