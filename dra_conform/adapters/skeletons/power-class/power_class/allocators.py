"""Implementations of the KEP: one that is correct, and one that ignores the power class.

Both leave all that the KEP does not change to the built-in implementation of dra-conform.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.adapters.builtin import Builtin
from dra_conform.kube.profile import Profile
from power_class.plugin import FIELD, GATE

Json = Any


class IgnoresPowerClass:
    """An allocator that does not know the field."""

    features: Mapping[str, str] = {**Builtin.features, "power-class": "full"}

    def allocate(self, objects: Json, ask: Json, profile: Profile, seed: int = 0) -> Json:
        """Return the answer of the built-in allocator."""
        return Builtin().allocate(objects, ask, profile, seed)


class PowerClassAllocator(IgnoresPowerClass):
    """An allocator that adds a CEL selector for the attribute `powerClass` to each request with the field.

    It records the power class of each allocated device.
    """

    def allocate(self, objects: Json, ask: Json, profile: Profile, seed: int = 0) -> Json:
        """Return the answer of the built-in allocator to a question with attributes instead of fields."""
        if profile.enabled(GATE):
            objects = {
                **objects,
                "resourceSlices": [_with_attributes(item) for item in objects.get("resourceSlices", ())],
                "resourceClaims": [_with_selectors(item) for item in objects.get("resourceClaims", ())],
            }
        answer = super().allocate(objects, ask, profile, seed)
        return _recording(answer, objects) if profile.enabled(GATE) else answer


def _recording(answer: Json, objects: Json) -> Json:
    """Return an answer whose results record the power class of their device."""
    values = {
        device["name"]: {FIELD: device[FIELD]}
        for item in objects.get("resourceSlices", ())
        for device in item["spec"].get("devices", ())
        if FIELD in device
    }
    allocations = {}
    for key, allocation in answer.get("allocations", {}).items():
        devices = allocation["devices"]
        results = [{**result, **values.get(result["device"], {})} for result in devices["results"]]
        allocations[key] = {**allocation, "devices": {**devices, "results": results}}
    return {**answer, "allocations": allocations} if allocations else answer


def _with_attributes(resource_slice: Json) -> Json:
    spec = resource_slice["spec"]
    devices = [
        {**device, "attributes": {**device.get("attributes", {}), FIELD: {"string": device[FIELD]}}}
        if FIELD in device
        else device
        for device in spec.get("devices", ())
    ]
    return {**resource_slice, "spec": {**spec, "devices": devices}}


def _with_selectors(claim: Json) -> Json:
    spec = claim["spec"]
    requests = [_with_selector(request) for request in spec["devices"]["requests"]]
    return {**claim, "spec": {**spec, "devices": {**spec["devices"], "requests": requests}}}


def _with_selector(request: Json) -> Json:
    if "exactly" in request:
        return {**request, "exactly": _selecting(request["exactly"])}
    return {**request, "firstAvailable": [_selecting(item) for item in request["firstAvailable"]]}


def _selecting(requested: Json) -> Json:
    if FIELD not in requested:
        return requested
    attributes = "device.attributes[device.driver]"
    expression = f'"{FIELD}" in {attributes} && {attributes}.{FIELD} == "{requested[FIELD]}"'
    selectors = [*requested.get("selectors", ()), {"cel": {"expression": expression}}]
    return {**requested, "selectors": selectors}
