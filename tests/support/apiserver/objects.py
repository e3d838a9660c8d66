"""Objects to write, and the API server's answers in short form."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from dra_conform.apiserver import Admitted, Rejected, Surroundings, Verb, WriteRequest, admit
from dra_conform.kube.profile import Profile

NEWEST = "kubernetes-1.37"
NAMESPACES = (
    {"metadata": {"name": "default"}},
    {"metadata": {"name": "admins", "labels": {"resource.kubernetes.io/admin-access": "true"}}},
    {"metadata": {"name": "admins-of-1-33", "labels": {"resource.k8s.io/admin-access": "true"}}},
)
SURROUNDINGS = Surroundings.of(NAMESPACES, time="2026-05-01T12:00:00Z")

Errors = set[tuple[str, str]]


def profile(name: str = NEWEST, **gates: bool) -> Profile:
    """Return a profile with every gate on except these."""
    named = Profile.named(name)
    return named.with_gates({**dict.fromkeys(named.gates, True), **gates})


def create(raw: Any, where: Profile | None = None) -> Admitted | Rejected:
    return admit(WriteRequest(Verb.CREATE, raw), SURROUNDINGS, where or profile())


def update(raw: Any, old: Any, where: Profile | None = None, subresource: str = "") -> Admitted | Rejected:
    return admit(WriteRequest(Verb.UPDATE, raw, old, subresource), SURROUNDINGS, where or profile())


def errors(answer: Admitted | Rejected) -> Errors:
    """Return the paths and types of the field errors, or the reason of a rejection without field errors."""
    match answer:
        case Admitted():
            return set()
        case Rejected(reason, _, ()):
            return {("", str(reason))}
        case Rejected(errors=found):
            return {(error.path, str(error.type)) for error in found}


def stored(answer: Admitted | Rejected) -> dict[str, Any]:
    """Return the object of an admitted write."""
    assert isinstance(answer, Admitted), answer
    return answer.object


def at(raw: Any, path: str) -> Any:
    """Return the value at a path such as `spec.devices.0.name`, None if there is none."""
    for step in path.split("."):
        if isinstance(raw, list):
            raw = raw[int(step)] if int(step) < len(raw) else None
        else:
            raw = (raw or {}).get(step)
    return raw


def changed(raw: Any, changes: Mapping[str, Any]) -> Any:
    """Return a copy with other values at some paths; None removes a field."""
    raw = copy.deepcopy(raw)
    for path, value in changes.items():
        *steps, name = path.split(".")
        parent = at(raw, ".".join(steps)) if steps else raw
        if isinstance(parent, list):
            parent[int(name)] = value
        elif value is None:
            del parent[name]
        else:
            parent[name] = value
    return raw


def of(kind: str, spec: Any, version: str = "v1", **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": kind,
        "metadata": {"name": "x", **metadata},
        "spec": spec,
    }


POOL = {"name": "pool", "generation": 1, "resourceSliceCount": 1}
DRIVER = "dra.example.com"


def slice_of(*devices: Mapping[str, Any], **spec: Any) -> dict[str, Any]:
    return of(
        "ResourceSlice", {"driver": DRIVER, "pool": POOL, "nodeName": "n", "devices": list(devices), **spec}
    )


def counter_slice(*names: str) -> dict[str, Any]:
    sets = [{"name": name, "counters": {"memory": {"value": "8Gi"}}} for name in names]
    return changed(slice_of(sharedCounters=sets), {"spec.devices": None})


def shared_device(value: str, **policy: Any) -> dict[str, Any]:
    capacity = {"bw": {"value": value, "requestPolicy": policy}}
    return {"name": "d", "allowMultipleAllocations": True, "capacity": capacity}


def claim_of(*requests: Mapping[str, Any], namespace: str = "default", **devices: Any) -> dict[str, Any]:
    return of("ResourceClaim", {"devices": {"requests": list(requests), **devices}}, namespace=namespace)


def exactly(name: str = "r", **fields: Any) -> dict[str, Any]:
    return {"name": name, "exactly": {"deviceClassName": "gpu", **fields}}


def first_available(name: str, *subrequests: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "firstAvailable": [{"deviceClassName": "gpu", **subrequest} for subrequest in subrequests],
    }


def template_of(claim: Mapping[str, Any]) -> dict[str, Any]:
    return of("ResourceClaimTemplate", {"spec": claim["spec"]}, namespace=claim["metadata"]["namespace"])


def selector(expression: str) -> dict[str, Any]:
    return {"cel": {"expression": expression}}


SHARE = "6f1c0c62-9d3f-4f7e-8a43-0a6f6f0f2b11"


def result(device: str = "d", request: str = "r", **fields: Any) -> dict[str, Any]:
    return {"request": request, "driver": DRIVER, "pool": "pool", "device": device, **fields}


def allocated(*results: Mapping[str, Any], **status: Any) -> dict[str, Any]:
    return {"allocation": {"devices": {"results": list(results)}}, **status}


def device_status(device: str = "d", **fields: Any) -> dict[str, Any]:
    return {"driver": DRIVER, "pool": "pool", "device": device, **fields}
