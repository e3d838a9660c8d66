"""Fields of observed objects in the form of cases, and their comparison with expected values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dra_conform.conformance.steps.node_resources import observed_entries
from dra_conform.kube.field_paths import ABSENT, Marker, field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted
from dra_conform.kube.quantity import Quantity


class _Present(Marker):
    """The expectation of any value of a field."""

    PRESENT = "set"


PRESENT: Final = _Present.PRESENT


_PART = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")
_MAPPINGS = frozenset(
    {
        "allocatable",
        "allocatedResources",
        "capacity",
        "consumedCapacity",
        "hard",
        "limits",
        "overhead",
        "requests",
        "resources",
        "used",
    }
)
"""Mappings from a name to a quantity."""
_FIELDS = {
    "requestPolicy": {"default"},
    "validRange": {"min", "max", "step"},
}
"""Fields with a quantity by the field that has them."""
_MULTIPLIERS = frozenset(
    {"allocationMultiplier", "capacityMultiplier", "deviceMultiplier", "perContainer", "perPod", "quantity"}
)
"""Fields with a quantity of node allocatable resources."""
_OPEN_MAPS = frozenset({("metadata", "labels"), ("metadata", "annotations")})
"""Mappings to which a server may add entries of its own."""
_OPEN_SETS = frozenset({("metadata", "finalizers")})
"""Lists of type set, to which a server may add items of its own."""
_KEYED_LISTS = frozenset(
    {
        ("spec", "resourceClaims"),
        ("status", "conditions"),
        ("status", "devices"),
        ("status", "devices", "conditions"),
        ("status", "reservedFor"),
        ("status", "resourceClaimStatuses"),
    }
)
"""Lists of type map, whose order has no meaning."""
_OF_STRINGS = frozenset({"annotations", "attributes", "labels", "matchLabels", "nodeSelector"})


def difference(expected: Json, actual: Json, path: str, of: str = "") -> str:
    """Return a line that says how two values of the field at a path differ, with the path of the innermost
    field that differs and the number of others. `of` is the object of the field. The values are not the same.
    """
    found = list(_differences(expected, actual, path))
    at, wanted, got = found[0]
    more = f" ({counted(len(found) - 1, 'more difference')})" if len(found) > 1 else ""
    where = f"{at} of {of}" if of else at
    return f"{where}: expected {wanted!r}, got {got!r}{more}"


def _differences(expected: Json, actual: Json, path: str) -> Iterator[tuple[str, Json, Json]]:
    """Yield path and values of each innermost field that differs. A list of plain values is one field."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for name in dict.fromkeys((*expected, *actual)):
            inner = f"{path}.{name}" if name.isalnum() else f"{path}[{name}]"
            wanted, got = (
                ABSENT if value is None else value
                for value in (_member(expected, name), _member(actual, name))
            )
            if not same(wanted, got, inner):
                yield from _differences(wanted, got, inner)
    elif _are_objects(expected) and _are_objects(actual) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, _ordered_as(expected, actual, _parts(path)), strict=True)):
            if not same(*pair, f"{path}[{index}]"):
                yield from _differences(*pair, f"{path}[{index}]")
    else:
        yield path, expected, actual


def _are_objects(value: Json) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, Mapping) for item in value)


def same(expected: Json, actual: Json, path: str) -> bool:
    """Whether two values of the field at a path are equal. Quantities are compared by value, even if one of
    them is a YAML number; all other fields by type and value.

    In a mapping, null equals absent, and so does metadata without content: releases serve
    `conditions: null` in ResourceClaims and `metadata: {}` in ResourceClaimTemplates. Labels, annotations
    and finalizers may have further entries. The order of a list of type map or set does not count.
    """
    return _same(expected, actual, _parts(path))


def _parts(path: str) -> tuple[str, ...]:
    return tuple(match[1] or match[2] for match in _PART.finditer(path))


def _ordered_as(expected: Sequence[Json], actual: Sequence[Json], at: tuple[str, ...]) -> Sequence[Json]:
    """Return the items of a list of type map in the order of equal expected ones, those of other lists as
    they are. Both lists have the same length."""
    if tuple(name for name in at if not name.isdecimal()) not in _KEYED_LISTS:
        return actual
    left = list(actual)
    places = []
    for item in expected:
        found = next((index for index, other in enumerate(left) if _same(item, other, (*at, "0"))), None)
        places.append(ABSENT if found is None else left.pop(found))
    return [left.pop(0) if item is ABSENT else item for item in places]


