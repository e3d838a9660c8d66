"""Random attempts to schedule pods: claims of every sort, extended resources, failing writes and changes."""

from __future__ import annotations

from random import Random

from dra_conform.kube.json_values import Json

NODES = ("n1", "n2", "n3")
CLAIMS = ("c0", "c1", "c2", "c3", "t0")
PODS = ("p0", "p1", "p2", "p3")
GPU = "example.com/gpu"
CONDITIONS = {"bindingConditions": ["Ready"], "bindingFailureConditions": ["Broken"]}
FAILURES = (
    ("create", "ResourceClaim", ""),
    ("update", "ResourceClaim", ""),
    ("update", "ResourceClaim", "status"),
    ("update", "ResourceClaim", "status"),
    ("delete", "ResourceClaim", ""),
    ("update", "Pod", "status"),
    ("create", "Pod", "binding"),
)
REASONS = ("Conflict", "Forbidden", "ServiceUnavailable", "InternalError", "Timeout")
RESOURCE = "resource.k8s.io/v1"


def attempt_question(random: Random, minor: str) -> tuple[Json, Json]:
    """Return the objects of a cluster and the ask of the operation `schedule`."""
    slices = [_slice(random, node, minor) for node in (*NODES, "")]
    free = [
        (resource_slice["spec"]["pool"]["name"], device)
        for resource_slice in slices
        for device in resource_slice["spec"]["devices"]
    ]
    random.shuffle(free)
    claims = [_claim(random, name, free) for name in CLAIMS]
    objects = {
        "nodes": [_node(random, name) for name in NODES],
        "deviceClasses": [_named("DeviceClass", "any", spec={}), _class(random)],
        "resourceSlices": slices,
        "resourceClaims": claims,
        "pods": [*(_pod(random, name) for name in PODS), _running(random)],
    }
    return objects, {"actions": _actions(random, objects, minor)}


def _named(kind: str, name: str, namespace: str = "", **more: Json) -> Json:
    metadata = {"name": name, "uid": f"{kind}-{name}", **({"namespace": namespace} if namespace else {})}
    version = "v1" if kind in ("Node", "Pod") else RESOURCE
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **more}


def _node(random: Random, name: str) -> Json:
    allocatable = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    if random.random() < 0.15:
        allocatable[GPU] = random.choice(("0", "1"))
    node = _named("Node", name, status={"allocatable": allocatable})
    node["metadata"]["labels"] = {"zone": random.choice("ab")}
    if random.random() < 0.05:
        node["spec"] = {"unschedulable": True}
    return node


def _class(random: Random) -> Json:
    spec = {"extendedResourceName": GPU} if random.random() < 0.9 else {}
    return _named("DeviceClass", "gpu", spec=spec)


def _slice(random: Random, node: str, minor: str) -> Json:
    devices = [_device(random, number, minor) for number in range(random.choice((0, 1, 1, 2, 3)))]
    pool = node or "net"
    where = {"nodeName": node} if node else {"allNodes": True}
    spec = {
        "driver": "dra.example.com",
        "pool": {"name": pool, "generation": 1, "resourceSliceCount": 1},
        "devices": devices,
        **where,
    }
    return _named("ResourceSlice", f"{pool}-slice", spec=spec)


def _device(random: Random, number: int, minor: str) -> Json:
    device: dict[str, Json] = {"name": f"d{number}"}
    if random.random() < 0.2:
        device |= {"allowMultipleAllocations": True, "capacity": {"bw": {"value": "10"}}}
    if random.random() < 0.06:
        device["taints"] = [{"key": "t", "effect": "NoSchedule"}]
    if random.random() < 0.1:
        device |= CONDITIONS
    if random.random() < 0.15:
        amount = random.choice(("1", "2", "4"))
        if minor == "1.36":
            device["nodeAllocatableResourceMappings"] = {"cpu": {"allocationMultiplier": amount}}
        else:
            device["nodeAllocatableResources"] = {"cpu": {"mapping": {"deviceMultiplier": amount}}}
    return device


def _claim(random: Random, name: str, free: list[tuple[str, Json]]) -> Json:
    """Return a claim. If it is allocated, no other claim has its device."""
    claim = _named("ResourceClaim", name, "default", spec={"devices": {"requests": [_request(random)]}})
    if name == "t0":
        owner = {"apiVersion": "v1", "kind": "Pod", "name": "p0", "uid": "Pod-p0", "controller": True}
        claim["metadata"]["ownerReferences"] = [owner]
    if random.random() < 0.03:
        claim["metadata"] |= {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["x/y"]}
    if free and random.random() < 0.25:
        claim["status"] = _status(random, *free.pop())
    return claim


