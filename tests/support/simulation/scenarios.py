"""Builders for scenarios of a simulated cluster, and queries of their observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile
from dra_conform.simulation import SimulatedCluster
from dra_conform.simulation.parts import Parts

RESOURCE = "resource.k8s.io/v1"
DRIVER = "dra.example.com"
SETTLE = {"do": "settle"}


def of(kind: str, name: str, spec: Json = None, version: str = RESOURCE, **metadata: Json) -> Json:
    raw = {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}}
    return raw if spec is None else {**raw, "spec": spec}


def node(name: str, **spec: Json) -> Json:
    return of("Node", name, spec, "v1", labels={"kubernetes.io/hostname": name})


def slice_on(node_name: str, *devices: Json, generation: int = 1, **spec: Json) -> Json:
    """Return the only ResourceSlice of the node's pool."""
    pool = {"name": f"pool-{node_name}", "generation": generation, "resourceSliceCount": 1}
    fields = {"driver": DRIVER, "pool": pool, "nodeName": node_name, "devices": list(devices), **spec}
    return of("ResourceSlice", f"slice-{node_name}", fields)


def shared(name: str, value: str = "10G") -> Json:
    """Return a device with a capacity `bw` that allows multiple allocations."""
    return {"name": name, "allowMultipleAllocations": True, "capacity": {"bw": {"value": value}}}


CLASS = of("DeviceClass", "any", {})


def wants(bandwidth: str = "", **fields: Json) -> Json:
    """Return the spec of a claim for one device."""
    requested = {"capacity": {"requests": {"bw": bandwidth}}} if bandwidth else {}
    request = {"name": "r", "exactly": {"deviceClassName": "any", **requested, **fields}}
    return {"devices": {"requests": [request]}}


def claim(name: str, bandwidth: str = "", **fields: Json) -> Json:
    return of("ResourceClaim", name, wants(bandwidth, **fields))


def template(name: str, bandwidth: str = "") -> Json:
    inner = {"metadata": {"labels": {"from": name}}, "spec": wants(bandwidth)}
    return of("ResourceClaimTemplate", name, inner)


def pod(name: str, *claims: str, templates: Sequence[str] = (), **spec: Json) -> Json:
    """Return a pod with entries for claims and templates; each entry has the name of its claim or template."""
    entries = [{"name": one, "resourceClaimName": one} for one in claims]
    entries += [{"name": one, "resourceClaimTemplateName": one} for one in templates]
    containers = [{"name": "c", "image": "i"}]
    return of("Pod", name, {"containers": containers, "resourceClaims": entries, **spec}, "v1")


def create(raw: Json, **more: Json) -> Json:
    return {"do": "create", "object": raw, **more}


def change(reference: Json, fields: Mapping[str, Json], **more: Json) -> Json:
    return {"do": "change", "of": reference, "fields": fields, **more}


def delete(kind: str, name: str) -> Json:
    return {"do": "delete", "of": {"kind": kind, "name": name}}


def get(kind: str, name: str, **more: Json) -> Json:
    return {"do": "get", "of": {"kind": kind, "name": name}, **more}


def finish(name: str) -> Json:
    return change({"kind": "Pod", "name": name}, {"status.phase": "Succeeded"}, subresource="status")


def gates(*components: str, **switched: bool) -> Json:
    return {"do": "set-gates", "components": list(components), "gates": switched}


def observations_of(
    setup: Sequence[Json],
    *actions: Json,
    profile: str = "kep",
    components: Mapping[str, Json] | None = None,
    parts: Parts | None = None,
    seed: int = 0,
) -> list[Json]:
    """Run a scenario on a simulated cluster with the objects `setup`, and return its observations."""
    objects: dict[str, list[Json]] = {}
    for raw in setup:
        objects.setdefault(COLLECTIONS[raw["kind"]], []).append(raw)
    ask = {"components": components or {}, "actions": list(actions)}
    return SimulatedCluster(parts or Parts(), Profile.named(profile), seed).run(objects, ask)


def settled(setup: Sequence[Json], *actions: Json, **how: Any) -> Json:
    """Return the observation of the steady state after the actions."""
    return observations_of(setup, *actions, SETTLE, **how)[-1]


def object_in(observation: Json, kind: str, name: str) -> Json:
    """Return an object of the steady state, None if it does not exist."""
    observed = observation["objects"].get(COLLECTIONS[kind], ())
    return next((one for one in observed if one["metadata"]["name"] == name), None)


def nodes_of(observation: Json) -> dict[str, str | None]:
    """Return the node of each pod."""
    return {
        pod["metadata"]["name"]: pod["spec"].get("nodeName") for pod in observation["objects"].get("pods", ())
    }


def phases(observation: Json) -> dict[str, str | None]:
    return {
        pod["metadata"]["name"]: pod.get("status", {}).get("phase")
        for pod in observation["objects"].get("pods", ())
    }


def devices_of(observation: Json) -> dict[str, list[str]]:
    """Return the devices of each allocated claim."""
    return {
        claim["metadata"]["name"]: [result["device"] for result in allocation["devices"]["results"]]
        for claim in observation["objects"].get("resourceClaims", ())
        if (allocation := claim.get("status", {}).get("allocation"))
    }


def users_of(observation: Json, name: str) -> list[str]:
    """Return the names of the pods that a claim is reserved for."""
    observed = object_in(observation, "ResourceClaim", name)
    return [one["name"] for one in observed.get("status", {}).get("reservedFor", ())]


def results_of(observation: Json, name: str) -> list[str]:
    """Return the results of the attempts to schedule a pod."""
    return [one["result"] for one in observation["attempts"] if one["pod"] == f"default/{name}"]
