"""Random namespaces whose usage is asked for: classes, claims that are special or not, and pods."""

from __future__ import annotations

from random import Random
from typing import Any

Json = Any

NAMESPACES = ("default", "other")
CLASSES = ("gpu", "fast", "nic", "plain", "gone")
"""The classes that claims ask for; the last one is never there."""
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
    """The objects of a cluster and the ask of the operation `usage`."""
    pods = [_pod(random, number) for number in range(random.randint(0, 3))]
    claims = [_claim(random, number, pods) for number in range(random.randint(0, 5))]
    objects = {"deviceClasses": _classes(random), "resourceClaims": claims, "pods": pods}
    return objects, {"namespace": random.choice(NAMESPACES[:1] * 4 + NAMESPACES)}


def _classes(random: Random) -> list[Json]:
    found = []
    for name in random.sample(CLASSES[:-1], random.randint(0, 4)):
        spec = {"extendedResourceName": random.choice(RESOURCES)} if random.random() < 0.6 else {}
        metadata = {"name": name, "creationTimestamp": random.choice(TIMES)}
        found.append(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "DeviceClass",
                "metadata": metadata,
                "spec": spec,
            }
        )
    return found


def _claim(random: Random, number: int, pods: list[Json]) -> Json:
    metadata: dict[str, Json] = {
        "name": f"c{number}",
        "namespace": random.choice(NAMESPACES[:1] * 5 + NAMESPACES),
        "uid": f"claim-{number}",
        "creationTimestamp": random.choice(TIMES),
    }
    if pods and random.random() < 0.6:
        _make_special(random, metadata, random.choice(pods))
    requests = [_request(random, one) for one in range(random.randint(1, 3))]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": metadata,
        "spec": {"devices": {"requests": requests}},
    }


def _make_special(random: Random, metadata: dict[str, Json], pod: Json) -> None:
    """Mostly as the scheduler makes them, sometimes with something amiss."""
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
    several = [{"name": f"s{one}", **_asked(random)} for one in range(random.randint(1, 3))]
    return {"name": f"r{number}", "firstAvailable": several}


def _asked(random: Random) -> Json:
    asked: dict[str, Json] = {"deviceClassName": random.choice(CLASSES)}
    mode = random.choice(("ExactCount", "ExactCount", "All", "", "Later"))
    if mode:
        asked["allocationMode"] = mode
    if mode in ("ExactCount", "Later") or (not mode and random.random() < 0.5):
        asked["count"] = random.choice((1, 1, 2, 3, 5, 8, 33))
    return asked


def _pod(random: Random, number: int) -> Json:
    containers = [_container(random, f"c{one}") for one in range(random.randint(1, 3))]
    first = [_init_container(random, f"i{one}") for one in range(random.choice((0, 0, 1, 2)))]
    spec: dict[str, Json] = {"containers": containers, "initContainers": first}
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
    made = _container(random, name)
    return {**made, "restartPolicy": "Always"} if random.random() < 0.4 else made


def _container(random: Random, name: str) -> Json:
    requests = _amounts(random, tuple(AMOUNTS))
    extended = [*RESOURCES, *(IMPLICIT + device_class for device_class in CLASSES)]
    requests |= {
        one: random.choice(COUNTS) for one in random.sample(extended, random.choice((0, 0, 1, 1, 2)))
    }
    return {"name": name, "image": "i", "resources": {"requests": requests}}


def _amounts(random: Random, names: tuple[str, ...]) -> dict[str, str]:
    return {name: random.choice(AMOUNTS[name]) for name in names if random.random() < 0.4}
