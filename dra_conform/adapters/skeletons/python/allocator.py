"""A small allocator to replace with one's own.

Replace `first_fit`, which only selects devices by driver, with your allocator. The adapter declines what it
does not support, in `features` or in an answer. Declined cases count as unsupported, not as failed. When your
allocator supports more, remove the feature from DECLINED and the check that raises Declined.
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


class FirstFitAllocator:
    """The implementation that dra-conform calls. `allocate` must not change the objects that it gets."""

    name = "my-allocator"
    version = "0.1.0"
    features = {"cel-selectors": "partial", **dict.fromkeys(DECLINED.split(), "none")}  # noqa: RUF012

    def allocate(self, objects: Json, ask: Json, profile: object) -> Json:
        """Allocate all claims `ask["claims"]` on the node `ask["node"]`, or none of them."""
        try:
            allocations = first_fit(objects, ask["node"], ask["claims"])
        except Declined as declined:
            return {"status": "unsupported", "message": str(declined)}
        if allocations is None:
            return {"status": "ok", "outcome": "unallocatable"}
        return {"status": "ok", "outcome": "allocated", "allocations": allocations}


class Declined(Exception):  # noqa: N818 - it reads as what happened
    """The request needs something that this allocator does not support."""


def first_fit(objects: Json, node_name: str, names: list[str]) -> Json | None:
    """Return the `status.allocation` of each claim with the first free devices of its drivers, or None."""
    device_classes = objects.get("deviceClasses", ())
    classes = {item["metadata"]["name"]: item.get("spec", {}) for item in device_classes}
    claims = {key(claim): claim for claim in objects.get("resourceClaims", ())}
    node = next(item["metadata"] for item in objects["nodes"] if item["metadata"]["name"] == node_name)
    slices = [item["spec"] for item in objects.get("resourceSlices", ())]
    local = {(spec["driver"], spec["pool"]["name"]) for spec in slices if not spec.get("allNodes")}
    free = devices_on(node, slices)
    for claim in claims.values():  # devices of allocated claims are not free
        results = claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ())
        allocated = [(result["driver"], result["pool"], result["device"]) for result in results]
        free = [device for device in free if device not in allocated]
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
        allocations[name] = {"devices": {"results": results}}
        if any((result["driver"], result["pool"]) in local for result in results):
            term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node["name"]]}]}
            # Only this node, also if the devices are available on more: so node-selector is in DECLINED.
            allocations[name]["nodeSelector"] = {"nodeSelectorTerms": [term]}
    return allocations


def devices_on(node: Json, slices: list[Json]) -> list[Device]:
    """Return the devices of the node in complete pools, from the ResourceSlices of the newest generation."""
    pools: dict[tuple[str, str], list[Json]] = {}
    for spec in slices:
        only(spec, {"driver", "nodeName", "allNodes", "nodeSelector", "pool", "devices"}, "a ResourceSlice")
        pools.setdefault((spec["driver"], spec["pool"]["name"]), []).append(spec)
    devices = []
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
                devices.append((*pool, device["name"]))
    return devices


def reaches(spec: Json, node: Json) -> bool:
    """Whether the devices of a ResourceSlice are available on a node."""
    terms = spec.get("nodeSelector", {}).get("nodeSelectorTerms", ())
    return (
        spec.get("allNodes", False)
        or spec.get("nodeName") == node["name"]
        or any(
            all(matches(item, node.get("labels", {})) for item in term.get("matchExpressions", ()))
            and all(matches(item, {"metadata.name": node["name"]}) for item in term.get("matchFields", ()))
            for term in terms
        )
    )


def matches(expression: Json, labels: dict[str, str]) -> bool:
    """Whether an expression of a node selector matches the labels of a node."""
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


def drivers_of(class_spec: Json, exactly: Json) -> set[str]:
    """Return the drivers that DeviceClass and request select; raises Declined for any other selector."""
    only(class_spec, {"selectors"}, "a DeviceClass")
    drivers = set()
    for selector in (*class_spec.get("selectors", ()), *exactly.get("selectors", ())):
        match = re.fullmatch(r'device\.driver == "([a-z0-9.-]+)"', selector["cel"]["expression"])
        if match is None:
            raise Declined("a selector other than device.driver == NAME")
        drivers.add(match[1])
    return drivers


def only(value: Json, known: set[str], what: str) -> None:
    """Raise Declined if a value has a field that this allocator does not know."""
    unknown = sorted(value.keys() - known)
    if unknown:
        raise Declined(f"{what} with {', '.join(unknown)}")


def key(claim: Json) -> str:
    """Return the key of a claim in requests and answers, `namespace/name`."""
    return f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"
