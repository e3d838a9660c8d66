"""Allocators with unspecified assumptions, such as that names identify nodes or that attributes are constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, World, results_of
from tests.reference.textbook_world import amount

ChangesRequest = Callable[[World], object]
Key = tuple[str, str, str]

_ANY: Json = {"key": "nobody.example.com/has-this", "operator": "DoesNotExist"}
_NONE: Json = {"cel": {"expression": "false"}}
_PARENTS = frozenset({"parentUUID", "uuid", "resource.kubernetes.io/pciBusID"})


def _key(result: Json) -> Key:
    return result["driver"], result["pool"], result["device"]


def _published(world: World) -> dict[Key, Json]:
    return {
        (item["spec"]["driver"], item["spec"]["pool"]["name"], device["name"]): device
        for item in world.slices
        for device in item["spec"].get("devices") or ()
    }


def _without(world: World, wanted: Callable[[Key, Json], bool]) -> None:
    """Remove the devices for which `wanted` is false."""
    for item in world.slices:
        spec = item["spec"]
        if spec.get("devices"):
            place = spec["driver"], spec["pool"]["name"]
            spec["devices"] = [
                device for device in spec["devices"] if wanted((*place, device["name"]), device)
            ]


def _node_like(alike: Callable[[str, str], bool]) -> ChangesRequest:
    """Treat objects for a node with a similar name as objects for the requested node."""

    def change_request(world: World) -> None:
        node = world.ask["node"]
        for fields in (*(item["spec"] for item in world.slices), *world.devices):
            if fields.get("nodeName") and alike(fields["nodeName"], node):
                fields["nodeName"] = node

    return change_request


def _pool_is_of_a_node(world: World) -> None:
    names = {node["metadata"]["name"] for node in world.nodes}
    for item in world.slices:
        spec = item["spec"]
        if spec["pool"]["name"] in names and not spec.get("perDeviceNodeSelection"):
            spec.pop("allNodes", None)
            spec.pop("nodeSelector", None)
            spec["nodeName"] = spec["pool"]["name"]


def _without_label(operator: str) -> ChangesRequest:
    def change_request(world: World) -> None:
        node = next((other for other in world.nodes if other["metadata"]["name"] == world.ask["node"]), None)
        labels = (node or {"metadata": {}})["metadata"].get("labels") or {}
        for item in world.slices:
            for term in (item["spec"].get("nodeSelector") or {}).get("nodeSelectorTerms") or ():
                if term.get("matchExpressions"):
                    term["matchExpressions"] = [
                        _ANY
                        if match_expression["operator"] == operator and match_expression["key"] not in labels
                        else match_expression
                        for match_expression in term["matchExpressions"]
                    ]

    return change_request


def _alternatives_by_name(world: World) -> None:
    known: dict[str, Json] = {}
    for request in world.lists:
        for subrequest in request["firstAvailable"]:
            if subrequest["name"] not in known:
                known[subrequest["name"]] = subrequest.get("selectors")
                continue
            subrequest.pop("selectors", None)
            if known[subrequest["name"]]:
                subrequest["selectors"] = known[subrequest["name"]]


def _empty_selects_nothing(of_class: bool) -> ChangesRequest:
    def change_request(world: World) -> None:
        specs = (
            [device_class["spec"] for device_class in world.classes if device_class.get("spec")]
            if of_class
            else world.exact_requests
        )
        for spec in specs:
            if spec.get("selectors") == []:
                spec["selectors"] = [_NONE]

    return change_request


def _zero_of_alternatives(world: World) -> None:
    for request in world.lists:
        for subrequest in request["firstAvailable"]:
            requests = (subrequest.get("capacity") or {}).get("requests") or {}
            for name in [name for name, value in requests.items() if amount(str(value)) == 0]:
                del requests[name]


def _zero_needs_nothing(world: World) -> None:
    for request in world.exact_requests:
        for name, value in ((request.get("capacity") or {}).get("requests") or {}).items():
            for device in world.devices:
                if amount(str(value)) == 0 and not device.get("allowMultipleAllocations"):
                    capacity = device.setdefault("capacity", {})
                    if not any(have.split("/")[-1] == name.split("/")[-1] for have in capacity):
                        capacity[name] = {"value": "0"}


def _policies_in_milli(world: World) -> None:
    def up(text: str) -> str:
        return f"{-(-amount(text) * 1000 // 1)}m"

    for policy in world.policies:
        if policy.get("default"):
            policy["default"] = up(policy["default"])
        if policy.get("validValues"):
            policy["validValues"] = list(dict.fromkeys(up(value) for value in policy["validValues"]))


def _admin_access_takes_what_is_shared(world: World) -> None:
    devices = _published(world)
    for result in world.existing_results:
        shared = devices.get(_key(result), {}).get("allowMultipleAllocations")
        if shared and result.get("adminAccess") and not result.get("shareID"):
            del result["adminAccess"]


def _nothing_keeps_nobody_away(world: World) -> None:
    devices = _published(world)
    for claim in world.holders:
        if not results_of(claim.get("status") or {}):
            continue
        found = claim["status"]["allocation"]["devices"]
        found["results"] = [
            result
            for result in found["results"]
            if devices.get(_key(result), {}).get("allowMultipleAllocations")
            or not result.get("shareID")
            or any(amount(str(value)) for value in (result.get("consumedCapacity") or {}).values())
        ]


def _scopes(kept: Callable[[str], bool]) -> ChangesRequest:
    """Remove the request names of one kind from a configuration that has both kinds."""

    def change_request(world: World) -> None:
        for claim in world.claims:
            for entry in claim["spec"]["devices"].get("config") or ():
                if entry.get("requests"):
                    entry["requests"] = [name for name in entry["requests"] if kept(name)] or entry[
                        "requests"
                    ]

    return change_request


def _told_once(allocations: dict[str, Json], world: World) -> None:
    for allocation in allocations.values():
        for result in allocation["devices"].get("results") or ():
            if result.get("tolerations"):
                found = result["tolerations"]
                result["tolerations"] = [have for at, have in enumerate(found) if have not in found[:at]]


def _drop_config_without_parameters(allocations: dict[str, Json], world: World) -> None:
    for allocation in allocations.values():
        if allocation["devices"].get("config"):
            config = allocation["devices"]["config"]
            allocation["devices"]["config"] = [
                have for have in config if (have.get("opaque") or {}).get("parameters")
            ]


def _nodes_of_others(allocations: dict[str, Json], world: World) -> None:
    selectors = [
        allocation["nodeSelector"] for allocation in allocations.values() if allocation.get("nodeSelector")
    ]
    for allocation in allocations.values():
        if selectors and not allocation.get("nodeSelector"):
            allocation["nodeSelector"] = selectors[0]


def _nodes_of_the_first(allocations: dict[str, Json], world: World) -> None:
    first = next(iter(allocations.values())).get("nodeSelector")
    for allocation in allocations.values():
        allocation.pop("nodeSelector", None)
        if first:
            allocation["nodeSelector"] = first


def _kept_together(attribute: str) -> ChangesRequest:
    """Require that the devices of a claim have an equal attribute, without a constraint."""

    def change_request(world: World) -> None:
        if world.devices and all(attribute in (device.get("attributes") or {}) for device in world.devices):
            domain = "" if "/" in attribute else f"{world.slices[0]['spec']['driver']}/"
            for claim in world.claims:
                constraint = {"matchAttribute": domain + attribute}
                claim["spec"]["devices"].setdefault("constraints", []).append(constraint)

    return change_request


def _kept_apart(world: World) -> None:
    """Treat devices with the parent of an allocated device as allocated."""
    devices = _published(world)

    def parents(device: Json) -> Iterator[tuple[str, str]]:
        for name, value in (device.get("attributes") or {}).items():
            if name in _PARENTS:
                yield name, str(value)

    used = {found for result in world.existing_results for found in parents(devices.get(_key(result), {}))}
    _without(world, lambda key, device: not used.intersection(parents(device)))


def _unhealthy(world: World) -> None:
    def well(key: Key, device: Json) -> bool:
        attributes = device.get("attributes") or {}
        return not any((attributes.get(name) or {}).get("bool") is False for name in ("healthy", "ready"))

    _without(world, well)


def _known_as_attributes(world: World) -> None:
    """Add capacities and other fields of a device to its attributes."""
    for item in world.slices:
        spec = item["spec"]
        for device in spec.get("devices") or ():
            found = {name: {"int": 1} for name in device.get("capacity") or ()}
            found |= {"name": {"string": device["name"]}, "driver": {"string": spec["driver"]}}
            found |= {
                "pool": {"string": spec["pool"]["name"]},
                "node": {"string": spec.get("nodeName") or ""},
            }
            device["attributes"] = found | (device.get("attributes") or {})


def _attributes_known_as_capacity(world: World) -> None:
    for device in world.devices:
        found = {name: {"value": "1"} for name in device.get("attributes") or () if "/" not in name}
        if found and not device.get("allowMultipleAllocations"):
            device["capacity"] = found | (device.get("capacity") or {})


def _class_like(alike: Callable[[str, str], bool]) -> ChangesRequest:
    """Replace a missing DeviceClass by one with a similar name."""

    def change_request(world: World) -> None:
        names = [device_class["metadata"]["name"] for device_class in world.classes]
        for request in world.exact_requests:
            wanted_class = request["deviceClassName"]
            if wanted_class not in names:
                request["deviceClassName"] = next(
                    (name for name in names if alike(name, wanted_class)), wanted_class
                )

    return change_request


def _going(which: Callable[[World], list[Json]]) -> ChangesRequest:
    def change_request(world: World) -> None:
        for item in [item for item in which(world) if item["metadata"].get("deletionTimestamp")]:
            which(world).remove(item)

    return change_request


def _rule_like(part: str, alike: Callable[[str, str], bool]) -> ChangesRequest:
    """Apply a DeviceTaintRule to objects with a similar name."""

    def change_request(world: World) -> None:
        names = {"driver": 0, "pool": 1, "device": 2}
        known = {key[names[part]] for key in _published(world)}
        for rule in world.rules:
            found = (rule["spec"].get("deviceSelector") or {}).get(part)
            if found and found not in known:
                rule["spec"]["deviceSelector"][part] = next(
                    (name for name in known if alike(name, found)), found
                )

    return change_request


def _default_of_today(world: World) -> None:
    """Add the current default of capacities that a shared allocation does not record."""
    devices = _published(world)
    for result in world.existing_results:
        for name, capacity in (devices.get(_key(result), {}).get("capacity") or {}).items():
            default = (capacity.get("requestPolicy") or {}).get("default")
            if default and result.get("shareID"):
                result.setdefault("consumedCapacity", {}).setdefault(name, default)


def _default_at_the_end(end: str, other: str) -> ChangesRequest:
    """Remove the other end of a range whose default is its minimum or maximum."""

    def change_request(world: World) -> None:
        for policy in world.policies:
            valid = policy.get("validRange") or {}
            if valid.get(end) and valid.get(other) and amount(valid[end]) == amount(policy["default"]):
                valid[other] = valid[end]

    return change_request


def _zero_is_none(world: World) -> None:
    for item in world.slices:
        if item["spec"]["pool"]["generation"] == 0:
            item["spec"]["pool"]["resourceSliceCount"] = 1


OF_ASSUMPTIONS = (
    FaultyAllocator("a rule's pool is known by the beginning of its name", _rule_like("pool", lambda name, said: name.startswith(said))),
    FaultyAllocator("a rule's pool is known by the end of its name", _rule_like("pool", lambda name, said: name.endswith(said))),
    FaultyAllocator("a rule's pool is known by a name that it begins", _rule_like("pool", lambda name, said: said.startswith(name))),
    FaultyAllocator("a rule's device is known by the beginning of its name", _rule_like("device", lambda name, said: name.startswith(said))),
    FaultyAllocator("a rule's device is known by a name that it begins", _rule_like("device", lambda name, said: said.startswith(name))),
    FaultyAllocator("a rule's driver is known by the end of its name", _rule_like("driver", lambda name, said: name.endswith(said))),
    FaultyAllocator("a rule's driver is known by the beginning of its name", _rule_like("driver", lambda name, said: name.startswith(said))),
    FaultyAllocator("unrecorded capacity of a shared allocation is the current default", _default_of_today),
    FaultyAllocator("nothing is less than a default at the maximum", _default_at_the_end("max", "min")),
    FaultyAllocator("nothing is more than a default at the minimum", _default_at_the_end("min", "max")),
    FaultyAllocator("generation 0 knows no further slices", _zero_is_none),
    FaultyAllocator("other fields of a device are attributes", _known_as_attributes),
    FaultyAllocator("what is an attribute is a capacity", _attributes_known_as_capacity),
    FaultyAllocator("a class is known by the beginning of its name", _class_like(lambda name, asked: name.startswith(asked))),
    FaultyAllocator("a class is known by a name that it begins", _class_like(lambda name, asked: asked.startswith(name))),
    FaultyAllocator("slices that are being deleted do not exist", _going(lambda world: world.slices)),
    FaultyAllocator("classes that are being deleted do not exist", _going(lambda world: world.classes)),
    FaultyAllocator("a node is known by the beginning of its name", _node_like(lambda name, node: node.startswith(name))),
    FaultyAllocator("a node is known by a name that it begins", _node_like(lambda name, node: name.startswith(node))),
    FaultyAllocator("a node is known by the end of its name", _node_like(lambda name, node: node.endswith(name) or name.endswith(node))),
    FaultyAllocator("a node is known by its name without the domain", _node_like(lambda name, node: name.split(".")[0] == node.split(".")[0])),
    FaultyAllocator("a node is known by the first 32 characters of its name", _node_like(lambda name, node: name[:32] == node[:32])),
    FaultyAllocator("a pool with the name of a node is of that node", _pool_is_of_a_node),
    FaultyAllocator("less holds of a label that does not exist", _without_label("Lt")),
    FaultyAllocator("greater holds of a label that does not exist", _without_label("Gt")),
    FaultyAllocator("subrequests of one name have the selectors of the first", _alternatives_by_name),
    FaultyAllocator("an empty list of selectors of a class selects nothing", _empty_selects_nothing(of_class=True)),
    FaultyAllocator("an empty list of selectors of a request selects nothing", _empty_selects_nothing(of_class=False)),
    FaultyAllocator("a requested capacity of 0 in a subrequest is ignored", _zero_of_alternatives),
    FaultyAllocator("a requested capacity of 0 matches an exclusive device without that capacity", _zero_needs_nothing),
    FaultyAllocator("policies are counted in thousandths", _policies_in_milli),
    FaultyAllocator("adminAccess without a share ID takes a shared device whole", _admin_access_takes_what_is_shared),
    FaultyAllocator("a shared allocation of no capacity does not keep an exclusive device in use", _nothing_keeps_nobody_away),
    FaultyAllocator("rules that are being deleted do not exist", _going(lambda world: world.rules)),
    FaultyAllocator("configuration for a request ignores subrequests that it names, too", _scopes(lambda name: "/" not in name)),
    FaultyAllocator("configuration for a subrequest ignores requests that it names, too", _scopes(lambda name: "/" in name)),
    FaultyAllocator("equal tolerations are recorded once", changes_answer=_told_once),
    FaultyAllocator("configuration without a parameter is not recorded", changes_answer=_drop_config_without_parameters),
    FaultyAllocator("a claim for all nodes is recorded for the nodes of another", changes_answer=_nodes_of_others),
    FaultyAllocator("the nodes of the first claim are recorded for all", changes_answer=_nodes_of_the_first),
    *(FaultyAllocator(f"devices of a claim have one {name}", _kept_together(name)) for name in ("resource.kubernetes.io/pcieRoot", "numaNode", "domain", "type")),
    FaultyAllocator("a device is in use with one that has its parent", _kept_apart),
    FaultyAllocator("a device whose status is not ready is not allocated", _unhealthy),
)  # fmt: skip
