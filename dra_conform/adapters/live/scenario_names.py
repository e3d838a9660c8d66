"""Names on the cluster for the objects of a scenario, and conversion in both directions.

The names of namespaces, cluster-scoped objects and pools get a unique prefix, also wherever other objects
mention them. Pools need one because the scheduler of Kubernetes 1.36 looks up devices by pool and name only.
Drivers and extended resources are mentioned within strings too, in CEL expressions and qualified attributes.
The conversion back removes the prefix everywhere, also in messages. UIDs are replaced as well, because
controllers remember the UIDs of deleted objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from uuid import NAMESPACE_OID, uuid5

from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.cluster_state.pods import DEFAULT_SCHEDULER
from dra_conform.kube.json_values import Json

PREFIX = "dra-conform-"
"""The prefix of the names of all objects that runs create on a cluster."""

DEFAULT = "default"
"""The default namespace."""

_LONGEST_DRIVER = 63
_KIND_OF = {
    "deviceClassName": "DeviceClass",
    "driver": "domain",
    "extendedResourceName": "domain",
    "namespace": "Namespace",
    "nodeName": "Node",
}
"""The kind of the object whose name a field has, see `_mentions`."""
_CHANGES = "fields"
"""The field with the new values of an object by path, such as `spec.driver`."""
_ALWAYS = {"nodeName", "deviceClassName", "driver"}
"""Fields with the name of a cluster-scoped object or a driver."""
_PODS = {"forPod", "specialOf"}
_POOL = "pool"
_POOL_FIELDS = {_POOL: "name", "deviceSelector": _POOL}
"""The field with the name of a pool, by the field whose value has it. Results and statuses of devices have it
together with driver and device."""
_REQUESTS = "requests."
"""The prefix of extended resources in quotas."""


class ScenarioNames:
    """The names of one scenario on the cluster; raises CannotRun if a driver name becomes too long.

    `scheduler` is the name of the scheduler that schedules pods of the default scheduler.
    """

    def __init__(self, run: str, scenario: str, content: Json, scheduler: str = DEFAULT_SCHEDULER) -> None:
        self.run = run
        self.scheduler = scheduler
        self.scenario_id = f"{run}-{scenario}"
        self.prefix = f"{PREFIX}{self.scenario_id}"
        mentions = list(_mentions(content))
        self.namespaces = tuple(sorted({DEFAULT, *(name for kind, name in mentions if kind == "Namespace")}))
        self._nodes = {name for kind, name in mentions if kind == "Node"}
        classes = {name for kind, name in mentions if kind == "DeviceClass"}
        drivers = {name for kind, name in mentions if kind == "domain"}
        domains = {name for name in drivers if "." in name}
        for driver in drivers:
            if len(driver) <= _LONGEST_DRIVER < len(self.name(driver)):
                raise CannotRun(
                    f"the name of driver {driver} becomes too long with the prefix that a run adds"
                )
        self._domains = _any_of(domains)
        self._quota_names = _any_of(f"{name}.deviceclass.resource.k8s.io/devices" for name in classes)
        self._implicit_prefix = re.compile(r"(?<=^deviceclass\.resource\.kubernetes\.io/)(?=.)")
        self._back = re.compile(f"{re.escape(self.prefix)}[.-]")
        uids = {uid for kind, uid in mentions if kind == "uid"}
        self._uids = {uid: str(uuid5(NAMESPACE_OID, f"{self.prefix}/{uid}")) for uid in uids}
        self._scenario_uids = {on_cluster: uid for uid, on_cluster in self._uids.items()}

    def name(self, name: str) -> str:
        """Return the name that a cluster-scoped object or a driver has on the cluster."""
        return f"{self.prefix}.{name}"

    def namespace(self, name: str) -> str:
        """Return the name that a namespace of the scenario has on the cluster."""
        return f"{self.prefix}-{name}"

    def on_cluster(self, value: Json) -> Json:
        """Return an object or a reference of the scenario with all names as on the cluster."""
        return self._on_cluster(value, "")

    def in_scenario(self, value: Json) -> Json:
        """Return a value of the cluster with all names as in the scenario."""
        if isinstance(value, str):
            return self._scenario_uids.get(value) or self._back.sub("", value)
        if isinstance(value, Mapping):
            return {self._back.sub("", name): self.in_scenario(item) for name, item in value.items()}
        return [self.in_scenario(item) for item in value] if isinstance(value, list) else value

    def _on_cluster(self, value: Json, field: str) -> Json:
        if isinstance(value, Mapping):
            converted = {
                self._key(str(name)): self._on_cluster(item, str(name)) for name, item in value.items()
            }
            pool = _POOL_FIELDS.get(field) or (_POOL if "device" in value and "driver" in value else "")
            if isinstance(value.get(pool), str) and value[pool]:
                converted[pool] = self.name(value[pool])
            return self._with_name(value, converted)
        if isinstance(value, (list, tuple)):
            return [self._on_cluster(item, field) for item in value]
        return self._string(value, field) if isinstance(value, str) else value

    def _with_name(self, value: Mapping[str, Json], converted: dict[str, Json]) -> dict[str, Json]:
        """Rename the object or reference itself if its kind is cluster-scoped."""
        resource = RESOURCES.get(str(value.get("kind")))
        if resource is None or (resource.namespaced and "metadata" not in value):
            return converted
        if "metadata" not in value:
            return {**converted, **self._renamed(resource.kind, value)}
        metadata = converted["metadata"]
        if not isinstance(metadata, dict):
            return converted
        renamed = {} if resource.namespaced else self._renamed(resource.kind, value["metadata"])
        default = {"namespace": self.namespace(DEFAULT)} if resource.namespaced else {}
        return {**converted, "metadata": {**default, **metadata, **renamed}}

    def _renamed(self, kind: str, value: Mapping[str, Json]) -> dict[str, Json]:
        rename = self.namespace if kind == "Namespace" else self.name
        return {
            field: rename(value[field])
            for field in ("name", "generateName")
            if isinstance(value.get(field), str) and value[field]
        }

    def _key(self, name: str) -> str:
        """Return the key of a map, such as a qualified attribute or a resource, as on the cluster."""
        if name.startswith(_REQUESTS):
            return _REQUESTS + self._key(name.removeprefix(_REQUESTS))
        with_classes = self._quota_names.sub(self._prefixed, self._with_class(name))
        return self._domains.sub(self._prefixed, with_classes)

    def _with_class(self, name: str) -> str:
        return self._implicit_prefix.sub(f"{self.prefix}.", name)

    def _string(self, text: str, field: str) -> str:
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
        return self._domains.sub(self._prefixed, self._with_class(text))

    def _prefixed(self, match: re.Match[str]) -> str:
        return f"{self.prefix}.{match[0]}"


def _mentions(value: Json) -> Iterator[tuple[str, str]]:
    """Yield the kind and name of each object that a scenario mentions.

    The kind of a driver or an extended resource is `domain`, that of a UID `uid`.
    """
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
    for field, item in value.items():
        if field == _CHANGES and isinstance(item, Mapping):
            yield from _mentions([{str(path).rpartition(".")[2]: new} for path, new in item.items()])
            continue
        kind_of = _KIND_OF.get(field)
        if kind_of and isinstance(item, str):
            yield kind_of, item
        if field in _PODS and isinstance(item, str) and "/" in item:
            yield "Namespace", item.partition("/")[0]
        yield from _mentions(item)


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches each of the names where it is not part of a longer name."""
    choices = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"(?<![A-Za-z0-9.-])(?:{choices})(?![A-Za-z0-9-]|\.[A-Za-z0-9])" if choices else r"(?!)"
    )
