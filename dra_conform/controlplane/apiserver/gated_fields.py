"""Fields of features that are off are dropped from what is written, unless the stored object uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.controlplane.apiserver.decoding import Tree
from dra_conform.kube.profile import Profile


def is_set(value: Any) -> bool:
    """A pointer is used as soon as it is set, to whatever value."""
    return value is not None


def is_filled(value: Any) -> bool:
    """A list is used if it has items."""
    return bool(value)


@dataclass(frozen=True, slots=True)
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

    def places(self, tree: Tree) -> Iterator[tuple[Tree, str]]:
        """Each struct of the tree that has the field, with the name of the field in it."""
        *steps, name = self.path.split(".")
        yield from ((parent, name) for parent in _reached(tree, steps) if name in parent)


def drop_disabled(
    tree: Tree, old: Tree | None, dropped: Sequence[GatedField], used: Sequence[GatedField], profile: Profile
) -> None:
    """Take out of the tree the fields of `dropped` whose gates are not all on.

    They stay if the stored object has a field of `used` with the same gates in use.
    """
    kept: dict[tuple[str, ...], bool] = {}
    for field in dropped:
        gates = field.gates
        if gates not in kept:
            kept[gates] = all(map(profile.enabled, gates)) or (old is not None and _in_use(gates, used, old))
        if not kept[gates] and field.dropped_by(profile):
            for parent, name in field.places(tree):
                del parent[name]


def _in_use(gates: tuple[str, ...], used: Sequence[GatedField], old: Tree) -> bool:
    feature = (field for field in used if field.gates == gates)
    return any(field.used(parent[name]) for field in feature for parent, name in field.places(old))


def _reached(value: Any, steps: Sequence[str]) -> Iterator[Tree]:
    if not steps:
        yield value
        return
    step, *rest = steps
    if step == "*":
        for item in value.values() if isinstance(value, dict) else value:
            yield from _reached(item, rest)
    elif step in value:
        yield from _reached(value[step], rest)
