"""Comparison of the structs with the Go types of the releases, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from dra_conform.kube.objects import KINDS
from tests.support.kube_allocator.builds import ask_once, build, chosen

pytestmark = pytest.mark.slow

KEP = {
    "DeviceClassSpec.managesNodeAllocatableResources",
    "DeviceClassSpec.nodeAllocatableResourceAccountingPolicies",
    "DeviceRequestAllocationResult.compatibilityGroups",
    "NodeAllocatableResourceMapping.accountingPolicy",
}
"""Fields of the KEPs that no release has."""

SINCE = {
    "1.35": {
        "DeviceTaintRule.status",
        "NodeStatus.declaredFeatures",
        "PodSpec.workloadRef",
        "PodStatus.allocatedResources",
        "PodStatus.resources",
    },
    "1.36": {
        "Device.nodeAllocatableResourceMappings",
        "DeviceAttribute.bools",
        "DeviceAttribute.ints",
        "DeviceAttribute.strings",
        "DeviceAttribute.versions",
        "PodSpec.schedulingGroup",
        "PodStatus.nodeAllocatableResourceClaimStatuses",
    },
    "1.37": {
        "Device.nodeAllocatableResources",
        "DeviceCounterConsumption.compatibilityGroups",
        "DeviceRequestAllocationResult.skipNodeOperations",
        "DeviceSubRequest.derivedAttributes",
        "ExactDeviceRequest.derivedAttributes",
        "JobSpec.scheduling",
        "NodeAllocatableResourceClaimStatus.mapping",
        "NodeAllocatableResourceClaimStatus.overhead",
        "NodeSpec.podPreemptionPolicy",
        "PodSpec.evictionResponders",
        "PodStatus.volumeHealth",
        "ResourceSliceSpec.partitionTypeAttribute",
        "ResourceSliceSpec.skipNodeOperations",
    },
}
"""Fields that are newer than 1.34, with their first release."""

UNTIL = {
    "1.34": {"DeviceTaintSelector.deviceClassName", "DeviceTaintSelector.selectors"},
    "1.35": {"PodSpec.workloadRef"},
    "1.36": {"Device.nodeAllocatableResourceMappings", "NodeAllocatableResourceClaimStatus.resources"},
}
"""Removed fields, with their last release."""

STRUCTS = {
    "NodeAllocatableResourceClaimStatus": ("1.36", "1.99"),
    "NodeAllocatableResourceMapping": ("1.36", "1.36"),
}
"""Structs that do not exist in all releases, with their first and last release."""

NEEDED = {"metadata", "spec", "taint"}
"""Fields that are optional in Go, although every object has them."""

_SCALARS = {
    "bool": "bool",
    "int32": "int",
    "int64": "int",
    "string": "str",
    "k8s.io/apimachinery/pkg/api/resource.Quantity": "Quantity",
    "k8s.io/apimachinery/pkg/apis/meta/v1.Time": "str",
    "k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime": "str",
}


BUILDS = ("v0.34.13", "v0.35.10", "v0.36.6", "v0.37.2", "v0.38.0-beta.0")


@pytest.mark.parametrize("version", chosen(BUILDS))
def test_fields(version: str) -> None:
    """The structs have the fields of all releases, and no other difference."""
    release = min("1." + version.split(".")[1], "1.37")  # 1.38 has no field of its own yet
    later = (fields for first, fields in SINCE.items() if first > release)
    gone = (fields for last, fields in UNTIL.items() if last < release)
    fields = (name for name in KEP.union(*later, *gone) if _says(release, name.partition(".")[0]))
    extra = dict.fromkeys(fields, "extra")
    assert dict(_differences(version)) == extra


def _says(release: str, struct: str) -> bool:
    first, last = STRUCTS.get(struct, (release, release))
    return first <= release <= last


def _differences(release: str) -> list[tuple[str, str]]:
    theirs = ask_once(build(release), "structure")
    return [
        found
        for (_, kind), struct in KINDS.items()
        for found in _compare(struct, theirs["kinds"][kind], theirs["types"])
    ]


def _compare(struct: type, name: str, types: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the differences of a kind by struct and field; a struct in two places is compared in both."""
    described: Any = msgspec.inspect.type_info(struct)
    ours = {field.encode_name: field for field in described.fields}
    theirs = types[name]
    yield from ((f"{struct.__name__}.{extra}", "extra") for extra in ours.keys() - theirs.keys())
    missing = theirs.keys() - ours.keys() - {"apiVersion", "kind"}
    yield from ((f"{struct.__name__}.{gone}", "missing") for gone in missing)
    for member in ours.keys() & theirs.keys():
        where = f"{struct.__name__}.{member}"
        mine, inner = _shape(ours[member].type)
        yours, known = _their_shape(theirs[member]["type"], types)
        if mine.endswith("Any"):
            continue  # kept as it is written
        if mine != yours:
            yield where, f"{mine}, not {yours}"
        elif inner is not None and known is not None:
            yield from _compare(inner, known, types)
        if ours[member].required and theirs[member]["optional"] and member not in NEEDED:
            yield where, "required here, not there"


def _shape(declared: Any) -> tuple[str, type | None]:
    """Return the JSON type of a field, and its innermost struct."""
    match declared:
        case msgspec.inspect.UnionType(types=types):
            (declared,) = (one for one in types if not isinstance(one, msgspec.inspect.NoneType))
            return _shape(declared)
        case msgspec.inspect.VarTupleType(item_type=item):
            shape, struct = _shape(item)
            return "[]" + shape, struct
        case msgspec.inspect.DictType(value_type=value):
            shape, struct = _shape(value)
            return "{}" + shape, struct
        case msgspec.inspect.StructType(cls=cls):
            return "struct", cls
        case msgspec.inspect.CustomType(cls=cls):
            return cls.__name__, None
        case _:
            return type(declared).__name__.removesuffix("Type").lower().replace("any", "Any"), None


def _their_shape(name: str, types: Mapping[str, Any]) -> tuple[str, str | None]:
    for prefix, mark in (("[]", "[]"), ("map[string]", "{}")):
        if name.startswith(prefix):
            shape, known = _their_shape(name.removeprefix(prefix), types)
            return mark + shape, known
    return ("struct", name) if name in types else (_SCALARS.get(name, name), None)
