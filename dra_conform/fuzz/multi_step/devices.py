"""Random published devices for scenarios of pods, with a type of device for each feature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from dra_conform.fuzz.scenario import api_object
from dra_conform.kube.json_values import CheckedJson

DRIVER = "dra.example.com"
RESOURCE = "example.com/gpu"
CLASS = "gpu"
COUNTER_SET = "card"
MODELS = ("a", "b")


def _plain(random: Random) -> CheckedJson:
    return {}


def _shared(random: Random) -> CheckedJson:
    policies: tuple[CheckedJson, ...] = (
        {},
        {"requestPolicy": {"default": "1", "validRange": {"min": "1", "max": "4", "step": "1"}}},
        {"requestPolicy": {"default": "2", "validValues": ["2", "4"]}},
    )
    amount = {"value": random.choice(("4", "8")), **random.choice(policies)}
    return {"allowMultipleAllocations": True, "capacity": {"mem": amount}}


def _partition(random: Random) -> CheckedJson:
    taken = {"slots": {"value": random.choice(("1", "2", "3"))}}
    return {"consumesCounters": [{"counterSet": COUNTER_SET, "counters": taken}]}


def _grouped(random: Random) -> CheckedJson:
    device = _partition(random)
    device["consumesCounters"][0]["compatibilityGroups"] = [random.choice(("mig", "vgpu"))]
    return device


def _tainted(random: Random) -> CheckedJson:
    effect = random.choice(("NoSchedule", "NoExecute"))
    return {"taints": [{"key": "example.com/broken", "value": "v", "effect": effect}]}


def _mapped(random: Random) -> CheckedJson:
    """Make a device with node resource mappings, which some releases drop."""
    overhead = random.choice(({}, {"overhead": {"perPod": "500m"}}))
    mapping = {"deviceMultiplier": random.choice(("1", "2"))}
    return {"nodeAllocatableResources": {"cpu": {"mapping": mapping, **overhead}}}


DEVICES: Mapping[str, Callable[[Random], CheckedJson]] = {
    "plain": _plain,
    "shared": _shared,
    "partitions": _partition,
    "groups": _grouped,
    "tainted": _tainted,
    "mapped": _mapped,
}
"""The types of devices, one for each feature."""


def published(node: str, sort: str, random: Random) -> list[CheckedJson]:
    """Generate the slices of a node: its devices, and the counters that they consume, if any."""
    pool = f"pool-{node}"
    devices = [
        {"name": f"gpu-{number}", "attributes": {"model": {"string": random.choice(MODELS)}}}
        | DEVICES[sort](random)
        for number in range(random.randint(1, 3))
    ]
    several: list[CheckedJson] = [{"devices": devices}]
    if any("consumesCounters" in device for device in devices):
        counters = {"slots": {"value": random.choice(("3", "4"))}}
        several.append({"sharedCounters": [{"name": COUNTER_SET, "counters": counters}]})
    about = {"name": pool, "generation": 1, "resourceSliceCount": len(several)}
    common = {"driver": DRIVER, "pool": about, "nodeName": node}
    return [
        api_object("ResourceSlice", f"slice-{number}-{node}", {**common, **content})
        for number, content in enumerate(several)
    ]


def device_class(*, extended: bool) -> CheckedJson:
    """Make the DeviceClass of all devices, with or without an extended resource name."""
    spec = {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]}
    return api_object("DeviceClass", CLASS, spec | ({"extendedResourceName": RESOURCE} if extended else {}))
