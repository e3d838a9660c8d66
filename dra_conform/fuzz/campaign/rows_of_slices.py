"""ResourceSlices as rows of the steps `devices` and `counterSets` of a golden case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dra_conform.conformance.steps.publishing import EVERYWHERE, node_choice
from dra_conform.fuzz.campaign.steps_of_claims import amount

Json = Any

_SAME = (
    *("allowMultipleAllocations", "taints", "bindingConditions", "bindingFailureConditions"),
    "bindsToNode",
)
"""Device fields with equal names in the API and in the steps."""


def node_words(chooser: Mapping[str, Json]) -> str | None:
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


def device_rows(resource_slice: Json, place: Json, node: str) -> Iterator[Json]:
    """Yield a row for each device of a slice.

    `place` has driver, pool and slice; `node` is the default node.
    """
    spec = resource_slice["spec"]
    where = {} if spec.get("nodeName") == node else {"node": node_words(spec)}
    for device in spec.get("devices", ()):
        chosen = {"on": node_words(device)} if spec.get("perDeviceNodeSelection") else where
        yield {"device": device["name"], **place, **_generation(spec), **chosen, **_body(device)}


def counter_rows(resource_slice: Json, place: Json) -> Iterator[Json]:
    """Yield a row for each counter set of a slice. `place` has driver, pool and slice."""
    spec = resource_slice["spec"]
    for counters in spec.get("sharedCounters", ()):
        yield {
            "counterSet": counters["name"],
            **place,
            **_generation(spec),
            "node": node_words(spec),
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