def _request(random: Random) -> Json:
    request = {
        "deviceClassName": random.choice(("any",) * 12 + ("gpu", "missing")),
        "allocationMode": "ExactCount",
        "count": random.choice((1, 1, 1, 2)),
    }
    if random.random() < 0.12:
        subrequests = [{"name": f"s{count}", **request, "count": count} for count in (2, 1)]
        return {"name": "r0", "firstAvailable": subrequests}
    if random.random() < 0.1:
        request["capacity"] = {"requests": {"bw": random.choice(("3", "6"))}}
    return {"name": "r0", "exactly": request}


def _status(random: Random, pool: str, device: Json) -> Json:
    result: dict[str, Json] = {
        "request": "r0",
        "driver": "dra.example.com",
        "pool": pool,
        "device": device["name"],
    }
    if device.get("allowMultipleAllocations"):
        result |= {"shareID": "6f1c0c62-9d3f-4f7e-8a43-0a6f6f0f2b01", "consumedCapacity": {"bw": "4"}}
    reported: Json = {}
    if random.random() < 0.15:
        result |= CONDITIONS
        if random.random() < 0.5:
            reported = {"devices": [_reported(random, result)]}
    allocation: dict[str, Json] = {"devices": {"results": [result]}}
    if random.random() < 0.3:
        allocation["allocationTimestamp"] = random.choice(("2020-01-01T00:00:00Z", "2090-01-01T00:00:00Z"))
    if pool != "net":
        fields = [{"key": "metadata.name", "operator": "In", "values": [pool]}]
        allocation["nodeSelector"] = {"nodeSelectorTerms": [{"matchFields": fields}]}
    pods = random.sample((*PODS, "gone"), random.choice((0, 0, 1, 1, 2)))
    reserved = [{"resource": "pods", "name": name, "uid": f"Pod-{name}"} for name in pods]
    return {"allocation": allocation, **({"reservedFor": reserved} if reserved else {}), **reported}


