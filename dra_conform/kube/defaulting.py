"""The defaults the API server writes into claims."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from dra_conform.kube.resource import (
    EXACT_COUNT,
    DeviceRequest,
    DeviceSubRequest,
    DeviceToleration,
    ExactDeviceRequest,
    ResourceClaim,
)

Asked = TypeVar("Asked", ExactDeviceRequest, DeviceSubRequest)


def default_claim(claim: ResourceClaim) -> ResourceClaim:
    """The claim with allocationMode ExactCount, count 1 and toleration operator Equal where unset."""
    requests = tuple(_request(request) for request in claim.spec.devices.requests)
    if all(new is old for new, old in zip(requests, claim.spec.devices.requests, strict=True)):
        return claim
    devices = replace(claim.spec.devices, requests=requests)
    return replace(claim, spec=replace(claim.spec, devices=devices))


def _request(request: DeviceRequest) -> DeviceRequest:
    exactly = None if request.exactly is None else _asked(request.exactly)
    subs = tuple(_asked(sub) for sub in request.first_available)
    same = all(new is old for new, old in zip(subs, request.first_available, strict=True))
    if exactly is request.exactly and same:
        return request
    return replace(request, exactly=exactly, first_available=subs)


def _asked(asked: Asked) -> Asked:
    mode = asked.allocation_mode or EXACT_COUNT
    count = 1 if mode == EXACT_COUNT and asked.count == 0 else asked.count
    tolerations = tuple(_toleration(one) for one in asked.tolerations)
    if mode == asked.allocation_mode and count == asked.count and tolerations == asked.tolerations:
        return asked
    return replace(asked, allocation_mode=mode, count=count, tolerations=tolerations)


def _toleration(toleration: DeviceToleration) -> DeviceToleration:
    return toleration if toleration.operator else replace(toleration, operator="Equal")
