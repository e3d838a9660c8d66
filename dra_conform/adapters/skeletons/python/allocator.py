"""An allocator behind dra-conform. Put yours in the place of `first_fit`, which selects by driver only.

What it cannot do it declines: in `features`, or in a single answer. Both count as unsupported, not as wrong.
When yours can do more, take the feature off the list and remove the check that declines.
"""

from __future__ import annotations

import re
from typing import Any

Device = tuple[str, str, str]  # driver, pool, name
Json = Any  # objects of the Kubernetes API, as json.loads gives them

DECLINED = """admin-access allocation-mode-all binding-conditions compatibility-groups consumable-capacity
    configuration consumed-capacity device-taints distinct-attribute extended-resources list-attributes
    match-attribute node-allocatable-resources node-selector partitionable-devices prioritized-list
    recorded-admin-access recorded-binding-conditions recorded-compatibility-groups recorded-tolerations
    share-id"""


class Allocator:
    """What dra-conform asks: `allocate` gets its own copy of the objects, and must not change it."""

    name = "my-allocator"
    version = "0.1.0"
    features = {"cel-selectors": "partial", **dict.fromkeys(DECLINED.split(), "none")}  # noqa: RUF012

    def allocate(self, objects: Json, ask: Json, profile: object) -> Json:
        """Devices for the claims `ask["claims"]` on the node `ask["node"]`, for all of them or for none."""
        try:
            allocations = first_fit(objects, ask["node"], ask["claims"])
        except Declined as gap:
            return {"status": "unsupported", "message": str(gap)}
        if allocations is None:
            return {"status": "ok", "outcome": "unallocatable"}
        return {"status": "ok", "outcome": "allocated", "allocations": allocations}


class Declined(Exception):  # noqa: N818 - it reads as what happened
    """The question needs something that this allocator does not do."""


def first_fit(objects: Json, name_of_node: str, names: list[str]) -> Json | None:
    """The `status.allocation` of each claim, or None: the first free devices of the right drivers."""
    classes = {one["metadata"]["name"]: one.get("spec", {}) for one in objects.get("deviceClasses", ())}
    claims = {key(one): one for one in objects.get("resourceClaims", ())}
    node = next(one["metadata"] for one in objects["nodes"] if one["metadata"]["name"] == name_of_node)
    free = devices_on(node, objects.get("resourceSlices", ()))
    for claim in claims.values():  # what has an allocation already holds its devices
        results = claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ())
        held = [(one["driver"], one["pool"], one["device"]) for one in results]
        free = [device for device in free if device not in held]
    allocations = {}
    for name in names:
        spec = claims[name]["spec"]["devices"]
        only(spec, {"requests"}, f"claim {name}")
        results = []
        for request in spec.get("requests", ()):
            only(request, {"name", "exactly"}, f"request {request['name']}")
            exactly = request["exactly"]
            only(exactly, {"deviceClassName", "selectors", "allocationMode", "count"}, f"claim {name}")
            if exactly["deviceClassName"] not in classes or exactly.get("allocationMode") != "ExactCount":
                return None
            drivers = drivers_of(classes[exactly["deviceClassName"]], exactly)
            fitting = [device for device in free if drivers <= {device[0]}][: exactly.get("count", 1)]
            if len(fitting) < exactly.get("count", 1):
                return None
            free = [device for device in free if device not in fitting]
            for driver, pool, device in fitting:
                result = {"request": request["name"], "driver": driver, "pool": pool, "device": device}
                results.append(result)
        here = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node["name"]]}]}
        allocations[name] = {"devices": {"results": results}, "nodeSelector": {"nodeSelectorTerms": [here]}}
    return allocations


def devices_on(node: Json, slices: Json) -> list[Device]:
    """The devices that the node can use, of pools of which every slice is there, in its newest generation."""
    pools: dict[tuple[str, str], list[Json]] = {}
    for spec in (one["spec"] for one in slices):
        only(spec, {"driver", "nodeName", "allNodes", "nodeSelector", "pool", "devices"}, "a slice")
        pools.setdefault((spec["driver"], spec["pool"]["name"]), []).append(spec)
    found = []
    for pool, specs in pools.items():
        newest = max(spec["pool"]["generation"] for spec in specs)
        current = [spec for spec in specs if spec["pool"]["generation"] == newest]
        names = [device["name"] for spec in current for device in spec.get("devices", ())]
        complete = all(len(current) == spec["pool"]["resourceSliceCount"] for spec in current)
        if not complete or len(names) > len(set(names)):
            continue
        for spec in (spec for spec in current if reaches(spec, node)):
            for device in spec.get("devices", ()):
                only(device, {"name", "attributes", "capacity", "bindsToNode"}, f"device {device['name']}")
                found.append((*pool, device["name"]))
    return found


def reaches(spec: Json, node: Json) -> bool:
    """Whether a node can use the devices of a slice: it is for all, one by name, or some by labels."""
    terms = spec.get("nodeSelector", {}).get("nodeSelectorTerms", ())
    return (
        spec.get("allNodes", False)
        or spec.get("nodeName") == node["name"]
        or any(
            all(met(one, node.get("labels", {})) for one in term.get("matchExpressions", ()))
            and all(met(one, {"metadata.name": node["name"]}) for one in term.get("matchFields", ()))
            for term in terms
        )
    )


def met(expression: Json, labels: dict[str, str]) -> bool:
    """Whether labels are as an expression of a node selector wants them."""
    label, values = labels.get(expression["key"]), expression.get("values", ())
    match expression["operator"]:
        case "In":
            return label in values
        case "NotIn":
            return label not in values
        case "Exists":
            return label is not None
        case "DoesNotExist":
            return label is None
        case operator:  # Gt and Lt compare integers
            if label is None or not (label.isdigit() and values[0].isdigit()):
                return False
            return int(label) > int(values[0]) if operator == "Gt" else int(label) < int(values[0])


def drivers_of(of_class: Json, exactly: Json) -> set[str]:
    """The drivers that class and request select; a selector may only name one."""
    only(of_class, {"selectors"}, "a class")
    drivers = set()
    for selector in (*of_class.get("selectors", ()), *exactly.get("selectors", ())):
        named = re.fullmatch(r'device\.driver == "([a-z0-9.-]+)"', selector["cel"]["expression"])
        if named is None:
            raise Declined("a selector that does more than to name a driver")
        drivers.add(named[1])
    return drivers


def only(found: Json, known: set[str], what: str) -> None:
    """Raise Declined if something has a field that this allocator does not know."""
    more = sorted(found.keys() - known)
    if more:
        raise Declined(f"{what} with {', '.join(more)}")


def key(claim: Json) -> str:
    """`namespace/name`, as claims are asked for."""
    return f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"
