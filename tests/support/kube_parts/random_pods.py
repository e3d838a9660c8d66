"""Random pods for node resource usage: mapped devices, claims to which they are allocated, other pods."""

from __future__ import annotations

from random import Random

from dra_conform.kube.json_values import Json
from tests.support.kube_parts.random_devices import device_slices

AMOUNTS = {
    "cpu": ("100m", "1", "2", "1500m", "0", "250m"),
    "memory": ("128Mi", "1Gi", "1G", "100"),
    "ephemeral-storage": ("1Gi", "5G"),
    "hugepages-2Mi": ("2Mi", "64Mi"),
    "example.com/gpu": ("1", "2"),
}
BUDGETS = {"cpu": ("10", "12", "16"), "memory": ("6Gi", "8Gi"), "hugepages-2Mi": ("320Mi", "322Mi")}
CLAIMS = ("a", "b", "shared")


def pod_question(random: Random, minor: str) -> tuple[Json, Json]:
    """Return the objects of a cluster and the ask of the operation `footprint`."""
    slices = device_slices(random, minor)
    claims = [_claim(random, name, slices) for name in CLAIMS]
    pod = _pod(random, "p", minor)
    others = [_other(random, f"q{number}", minor) for number in range(random.choice((0, 0, 1, 2)))]
    objects = {"pods": [pod, *others], "resourceClaims": claims, "resourceSlices": slices}
    without = [kind for kind in ("overhead", "pod-level") if random.random() < 0.15]
    source = random.choice(("claims", "claims", "claims", "status"))
    return objects, {"pod": "default/p", "from": source, "without": without}


def _claim(random: Random, name: str, slices: list[Json]) -> Json:
    status: dict[str, Json] = {}
    if random.random() < 0.97:
        results = [_result(random, number, slices) for number in range(random.randint(1, 3))]
        status["allocation"] = {"devices": {"results": results}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "default", "uid": f"claim-{name}"},
        "spec": {"devices": {"requests": [{"name": "r0", "exactly": {"deviceClassName": "any"}}]}},
        "status": status,
    }


def _result(random: Random, number: int, slices: list[Json]) -> Json:
    spec = random.choice(slices)["spec"]
    device = random.choice(spec["devices"])
    result: dict[str, Json] = {
        "request": f"r{number}",
        "driver": spec["driver"],
        "pool": spec["pool"]["name"],
        "device": device["name"],
    }
    if random.random() < 0.02:
        result["device"] = "gone"
    if device.get("allowMultipleAllocations") or random.random() < 0.03:
        result["consumedCapacity"] = {
            name: random.choice(("1", "2", "500m", "3"))
            for name in device["capacity"]
            if random.random() < 0.95
        }
        if not result["consumedCapacity"]:
            del result["consumedCapacity"]
        result["shareID"] = f"6f1c0c62-9d3f-4f7e-8a43-0a6f6f0f2b{number:02}"
    return result


def _pod(random: Random, name: str, minor: str) -> Json:
    entries = [
        {"name": f"e{number}", "resourceClaimName": claim}
        for number, claim in enumerate(random.choices(CLAIMS, k=random.choice((0, 1, 1, 2, 3))))
    ]
    used = [entry["name"] for entry in entries]
    containers = [_container(random, f"c{number}", used) for number in range(random.randint(1, 3))]
    first = [_container(random, f"i{number}", used) for number in range(random.choice((0, 0, 1, 2)))]
    for one in first:
        if random.random() < 0.4:
            one["restartPolicy"] = "Always"
    spec: dict[str, Json] = {
        "containers": containers,
        "initContainers": first,
        "resourceClaims": entries,
    }
    if random.random() < 0.25:
        spec["overhead"] = _amounts(random, ("cpu", "memory"))
    if random.random() < 0.25:
        # Pod-level requests cover the containers, as the API server validates, but maybe not the claims.
        spec["resources"] = {
            "requests": {
                one: random.choice(quantities) for one, quantities in BUDGETS.items() if random.random() < 0.5
            }
        }
    recorded = [_recorded(random, claim, minor) for claim in CLAIMS if random.random() < 0.3]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": f"pod-{name}"},
        "spec": spec,
        "status": {"nodeAllocatableResourceClaimStatuses": recorded} if recorded else {},
    }


def _other(random: Random, name: str, minor: str) -> Json:
    """Return another pod, mostly on the node, rarely Pending or finished and then without usage."""
    pod = _pod(random, name, minor)
    if random.random() < 0.8:
        pod["spec"]["nodeName"] = "node-1"
    pod["status"]["phase"] = random.choice(("Running", "Running", "Running", "Succeeded"))
    if random.random() < 0.7:  # Few pods share claims.
        pod["spec"]["resourceClaims"] = []
        pod["status"].pop("nodeAllocatableResourceClaimStatuses", None)
        for container in (*pod["spec"]["containers"], *pod["spec"]["initContainers"]):
            container["resources"].pop("claims", None)
    return pod


def _recorded(random: Random, claim: str, minor: str) -> Json:
    containers = random.sample(("c0", "c1", "c2"), random.randint(1, 3))
    mapped = _amounts(random, ("cpu", "memory", "hugepages-2Mi"))
    if minor == "1.36":
        return {"resourceClaimName": claim, "containers": containers, "resources": mapped or {"cpu": "1"}}
    overhead = [
        {"name": name, random.choice(("perPod", "perContainer")): amount}
        for name, amount in _amounts(random, ("cpu", "memory")).items()
    ]
    mapping = [{"name": name, "quantity": amount} for name, amount in mapped.items()]
    return {"resourceClaimName": claim, "containers": containers, "mapping": mapping, "overhead": overhead}


def _container(random: Random, name: str, entries: list[str]) -> Json:
    resources: dict[str, Json] = {"requests": _amounts(random, tuple(AMOUNTS))}
    used = [{"name": entry} for entry in entries if random.random() < 0.6]
    if used and random.random() < 0.1:
        used = [{**used[0], "request": "r0"}, {**used[0], "request": "r1"}, *used[1:]]
    if used:
        resources["claims"] = used
    return {"name": name, "image": "i", "resources": resources}


def _amounts(random: Random, names: tuple[str, ...]) -> dict[str, str]:
    return {name: random.choice(AMOUNTS[name]) for name in names if random.random() < 0.35}
