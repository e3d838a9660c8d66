"""Random objects of scenarios of pods: published devices, claims, templates, pods and quotas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from dra_conform.fuzz.scenario import api_object
from dra_conform.kube.json_values import Json

DRIVER = "dra.example.com"
RESOURCE = "example.com/gpu"
CLASS = "gpu"
COUNTER_SET = "card"
MODELS = ("a", "b")


def _plain(random: Random) -> Json:
    return {}


def _shared(random: Random) -> Json:
    policies: tuple[Json, ...] = (
        {},
        {"requestPolicy": {"default": "1", "validRange": {"min": "1", "max": "4", "step": "1"}}},
        {"requestPolicy": {"default": "2", "validValues": ["2", "4"]}},
    )
    amount = {"value": random.choice(("4", "8")), **random.choice(policies)}
    return {"allowMultipleAllocations": True, "capacity": {"mem": amount}}


def _partition(random: Random) -> Json:
    taken = {"slots": {"value": random.choice(("1", "2", "3"))}}
    return {"consumesCounters": [{"counterSet": COUNTER_SET, "counters": taken}]}


def _grouped(random: Random) -> Json:
    device = _partition(random)
    device["consumesCounters"][0]["compatibilityGroups"] = [random.choice(("mig", "vgpu"))]
    return device


def _tainted(random: Random) -> Json:
    effect = random.choice(("NoSchedule", "NoExecute"))
    return {"taints": [{"key": "example.com/broken", "value": "v", "effect": effect}]}


def _mapped(random: Random) -> Json:
    """Make a device with node resource mappings, which some releases drop."""
    overhead = random.choice(({}, {"overhead": {"perPod": "500m"}}))
    mapping = {"deviceMultiplier": random.choice(("1", "2"))}
    return {"nodeAllocatableResources": {"cpu": {"mapping": mapping, **overhead}}}


DEVICES: Mapping[str, Callable[[Random], Json]] = {
    "plain": _plain,
    "shared": _shared,
    "partitions": _partition,
    "groups": _grouped,
    "tainted": _tainted,
    "mapped": _mapped,
}
"""The types of devices, one for each feature."""


def published(node: str, sort: str, random: Random) -> list[Json]:
    """Generate the slices of a node: its devices, and the counters that they consume, if any."""
    pool = f"pool-{node}"
    devices = [
        {"name": f"gpu-{number}", "attributes": {"model": {"string": random.choice(MODELS)}}}
        | DEVICES[sort](random)
        for number in range(random.randint(1, 3))
    ]
    several: list[Json] = [{"devices": devices}]
    if any("consumesCounters" in device for device in devices):
        counters = {"slots": {"value": random.choice(("3", "4"))}}
        several.append({"sharedCounters": [{"name": COUNTER_SET, "counters": counters}]})
    about = {"name": pool, "generation": 1, "resourceSliceCount": len(several)}
    common = {"driver": DRIVER, "pool": about, "nodeName": node}
    return [
        api_object("ResourceSlice", f"slice-{number}-{node}", {**common, **content})
        for number, content in enumerate(several)
    ]


def device_class(*, extended: bool) -> Json:
    """Make the DeviceClass of all devices, with or without an extended resource name."""
    spec = {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]}
    return api_object("DeviceClass", CLASS, spec | ({"extendedResourceName": RESOURCE} if extended else {}))


NAMESPACE = "default"
_TOLERATION = {"key": "example.com/broken", "operator": "Exists", "effect": "NoSchedule"}
_ALL = ("allocationMode", "All")
_EXECUTED = {"effect": "NoExecute"}


def claim_spec(random: Random) -> Json:
    """Generate a claim spec with one or two requests, which can be hard to allocate."""
    requests = [_request(f"r{number}", random) for number in range(random.choice((1, 1, 1, 2)))]
    constraints = {"constraints": [{"matchAttribute": f"{DRIVER}/model"}]} if random.random() < 0.2 else {}
    return {"devices": {"requests": requests, **constraints}}


def _request(name: str, random: Random) -> Json:
    if random.random() < 0.15:
        sub = [{"name": f"s{number}", **_asked(random)} for number in range(2)]
        return {"name": name, "firstAvailable": sub}
    return {"name": name, "exactly": _asked(random)}


def _asked(random: Random) -> Json:
    asked: Json = {"deviceClassName": CLASS}
    asked |= random.choice(({}, {}, {}, {"count": 2}, {"allocationMode": "All"}))
    if random.random() < 0.25:
        expression = f'device.attributes["{DRIVER}"].model == "{random.choice(MODELS)}"'
        asked["selectors"] = [{"cel": {"expression": expression}}]
    if random.random() < 0.25:
        asked["capacity"] = {"requests": {"mem": random.choice(("1", "2", "3", "6"))}}
    if random.random() < 0.4:
        effects: tuple[Json, ...] = ({}, _EXECUTED, {**_EXECUTED, "tolerationSeconds": 600})
        asked["tolerations"] = [{**_TOLERATION, **random.choice(effects)}]
    return asked


def with_counts(value: Json) -> Json:
    """Return a claim or a template whose requests ask for a number of devices, not for all."""
    if isinstance(value, dict):
        return {key: with_counts(part) for key, part in value.items() if (key, part) != _ALL}
    return [*map(with_counts, value)] if isinstance(value, list) else value


def claim(name: str, random: Random) -> Json:
    """Generate a ResourceClaim."""
    return api_object("ResourceClaim", name, claim_spec(random), namespace=NAMESPACE)


def template(name: str, random: Random) -> Json:
    """Generate a ResourceClaimTemplate."""
    spec = {"spec": claim_spec(random)}
    return api_object("ResourceClaimTemplate", name, spec, namespace=NAMESPACE)


def pod(name: str, *, claims: list[str], templates: list[str], amounts: Json, random: Random) -> Json:
    """Generate a pod whose containers use all its claims; the first container also requests `amounts`."""
    entries = [
        {"name": f"e{place}", "resourceClaimName": claim_name} for place, claim_name in enumerate(claims)
    ]
    entries += [
        {"name": f"t{place}", "resourceClaimTemplateName": template_name}
        for place, template_name in enumerate(templates)
    ]
    used = [{"name": entry["name"]} for entry in entries]
    containers = []
    for number in range(random.choice((1, 1, 2))):
        resources: Json = {"claims": used} if used else {}
        if number == 0 and amounts:
            resources |= {"requests": dict(amounts), "limits": dict(amounts)}
        containers.append({"name": f"c{number}", "image": "none", "resources": resources})
    spec: Json = {"containers": containers, **({"resourceClaims": entries} if entries else {})}
    if random.random() < 0.15:
        spec["initContainers"] = [_init_container(used, random)]
    if random.random() < 0.1:
        spec["resources"] = {"requests": {"cpu": random.choice(("2", "3"))}}
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _init_container(used: list[Json], random: Random) -> Json:
    """Generate an init container or a sidecar."""
    resources: Json = {"requests": {"cpu": random.choice(("500m", "1"))}}
    if used and random.random() < 0.5:
        resources["claims"] = used
    sidecar = {"restartPolicy": "Always"} if random.random() < 0.5 else {}
    return {"name": "before", "image": "none", "resources": resources, **sidecar}


def quota(name: str, random: Random) -> Json:
    """Generate a quota for devices of the DeviceClass, for the extended resource, or for claims."""
    counted = random.choice(
        (
            f"{CLASS}.deviceclass.resource.k8s.io/devices",
            f"requests.{RESOURCE}",
            f"requests.deviceclass.resource.kubernetes.io/{CLASS}",
            "count/resourceclaims.resource.k8s.io",
        )
    )
    hard = {counted: random.choice(("1", "2", "3"))}
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard}}


def taint_rule(name: str, random: Random) -> Json:
    """Generate a DeviceTaintRule for one device or for all devices of the driver."""
    selector = {"driver": DRIVER, **random.choice(({}, {"device": "gpu-0"}))}
    effect = random.choice(("NoSchedule", "NoExecute", "NoExecute"))
    taint = {"key": "example.com/broken", "value": "v", "effect": effect}
    return api_object("DeviceTaintRule", name, {"deviceSelector": selector, "taint": taint})
