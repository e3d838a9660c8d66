"""The objects that exist before a question: nodes, namespaces, and the setup of the case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.controlplane.simulation.keys import key_in

Json = Any
Objects = Mapping[str, Sequence[Json]]

_PLENTY = {"cpu": "64", "memory": "256Gi", "pods": "1000"}
_LONG_AGO = "2026-01-01T00:00:00Z"


def in_order(objects: Objects) -> list[Json]:
    """All objects, those first that others refer to."""
    kinds = list(RESOURCES)
    return sorted(
        (one for found in objects.values() for one in found), key=lambda one: kinds.index(one["kind"])
    )


def stored(raw: Json) -> Json:
    """An object as the store has it: with what every stored object has, if it says nothing else."""
    metadata = {"uid": str(uuid4()), "creationTimestamp": _LONG_AGO, **raw.get("metadata", {})}
    _, namespace, _ = key_in(raw)
    return {**raw, "metadata": {**metadata, "namespace": namespace} if namespace else metadata}


def node(raw: Json) -> Json:
    """A node that is ready and has room, if it says nothing else."""
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": _LONG_AGO}
    status = {"capacity": _PLENTY, "allocatable": _PLENTY, "conditions": [ready], **raw.get("status", {})}
    return stored({**raw, "status": status})


def namespace(name: str, labels: Mapping[str, str]) -> Json:
    """A namespace that is not about to go."""
    metadata = {"name": name, "labels": dict(labels)}
    return stored(
        {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata, "status": {"phase": "Active"}}
    )


def namespaces_of(objects: Iterable[Json]) -> list[str]:
    """The namespaces in which objects lie, each once."""
    return list(dict.fromkeys(found for one in objects if (found := key_in(one)[1])))


def has_all(there: Json, given: Json) -> bool:
    """Whether no field and no item of what is given is missing in what is there."""
    match given:
        case dict():
            named = {name: value for name, value in given.items() if value is not None}
            return all(name in there and has_all(there[name], value) for name, value in named.items())
        case list():
            return len(there) >= len(given) and all(map(has_all, there, given))
        case _:
            return True
