"""Dropping of fields whose feature gate is off, unless the stored object uses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from dra_conform.controlplane.apiserver.trees import Tree
from dra_conform.kube.profile import Profile


def is_set(value: Any) -> bool:
    """A pointer is used as soon as it is set, to whatever value."""
    return value is not None


def is_filled(value: Any) -> bool:
    """A list is used if it has items."""
    return bool(value)


@dataclass(frozen=True, slots=True, eq=False)
class GatedField:
    """A field that exists only with some gates.

    `path` has `*` for each item of a list or each value of a map. `used` says of a stored value whether it
    means that the feature is in use. Releases before `since` and after `until` do not drop the field.
    """

    gates: tuple[str, ...]
    path: str
    used: Callable[[Any], bool] = is_set
    since: str = ""
    until: str = ""

    def dropped_by(self, profile: Profile) -> bool:
        """Whether a profile drops the field where it may not be; the documents do as the newest release."""
        if self.since and profile.before(self.since):
            return False
        return not self.until or profile.before(self.until) or profile.release == self.until

    def places(self, tree: Tree) -> tuple[list[Tree], str]:
        """The structs of the tree that have the field, and the name of the field in them."""
        steps = _steps(self.path)
        return [one for one in _reached(tree, steps[:-1]) if steps[-1] in one], steps[-1]


def drop_disabled(
    tree: Tree,
    old: Tree | None,
    dropped: tuple[GatedField, ...],
    used: Sequence[GatedField],
    profile: Profile,
) -> None:
    """Take out of the tree the fields of `dropped` whose gates are not all on.

    They stay if the stored object has a field of `used` with the same gates in use.
    """
    for field in _disabled(dropped, profile):
        if field.places(tree)[0] and not (old is not None and _in_use(field.gates, used, old)):
            tree.update(_without(tree, _steps(field.path)))


@lru_cache(maxsize=256)
def _disabled(fields: tuple[GatedField, ...], profile: Profile) -> tuple[GatedField, ...]:
    return tuple(one for one in fields if not profile.on.issuperset(one.gates) and one.dropped_by(profile))


def _in_use(gates: tuple[str, ...], used: Sequence[GatedField], old: Tree) -> bool:
    return any(_is_used(field, old) for field in used if field.gates == gates)


def _is_used(field: GatedField, old: Tree) -> bool:
    parents, name = field.places(old)
    return any(field.used(parent[name]) for parent in parents)


@cache
def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def _without(value: Any, steps: Sequence[str]) -> Any:
    """A copy that lacks what the steps lead to; what else there is is shared with the value."""
    step, *rest = steps
    if step == "*" and isinstance(value, dict):
        return {name: _without(one, rest) for name, one in value.items()}
    if step == "*":
        return [_without(one, rest) for one in value]
    if step not in value:
        return value
    if not rest:
        return {name: one for name, one in value.items() if name != step}
    return {**value, step: _without(value[step], rest)}


def _reached(tree: Tree, steps: Sequence[str]) -> list[Tree]:
    found: list[Any] = [tree]
    for step in steps:
        if step == "*":
            found = [item for one in found for item in (one.values() if isinstance(one, dict) else one)]
        else:
            found = [one[step] for one in found if step in one]
        if not found:
            break
    return found