def _reported(random: Random, device: Json) -> Json:
    """Return a device status in which some binding conditions may be true."""
    place = {name: device[name] for name in ("driver", "pool", "device", "shareID") if name in device}
    condition = {"reason": "R", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    conditions = [
        {"type": name, "status": random.choice(("True", "True", "False", "Unknown")), **condition}
        for name in random.sample(("Ready", "Broken", "Other"), random.randint(1, 2))
    ]
    return {**place, "conditions": conditions}


def _pod(random: Random, name: str) -> Json:
    requests: dict[str, str] = {"cpu": random.choice(("1", "1", "3"))} if random.random() < 0.3 else {}
    if random.random() < 0.3:
        requests[GPU] = random.choice(("1", "1", "2"))
    names = random.sample((*CLAIMS[:4], "missing"), random.choice((0, 1, 1, 1, 2)))
    entries: list[Json] = [{"name": f"e-{chosen}", "resourceClaimName": chosen} for chosen in names]
    pod = _named("Pod", name, "default", spec={}, status={})
    if random.random() < 0.1:
        entries.append({"name": "made", "resourceClaimTemplateName": "t"})
        if random.random() < 0.8:
            generated = random.choice(("t0", "t0", "c0", None))
            entry = {"name": "made", **({"resourceClaimName": generated} if generated else {})}
            pod["status"] = {"resourceClaimStatuses": [entry]}
    container: dict[str, Json] = {"name": "main", "image": "i", "resources": {}}
    if requests:
        container["resources"] = {"requests": requests}
        if GPU in requests:
            container["resources"]["limits"] = {GPU: requests[GPU]}
    if entries:
        container["resources"]["claims"] = [{"name": entry["name"]} for entry in entries]
        pod["spec"]["resourceClaims"] = entries
    pod["spec"]["containers"] = [container]
    if random.random() < 0.1:
        pod["spec"]["nodeSelector"] = {"zone": random.choice("ab")}
    return pod


def _running(random: Random) -> Json:
    container = {"name": "main", "image": "i", "resources": {"requests": {"cpu": random.choice("123")}}}
    spec = {"nodeName": random.choice(NODES), "containers": [container]}
    return _named("Pod", "running", "default", spec=spec, status={"phase": "Running"})


def _actions(random: Random, objects: Json, minor: str) -> list[Json]:
    actions: list[Json] = []
    created: set[str] = set()
    for _ in range(random.choice((1, 2, 3, 3, 4, 5))):
        if random.random() < 0.3:
            actions.append(_failure(random))
        if random.random() < 0.25:
            change = _change(random, objects, minor)
            name = change.get("object", {}).get("metadata", {}).get("name", "")
            if not name or name not in created:
                created.add(name)
                actions.append(change)
        pod = f"default/{random.choice(PODS)}"
        nodes = {"nodes": random.sample(NODES, random.randint(1, 3))} if random.random() < 0.2 else {}
        through = random.choice(("Reserve", "Reserve", "PreBind", "Bind", "Bind"))
        actions.append({"do": "try", "pod": pod, "through": through, **nodes})
        if random.random() < 0.4:
            done = random.choice((*PODS, pod.partition("/")[2], pod.partition("/")[2]))
            actions.append({"do": random.choice(("bind", "bind", "give-up")), "pod": f"default/{done}"})
    return actions


def _failure(random: Random) -> Json:
    verb, kind, subresource = random.choice(FAILURES)
    failure = {"do": "fail", "times": random.choice((1, 1, 1, 2, 6)), "verb": verb, "kind": kind}
    return {
        **failure,
        "reason": random.choice(REASONS),
        **({"subresource": subresource} if subresource else {}),
    }


def _change(random: Random, objects: Json, minor: str) -> Json:
    node = {"kind": "Node", "name": random.choice(NODES)}
    claim = {"kind": "ResourceClaim", "name": random.choice(CLAIMS[:4]), "namespace": "default"}
    pod = {"kind": "Pod", "name": random.choice(PODS), "namespace": "default"}
    statuses = [{"name": "made", "resourceClaimName": "t0"}] if _has_template(objects, pod["name"]) else None
    fields = random.choice(
        (
            (node, {"metadata.labels": {"zone": random.choice("abc")}}),
            (node, {"metadata.annotations": {"seen": "1"}}),
            (node, {"status.allocatable": {"cpu": "8", "memory": "8Gi", "pods": "110"}}),
            (claim, {"metadata.labels": {"seen": "1"}}),
            (claim, {"status.allocation": None, "status.reservedFor": None}),
            (claim, {"status.reservedFor": None}),
            (claim, {"status.devices": _of_some_devices(random, objects)}),
            (claim, {"status.devices": _of_some_devices(random, objects)}),
            (pod, {"metadata.labels": {"seen": "1"}}),
            (pod, {"status.resourceClaimStatuses": statuses}),
            ({"kind": "DeviceClass", "name": "gpu"}, {"metadata.labels": {"seen": "1"}}),
            ({"kind": "ResourceSlice", "name": "net-slice"}, {"metadata.labels": {"seen": "1"}}),
        )
    )
    number = random.randint(0, 999)
    return random.choice(
        (
            {"do": "change", "of": fields[0], "fields": fields[1]},
            {"do": "change", "of": fields[0], "fields": fields[1]},
            {"do": "create", "object": _named("DeviceClass", "missing", spec={})},
            {"do": "create", "object": _late_node(number)},
            {"do": "create", "object": _late_slice(random, number, minor)},
            {"do": "create", "object": _late_claim(random, number)},
        )
    )


def _of_some_devices(random: Random, objects: Json) -> Json:
    """Return device statuses of published devices, which have no effect on claims without these devices."""
    return [
        _reported(
            random,
            {"driver": "dra.example.com", "pool": resource_slice["spec"]["pool"]["name"], "device": name},
        )
        for resource_slice in objects["resourceSlices"]
        for name in [each["name"] for each in resource_slice["spec"]["devices"]]
        if random.random() < 0.6
    ]


def _has_template(objects: Json, pod: str) -> bool:
    [named_pod] = [other for other in objects["pods"] if other["metadata"]["name"] == pod]
    return any("resourceClaimTemplateName" in claim for claim in named_pod["spec"].get("resourceClaims", ()))


def _late_node(number: int) -> Json:
    return _named(
        "Node", f"late-{number}", status={"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}
    )


def _late_slice(random: Random, number: int, minor: str) -> Json:
    resource_slice = _slice(random, random.choice(NODES), minor)
    name = f"late-{number}"
    resource_slice["metadata"] |= {"name": name, "uid": name}
    resource_slice["spec"]["pool"]["name"] = name
    return resource_slice


def _late_claim(random: Random, number: int) -> Json:
    name = random.choice(("missing", f"late-{number}"))
    return _named("ResourceClaim", name, "default", spec={"devices": {"requests": [_request(random)]}})
