"""The types of the served fields that the judge reads. Values are not checked.

`check_types` checks the objects of an answer, so that the judge never gets a value of a wrong type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dra_conform.kube.objects import COLLECTIONS


class _Owner(msgspec.Struct, rename="camel"):
    kind: str = ""
    name: str = ""


class _Metadata(msgspec.Struct, rename="camel"):
    name: str = ""
    namespace: str | None = None
    uid: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    owner_references: list[_Owner] | None = None
    finalizers: list[str] | None = None


class _Served(msgspec.Struct, rename="camel"):
    api_version: str = ""
    kind: str = ""
    metadata: _Metadata | None = None
    spec: dict[str, Any] | None = None
    status: dict[str, Any] | None = None


class _Result(msgspec.Struct, rename="camel"):
    driver: str
    pool: str
    device: str
    share_id: str | None = msgspec.field(default=None, name="shareID")
    consumed_capacity: dict[str, str | int | float] | None = None


class _Results(msgspec.Struct, rename="camel"):
    results: list[_Result] | None = None


class _Allocation(msgspec.Struct, rename="camel"):
    devices: _Results | None = None


class _Consumer(msgspec.Struct, rename="camel"):
    name: str = ""
    uid: str = ""
    resource: str = ""


class _ClaimStatus(msgspec.Struct, rename="camel"):
    allocation: _Allocation | None = None
    reserved_for: list[_Consumer] | None = None
    devices: list[dict[str, Any]] | None = None


class _Request(msgspec.Struct, rename="camel"):
    name: str = ""


class _Requests(msgspec.Struct, rename="camel"):
    requests: list[_Request] | None = None


class _ClaimSpec(msgspec.Struct, rename="camel"):
    devices: _Requests | None = None


class _Claim(_Served):
    spec: _ClaimSpec | None = None  # type: ignore[assignment]
    status: _ClaimStatus | None = None  # type: ignore[assignment]


class _Resources(msgspec.Struct, rename="camel"):
    requests: dict[str, str | int | float] | None = None
    limits: dict[str, str | int | float] | None = None
    claims: list[dict[str, Any]] | None = None


class _Container(msgspec.Struct, rename="camel"):
    name: str = ""
    resources: _Resources | None = None


class _ClaimOfPod(msgspec.Struct, rename="camel"):
    name: str
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class _PodSpec(msgspec.Struct, rename="camel"):
    node_name: str | None = None
    containers: list[_Container] | None = None
    init_containers: list[_Container] | None = None
    resource_claims: list[_ClaimOfPod] | None = None
    overhead: dict[str, str | int | float] | None = None
    resources: _Resources | None = None


class _ClaimStatusOfPod(msgspec.Struct, rename="camel"):
    name: str
    resource_claim_name: str | None = None


class _Mapping(msgspec.Struct, rename="camel"):
    container_name: str = ""
    resource_name: str = ""
    request_name: str = ""


class _ExtendedClaimStatus(msgspec.Struct, rename="camel"):
    resource_claim_name: str = ""
    request_mappings: list[_Mapping] | None = None


class _Named(msgspec.Struct, rename="camel"):
    name: str = ""


class _Record(msgspec.Struct, rename="camel"):
    """The node resource usage of a ResourceClaim in the status of a pod."""

    resource_claim_name: str = ""
    containers: list[str] | None = None
    resources: dict[str, Any] | None = None
    mapping: list[_Named] | None = None
    overhead: list[_Named] | None = None


class _PodStatus(msgspec.Struct, rename="camel"):
    phase: str | None = None
    conditions: list[dict[str, Any]] | None = None
    resource_claim_statuses: list[_ClaimStatusOfPod] | None = None
    extended_resource_claim_status: _ExtendedClaimStatus | None = None
    node_allocatable_resource_claim_statuses: list[_Record] | None = None


class _Pod(_Served):
    spec: _PodSpec | None = None  # type: ignore[assignment]
    status: _PodStatus | None = None  # type: ignore[assignment]


class _Pool(msgspec.Struct, rename="camel"):
    name: str


class _Counter(msgspec.Struct, rename="camel"):
    value: str | int | float | None = None


class _CounterSet(msgspec.Struct, rename="camel"):
    name: str
    counters: dict[str, _Counter] | None = None


class _Consumption(msgspec.Struct, rename="camel"):
    counter_set: str
    counters: dict[str, _Counter] | None = None


class _Device(msgspec.Struct, rename="camel"):
    name: str
    capacity: dict[str, _Counter] | None = None
    consumes_counters: list[_Consumption] | None = None


class _SliceSpec(msgspec.Struct, rename="camel"):
    driver: str
    pool: _Pool
    devices: list[_Device] | None = None
    shared_counters: list[_CounterSet] | None = None


class _Slice(_Served):
    spec: _SliceSpec | None = None  # type: ignore[assignment]


_BY_COLLECTION = {
    COLLECTIONS["Pod"]: _Pod,
    COLLECTIONS["ResourceClaim"]: _Claim,
    COLLECTIONS["ResourceSlice"]: _Slice,
}


_KINDS = {name: kind for kind, name in COLLECTIONS.items()}


def check_types(objects: Mapping[str, list[dict[str, Any]]]) -> None:
    """Raise msgspec.ValidationError, with the path, for a field of another type or an unexpected kind."""
    for name, served in objects.items():
        typed: list[_Served] = msgspec.convert(served, list[_BY_COLLECTION.get(name, _Served)])  # type: ignore[misc]
        expected = _KINDS.get(name)
        for index, obj in enumerate(typed):
            if expected and obj.kind != expected:
                raise msgspec.ValidationError(
                    f"Expected `{expected}`, got `{obj.kind}` - at `$.{name}[{index}].kind`"
                )
