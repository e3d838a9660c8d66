"""The DeviceClass that backs an extended resource."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dra_conform.kube.core import Node
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.json_values import Json
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches


def classes_by_resource(classes: Iterable[Json], *, implicit: bool = True) -> dict[str, str]:
    """Return the DeviceClass that backs each extended resource: the newest, at equal age the first by name.

    `implicit`: every DeviceClass also backs its implicit resource name.
    """
    backing: dict[str, str] = {}
    by_name = sorted(classes, key=_name, reverse=True)
    for device_class in sorted(by_name, key=_created):
        if implicit:
            backing[CLASS_PREFIX + _name(device_class)] = _name(device_class)
        if _explicit(device_class):
            backing[_explicit(device_class)] = _name(device_class)
    return backing


def provided_by_node(resource: str, node: Node, switches: ExtendedResourceSwitches) -> bool:
    """Whether a device plugin of the node provides the resource, so that no DeviceClass backs it there."""
    offered = node.status.allocatable if node.status else {}
    return resource in offered and (bool(offered[resource]) or not switches.zero_means_unlisted)


class BackingClasses:
    """The DeviceClass that backs each extended resource, cached like in a running scheduler."""

    def __init__(self) -> None:
        self._known: dict[str, Json] = {}
        """The DeviceClasses of the last call by name."""
        self._backing: dict[str, Json] = {}
        """The backing DeviceClass by extended resource."""
        self._started = 0

    def current(
        self, classes: Iterable[Json], switches: ExtendedResourceSwitches, started: int
    ) -> Mapping[str, str]:
        """Return the DeviceClass of each extended resource; a new start of the scheduler clears the cache."""
        if not switches.names_cached:
            return classes_by_resource(classes, implicit=switches.implicit_names)
        if started != self._started:
            self._known, self._backing, self._started = {}, {}, started
        self._observe({_name(device_class): device_class for device_class in classes})
        return {name: _name(device_class) for name, device_class in self._backing.items()}

    def _observe(self, present: Mapping[str, Json]) -> None:
        """Process the changes since the last call: first deletions, then changes in write order.

        The first call processes all DeviceClasses by name.
        """
        if present == self._known:
            return
        for name in sorted(self._known.keys() - present.keys()):
            self._forget(self._known[name])
        changed = [current for name, current in sorted(present.items()) if self._known.get(name) != current]
        for current in sorted(changed, key=_revision) if self._known else changed:
            self._change(current, self._known.get(_name(current)))
        self._known = dict(present)

    def _change(self, device_class: Json, before: Json | None) -> None:
        """Process an added or changed DeviceClass.

        It is ignored unless it outranks the DeviceClass that backs its resource, even if both are the same.
        """
        backing = self._backing.get(_explicit(device_class))
        if backing is not None and not _outranks(device_class, backing):
            return
        if before is not None:
            self._forget(before)
        for name in _names(device_class):
            self._backing[name] = device_class

    def _forget(self, device_class: Json) -> None:
        """Remove the resource names of a DeviceClass, also if another DeviceClass backs them."""
        for name in _names(device_class):
            self._backing.pop(name, None)


def _outranks(device_class: Json, other: Json) -> bool:
    if _created(device_class) == _created(other):
        return _name(device_class) < _name(other)
    return _created(device_class) > _created(other)


def _names(device_class: Json) -> list[str]:
    return [name for name in (CLASS_PREFIX + _name(device_class), _explicit(device_class)) if name]


def _name(device_class: Json) -> str:
    return str(device_class["metadata"]["name"])


def _explicit(device_class: Json) -> str:
    return device_class["spec"].get("extendedResourceName") or ""


def _created(device_class: Json) -> str:
    return str(device_class["metadata"]["creationTimestamp"])


def _revision(device_class: Json) -> int:
    return int(device_class["metadata"]["resourceVersion"])
