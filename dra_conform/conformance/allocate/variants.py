"""Variants of cases for `--ask-again`: repeated, reordered and renamed. The answers must agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.allocations.checks import Check, ExpectedResult
from dra_conform.conformance.case import Case, Expectation, Objects
from dra_conform.kube.json_values import Json

_ObjectLists = Mapping[str, Sequence[Json]]

# Each label is a part of the ids of variants, which ledgers and recorded runs keep.
SAME = "asked again"
OBJECTS_REVERSED = "asked with the objects in reverse order"
SLICES_RENAMED = "asked with renamed ResourceSlices"
DEVICES_RENAMED = "asked with renamed devices and ResourceClaims"
CLAIMS_REVERSED = "asked with the ResourceClaims in reverse order"


def with_variants(cases: Iterable[Case], profile: str) -> Iterator[Case]:
    """Yield each case, and after a case of `allocate` its variants, whose answers must be equal except for
    names.

    The first variant repeats the case, because an answer must not depend on earlier questions. The second
    renames devices and ResourceClaims. In profile `kep`, cases that do not select one of several valid
    answers have more variants: all objects in reverse order, renamed ResourceSlices, and ResourceClaims of
    the question in reverse order. The last one is left out for prioritized lists, because another subrequest
    might be chosen.
    """
    for case in cases:
        yield case
        if case.operation != "allocate":
            continue
        yield _variant(case, SAME, case.objects)
        yield _variant(renamed(case), DEVICES_RENAMED)
        if profile == "kep" and not case.order:
            reverse = {kind: items[::-1] for kind, items in case.objects.items()}
            yield _variant(case, OBJECTS_REVERSED, reverse)
            yield _variant(case, SLICES_RENAMED, _slices_renamed(case.objects))
            if len(case.ask["claims"]) > 1 and "prioritized-list" not in case.features:
                asked = {**case.ask, "claims": case.ask["claims"][::-1]}
                yield _variant(replace(case, ask=asked), CLAIMS_REVERSED)


def _variant(case: Case, how: str, objects: _ObjectLists | None = None) -> Case:
    copied = {kind: tuple(items) for kind, items in (objects or case.objects).items()}
    return replace(case, id=f"{case.id} ({how})", title=f"{case.title}, {how}", objects=copied)


def _slices_renamed(objects: _ObjectLists) -> _ObjectLists:
    """Return the objects with ResourceSlices named in reverse order. Nothing refers to their names."""
    slices = objects.get("resourceSlices", ())
    names = [f"renamed-{len(slices) - index}" for index in range(len(slices))]
    renamed_slices = [
        {**resource_slice, "metadata": {**resource_slice["metadata"], "name": name}}
        if isinstance(resource_slice.get("metadata"), dict)
        else resource_slice
        for resource_slice, name in zip(slices, names, strict=True)
    ]
    return {**objects, "resourceSlices": renamed_slices}


Names = Mapping[str, str]


def renamed(case: Case) -> Case:
    """Return the case with different names of devices and claims in setup, question and expectation.

    A device keeps its position in its ResourceSlice. Devices with an equal name still have an equal name.
    """
    devices = {name: f"device-{number}" for number, name in enumerate(dict.fromkeys(_devices(case.objects)))}
    claims = {
        _key(raw): f"{_key(raw).partition('/')[0]}/claim-{number}"
        for number, raw in enumerate(case.objects.get("resourceClaims", ()))
    }
    objects = {
        name: tuple(_object(raw, devices, claims) for raw in items) for name, items in case.objects.items()
    }
    ask = {**case.ask, "claims": [claims.get(claim, claim) for claim in case.ask["claims"]]}
    return _with_expectations(
        replace(case, objects=objects, ask=ask),
        lambda expectation: _expected(expectation, devices, claims),
    )


def _with_expectations(case: Case, change: Callable[[AllocationExpectation], AllocationExpectation]) -> Case:
    def changed(expectation: Expectation | None) -> Expectation | None:
        return change(expectation) if isinstance(expectation, AllocationExpectation) else expectation

    case_steps = tuple(
        replace(
            step,
            expectation=changed(step.expectation),
            deviations=tuple(
                replace(deviation, expectation=change(deviation.expectation))
                for deviation in step.deviations
                if isinstance(deviation.expectation, AllocationExpectation)
            ),
        )
        for step in case.case_steps
    )
    return replace(case, case_steps=case_steps)


def _key(claim: Json) -> str:
    return f"{claim['metadata'].get('namespace') or 'default'}/{claim['metadata']['name']}"


def _devices(objects: Objects) -> Iterator[str]:
    for resource_slice in objects.get("resourceSlices", ()):
        yield from (device["name"] for device in resource_slice["spec"].get("devices") or ())
    for claim in objects.get("resourceClaims", ()):
        yield from (result["device"] for result in _results(claim))


def _results(claim: Json) -> Json:
    allocation = (claim.get("status") or {}).get("allocation") or {}
    return (allocation.get("devices") or {}).get("results") or ()


def _object(raw: Json, devices: Names, claims: Names) -> Json:
    if raw.get("kind") == "ResourceClaim":
        raw = {**raw, "metadata": {**raw["metadata"], "name": claims[_key(raw)].partition("/")[2]}}
    return _with_devices(raw, devices)


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


def _expected(expectation: AllocationExpectation, devices: Names, claims: Names) -> AllocationExpectation:
    return replace(expectation, checks=tuple(_check(check, devices, claims) for check in expectation.checks))


def _check(check: Check, devices: Names, claims: Names) -> Check:
    choices = tuple(tuple(_result(result, devices) for result in choice) for choice in check.choices)
    return replace(check, claim=claims.get(check.claim, check.claim), choices=choices)


def _result(result: ExpectedResult, devices: Names) -> ExpectedResult:
    return (
        result if result.device is None else replace(result, device=devices.get(result.device, result.device))
    )