def _same(expected: Json, actual: Json, at: tuple[str, ...]) -> bool:
    if expected is ABSENT or actual is ABSENT:
        return expected is actual
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        names = expected.keys() if at in _OPEN_MAPS else expected.keys() | actual.keys()
        return all(_same(_member(expected, name), _member(actual, name), (*at, name)) for name in names)
    if isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
        if at in _OPEN_SETS:
            return all(item in actual for item in expected)
        return len(expected) == len(actual) and all(
            _same(*pair, (*at, "0")) for pair in zip(expected, _ordered_as(expected, actual, at), strict=True)
        )
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if type(expected) is type(actual) and expected == actual:
        return True
    return holds_quantity(at) and _equal_amounts(expected, actual)


def holds_quantity(at: Sequence[str]) -> bool:
    """Whether the field at a path, as its parts, holds a quantity in any kind and version of the API."""
    *_, before, parent, field = ("", "", "", *at)
    if _is_opaque(at) or parent in _OF_STRINGS or before == "attributes":
        return False
    if field.isdecimal():
        return parent == "validValues"
    return (
        field in _MULTIPLIERS
        or field in _FIELDS.get(parent, ())
        or (field == "value" and before in ("capacity", "counters"))
        or parent in _MAPPINGS
    )


def _is_opaque(at: Sequence[str]) -> bool:
    """Whether a field is inside the parameters or the device status of a driver, which can be any JSON."""
    places = zip(("", "", *at), ("", *at), at, strict=False)
    return any(
        (parent, name) == ("opaque", "parameters") or (before, name) == ("devices", "data")
        for before, parent, name in places
    )


def _member(value: Mapping[str, Json], name: str) -> Json:
    member = value.get(name)
    if (
        name == "metadata"
        and isinstance(member, Mapping)
        and all(nested is None for nested in member.values())
    ):
        return None
    return member


def _equal_amounts(expected: Json, actual: Json) -> bool:
    try:
        return Quantity.parse(str(expected)) == Quantity.parse(str(actual))
    except ValueError:
        return False


EACH = "[*]"
MAPPINGS = "status.extendedResourceClaimStatus.requestMappings"
"""The request of the extended-resource claim for each extended resource of each container."""
MAPPED_RESOURCES = f"{MAPPINGS}{EACH}"
"""The same without requests, each as `container: resource`."""
LISTED = f"items{EACH}"
"""The names of the objects in a list, sorted."""
RECORDS = "status.nodeAllocatableResourceClaimStatuses"
"""The node resource usage of ResourceClaims that a pod records."""


def observed_field(raw: Json | None, path: str) -> Json:
    """Return a field of an object in the form of cases: reservations by name, and a phase for every pod.

    Recorded node resource usage has one form for all releases, and request mappings are sorted.
    """
    if raw is None:
        return ABSENT
    value = field_at(raw, path.removesuffix(EACH))
    if path == RECORDS:
        return ABSENT if value in (ABSENT, []) else observed_entries(raw)
    if path in (MAPPINGS, MAPPED_RESOURCES) and isinstance(value, (list, tuple)):
        each = [f"{mapping.get('containerName')}: {mapping.get('resourceName')}" for mapping in value]
        return in_order(value) if path == MAPPINGS else sorted(each)
    if path == LISTED:
        items = [] if value is ABSENT else value
        named = isinstance(items, (list, tuple)) and all(isinstance(item, Mapping) for item in items)
        return sorted(str(field_at(item, "metadata.name")) for item in items) if named else items
    if path == "status.reservedFor":
        return sorted(str(consumer.get("name")) for consumer in ([] if value is ABSENT else value))
    if path == "status.phase" and value is ABSENT:
        return "Pending"
    return value


def in_order(mappings: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """Return the request mappings of an extended-resource claim, sorted."""
    return sorted(mappings, key=lambda mapping: sorted((name, str(value)) for name, value in mapping.items()))
