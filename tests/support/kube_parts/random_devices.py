"""Random devices that map to node allocatable resources, or need them in addition."""

from __future__ import annotations

from random import Random

from dra_conform.kube.json_values import Json

DRIVERS = ("dra.example.com", "other.example.com")
CAPACITY = {"cores": "16", "size": "32Gi"}
MULTIPLIERS = {
    "cpu": ("1", "2", "500m", "1.5"),
    "memory": ("1Gi", "1", "100Mi"),
    "hugepages-2Mi": ("2Mi", "4Mi"),
}


def device_slices(random: Random, minor: str) -> list[Json]:
    """Return slices of a few pools, some with equal names of two drivers, some with an older slice."""
    slices = [_slice(random, minor, number) for number in range(random.randint(1, 3))]
    if random.random() < 0.1:
        spec = slices[0]["spec"]
        older = {**spec, "pool": {**spec["pool"], "generation": 1}, "devices": _devices(random, minor)}
        slices.insert(random.randint(0, 1), {**slices[0], "metadata": {"name": "older"}, "spec": older})
    return slices


def _slice(random: Random, minor: str, number: int) -> Json:
    pool = {"name": f"pool-{number}", "generation": 2, "resourceSliceCount": 1}
    if number and random.random() < 0.2:
        pool["name"] = "pool-0"
    spec: dict[str, Json] = {
        "driver": DRIVERS[number % 2],
        "pool": pool,
        "nodeName": "node-1",
        "devices": _devices(random, minor),
    }
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"slice-{number}"},
        "spec": spec,
    }


def _devices(random: Random, minor: str) -> list[Json]:
    return [_device(random, minor, f"dev-{number}") for number in range(random.randint(1, 3))]


def _device(random: Random, minor: str, name: str) -> Json:
    device: dict[str, Json] = {"name": name, "capacity": {}}
    if random.random() < 0.6:
        device["capacity"] = {capacity_name: {"value": value} for capacity_name, value in CAPACITY.items()}
    if random.random() < 0.5:
        device["allowMultipleAllocations"] = True
    if random.random() < 0.15:
        return device
    names = [multiplier for multiplier in MULTIPLIERS if random.random() < 0.5] or ["cpu"]
    if minor == "1.36":
        device["nodeAllocatableResourceMappings"] = {
            chosen: _mapping(random, device, chosen, "allocationMultiplier", "allocationMultiplier")
            for chosen in names
        }
    else:
        device["nodeAllocatableResources"] = {chosen: _needs(random, device, chosen) for chosen in names}
    return device


def _needs(random: Random, device: Json, name: str) -> Json:
    needs: dict[str, Json] = {}
    if random.random() < 0.75:
        needs["mapping"] = _mapping(random, device, name, "capacityMultiplier", "deviceMultiplier")
    if not needs or random.random() < 0.4:
        besides = random.choice((("perPod",), ("perContainer",), ("perPod", "perContainer")))
        needs["overhead"] = {other: random.choice(MULTIPLIERS[name]) for other in besides}
    return needs


def _mapping(random: Random, device: Json, name: str, of_capacity: str, of_device: str) -> Json:
    """Return a mapping, by capacity mostly for shared devices: releases know consumed capacity only of those."""
    known = device.get("allowMultipleAllocations") or random.random() < 0.03
    if device["capacity"] and known and random.random() < 0.7:
        return {"capacityKey": random.choice(tuple(CAPACITY)), of_capacity: random.choice(MULTIPLIERS[name])}
    return {of_device: random.choice(MULTIPLIERS[name])}
