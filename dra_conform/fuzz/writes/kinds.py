"""The written kinds, with the shapes of spec and status, and random changes of their fields.

Most changes make an object invalid.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from random import Random

from dra_conform.fuzz.writes.claim_fields import (
    CLAIM,
    CLAIM_STATUS,
    CLASS,
    POD,
    POD_STATUS,
    RULE,
    RULE_STATUS,
    TEMPLATE,
)
from dra_conform.fuzz.writes.shapes import (
    Choice,
    Entries,
    Items,
    Scalar,
    Shape,
    ShapePlace,
    StructShape,
    named,
)
from dra_conform.fuzz.writes.slice_fields import SLICE
from dra_conform.kube.json_values import Json

WRONG_TYPES: tuple[Json, ...] = (None, "text", 7, 1.5, True, [], {}, ["x"], {"x": "y"})


def change(value: Json, shape: Shape, random: Random) -> None:
    """Change one field of a value of this shape, in place."""
    places = list(shape.places(value))
    if isinstance(shape, StructShape | Choice):
        places.append(({"": value}, "", shape))
    container, key, found = random.choice(places)
    how = random.random()
    if how < 0.06:
        container[key] = deepcopy(random.choice(WRONG_TYPES))
    elif how < 0.16:
        _remove(container, key)
    elif how < 0.28:
        container[key] = found.make(random)
    else:
        _break((container, key, found), random)


def _remove(container: Json, key: Json) -> None:
    if isinstance(container, dict):
        container.pop(key)
    else:
        del container[key]


def _break(place: ShapePlace, random: Random) -> None:
    container, key, shape = place
    value = container[key]
    match shape:
        case Scalar():
            container[key] = deepcopy(random.choice(shape.invalid or shape.valid))
        case StructShape() | Choice():
            if isinstance(value, dict):
                _widen(value, shape, random)
        case Items():
            container[key] = _list_changed(value, shape, random)
        case Entries():
            container[key] = _map_changed(value, shape, random)


def _widen(value: Json, shape: StructShape | Choice, random: Random) -> None:
    """Add an unknown field, or a field that conflicts with an existing field."""
    if random.random() < 0.05:
        value["unknown"] = "field"
        return
    missing = [name for name in shape.fields() if name not in value]
    if missing:
        name = random.choice(missing)
        value[name] = shape.fields()[name].make(random)


def _list_changed(value: Json, shape: Items, random: Random) -> Json:
    how = random.random()
    if not isinstance(value, list) or how < 0.1:
        return []
    if shape.limit and how < 0.35:
        return shape.filled(random, shape.limit + random.choice((0, 1, 1)))
    if value and how < 0.6:
        return [*value, deepcopy(value[0])]
    items = [*value, shape.item.make(random)]
    if shape.key and isinstance(items[-1], dict):
        items[-1][shape.key] = named(len(items) + 3)
    return items if how < 0.85 else items[::-1]


def _map_changed(value: Json, shape: Entries, random: Random) -> Json:
    how = random.random()
    if not isinstance(value, dict) or how < 0.1:
        return {}
    if shape.limit and how < 0.35:
        return shape.filled(random, shape.limit + random.choice((0, 1, 1)))
    key = random.choice(shape.keys.invalid or shape.keys.valid)
    return {**value, key: shape.item.make(random)}


ADMIN = {"resource.kubernetes.io/admin-access": "true", "resource.k8s.io/admin-access": "true"}
NAMESPACES = [
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
    for name, labels in (("default", {}), ("admin", ADMIN), ("almost", dict.fromkeys(ADMIN, "false")))
]


@dataclass(frozen=True)
class WrittenKind:
    """A kind with the shapes of its spec and of its status, if it has one."""

    name: str
    spec: Shape
    status: Shape | None = None
    namespaced: bool = True


KINDS = (
    WrittenKind("ResourceSlice", SLICE, namespaced=False),
    WrittenKind("ResourceClaim", CLAIM, CLAIM_STATUS),
    WrittenKind("ResourceClaimTemplate", TEMPLATE),
    WrittenKind("DeviceClass", CLASS, namespaced=False),
    WrittenKind("DeviceTaintRule", RULE, RULE_STATUS, namespaced=False),
    WrittenKind("Pod", POD, POD_STATUS),
)
