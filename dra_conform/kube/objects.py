"""Decoding of objects into structs, with all problems and their paths, and encoding.

`codec.convert` is faster and stops at the first problem; all problems are found after it failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from msgspec import inspect

from dra_conform.kube import core, resource, workloads
from dra_conform.kube.codec import (
    ConversionError,
    convert,
    to_builtins,
    type_info,
    without_none,
    without_nulls,
)
from dra_conform.kube.listing import quoted
from dra_conform.kube.own_fields import OWN_FIELDS, without_own_fields
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.kube.scalars import Number
from dra_conform.kube.yaml import Path, written

PathAndMessage = tuple[Path, str]

_NAMES = {
    dict: "a map",
    list: "a list",
    tuple: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
}
_MAX_INT = 2**63


def problems(value: Any, kind: type) -> Iterator[PathAndMessage]:
    """Yield every problem of a value that should be of a type, in the order of the value's fields."""
    yield from _check(value, type_info(kind), ())


def described(value: Any) -> str:
    """Return what a value is, for a message: `a number ('7')`."""
    if value is None:
        return "nothing"
    if isinstance(value, Number):
        return f"the number {value}"
    name = _NAMES.get(type(value), type(value).__name__)
    return f"{name} ({quoted(str(value))})" if isinstance(value, str | bool | int) else name


def _check(value: Any, info: inspect.Type, path: Path) -> Iterator[PathAndMessage]:
    match info:
        case inspect.AnyType():
            return
        case inspect.UnionType():
            if value is None and info.includes_none:
                return
            yield from _check(value, without_none(info), path)
        case inspect.StructType(fields=fields, forbid_unknown_fields=strict):
            yield from _struct(value, fields, path, strict=strict)
        case inspect.DictType(value_type=inner_type):
            if not isinstance(value, dict):
                yield path, f"is {described(value)}, expected a map"
                return
            for key, item in value.items():
                yield from _check(item, inner_type, (*path, key))
        case inspect.VarTupleType(item_type=item_type):
            if not isinstance(value, list | tuple):
                yield path, f"is {described(value)}, expected a list"
                return
            for index, item in enumerate(value):
                yield from _check(item, item_type, (*path, index))
        case inspect.CustomType(cls=cls) if cls is Quantity:
            yield from _quantity(value, path)
        case inspect.StrType():
            if isinstance(value, bool):
                yield (
                    path,
                    "is true or false (as YAML reads y, n, yes, no, on, off), expected a quoted string",
                )
            elif not isinstance(value, str):
                yield path, f"is {described(value)}, expected a string"
        case inspect.BoolType():
            if not isinstance(value, bool):
                yield path, f"is {described(value)}, expected true or false"
        case inspect.IntType():
            if isinstance(value, bool) or not isinstance(value, int):
                yield path, f"is {described(value)}, expected a whole number"
            elif not -_MAX_INT <= value < _MAX_INT:
                yield path, "is a number of more than 64 bits, expected a smaller number"


def _struct(
    value: Any, fields: tuple[inspect.Field, ...], path: Path, *, strict: bool
) -> Iterator[PathAndMessage]:
    """Yield the problems of a map; an unknown field is one if the struct is `strict`."""
    if not isinstance(value, dict):
        yield path, f"is {described(value)}, expected a map"
        return
    known = {field.encode_name: field for field in fields}
    for key, item in value.items():
        if key not in known:
            if not strict:
                continue
            near = get_close_matches(str(key), known, n=1)
            expected = f"expected {near[0]}" if near else f"expected one of {', '.join(sorted(known))}"
            yield (*path, key), f"is an unknown field, {expected}"
            continue
        if item is not None:
            yield from _check(item, known[key].type, (*path, key))
    for name, field in known.items():
        if field.required and value.get(name) is None:
            yield (*path, name), "is missing, expected a value"


