"""Random eviction scenarios: devices get taints, time passes, and pods tolerate taints for some time."""

from __future__ import annotations

from random import Random

from dra_conform.conformance.steps.given import collected
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.pod_scenario_objects import CLASS, DRIVER, NAMESPACE, device_class, pod
from dra_conform.fuzz.scenario import api_object
from dra_conform.fuzz.writes.versions import versions_of
from dra_conform.kube.gates import CHECKED_WITH
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1

STEP = 60
"""Seconds between two observations. A cluster needs some of them to reach a steady state."""
_STEPS = 3
_TIMES = (0, 40, 50, 100, 110, 160, 170, 600)
"""Seconds of toleration. None ends within 40 seconds after the start of an observation."""
_KEY = "example.com/broken"


def eviction_scenario(number: int, seed: int, profile: Profile) -> ClusterScenario:
    """Generate two to four pods with a device each; the driver or a DeviceTaintRule taints some devices."""
    random = Random(f"{seed}/{number}/evictions")
    release = profile.release or list(CHECKED_WITH)[-1]
    count = random.randint(2, 4)
    devices = [{"name": f"gpu-{place}"} for place in range(count)]
    actions = [_write("create", device_class(extended=False), release)]
    actions.append(_write("create", _slice(devices, 1), release))
    for place in range(count):
        actions.append(_write("create", _claim(place, random), release))
        new_pod = pod(f"p{place}", claims=[f"c{place}"], templates=[], amounts={}, random=random)
        actions.append({"do": "create", "object": new_pod})
    actions.append({"do": "settle"})
    by_rule = random.random() < 0.5
    effect = random.choice(("NoExecute", "NoExecute", "NoExecute", "NoSchedule"))
    taint = {"key": _KEY, "value": "v", "effect": effect}
    if by_rule:
        selector = {"driver": DRIVER, **random.choice(({}, {"device": "gpu-0"}))}
        rule = api_object("DeviceTaintRule", "r", {"deviceSelector": selector, "taint": taint})
        actions.append(_write("create", rule, release))
    else:
        tainted = random.randint(1, count)
        worse = [
            {**device, "taints": [taint]} if place < tainted else device
            for place, device in enumerate(devices)
        ]
        actions.append(_write("update", _slice(worse, 2), release))
    ends = random.choice((1, 2, None))
    for step in range(_STEPS):
        actions.append({"do": "settle"})
        if step == ends and by_rule:
            actions += [{"do": "delete", "of": {"kind": "DeviceTaintRule", "name": "r"}}, {"do": "settle"}]
        elif step == ends:
            actions += [_write("update", _slice(devices, 3), release), {"do": "settle"}]
        actions.append({"do": "advance", "seconds": STEP})
    actions.append({"do": "settle"})
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "left"}}
    gates = {"DRADeviceTaints": True, "DRADeviceTaintRules": True}
    return ClusterScenario(collected([node]), tuple(actions), gates)


def _write(do: str, raw: Json, release: str) -> Json:
    version = f"resource.k8s.io/{versions_of(raw['kind'], release)[0]}"
    return {"do": do, "object": from_v1(raw, version)}


def _slice(devices: list[Json], generation: int) -> Json:
    pool = {"name": "pool-left", "generation": generation, "resourceSliceCount": 1}
    spec = {"driver": DRIVER, "pool": pool, "nodeName": "left", "devices": devices}
    return api_object("ResourceSlice", "slice-left", spec)


def _claim(place: int, random: Random) -> Json:
    """Generate a claim for one device that tolerates the taint never, for some time, or forever."""
    exactly: Json = {"deviceClassName": CLASS}
    how = random.choice(("not", "for a time", "for a time", "for a time", "for ever"))
    if how != "not":
        seconds = {} if how == "for ever" else {"tolerationSeconds": random.choice(_TIMES)}
        toleration = {"key": _KEY, "operator": "Exists", "effect": "NoExecute", **seconds}
        exactly["tolerations"] = [toleration]
    spec = {"devices": {"requests": [{"name": "r0", "exactly": exactly}]}}
    return api_object("ResourceClaim", f"c{place}", spec, namespace=NAMESPACE)
