"""Random valid and invalid objects for scenarios, safe for a shared cluster."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from dra_conform.fuzz.writes.kinds import WrittenKind, change
from dra_conform.fuzz.writes.shapes import Entries, Items, Scalar, StructShape
from dra_conform.fuzz.writes.values import LABEL_KEY, LABEL_VALUE
from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity, QuantityError

_NAMES = ("x", "x", "y")
_NAMESPACES = ("default", "default", "admin", "almost")
_METADATA = StructShape(
    optional={
        "labels": Entries(LABEL_KEY, LABEL_VALUE),
        "annotations": Entries(LABEL_KEY, Scalar(("", "some words"))),
        "finalizers": Items(Scalar(("example.com/f",), ("f", "a b"))),
    }
)
"""Metadata without owners: garbage collection deletes objects with missing owners at any time."""

_GATED = {"schedulingGates": [{"name": "example.com/wait"}]}
"""Pods in scenarios of writes are not scheduled, because only the writes are compared."""

_QUANTITIES = frozenset(
    {"value", "quantity", "default", "min", "max", "step"}
    | {"capacityMultiplier", "deviceMultiplier", "perPod", "perContainer"}
)
_OF_QUANTITIES = frozenset({"requests", "consumedCapacity"})
"""Fields whose entries are quantities; `_QUANTITIES` are fields that are quantities."""

_LIKE_REQUESTS = {"extendedResourceName": "a b/c"}


def whole_object(kind: WrittenKind, random: Random) -> Json:
    """Generate an object of a kind."""
    metadata = {"name": random.choice(_NAMES)}
    if random.random() < 0.2:
        metadata |= _METADATA.make(random)
    if kind.namespaced:
        metadata["namespace"] = random.choice(_NAMESPACES)
    return fit({"kind": kind.name, "metadata": metadata, "spec": kind.spec.make(random)})


def changed_object(written: Json, kind: WrittenKind, random: Random, times: int) -> Json:
    """Return a copy with `times` changes. Most changes make it invalid."""
    written = deepcopy(written)
    for _ in range(times):
        if random.random() < 0.06:
            change(written["metadata"], _METADATA, random)
        else:
            change(written["spec"], kind.spec, random)
    return fit(written)


def with_status(written: Json, kind: WrittenKind, random: Random, times: int) -> Json:
    """Return a copy with another status that has `times` changes."""
    assert kind.status is not None
    written = deepcopy(written)
    if "status" not in written or random.random() < 0.6:
        written["status"] = kind.status.make(random)
    for _ in range(times):
        change(written["status"], kind.status, random)
    return fit(written)


def in_every_schema(written: Json) -> Json:
    """Remove fields that some releases lack, because server-side apply of them ends in an internal error."""
    spec = written["spec"]
    if written["kind"] == "ResourceSlice" and isinstance(spec, dict):
        for device in dicts(spec.get("devices")):
            device.pop("nodeAllocatableResources", None)
            device.pop("nodeAllocatableResourceMappings", None)
    if written["kind"] == "DeviceTaintRule" and isinstance(spec, dict):
        for selector in dicts([spec.get("deviceSelector")]):
            selector.pop("deviceClassName", None)
            selector.pop("selectors", None)
    return written


def as_served(value: Json) -> Json:
    """Return a copy with quantities in the form in which they are served, and without empty strings.

    In another form, server-side apply can treat an equal quantity as changed, depending on the API version.
    """
    if isinstance(value, list):
        return [as_served(item) for item in value]
    if not isinstance(value, dict):
        return value
    served = {name: as_served(item) for name, item in value.items() if item != ""}
    served |= {name: _quantity(served[name]) for name in _QUANTITIES & served.keys()}
    for name in _OF_QUANTITIES & served.keys():
        if isinstance(served[name], dict):
            served[name] = {key: _quantity(item) for key, item in served[name].items()}
    return served


def _quantity(written: Json) -> Json:
    """Return a quantity in the form of API servers; other values are unchanged."""
    try:
        return str(Quantity.parse(str(written))) if type(written) in (int, str) else written
    except QuantityError:
        return written


def fit(written: Json) -> Json:
    """Change the fields whose values a shared cluster does not reproduce, because it renames objects.

    DeviceTaintRules get a driver, so that they match only devices of the scenario. Reservations are for jobs,
    because controllers remove reservations of missing pods at any time.
    """
    spec, status = written["spec"], written.get("status")
    if written["kind"] == "DeviceTaintRule" and isinstance(spec, dict):
        selector = spec.get("deviceSelector")
        if isinstance(selector, dict) and not selector.get("driver"):
            selector["driver"] = "dra.example.com"
    if written["kind"] == "DeviceClass" and isinstance(spec, dict):
        spec.update(_LIKE_REQUESTS if str(spec.get("extendedResourceName")).startswith("requests.") else {})
    if written["kind"] == "Pod" and isinstance(spec, dict):
        spec.update(deepcopy(_GATED))
    if written["kind"] == "ResourceClaim" and isinstance(status, dict):
        for consumer in dicts(status.get("reservedFor")):
            if consumer.get("resource") == "pods":
                consumer["resource"] = "jobs"
    return written


def dicts(value: Json) -> list[Json]:
    """Return the dicts in a list; for any other value, an empty list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
