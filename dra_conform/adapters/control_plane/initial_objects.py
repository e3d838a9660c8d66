"""The objects that exist before a request: nodes, namespaces, and the setup of the case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import uuid4

from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.kube.json_values import Json

Objects = Mapping[str, Sequence[Json]]

_DEFAULT_CAPACITY = {"cpu": "64", "memory": "256Gi", "pods": "1000"}
_CREATED = "2026-01-01T00:00:00Z"


def in_order(objects: Objects) -> list[Json]:
    """Return all objects, each after the objects that it refers to."""
    kinds = list(RESOURCES)
    unordered = (raw for items in objects.values() for raw in items)
    return sorted(unordered, key=lambda raw: kinds.index(raw["kind"]))


def stored(raw: Json) -> Json:
    """Return an object as it is stored, with default `uid`, `creationTimestamp` and `namespace`."""
    metadata = {"uid": str(uuid4()), "creationTimestamp": _CREATED, **raw.get("metadata", {})}
    _, namespace, _ = key_in(raw)
    return {**raw, "metadata": {**metadata, "namespace": namespace} if namespace else metadata}


def node(raw: Json) -> Json:
    """Return a node as it is stored, by default Ready and with a large capacity."""
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": _CREATED}
    status = {
        "capacity": _DEFAULT_CAPACITY,
        "allocatable": _DEFAULT_CAPACITY,
        "conditions": [ready],
        **raw.get("status", {}),
    }
    return stored({**raw, "status": status})


def namespace(name: str, labels: Mapping[str, str]) -> Json:
    """Return an active namespace as it is stored."""
    metadata = {"name": name, "labels": dict(labels)}
    return stored(
        {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata, "status": {"phase": "Active"}}
    )


def namespaces_of(objects: Iterable[Json]) -> list[str]:
    """Return the namespaces of objects, each once."""
    return list(dict.fromkeys(name for raw in objects if (name := key_in(raw)[1])))


def has_all(stored_value: Json, value: Json) -> bool:
    """Whether a stored value has every field and list item of another value, with any field values."""
    match value:
        case dict():
            fields = {name: item for name, item in value.items() if item is not None}
            return isinstance(stored_value, dict) and all(
                name in stored_value and has_all(stored_value[name], item) for name, item in fields.items()
            )
        case list():
            return (
                isinstance(stored_value, list)
                and len(stored_value) >= len(value)
                and all(map(has_all, stored_value, value))
            )
        case _:
            return True
