"""The DeviceClass that backs an extended resource."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dra_conform.controlplane.simulation.extended_resources.serving_rules import ServingRules
from dra_conform.kube.core import Node
from dra_conform.kube.extended_resources import CLASS_PREFIX

Json = Any


def classes_by_resource(classes: Iterable[Json], *, implicit: bool = True) -> dict[str, str]:
    """The class that serves each extended resource: of several with one name the newest, then by name."""
    found: dict[str, str] = {}
    by_name = sorted(classes, key=_name, reverse=True)
    for one in sorted(by_name, key=_created):
        if implicit:
            found[CLASS_PREFIX + _name(one)] = _name(one)
        if _explicit(one):
            found[_explicit(one)] = _name(one)
    return found


def of_node(resource: str, node: Node, rules: ServingRules) -> bool:
    """Whether a node has a resource itself, from a device plugin: then classes do not serve it there."""
    offered = node.status.allocatable if node.status else {}
    return resource in offered and (bool(offered[resource]) or not rules.zero_is_nothing)


class ClassNames:
    """Who serves which name for one running scheduler, asked anew for each attempt."""

    def __init__(self) -> None:
        self._known: dict[str, Json] = {}
        self._serving: dict[str, Json] = {}
        self._started = 0

    def now(self, classes: Iterable[Json], rules: ServingRules, started: int) -> Mapping[str, str]:
        """The class of each extended resource; what was remembered is forgotten in another start."""
        if not rules.names_remembered:
            return classes_by_resource(classes, implicit=rules.implicit_names)
        if started != self._started:
            self._known, self._serving, self._started = {}, {}, started
        self._take_note({_name(one): one for one in classes})
        return {name: _name(one) for name, one in self._serving.items()}

    def _take_note(self, present: Mapping[str, Json]) -> None:
        """What has happened to classes since the last time: first those that are gone, then by when they
        were written; at the start by name."""
        if present == self._known:
            return
        for name in sorted(self._known.keys() - present.keys()):
            self._forget(self._known[name])
        changed = [one for name, one in sorted(present.items()) if self._known.get(name) != one]
        for one in sorted(changed, key=_written) if self._known else changed:
            self._change(one, self._known.get(_name(one)))
        self._known = dict(present)

    def _change(self, one: Json, before: Json | None) -> None:
        """A class that does not outrank the one that serves its name changes nothing, not even if it is that
        one itself."""
        serving = self._serving.get(_explicit(one))
        if serving is not None and not _outranks(one, serving):
            return
        if before is not None:
            self._forget(before)
        for name in _names(one):
            self._serving[name] = one

    def _forget(self, one: Json) -> None:
        """Take the names of a class away, whoever serves them by now."""
        for name in _names(one):
            self._serving.pop(name, None)


def _outranks(one: Json, other: Json) -> bool:
    if _created(one) == _created(other):
        return _name(one) < _name(other)
    return _created(one) > _created(other)


def _names(one: Json) -> list[str]:
    return [name for name in (CLASS_PREFIX + _name(one), _explicit(one)) if name]


def _name(one: Json) -> str:
    return str(one["metadata"]["name"])


def _explicit(one: Json) -> str:
    return one["spec"].get("extendedResourceName") or ""


def _created(one: Json) -> str:
    return str(one["metadata"]["creationTimestamp"])


def _written(one: Json) -> int:
    return int(one["metadata"]["resourceVersion"])
