"""Field ownership of server-side apply: replaced fields, removed fields, and conflicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.simulation.structured_merge import (
    MergedLists,
    Path,
    fields_of,
    merged,
    with_parents,
    without,
)

Json = Any
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
