"""Checks of allocations for `adapter check`: fields of results that an adapter never writes although it does
not decline their feature, and fields with a wrong shape.

An adapter that answers two small questions can still write a number for a quantity, `null` for a list, or an
empty object for a field that must be absent. Then it fails hundreds of cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.allocations.matching import read_allocation
from dra_conform.conformance.features import features_of
from dra_conform.conformance.implementation import Identity, Implementation, Request, Status
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.profile import KEP, Profile

_RESOURCE = "resource.k8s.io/v1"
_DRIVER = "dra.example.com"


@dataclass(frozen=True, slots=True)
class OneDeviceWorld:
    """A ResourceClaim for one device on its node, with optional fields of device, request and DeviceClass.

    `requests`: all requests of the ResourceClaim instead of one for the device.
    """

    device: Mapping[str, Any] = field(default_factory=dict)
    exactly: Mapping[str, Any] = field(default_factory=dict)
    class_spec: Mapping[str, Any] = field(default_factory=dict)
    counters: Any = None
    requests: tuple[Any, ...] | None = None

    def objects(self) -> Mapping[str, tuple[Any, ...]]:
        """Return the objects of the request that tests a result field."""
        slices = [{"devices": [{"name": "device-0", **self.device}]}]
        if self.counters:
            slices.append({"sharedCounters": self.counters})
        exactly = {"deviceClassName": "any", "allocationMode": "ExactCount", "count": 1, **self.exactly}
        requests = ({"name": "r0", "exactly": exactly},) if self.requests is None else self.requests
        pool = {"name": "pool-1", "generation": 1, "resourceSliceCount": len(slices)}
        common = {"driver": _DRIVER, "nodeName": "node-1", "pool": pool}
        label = {"resource.kubernetes.io/admin-access": "true"}
        return {
            "namespaces": (_object("v1", "Namespace", {"name": "default", "labels": label}),),
            "nodes": (_object("v1", "Node", {"name": "node-1"}),),
            "deviceClasses": (_object(_RESOURCE, "DeviceClass", {"name": "any"}, self.class_spec),),
            "resourceSlices": tuple(
                _object(_RESOURCE, "ResourceSlice", {"name": f"slice-{number}"}, {**common, **spec})
                for number, spec in enumerate(slices)
            ),
            "resourceClaims": (
                _object(
                    _RESOURCE,
                    "ResourceClaim",
                    {"name": "c", "namespace": "default"},
                    {"devices": {"requests": list(requests)}},
                ),
            ),
        }


def _object(version: str, kind: str, metadata: Any, spec: Any = None) -> Any:
    raw = {"apiVersion": version, "kind": kind, "metadata": metadata}
    return raw if spec is None else {**raw, "spec": spec}


_OPAQUE = {"driver": _DRIVER, "parameters": {"speed": "high"}}
_COUNTERS = {"counterSet": "set", "counters": {"slots": {"value": "1"}}, "compatibilityGroups": ["a"]}
_SHARED = OneDeviceWorld(
    device={"allowMultipleAllocations": True, "capacity": {"bandwidth": {"value": "10"}}},
    exactly={"capacity": {"requests": {"bandwidth": "3"}}},
)


def _in_result(name: str) -> Callable[[Any], Any]:
    return lambda allocation: allocation["devices"]["results"][0].get(name)


PARTS: Mapping[str, tuple[OneDeviceWorld, Callable[[Any], Any]]] = {
    "configuration": (
        OneDeviceWorld(class_spec={"config": [{"opaque": _OPAQUE}]}),
        lambda allocation: allocation["devices"].get("config"),
    ),
    "node-selector": (OneDeviceWorld(), lambda allocation: allocation.get("nodeSelector")),
    "share-id": (_SHARED, _in_result("shareID")),
    "consumed-capacity": (_SHARED, _in_result("consumedCapacity")),
    "recorded-admin-access": (OneDeviceWorld(exactly={"adminAccess": True}), _in_result("adminAccess")),
    "recorded-tolerations": (
        OneDeviceWorld(exactly={"tolerations": [{"key": "example.com/broken", "operator": "Exists"}]}),
        _in_result("tolerations"),
    ),
    "recorded-binding-conditions": (
        OneDeviceWorld(
            device={
                "bindingConditions": ["dra.example.com/ready"],
                "bindingFailureConditions": ["dra.example.com/failed"],
            }
        ),
        _in_result("bindingConditions"),
    ),
    "recorded-compatibility-groups": (
        OneDeviceWorld(
            device={"consumesCounters": [_COUNTERS]},
            counters=[{"name": "set", "counters": {"slots": {"value": "4"}}}],
        ),
        _in_result("compatibilityGroups"),
    ),
}
"""By feature id: objects whose allocation must have the field, and a function that reads the field."""


def missing_parts(implementation: Implementation, identity: Identity) -> Iterator[str]:
    """Yield the ids of result fields that a started implementation leaves out without declining them."""
    if "allocate" not in identity.operations:
        return
    asked = {
        number: (part, read, _request(number, world))
        for number, (part, (world, read)) in enumerate(PARTS.items())
        if identity.features.get(part) != "none"
        and all(identity.features.get(feature) != "none" for feature in features_of(world.objects()))
    }
    for reply in implementation.run(request for _, _, request in asked.values()):
        part, read, _ = asked[reply.id]
        if reply.status is Status.OK:
            answer = OPERATIONS["allocate"].write(reply.answer)
            allocations = answer.get("allocations", {}).values()
            if any(result["devices"].get("results") and not read(result) for result in allocations):
                yield part


def _request(number: int, world: OneDeviceWorld) -> Request:
    profile, ask = Profile.named(KEP), {"node": "node-1", "claims": ["default/c"]}
    return Request(number, f"check/part-{number}", "allocate", profile, world.objects(), ask)


_EXACTLY = {"deviceClassName": "any", "allocationMode": "ExactCount", "count": 1}
_OTHERS: Mapping[str, OneDeviceWorld] = {
    "a ResourceClaim without requests": OneDeviceWorld(requests=()),
    "a ResourceClaim with a prioritized list": OneDeviceWorld(
        requests=({"name": "r0", "firstAvailable": [{"name": "first", **_EXACTLY}]},)
    ),
    "an ordinary device with a capacity": OneDeviceWorld(device={"capacity": {"memory": {"value": "10Gi"}}}),
}


def shape_requests(identity: Identity) -> Iterator[tuple[str, Request]]:
    """Yield requests of `allocate` with their titles, without features that the implementation declines."""
    if "allocate" not in identity.operations:
        return
    worlds = {**{f"a result with {part}": world for part, (world, _) in PARTS.items()}, **_OTHERS}
    for number, (title, world) in enumerate(worlds.items()):
        objects = world.objects()
        if all(identity.features.get(feature) != "none" for feature in features_of(objects)):
            ask: Mapping[str, Json] = {"node": "node-1", "claims": ["default/c"]}
            request = Request(number, f"check/shape-{number}", "allocate", Profile.named(KEP), objects, ask)
            yield title, request


def shape_problems(allocations: Mapping[str, UncheckedJson]) -> Iterator[str]:
    """Yield what is wrong with allocations by claim, each with its path."""
    for claim, allocation in allocations.items():
        where = f"/allocations/{claim.replace('/', '~1')}"
        try:
            read_allocation(allocation)
        except ValueError as error:
            yield f"{where}: {error}"
            continue
        if isinstance(allocation, Mapping):
            yield from (f"{where}/{problem}" for problem in _empty_fields(allocation))


def _empty_fields(allocation: Mapping[str, UncheckedJson]) -> Iterator[str]:
    """Yield fields that are empty instead of absent, with a meaning that no author intends."""
    selector = allocation.get("nodeSelector")
    if isinstance(selector, Mapping) and not selector.get("nodeSelectorTerms"):
        yield "nodeSelector: has no term, so it selects no node; leave it out if every node has access"
    if allocation.get("allocationTimestamp") == "":
        yield "allocationTimestamp: is empty, expected it to be absent"
    devices = allocation.get("devices")
    results = devices.get("results") if isinstance(devices, Mapping) else None
    for index, result in enumerate(results if isinstance(results, (list, tuple)) else ()):
        for name in ("request", "driver", "pool", "device", "shareID"):
            if isinstance(result, Mapping) and result.get(name) == "":
                expected = "expected it to be absent" if name == "shareID" else "expected a name"
                yield f"devices/results/{index}/{name}: is empty, {expected}"
