"""The value of the CEL variable `device`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.cel.values.semantic_version import parse as parse_version
from dra_conform.cel.values.types import DYN, STRING, Type, map_of
from dra_conform.cel.values.value import Value
from dra_conform.kube import resource
from dra_conform.kube.quantity import Quantity


class Domains(dict[str, dict[str, Value]]):
    """A map by domain. Access to an unknown domain gives an empty map; `in` and `size` ignore it."""

    __slots__ = ()

    def __missing__(self, _: str) -> dict[str, Value]:
        return _EMPTY


_EMPTY: dict[str, Value] = {}


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device as selectors see it. `attributes` and `capacity` map domain, then name, to a value."""

    cel_type: ClassVar[Type] = map_of(STRING, DYN)

    driver: str
    attributes: Mapping[str, Mapping[str, Value]]
    capacity: Mapping[str, Mapping[str, Quantity]]
    allow_multiple_allocations: bool = False

    def __post_init__(self) -> None:
        for field in ("attributes", "capacity"):
            value = getattr(self, field)
            if type(value) is not Domains:
                object.__setattr__(self, field, Domains({d: dict(names) for d, names in value.items()}))


def device_of(driver: str, device: resource.Device) -> DeviceView:
    """Return the view of a device of a ResourceSlice. A name without a domain has the driver as domain.

    Raises EvaluationError for an attribute with an unsupported value or an invalid version. On such a device
    every selector fails.
    """
    attributes = Domains()
    for name, attribute in device.attributes.items():
        domain, short = qualified(name, driver)
        attributes.setdefault(domain, {})[short] = _value(name, attribute)
    capacity = Domains()
    for name, amount in device.capacity.items():
        domain, short = qualified(name, driver)
        capacity.setdefault(domain, {})[short] = amount.value
    return DeviceView(driver, attributes, capacity, bool(device.allow_multiple_allocations))


def qualified(name: str, driver: str) -> tuple[str, str]:
    """Return domain and name. The domain is the part before the first slash, or the driver."""
    domain, slash, short = name.partition("/")
    return (domain, short) if slash else (driver, name)


def _value(name: str, attribute: resource.DeviceAttribute) -> Value:
    for plural in (attribute.ints, attribute.bools, attribute.strings):
        if plural is not None:
            return tuple(plural)
    try:
        if attribute.versions is not None:
            return tuple(parse_version(v) for v in attribute.versions)
        for single in (attribute.int_, attribute.bool_, attribute.string):
            if single is not None:
                return single
        if attribute.version is not None:
            return parse_version(attribute.version)
    except EvaluationError as e:
        raise EvaluationError(f"attribute {name}: parse semantic version: {e}") from None
    raise EvaluationError(f"attribute {name}: unsupported attribute value")
