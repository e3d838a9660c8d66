"""Random objects of scenarios, valid or invalid, and safe for a shared cluster."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

from dra_conform.fuzz.writes.breaking import change
from dra_conform.fuzz.writes.kinds import WrittenKind
from dra_conform.fuzz.writes.shapes import Entries, Items, Scalar, Struct
from dra_conform.fuzz.writes.values import LABEL_KEY, LABEL_VALUE
from dra_conform.kube.quantity import Quantity, QuantityError

Json = Any

_NAMES = ("x", "x", "y")
_NAMESPACES = ("default", "default", "admin", "almost")
_METADATA = Struct(
    optional={
        "labels": Entries(LABEL_KEY, LABEL_VALUE),
        "annotations": Entries(LABEL_KEY, Scalar(("", "some words"))),
        "finalizers": Items(Scalar(("example.com/f",), ("f", "a b"))),
    }
)
"""Without owners: what they do not own is collected at any time after the write."""

_GATED = {"schedulingGates": [{"name": "example.com/wait"}]}
"""Pods of stories of writes are not scheduled: the writes alone are compared."""

_AMOUNTS = frozenset(
    {"value", "quantity", "default", "min", "max", "step"}
    | {"capacityMultiplier", "deviceMultiplier", "perPod", "perContainer"}
)
_OF_AMOUNTS = frozenset({"requests", "consumedCapacity"})
"""Fields that are an amount, and those whose entries are."""

_LIKE_REQUESTS = {"extendedResourceName": "a b/c"}


def whole_object(kind: WrittenKind, random: Random) -> Json:
    """An object of a kind as its shapes make it."""
    metadata = {"name": random.choice(_NAMES)}
    if random.random() < 0.2:
        metadata |= _METADATA.make(random)
    if kind.namespaced:
        metadata["namespace"] = random.choice(_NAMESPACES)
    return fit({"kind": kind.name, "metadata": metadata, "spec": kind.spec.make(random)})


def changed_object(written: Json, kind: WrittenKind, random: Random, times: int) -> Json:
    """A copy, changed in so many places, most of which break it."""
    written = deepcopy(written)
    for _ in range(times):
        if random.random() < 0.06:
            change(written["metadata"], _METADATA, random)
        else:
            change(written["spec"], kind.spec, random)
    return fit(written)


def with_status(written: Json, kind: WrittenKind, random: Random, times: int) -> Json:
    """A copy with another status, changed in so many places."""
    assert kind.status is not None
    written = deepcopy(written)
    if "status" not in written or random.random() < 0.6:
        written["status"] = kind.status.make(random)
    for _ in range(times):
        change(written["status"], kind.status, random)
    return fit(written)


def in_every_schema(written: Json) -> Json:
    """Without the fields that not every release has, of which server-side apply makes an internal error."""
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
    """A copy in which amounts stand as they are served, and empty texts do not.

    What is served otherwise is another value for who applies in one version, and the same for who applies in
    another.
    """
    if isinstance(value, list):
        return [as_served(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {name: as_served(one) for name, one in value.items() if one != ""}
    made |= {name: _amount(made[name]) for name in _AMOUNTS & made.keys()}
    for name in _OF_AMOUNTS & made.keys():
        if isinstance(made[name], dict):
            made[name] = {key: _amount(one) for key, one in made[name].items()}
    return made


def _amount(written: Json) -> Json:
    """As API servers write it; what is no amount as it is."""
    try:
        return str(Quantity.parse(str(written))) if type(written) in (int, str) else written
    except QuantityError:
        return written


def fit(written: Json) -> Json:
    """Without what no story can tell on a cluster, since names of its own are given to what it mentions.

    Taint rules name a driver, so that they reach nobody else's devices; reservations are for what is no pod,
    since those of pods that do not exist are taken away at any time.
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
    """The objects in a list; none where it is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
