"""A scenario as steps of a golden case: short steps where possible, such as `devices`, `counterSets` and
`pool` for ResourceSlices, otherwise whole objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dra_conform.conformance.steps.given import CLASS, DRIVER, NODE, POOL
from dra_conform.conformance.steps.publishing import EVERYWHERE, node_choice
from dra_conform.fuzz.campaign.steps_of_claims import amount, claim_steps, configuration_steps
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.json_values import Json

_SAME = (
    *("allowMultipleAllocations", "taints", "bindingConditions", "bindingFailureConditions"),
    "bindsToNode",
)
"""Device fields with equal names in the API and in the steps."""


def _node_words(chooser: Mapping[str, Json]) -> str | None:
    """Return a node selection in the words of steps, None if there are no words for it."""
    if "nodeName" in chooser:
        return str(chooser["nodeName"])
    if chooser.get("allNodes"):
        return EVERYWHERE
    terms = chooser.get("nodeSelector", {}).get("nodeSelectorTerms", [])
    labels = [
        f"{expression['key']}={expression['values'][0]}"
        for term in terms
        for expression in term.get("matchExpressions", ())
        if expression["operator"] == "In"
    ]
    words = ", ".join(labels)
    return words if words and node_choice(words)["nodeSelector"] == chooser["nodeSelector"] else None


def _device_rows(resource_slice: Json, place: Json, node: str) -> Iterator[Json]:
    """Yield a row for each device of a slice.

    `place` has driver, pool and slice; `node` is the default node.
    """
    spec = resource_slice["spec"]
    where = {} if spec.get("nodeName") == node else {"node": _node_words(spec)}
    for device in spec.get("devices", ()):
        chosen = {"on": _node_words(device)} if spec.get("perDeviceNodeSelection") else where
        yield {"device": device["name"], **place, **_generation(spec), **chosen, **_body(device)}


def _counter_rows(resource_slice: Json, place: Json) -> Iterator[Json]:
    """Yield a row for each counter set of a slice. `place` has driver, pool and slice."""
    spec = resource_slice["spec"]
    for counters in spec.get("sharedCounters", ()):
        yield {
            "counterSet": counters["name"],
            **place,
            **_generation(spec),
            "node": _node_words(spec),
            "counters": _amounts(counters),
        }


def _generation(spec: Json) -> Json:
    generation = spec["pool"]["generation"]
    return {"generation": generation} if generation != 1 else {}


def _body(device: Json) -> Json:
    row: dict[str, Json] = {}
    capacity = device.get("capacity") or {}
    if capacity:
        row["capacity"] = {name: amount(declared["value"]) for name, declared in capacity.items()}
    policies = {
        name: declared["requestPolicy"] for name, declared in capacity.items() if "requestPolicy" in declared
    }
    if policies:
        row["requestPolicy"] = {name: _policy(policy) for name, policy in policies.items()}
    if device.get("attributes"):
        row["attributes"] = dict(device["attributes"])
    entries = device.get("consumesCounters", ())
    if entries:
        row["consumesCounters"] = {entry["counterSet"]: _amounts(entry) for entry in entries}
    groups = {
        entry["counterSet"]: entry["compatibilityGroups"]
        for entry in entries
        if "compatibilityGroups" in entry
    }
    if groups:
        row["compatibilityGroups"] = groups
    for name in _SAME:
        if name in device:
            row[name] = device[name]
    return row


def _amounts(entry: Json) -> Json:
    return {name: amount(counter["value"]) for name, counter in entry.get("counters", {}).items()}


def _policy(policy: Json) -> Json:
    policy_row = {"default": amount(policy["default"])} if "default" in policy else {}
    if policy.get("validValues"):
        policy_row["values"] = [amount(text) for text in policy["validValues"]]
    return policy_row | {name: amount(text) for name, text in policy.get("validRange", {}).items()}


Step = dict[str, Json]

_DEVICE = {
    *("name", "attributes", "capacity", "allowMultipleAllocations", "consumesCounters", "taints"),
    *("bindingConditions", "bindingFailureConditions", "bindsToNode"),
}
_CHOICES = ("nodeName", "nodeSelector", "allNodes")


def slice_steps(slices: Sequence[Json], node: str) -> Iterator[Step]:
    """Yield the steps of all slices. `node` is the first node, the default node of devices."""
    pools: dict[tuple[str, str], list[Json]] = {}
    for resource_slice in slices:
        pools.setdefault(
            (resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"]), []
        ).append(resource_slice)
    devices: list[Json] = []
    counters: list[Json] = []
    declared: list[Step] = []
    in_full: list[Json] = []
    for (driver, name), members in pools.items():
        place = {
            **({"driver": driver} if driver != DRIVER else {}),
            **({"pool": name} if name != POOL else {}),
        }
        count = _declared(members)
        if count is None or not all(map(_has_short_form, members)) or _has_duplicates(members):
            in_full += members
            continue
        if count:
            declared.append({"pool": {**place, "resourceSliceCount": count}})
        for member in members:
            slice_name = {"slice": member["metadata"]["name"]} if len(members) > 1 else {}
            devices += _device_rows(member, {**place, **slice_name}, node)
            counters += _counter_rows(member, {**place, **slice_name})
    if devices:
        yield {"devices": devices}
    if counters:
        yield {"counterSets": counters}
    yield from declared
    if in_full:
        yield {"objects": in_full}


def _declared(members: Sequence[Json]) -> int | None:
    """Return the slice count of the `pool` step, 0 if not needed, None if the step cannot express it."""
    sizes: dict[int, int] = {}
    for member in members:
        generation = member["spec"]["pool"]["generation"]
        sizes[generation] = sizes.get(generation, 0) + 1
    counts = {member["spec"]["pool"]["resourceSliceCount"] for member in members}
    if all(
        member["spec"]["pool"]["resourceSliceCount"] == sizes[member["spec"]["pool"]["generation"]]
        for member in members
    ):
        return 0
    return counts.pop() if len(counts) == 1 else None


def _has_short_form(resource_slice: Json) -> bool:
    spec = resource_slice["spec"]
    if bool(spec.get("devices")) == bool(spec.get("sharedCounters")):
        return False
    if spec.get("perDeviceNodeSelection"):
        places = [_node_words(device) for device in spec.get("devices", ())]
    else:
        places = [_node_words(spec)]
    return bool(places) and None not in places and all(map(_device_has_short_form, spec.get("devices", ())))


def _device_has_short_form(device: Json) -> bool:
    """Whether a device has only known fields, and no empty list that a step would omit."""
    body = {key: value for key, value in device.items() if key not in _CHOICES}
    if body.keys() - _DEVICE or any(not body[key] for key in ("taints", "consumesCounters") if key in body):
        return False
    return all(entry.get("compatibilityGroups", True) for entry in body.get("consumesCounters", ()))


def _has_duplicates(members: Sequence[Json]) -> bool:
    """Whether slices of one generation have two devices or two counter sets with the same name."""
    names = [
        (field, member["spec"]["pool"]["generation"], item["name"])
        for member in members
        for field in ("devices", "sharedCounters")
        for item in member["spec"].get(field, ())
    ]
    return len(set(names)) < len(names)


_RULE = {"driver", "pool", "device"}


def given_steps(scenario: Scenario, *, short: bool = True) -> list[Step]:
    """Return the setup steps. If `short` is false, all objects except nodes are written in full."""
    objects = scenario.objects
    nodes = objects.get("nodes", ())
    steps: list[Step] = []
    if [node["metadata"] for node in nodes] != [{"name": NODE}]:
        steps += [{"node": dict(node["metadata"])} for node in nodes]
    slices, rules = objects.get("resourceSlices", ()), objects.get("deviceTaintRules", ())
    claims = [(claim, claim_steps(claim) if short else None) for claim in objects.get("resourceClaims", ())]
    in_full = any(short_steps is None for _, short_steps in claims)
    for device_class in objects.get("deviceClasses", ()):
        if device_class["metadata"]["name"] != CLASS or device_class["spec"] or in_full:
            steps += _class(device_class)
    if short:
        steps += slice_steps(slices, nodes[0]["metadata"]["name"] if nodes else NODE)
    elif slices:
        steps.append({"objects": list(slices)})
    for rule in rules:
        steps.append((_rule(rule) if short else None) or {"objects": [rule]})
    for original, short_steps in claims:
        steps += [{"objects": [original]}] if short_steps is None else short_steps
    return steps + [{"featureGates": {gate: on}} for gate, on in scenario.gates.items()]


def when_step(scenario: Scenario) -> Step:
    """Return the When step, which allocates the claims together on the node."""
    first = [node["metadata"]["name"] for node in scenario.objects["nodes"]][:1]
    node = {} if first == [scenario.node] else {"node": scenario.node}
    return {
        "allocate": {"resourceClaims": [name.removeprefix("default/") for name in scenario.claims], **node}
    }


def _class(device_class: Json) -> Iterator[Step]:
    name, spec = device_class["metadata"]["name"], device_class["spec"]
    selectors = [item["cel"]["expression"] for item in spec.get("selectors", ())]
    yield {"deviceClass": {"name": name, **({"selectors": selectors} if selectors else {})}}
    yield from configuration_steps({"deviceClass": name}, spec.get("config", ()))


def _rule(rule: Json) -> Step | None:
    """Return the step of a DeviceTaintRule, None if its selector is empty or has other fields."""
    selector = rule["spec"].get("deviceSelector")
    if selector is not None and (not selector or selector.keys() - _RULE):
        return None
    return {
        "deviceTaintRule": {
            "name": rule["metadata"]["name"],
            **(selector or {}),
            "taint": rule["spec"]["taint"],
        }
    }
