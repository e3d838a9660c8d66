"""Field ownership: what server-side apply replaces, removes, and reports as a conflict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.simulation.structured_merge import (
    Path,
    fields_of,
    merged,
    with_parents,
    without,
)

Json = Any
Manager = tuple[str, str]
"""The name of a manager and the subresource that it applies to."""

_NOT_OWNED = frozenset({"apiVersion", "kind"})
_ALWAYS_THERE: frozenset[Path] = frozenset({("metadata",), ("spec",)})
"""What an object has whoever owns something in it."""
_OWNED_METADATA = ("annotations", "finalizers", "labels", "ownerReferences")
_WITHOUT_APPLY: Manager = ("", "")
"""All who create and update. They never give a field back, so that they count as one manager."""


class FieldConflict(Exception):  # noqa: N818 - it reads as what happened
    """Others own fields that a manager applies with another value."""

    def __init__(self, conflicts: list[tuple[Manager, Path]]) -> None:
        listed = "; ".join(
            f'conflict with "{who or "update"}": {_shown(path)}' for (who, _), path in conflicts
        )
        super().__init__(f"Apply failed with {len(conflicts)} conflict(s): {listed}")


@dataclass(frozen=True, slots=True)
class FieldManagers:
    """The managers of one object with the fields that each owns."""

    owned: Mapping[Manager, frozenset[Path]]

    @classmethod
    def before_apply(cls, live: Json, dropped: frozenset[Path]) -> FieldManagers:
        """Those of an object that nobody has applied to yet: who wrote it owns all of it.

        So it is with fields that were `dropped` as disabled, since owners are noted before.
        """
        return cls({_WITHOUT_APPLY: frozenset(_content(live)) | dropped})

    @classmethod
    def of_new(cls, applied: Json, manager: str) -> FieldManagers:
        """Those of an object that a manager makes by applying it."""
        return cls({(manager, ""): frozenset(_owned(applied, ""))})

    def apply(
        self, live: Json, applied: Json, manager: Manager, *, force: bool
    ) -> tuple[Json, FieldManagers]:
        """What is there after a manager has applied its fields, and who owns what then.

        A field that the manager applied before and leaves out now is gone, unless somebody else owns it.
        Raises FieldConflict where another value belongs to others, unless `force` takes it from them.
        """
        wanted = _owned(applied, manager[1]).keys()
        put = merged(live, _part(applied, manager[1]))
        changed = _changed(_content(live), _content(put))
        others = {who: paths for who, paths in self.owned.items() if who != manager}
        conflicts = [
            (who, path) for who, paths in others.items() for path in sorted(paths & changed, key=str)
        ]
        if conflicts and not force:
            raise FieldConflict(conflicts)
        others = {who: paths - changed for who, paths in others.items()}
        dropped = self.owned.get(manager, frozenset()) - wanted
        kept = with_parents(wanted).union(*map(with_parents, others.values()))
        content = without(put, with_parents(dropped) - kept - _ALWAYS_THERE)
        return content, FieldManagers({**others, manager: frozenset(wanted)})

    def update(self, old: Json, new: Json, dropped: frozenset[Path]) -> FieldManagers:
        """Who owns what after somebody has written the object without apply: what has changed is theirs."""
        before, after = _content(old), _content(new)
        changed = _changed(before, after) | dropped
        gone = before.keys() - after.keys()
        kept = {who: paths - gone - changed for who, paths in self.owned.items()}
        theirs = kept.get(_WITHOUT_APPLY, frozenset()) | changed
        return FieldManagers({**kept, _WITHOUT_APPLY: theirs})


def dropped_fields(written: Json, stored: Json) -> frozenset[Path]:
    """The fields of an object as it was written that are not stored."""
    return frozenset(_owned(written, "").keys() - _owned(stored, "").keys())


def _owned(applied: Json, subresource: str) -> dict[Path, Json]:
    return dict(fields_of(_part(applied, subresource)))


def _content(live: Json) -> dict[Path, Json]:
    """All fields of an object as API servers have it: the metadata of a template are there if empty, too."""
    if live.get("kind") == "ResourceClaimTemplate":
        live = {**live, "spec": {"metadata": {}, **live["spec"]}}
    return {**_owned(live, ""), **_owned(live, "status")}


def _changed(before: Mapping[Path, Json], after: Mapping[Path, Json]) -> frozenset[Path]:
    """The fields that are new or have another value."""
    return frozenset(path for path, value in after.items() if path not in before or before[path] != value)


def _part(one: Json, subresource: str) -> dict[str, Json]:
    """What an endpoint writes of an object: only the status, or all else that clients may set."""
    if subresource:
        return {subresource: one[subresource]} if subresource in one else {}
    metadata = {name: one["metadata"][name] for name in _OWNED_METADATA if name in one["metadata"]}
    rest = {name: value for name, value in one.items() if name not in (*_NOT_OWNED, "metadata", "status")}
    return {**({"metadata": metadata} if metadata else {}), **rest}


def _shown(path: Path) -> str:
    return "".join(f".{part}" if isinstance(part, str) else f"[{part}]" for part in path)
