"""An `allocate` case with different names of devices and claims, to detect dependence on names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from dra_conform.conformance.allocate.expectation import AllocationExpectation, Check, ExpectedResult
from dra_conform.conformance.case import Case, Expectation, Objects

Json = Any
Names = Mapping[str, str]


def renamed(case: Case) -> Case:
    """Return the case with different names of devices and claims in setup, question and expectation.

    A device keeps its position in its ResourceSlice. Devices with an equal name still have an equal name.
    """
    devices = {name: f"device-{number}" for number, name in enumerate(dict.fromkeys(_devices(case.objects)))}
    claims = {
        _key(one): f"{_key(one).partition('/')[0]}/claim-{number}"
        for number, one in enumerate(case.objects.get("resourceClaims", ()))
    }
    objects = {
        name: tuple(_object(one, devices, claims) for one in members)
        for name, members in case.objects.items()
    }
    ask = {**case.ask, "claims": [claims.get(one, one) for one in case.ask["claims"]]}
    return _with_expectations(
        replace(case, objects=objects, ask=ask, witness=None), lambda one: _expected(one, devices, claims)
    )


def _with_expectations(case: Case, change: Callable[[AllocationExpectation], AllocationExpectation]) -> Case:
    def changed(one: Expectation | None) -> Expectation | None:
        return change(one) if isinstance(one, AllocationExpectation) else one

    acts = tuple(
        replace(
            act,
            expectation=changed(act.expectation),
            deviations=tuple(
                replace(one, expectation=change(one.expectation))
                for one in act.deviations
                if isinstance(one.expectation, AllocationExpectation)
            ),
        )
        for act in case.acts
    )
    return replace(case, acts=acts)


def _key(claim: Json) -> str:
    return f"{claim['metadata'].get('namespace') or 'default'}/{claim['metadata']['name']}"


def _devices(objects: Objects) -> Iterator[str]:
    for item in objects.get("resourceSlices", ()):
        yield from (device["name"] for device in item["spec"].get("devices") or ())
    for claim in objects.get("resourceClaims", ()):
        yield from (one["device"] for one in _results(claim))


def _results(claim: Json) -> Json:
    allocation = (claim.get("status") or {}).get("allocation") or {}
    return (allocation.get("devices") or {}).get("results") or ()


def _object(one: Json, devices: Names, claims: Names) -> Json:
    if one.get("kind") == "ResourceClaim":
        one = {**one, "metadata": {**one["metadata"], "name": claims[_key(one)].partition("/")[2]}}
    return _with_devices(one, devices)


def _with_devices(value: Json, devices: Names, within: str = "") -> Json:
    """Rename devices in ResourceSlices, results and DeviceTaintRules, but no other equal strings."""
    if isinstance(value, Mapping):
        field = {"devices": "name", "results": "device", "deviceSelector": "device"}.get(within, "")
        return {
            key: devices.get(inner, inner)
            if key == field and isinstance(inner, str)
            else _with_devices(inner, devices, key)
            for key, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return type(value)(_with_devices(inner, devices, within) for inner in value)
    return value


def _expected(one: AllocationExpectation, devices: Names, claims: Names) -> AllocationExpectation:
    return replace(one, checks=tuple(_check(check, devices, claims) for check in one.checks))


def _check(check: Check, devices: Names, claims: Names) -> Check:
    choices = tuple(tuple(_result(one, devices) for one in choice) for choice in check.choices)
    return replace(check, claim=claims.get(check.claim, check.claim), choices=choices)


def _result(one: ExpectedResult, devices: Names) -> ExpectedResult:
    return one if one.device is None else replace(one, device=devices.get(one.device, one.device))
