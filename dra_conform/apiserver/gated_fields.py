"""Dropping of fields whose feature gate is off, unless the stored object uses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from dra_conform.apiserver.trees import Tree
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches


def is_set(value: Any) -> bool:
    """Whether a pointer field is set."""
    return value is not None


def is_filled(value: Any) -> bool:
    """Whether a list has items."""
    return bool(value)


def _always(switches: ApiServerSwitches) -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class GatedField:
    """A field that is dropped unless its gates are on.

    `path` has `*` for each item of a list and each value of a map. `used` decides whether a stored value uses
    the feature. Releases without
    `dropped_if` do not drop the field.
    """

    gates: tuple[str, ...]
    path: str
    used: Callable[[Any], bool] = is_set
    dropped_if: Callable[[ApiServerSwitches], bool] = _always

    def dropped_by(self, profile: Profile) -> bool:
        """Whether a profile drops the field if its gates are off; `kep` does the same as the newest
        release."""
        return self.dropped_if(ApiServerSwitches.of(profile))

    def parents(self, tree: Tree) -> tuple[list[Tree], str]:
        """Return the structs of the tree that have the field, and the name of the field in them."""
        steps = _steps(self.path)
        return [struct for struct in _values_at(tree, steps[:-1]) if steps[-1] in struct], steps[-1]


def drop_disabled(
    tree: Tree,
    old: Tree | None,
    dropped: tuple[GatedField, ...],
    used: Sequence[GatedField],
    profile: Profile,
) -> None:
    """Remove the fields of `dropped` from the tree whose gates are not all on.

    They are kept if the stored object uses a field of `used` with the same gates.
    """
    for field in _disabled(dropped, profile):
        if field.parents(tree)[0] and not (old is not None and _in_use(field.gates, used, old)):
            tree.update(_without(tree, _steps(field.path)))


@lru_cache(maxsize=256)
def _disabled(fields: tuple[GatedField, ...], profile: Profile) -> tuple[GatedField, ...]:
    return tuple(
        field for field in fields if not profile.on.issuperset(field.gates) and field.dropped_by(profile)
    )


def _in_use(gates: tuple[str, ...], used: Sequence[GatedField], old: Tree) -> bool:
    return any(_is_used(field, old) for field in used if field.gates == gates)


def _is_used(field: GatedField, old: Tree) -> bool:
    parents, name = field.parents(old)
    return any(field.used(parent[name]) for parent in parents)


@cache
def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def _without(value: Any, steps: Sequence[str]) -> Any:
    """Return a copy of the value without the field at these steps; other parts are shared."""
    step, *rest = steps
    if step == "*" and isinstance(value, dict):
        return {name: _without(item, rest) for name, item in value.items()}
    if step == "*":
        return [_without(item, rest) for item in value]
    if step not in value:
        return value
    if not rest:
        return {name: item for name, item in value.items() if name != step}
    return {**value, step: _without(value[step], rest)}


def _values_at(tree: Tree, steps: Sequence[str]) -> list[Tree]:
    values: list[Any] = [tree]
    for step in steps:
        if step == "*":
            values = [
                item for value in values for item in (value.values() if isinstance(value, dict) else value)
            ]
        else:
            values = [value[step] for value in values if step in value]
        if not values:
            break
    return values
