"""Random namespaces for quota usage: DeviceClasses, claims, extended-resource claims, and pods."""

from __future__ import annotations

from random import Random

from dra_conform.kube.json_values import Json

NAMESPACES = ("default", "other")
CLASSES = ("gpu", "fast", "nic", "plain", "gone")
"""DeviceClasses that claims request. The last one never exists."""
RESOURCES = ("example.com/gpu", "example.com/nic", "example.org/gpu")
TIMES = ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
SPECIAL = "resource.kubernetes.io/extended-resource-claim"
IMPLICIT = "deviceclass.resource.kubernetes.io/"
AMOUNTS = {
    "cpu": ("100m", "1", "2", "1500m", "0"),
    "memory": ("128Mi", "1Gi", "1G", "100"),
    "ephemeral-storage": ("1Gi", "5G"),
    "hugepages-2Mi": ("2Mi", "64Mi"),
}
COUNTS = ("1", "2", "3", "5", "0")


def namespace_question(random: Random) -> Json:
    """Return the objects of a cluster and the ask of the operation `usage`."""
    pods = [_pod(random, number) for number in range(random.randint(0, 3))]
    claims = [_claim(random, number, pods) for number in range(random.randint(0, 5))]
    objects = {"deviceClasses": _classes(random), "resourceClaims": claims, "pods": pods}
    return objects, {"namespace": random.choice(NAMESPACES[:1] * 4 + NAMESPACES)}


def _classes(random: Random) -> list[Json]:
    classes = []
    for name in random.sample(CLASSES[:-1], random.randint(0, 4)):
        spec = {"extendedResourceName": random.choice(RESOURCES)} if random.random() < 0.6 else {}
        metadata = {"name": name, "creationTimestamp": random.choice(TIMES)}
        classes.append(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "DeviceClass",
                "metadata": metadata,
                "spec": spec,
            }
        )
    return classes


def _claim(random: Random, number: int, pods: list[Json]) -> Json:
    metadata: dict[str, Json] = {
        "name": f"c{number}",
        "namespace": random.choice(NAMESPACES[:1] * 5 + NAMESPACES),
        "uid": f"claim-{number}",
        "creationTimestamp": random.choice(TIMES),
    }
    if pods and random.random() < 0.6:
        _make_special(random, metadata, random.choice(pods))
    requests = [_request(random, index) for index in range(random.randint(1, 3))]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": metadata,
        "spec": {"devices": {"requests": requests}},
    }


def _make_special(random: Random, metadata: dict[str, Json], pod: Json) -> None:
    """Make a claim an extended-resource claim, mostly as the scheduler does, sometimes with an error."""
    owner = {
        "apiVersion": "v1",
        "kind": "Pod",
        "name": pod["metadata"]["name"],
        "uid": pod["metadata"]["uid"],
        "controller": True,
    }
    metadata["namespace"] = pod["metadata"]["namespace"]
    metadata["annotations"] = {SPECIAL: "true"}
    amiss = random.choice(("", "", "", "", "uid", "kind", "controller", "annotation", "namespace", "status"))
    if amiss == "uid":
        owner["uid"] = "another"
    elif amiss == "kind":
        owner["kind"] = "Deployment"
    elif amiss == "controller":
        owner["controller"] = False
    elif amiss == "annotation":
        metadata["annotations"] = {SPECIAL: random.choice(("false", ""))}
    elif amiss == "namespace":
        metadata["namespace"] = random.choice(NAMESPACES)
    metadata["ownerReferences"] = [owner]
    if random.random() < 0.5:
        named = metadata["name"] if amiss != "status" else "c9"
        pod["status"]["extendedResourceClaimStatus"] = {"resourceClaimName": named, "requestMappings": []}


def _request(random: Random, number: int) -> Json:
    if random.random() < 0.7:
        return {"name": f"r{number}", "exactly": _asked(random)}
    subrequests = [{"name": f"s{index}", **_asked(random)} for index in range(random.randint(1, 3))]
    return {"name": f"r{number}", "firstAvailable": subrequests}


def _asked(random: Random) -> Json:
    request: dict[str, Json] = {"deviceClassName": random.choice(CLASSES)}
    mode = random.choice(("ExactCount", "ExactCount", "All", "", "Later"))
    if mode:
        request["allocationMode"] = mode
    if mode in ("ExactCount", "Later") or (not mode and random.random() < 0.5):
        request["count"] = random.choice((1, 1, 2, 3, 5, 8, 33))
    return request


def _pod(random: Random, number: int) -> Json:
    containers = [_container(random, f"c{index}") for index in range(random.randint(1, 3))]
    init_containers = [_init_container(random, f"i{index}") for index in range(random.choice((0, 0, 1, 2)))]
    spec: dict[str, Json] = {"containers": containers, "initContainers": init_containers}
    if random.random() < 0.2:
        spec["overhead"] = _amounts(random, ("cpu", "memory"))
    if random.random() < 0.2:
        spec["resources"] = {"requests": _amounts(random, ("cpu", "memory", "hugepages-2Mi"))}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"p{number}",
            "namespace": random.choice(NAMESPACES[:1] * 5 + NAMESPACES),
            "uid": f"pod-{number}",
        },
        "spec": spec,
        "status": {"phase": random.choice(("Pending", "Running", "Running", "Succeeded", "Failed"))},
    }


def _init_container(random: Random, name: str) -> Json:
    container = _container(random, name)
    return {**container, "restartPolicy": "Always"} if random.random() < 0.4 else container


def _container(random: Random, name: str) -> Json:
    requests = _amounts(random, tuple(AMOUNTS))
    extended = [*RESOURCES, *(IMPLICIT + device_class for device_class in CLASSES)]
    requests |= {
        resource_name: random.choice(COUNTS)
        for resource_name in random.sample(extended, random.choice((0, 0, 1, 1, 2)))
    }
    return {"name": name, "image": "i", "resources": {"requests": requests}}


def _amounts(random: Random, names: tuple[str, ...]) -> dict[str, str]:
    return {name: random.choice(AMOUNTS[name]) for name in names if random.random() < 0.4}