def _quantity(value: Any, path: Path) -> Iterator[PathAndMessage]:
    if isinstance(value, bool) or not isinstance(value, str | int | Number):
        yield path, f"is {described(value)}, expected a quantity such as 10, 500m or 1Gi"
        return
    try:
        Quantity.parse(str(value).strip())
    except QuantityError as error:
        yield path, f"{error}, expected a quantity such as 10, 500m or 1Gi"


RESOURCE_V1 = "resource.k8s.io/v1"

KINDS: dict[tuple[str, str], type] = {
    (RESOURCE_V1, "DeviceClass"): resource.DeviceClass,
    (RESOURCE_V1, "ResourceClaim"): resource.ResourceClaim,
    (RESOURCE_V1, "ResourceClaimTemplate"): resource.ResourceClaimTemplate,
    (RESOURCE_V1, "ResourceSlice"): resource.ResourceSlice,
    (RESOURCE_V1, "DeviceTaintRule"): resource.DeviceTaintRule,
    ("v1", "Node"): core.Node,
    ("v1", "Pod"): core.Pod,
    ("v1", "Namespace"): core.Namespace,
    ("v1", "ResourceQuota"): core.ResourceQuota,
    ("apps/v1", "Deployment"): workloads.Deployment,
    ("apps/v1", "ReplicaSet"): workloads.ReplicaSet,
    ("apps/v1", "StatefulSet"): workloads.StatefulSet,
    ("apps/v1", "DaemonSet"): workloads.DaemonSet,
    ("batch/v1", "Job"): workloads.Job,
}
"""The struct of each known kind, by API version and kind."""

COLLECTIONS = {
    "Node": "nodes",
    "Namespace": "namespaces",
    "DeviceClass": "deviceClasses",
    "ResourceSlice": "resourceSlices",
    "ResourceClaim": "resourceClaims",
    "ResourceClaimTemplate": "resourceClaimTemplates",
    "DeviceTaintRule": "deviceTaintRules",
    "Pod": "pods",
    "ResourceQuota": "resourceQuotas",
}
"""The field that has the objects of a kind in cases and in the wire protocol."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A field that does not fit the type of its object."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{written(self.path)}: {self.message}" if self.path else self.message


class DecodeErrors(ValueError):  # noqa: N818 - several problems at once
    """All problems of one object."""

    def __init__(self, all_problems: tuple[Problem, ...]) -> None:
        self.problems = all_problems
        super().__init__("; ".join(str(problem) for problem in all_problems))


def decode(raw: dict[str, Any]) -> Any:
    """Decode an object with apiVersion and kind into its struct; raises DecodeErrors with every problem."""
    kind = KINDS.get((raw.get("apiVersion", ""), raw.get("kind", "")))
    if kind is None:
        unknown = f"{raw.get('kind')!r} of {raw.get('apiVersion')!r} is unknown"
        raise DecodeErrors((Problem(("kind",), f"{unknown}, expected a kind of DRA or its workloads"),))
    return decode_as(kind, {name: raw[name] for name in raw if name not in ("apiVersion", "kind")})


def decode_as(kind: type, raw: Any) -> Any:
    """Decode a plain value into a struct; null fields are absent. Raises DecodeErrors with every problem."""
    if OWN_FIELDS.by_owner:
        raw = without_own_fields(getattr(kind, "__name__", ""), raw)
    try:
        return convert(raw, kind)
    except ConversionError:
        pass  # A null field may be the reason, so the conversion is repeated without null fields.
    try:
        return convert(without_nulls(raw, kind), kind)
    except ConversionError as error:
        all_problems = tuple(Problem(path, message) for path, message in problems(raw, kind))
        raise DecodeErrors(all_problems or (Problem((), str(error)),)) from None


def encode(value: Any) -> dict[str, Any]:
    """Return the plain JSON value of a struct, without defaults."""
    encoded: dict[str, Any] = to_builtins(value)
    return encoded
