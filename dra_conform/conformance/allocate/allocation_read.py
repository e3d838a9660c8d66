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
    """Decode an allocation as the API does: drop unknown fields, and treat null as absent.

    Raises ValueError for a malformed allocation: a ConversionError, or a string that is not Unicode.
    """
    return convert(without_nulls(_without_unknown(allocation), AllocationResult), AllocationResult)


def _without_unknown(allocation: Json) -> Json:
    """Return the allocation without fields unknown to the API, which the protocol permits."""

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
