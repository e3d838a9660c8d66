"""A scenario as steps of a golden case: short steps where possible, otherwise whole objects."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.steps.given import CLASS, NODE
from dra_conform.fuzz.campaign.steps_of_claims import claim_steps, configuration_steps
from dra_conform.fuzz.campaign.steps_of_slices import slice_steps
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.json_values import CheckedJson

Step = dict[str, CheckedJson]

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


def _class(device_class: CheckedJson) -> Iterator[Step]:
    name, spec = device_class["metadata"]["name"], device_class["spec"]
    selectors = [item["cel"]["expression"] for item in spec.get("selectors", ())]
    yield {"deviceClass": {"name": name, **({"selectors": selectors} if selectors else {})}}
    yield from configuration_steps({"deviceClass": name}, spec.get("config", ()))


def _rule(rule: CheckedJson) -> Step | None:
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
