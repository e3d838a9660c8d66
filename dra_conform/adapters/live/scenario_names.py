"""Names on the cluster for the objects of a scenario, and their replacement in both directions.

Namespaces and everything without a namespace get a prefix that no other story has: their names, and every
mention of them. Drivers and extended resources are mentioned inside texts, too: in CEL expressions, in
qualified attributes. The way back takes the prefix away wherever it stands, also in messages. UIDs become
others as well: controllers remember those of objects that are gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.resources import RESOURCES

Json = Any

PREFIX = "dra-conform-"
"""How the name of everything begins that is made on a cluster."""

DEFAULT = "default"
"""The namespace where none is named."""

_LONGEST_DRIVER = 63
_ALWAYS = {"nodeName", "deviceClassName", "driver"}
"""Fields that hold the name of something without a namespace."""
_PODS = {"forPod", "specialOf"}
_REQUESTS = "requests."
"""How quotas name what is requested of an extended resource."""


class ScenarioNames:
    """The names of one story, from all that is said in it; raises CannotRun for one that grows too long."""

    def __init__(self, run: str, story: str, said: Json) -> None:
        self.run = run
        self.story = f"{run}-{story}"
        self.prefix = f"{PREFIX}{self.story}"
        found = list(_mentions(said))
        self.namespaces = tuple(sorted({DEFAULT, *(name for kind, name in found if kind == "Namespace")}))
        self._nodes = {name for kind, name in found if kind == "Node"}
        classes = {name for kind, name in found if kind == "DeviceClass"}
        drivers = {name for kind, name in found if kind == "domain"}
        domains = {name for name in drivers if "." in name}
        for driver in drivers:
            if len(driver) <= _LONGEST_DRIVER < len(self.name(driver)):
                raise CannotRun(f"driver {driver} has no room for a prefix")
        self._domains = _any_of(domains)
        self._of_quotas = _any_of(f"{one}.deviceclass.resource.k8s.io/devices" for one in classes)
        self._of_classes = re.compile(r"(?<=^deviceclass\.resource\.kubernetes\.io/)(?=.)")
        self._back = re.compile(f"{re.escape(self.prefix)}[.-]")
        uids = {uid for kind, uid in found if kind == "uid"}
        self._uids = {uid: str(uuid5(NAMESPACE_OID, f"{self.prefix}/{uid}")) for uid in uids}
        self._said_uids = {own: said for said, own in self._uids.items()}

    def name(self, said: str) -> str:
        """The own name of something without a namespace."""
        return f"{self.prefix}.{said}"

    def namespace(self, said: str) -> str:
        """The own name of a namespace."""
        return f"{self.prefix}-{said}"

    def own(self, value: Json) -> Json:
        """An object or a reference with own names for what it mentions."""
        return self._own(value, "")

    def said(self, value: Json) -> Json:
        """What the cluster says, in the words of the story."""
        if isinstance(value, str):
            return self._said_uids.get(value) or self._back.sub("", value)
        if isinstance(value, Mapping):
            return {self._back.sub("", name): self.said(item) for name, item in value.items()}
        return [self.said(item) for item in value] if isinstance(value, list) else value

    def _own(self, value: Json, field: str) -> Json:
        if isinstance(value, Mapping):
            owned = {self._key(str(name)): self._own(item, str(name)) for name, item in value.items()}
            return self._named(value, owned)
        if isinstance(value, (list, tuple)):
            return [self._own(item, field) for item in value]
        return self._text(value, field) if isinstance(value, str) else value

    def _named(self, value: Mapping[str, Json], owned: dict[str, Json]) -> dict[str, Json]:
        """The name of an object, or in a reference to one, where its kind has no namespace."""
        resource = RESOURCES.get(str(value.get("kind")))
        if resource is None or (resource.namespaced and "metadata" not in value):
            return owned
        if "metadata" not in value:
            return {**owned, **self._renamed(resource.kind, value)}
        metadata = owned["metadata"]
        if not isinstance(metadata, dict):
            return owned
        renamed = {} if resource.namespaced else self._renamed(resource.kind, value["metadata"])
        room = {"namespace": self.namespace(DEFAULT)} if resource.namespaced else {}
        return {**owned, "metadata": {**room, **metadata, **renamed}}

    def _renamed(self, kind: str, named: Mapping[str, Json]) -> dict[str, Json]:
        rename = self.namespace if kind == "Namespace" else self.name
        return {
            field: rename(named[field])
            for field in ("name", "generateName")
            if isinstance(named.get(field), str) and named[field]
        }

    def _key(self, name: str) -> str:
        """The name of a field or an entry: a qualified attribute, a resource, what a quota limits of one."""
        if name.startswith(_REQUESTS):
            return _REQUESTS + self._key(name.removeprefix(_REQUESTS))
        return self._domains.sub(self._prefixed, self._of_quotas.sub(self._prefixed, self._class_in(name)))

    def _class_in(self, name: str) -> str:
        return self._of_classes.sub(f"{self.prefix}.", name)

    def _text(self, text: str, field: str) -> str:
        if not text or text in self._uids:
            return self._uids.get(text, text)
        if field in _ALWAYS:
            return self.name(text)
        if field == "namespace":
            return self.namespace(text)
        if field in _PODS:
            namespace, _, name = text.rpartition("/")
            return f"{self.namespace(namespace or DEFAULT)}/{name}"
        if text in self._nodes and field in ("values", "kubernetes.io/hostname"):
            return self.name(text)
        if text.startswith("system:node:"):
            return f"system:node:{self.name(text.removeprefix('system:node:'))}"
        return self._domains.sub(self._prefixed, self._class_in(text))

    def _prefixed(self, found: re.Match[str]) -> str:
        return f"{self.prefix}.{found[0]}"


def _mentions(value: Json) -> Iterator[tuple[str, str]]:
    """The kind and name of whatever a story mentions; a driver or an extended resource is a `domain`, the UID
    of an object a `uid`."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _mentions(item)
    if not isinstance(value, Mapping):
        return
    kind, metadata = value.get("kind"), value.get("metadata")
    named = metadata if isinstance(metadata, Mapping) else value
    if named is metadata and isinstance(named.get("uid"), str):
        yield "uid", named["uid"]
    if isinstance(named.get("name"), str) and str(kind) in RESOURCES:
        yield str(kind), named["name"]
    for field, said in (("driver", "domain"), ("extendedResourceName", "domain"), ("nodeName", "Node")):
        if isinstance(value.get(field), str):
            yield said, value[field]
    if isinstance(value.get("deviceClassName"), str):
        yield "DeviceClass", value["deviceClassName"]
    if isinstance(value.get("namespace"), str):
        yield "Namespace", value["namespace"]
    for field in _PODS:
        if isinstance(value.get(field), str) and "/" in value[field]:
            yield "Namespace", value[field].partition("/")[0]
    for item in value.values():
        yield from _mentions(item)


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Finds each of the names where it is not part of a longer one."""
    choices = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"(?<![A-Za-z0-9.-])(?:{choices})(?![A-Za-z0-9-]|\.[A-Za-z0-9])" if choices else r"(?!)"
    )
