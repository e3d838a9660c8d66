"""The `status.allocation` of an answer, decoded as the API would decode it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dra_conform.kube.codec import convert
from dra_conform.kube.nulls import without_nulls
from dra_conform.kube.resource import (
    AllocationResult,
    DeviceAllocationResult,
    DeviceRequestAllocationResult,
)

Json = Any


def read_allocation(allocation: Json) -> AllocationResult:
    """The allocation as the API would read it: without unknown fields, and null as absent.

    Raises ValueError for what is none: a ConversionError, or a text that is no Unicode.
    """
    return convert(without_nulls(_without_unknown(allocation), AllocationResult), AllocationResult)


def _without_unknown(allocation: Json) -> Json:
    """The allocation without fields that the API does not have; the protocol allows them."""

    def devices(value: Json) -> Json:
        return _kept(value, DeviceAllocationResult, results=results)

    def results(value: Json) -> Json:
        if not isinstance(value, (list, tuple)):
            return value
        return [_kept(one, DeviceRequestAllocationResult) for one in value]

    return _kept(allocation, AllocationResult, devices=devices)


def _kept(value: Json, kind: type[msgspec.Struct], **inner: Callable[[Json], Json]) -> Json:
    if not isinstance(value, Mapping):
        return value
    known = kind.__struct_encode_fields__
    return {
        name: inner[name](item) if name in inner else item for name, item in value.items() if name in known
    }
