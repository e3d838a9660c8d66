"""A scenario in the steps of a golden case: the short ones where they can say it, else the objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.conformance.building import CLASS, DRIVER, NODE, POOL
from dra_conform.fuzz.scenario import Scenario

Json = Any
Step = dict[str, Json]

_DEVICE = {"name", "attributes", "capacity", "allowMultipleAllocations"}
_ASKED = {"deviceClassName", "allocationMode", "count", "selectors", "capacity"}


def given(scenario: Scenario, *, short: bool = True) -> list[Step]:
    """The given steps. With `short` false only nodes and gates are steps of their own."""
    objects = scenario.objects
    steps: list[Step] = []
    nodes = objects.get("nodes", ())
    if [one["metadata"] for one in nodes] != [{"name": NODE}]:
        steps += [{"node": dict(one["metadata"])} for one in nodes]
    slices = objects.get("resourceSlices", ())
    rows = list(_devices(slices, scenario.node)) if short and _plain_pools(slices) else None
    claims = [list(_claim(one)) if short else None for one in objects.get("resourceClaims", ())]
    raw = any(one is None or not one for one in claims)
    for one in objects.get("deviceClasses", ()):
        if one["metadata"]["name"] != CLASS or one["spec"] or raw:
            steps.append(_class(one))
    if rows is None:
        steps.append({"objects": list(slices)})
    elif rows:
        steps.append({"devices": rows})
    for original, said in zip(objects.get("resourceClaims", ()), claims, strict=True):
        steps += said or [{"objects": [original]}]
    return steps + [{"gate": {gate: on}} for gate, on in scenario.gates.items()]


def when(scenario: Scenario) -> Step:
    """The when step."""
    first = [one["metadata"]["name"] for one in scenario.objects["nodes"]][:1]
    node = {} if first == [scenario.node] else {"node": scenario.node}
    return {"allocate": {"claims": [_short(name) for name in scenario.claims], **node}}


def _short(key: str) -> str:
    return key.removeprefix("default/")


def _class(one: Json) -> Step:
    selectors = [item["cel"]["expression"] for item in one["spec"].get("selectors", ())]
    return {"class": {"name": one["metadata"]["name"], **({"selectors": selectors} if selectors else {})}}


def _plain_pools(slices: Sequence[Json]) -> bool:
    """Whether the `devices` step makes just these slices."""
    pools: dict[tuple[str, str], int] = {}
    for one in slices:
        spec = one["spec"]
        pools[spec["driver"], spec["pool"]["name"]] = pools.get((spec["driver"], spec["pool"]["name"]), 0) + 1
    for one in slices:
        spec = one["spec"]
        pool = spec["pool"]
        if pool["generation"] != 1 or pool["resourceSliceCount"] != pools[spec["driver"], pool["name"]]:
            return False
        if not ("nodeName" in spec or spec.get("allNodes")) or not spec.get("devices"):
            return False
        if any(device.keys() - _DEVICE for device in spec["devices"]):
            return False
    names = [
        (one["spec"]["driver"], one["spec"]["pool"]["name"], d["name"])
        for one in slices
        for d in one["spec"]["devices"]
    ]
    return len(set(names)) == len(names)


def _devices(slices: Sequence[Json], node: str) -> Iterator[Json]:
    for one in slices:
        spec = one["spec"]
        pool = spec["pool"]["name"]
        place = {
            **({"driver": spec["driver"]} if spec["driver"] != DRIVER else {}),
            **({"pool": pool} if pool != POOL else {}),
            **({"slice": one["metadata"]["name"]} if len(slices) > 1 else {}),
            **({"node": "*"} if spec.get("allNodes") else {}),
            **({"node": spec["nodeName"]} if spec.get("nodeName", node) != node else {}),
        }
        for device in spec["devices"]:
            yield {"device": device["name"], **place, **_body(device)}


def _body(device: Json) -> Json:
    made: dict[str, Json] = {}
    if "allowMultipleAllocations" in device:
        made["shared"] = device["allowMultipleAllocations"]
    capacity = device.get("capacity") or {}
    if capacity:
        made["capacity"] = {name: number(one["value"]) for name, one in capacity.items()}
    policies = {name: one["requestPolicy"] for name, one in capacity.items() if "requestPolicy" in one}
    if policies:
        made["policy"] = {name: _policy(policy) for name, policy in policies.items()}
    if device.get("attributes"):
        made["attributes"] = dict(device["attributes"])
    return made


def _policy(policy: Json) -> Json:
    made = {"default": number(policy["default"])} if "default" in policy else {}
    if policy.get("validValues"):
        made["values"] = [number(text) for text in policy["validValues"]]
    return made | {name: number(text) for name, text in policy.get("validRange", {}).items()}


def _claim(claim: Json) -> Iterator[Step]:
    """The steps of a claim; none if only the object itself can say it."""
    name = claim["metadata"]["name"]
    devices = claim["spec"]["devices"]
    results = ((claim.get("status") or {}).get("allocation") or {}).get("devices", {}).get("results")
    if any("exactly" not in one or one["exactly"].keys() - _ASKED for one in devices["requests"]):
        return
    if results is not None:
        yield {
            "held": {"claim": name, "devices": [_held(one, f"{name}-{i}") for i, one in enumerate(results)]}
        }
        return
    requests = [_request(one["name"], one["exactly"]) for one in devices["requests"]]
    if len(requests) == 1 and requests[0]["request"] == "r0":
        alone = {key: value for key, value in requests[0].items() if key != "request"}
        yield {"claim": {"name": name, **alone}}
    else:
        yield {"claim": {"name": name, "requests": requests}}
    for one in devices.get("constraints", ()):
        kind = "match" if "matchAttribute" in one else "distinct"
        scope = {"requests": one["requests"]} if one.get("requests") else {}
        yield {"constraint": {"claim": name, kind: one[f"{kind}Attribute"], **scope}}


def _request(name: str, asked: Json) -> Json:
    made: dict[str, Json] = {"request": name}
    if asked["deviceClassName"] != CLASS:
        made["class"] = asked["deviceClassName"]
    if asked["allocationMode"] != "ExactCount":
        made["mode"] = asked["allocationMode"]
    elif asked["count"] != 1:
        made["count"] = asked["count"]
    if "capacity" in asked:
        made["capacity"] = {key: number(text) for key, text in asked["capacity"].get("requests", {}).items()}
    if asked.get("selectors"):
        made["selectors"] = [one["cel"]["expression"] for one in asked["selectors"]]
    return made


def _held(result: Json, share: str) -> Json:
    made: dict[str, Json] = {"device": result["device"]}
    for name, usual in (("driver", DRIVER), ("pool", POOL), ("request", "r0")):
        if result[name] != usual:
            made[name] = result[name]
    if "consumedCapacity" in result:
        made["consumed"] = {key: number(text) for key, text in result["consumedCapacity"].items()}
    return made | ({"share": share} if "shareID" in result else {})


def number(text: str) -> Json:
    """An amount as people write it in YAML: `10`, not `"10"`."""
    return int(text) if text.isdigit() else text
