"""Large inventories as plain API objects, on which allocators are measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dra_conform.kube.json_values import Json

DRIVER = "bench.example.com"
_ATTRIBUTES = f'device.attributes["{DRIVER}"]'


@dataclass(frozen=True, slots=True)
class World:
    """Claims to be placed in order, each on the first node where it can be allocated.

    Devices of a node are accessible from that node only. `held` are claims that are already allocated.
    """

    name: str
    slices: Sequence[Json]
    claims: Sequence[Json]
    nodes: Sequence[Json]
    held: Sequence[Json] = ()
    classes: Sequence[Json] = ()

    def objects(self) -> dict[str, list[Json]]:
        """Return the collections of a case."""
        return {
            "nodes": list(self.nodes),
            "deviceClasses": list(self.classes),
            "resourceSlices": list(self.slices),
            "resourceClaims": [*self.claims, *self.held],
        }

    @property
    def keys(self) -> list[str]:
        """The claims to place, by `namespace/name`."""
        return [key_of(claim) for claim in self.claims]


def key_of(claim: Json) -> str:
    return f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"


def shared() -> World:
    """Return 2,000 claims with 20 selectors that share 8,000 devices in 80 pools of one node."""
    slices = [
        _slice("node-001", f"pool-{pool:03}", [_shared_device(100 * pool + place) for place in range(100)])
        for pool in range(80)
    ]
    claims = [
        _claim(
            f"claim-{number}",
            exactly(f"{_ATTRIBUTES}.kind == {number % 20}", capacity={"requests": {"bandwidth": "4"}}),
        )
        for number in range(2_000)
    ]
    return World("2,000 claims, 8,000 shared devices", slices, claims, _nodes(1), classes=[_ANY])


def one_a_pod(*, half_full: bool, claims: int = 5_000, nodes: int = 500, shapes: int = 1) -> World:
    """Return claims with `shapes` selectors for nodes with 10 devices; `half_full` allocates half of them."""
    return _one_a_pod(claims, _nodes(nodes), half_full=half_full, shapes=shapes)


def _one_a_pod(count: int, nodes: Sequence[Json], *, half_full: bool, shapes: int) -> World:
    slices = [
        _slice(name, name, [_device(f"device-{place}") for place in range(10)]) for name in _names(nodes)
    ]
    held = [
        _held(f"held-{name}-{place}", name, f"device-{place}")
        for name in (_names(nodes) if half_full else ())
        for place in range(0, 10, 2)
    ]
    claims = [_claim(f"claim-{number}", exactly(f"{number % shapes} < {shapes}")) for number in range(count)]
    state = "half full" if half_full else "empty"
    of = f" of {shapes:,} shapes" if shapes > 1 else ""
    name = f"{count:,} claims{of}, {len(nodes):,} nodes x 10 devices, {state}"
    return World(name, slices, claims, nodes, held, [_ANY])


def two_requests(devices: int) -> World:
    """Return a claim for one device more than the first node has; the second node has enough."""
    nodes = _nodes(2)
    slices = [
        _slice(name, name, [_device(f"device-{place:02}") for place in range(count)])
        for name, count in zip(_names(nodes), (devices, devices + 1), strict=True)
    ]
    half = devices // 2
    claim = _claim("claim", exactly("true", count=half + 1), exactly("true", count=devices - half))
    name = f"{half + 1} + {devices - half} of {devices} equal devices"
    return World(name, slices, [claim], nodes, classes=[_ANY])


def one_too_many(devices: int) -> World:
    """Return claims with two requests of eight devices each, in total one device more than the node has."""
    nodes = _nodes(1)
    slices = [_slice("node-001", "node-001", [_device(f"device-{place:02}") for place in range(devices)])]
    counts = [8] * (devices // 16) + [devices // 2 % 8] * bool(devices // 2 % 8)
    claims = [
        _claim(f"claim-{at}", exactly("true", count=count + (at == 0)), exactly("true", count=count))
        for at, count in enumerate(counts)
    ]
    return World(f"{devices + 1} of {devices} equal devices", slices, claims, nodes, classes=[_ANY])


def one_inventory(devices: int, claims: int) -> World:
    """Return claims with 20 selectors for devices of one node, in pools of ten slices with 100 devices."""
    slices = []
    for pool in range(devices // 1000):
        for part in range(10):
            devices_of_slice = [_device(f"device-{part}-{place:02}", kind=place % 20) for place in range(100)]
            resource_slice = _slice("node-001", f"pool-{pool:05}", devices_of_slice, of=10)
            resource_slice["metadata"]["name"] += f"-{part}"
            slices.append(resource_slice)
    wanted = [
        _claim(f"claim-{number}", exactly(f"{_ATTRIBUTES}.kind == {number % 20}")) for number in range(claims)
    ]
    name = f"{claims:,} claims, one inventory of {devices:,} devices"
    return World(name, slices, wanted, _nodes(1), classes=[_ANY])


def partitions() -> World:
    """Return 250 claims of four sizes for 50 nodes, each with a GPU of 15 overlapping partitions."""
    nodes = _nodes(50)
    slices = [part for name in _names(nodes) for part in _split_gpu(name)]
    sizes = ("eighth", "half", "quarter", "eighth", "whole")
    claims = [
        _claim(f"claim-{number}", exactly(f'{_ATTRIBUTES}.size == "{sizes[number % 5]}"'))
        for number in range(250)
    ]
    return World("250 claims, 50 nodes x 15 partitions", slices, claims, nodes, classes=[_ANY])


def alternatives() -> World:
    """Return 2,000 claims for 500 nodes: each for three big, two medium or one small device."""
    nodes = _nodes(500)
    kinds = ["big"] * 4 + ["middle"] * 3 + ["small"] * 5
    slices = [
        _slice(name, name, [_device(f"device-{place}", kind=kind) for place, kind in enumerate(kinds)])
        for name in _names(nodes)
    ]
    ranked = (("big", 3), ("middle", 2), ("small", 1))
    wanted = {
        "firstAvailable": [
            {"name": kind, **exactly(f'{_ATTRIBUTES}.kind == "{kind}"', count=count)}
            for kind, count in ranked
        ]
    }
    claims = [_claim(f"claim-{number}", wanted) for number in range(2_000)]
    return World("2,000 claims of 3 alternatives, 500 nodes", slices, claims, nodes, classes=[_ANY])


def backtracking() -> World:
    """Return 10 claims for six devices and a link of one rack; only the third of three nodes has such links.

    The search tries every combination on the other nodes. Two claims fit on the third node.
    """
    nodes = _nodes(3)
    slices = [
        _slice(
            name,
            name,
            [_device(f"device-{place:02}", rack=1) for place in range(16)]
            + [_device(f"link-{place}", rack=1 if last else 2, link=1) for place in range(4)],
        )
        for name, last in zip(_names(nodes), (False, False, True), strict=True)
    ]
    requests = (exactly(f'!("link" in {_ATTRIBUTES})', count=6), exactly(f'"link" in {_ATTRIBUTES}'))
    claims = [_claim(f"claim-{number}", *requests, match="rack") for number in range(10)]
    return World("10 claims that try all combinations", slices, claims, nodes, classes=[_ANY])


_ANY = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "any"},
    "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]},
}


def exactly(selector: str, *, count: int = 1, **fields: Json) -> Json:
    """Return the body of a request, without a name."""
    return {
        "deviceClassName": "any",
        "selectors": [{"cel": {"expression": selector}}],
        "allocationMode": "ExactCount",
        "count": count,
        **fields,
    }


def _claim(name: str, *requests: Json, match: str = "") -> Json:
    """Return a claim. A body with firstAvailable is a request with subrequests."""
    listed = [
        {"name": f"r{place}", **(body if "firstAvailable" in body else {"exactly": body})}
        for place, body in enumerate(requests)
    ]
    constraints = {"constraints": [{"matchAttribute": f"{DRIVER}/{match}"}]} if match else {}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"devices": {"requests": listed, **constraints}},
    }


def _held(name: str, pool: str, device: str) -> Json:
    result = {"request": "r0", "driver": DRIVER, "pool": pool, "device": device}
    return {**_claim(name, exactly("true")), "status": {"allocation": {"devices": {"results": [result]}}}}


def _nodes(count: int) -> list[Json]:
    return [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-{number:03}"}}
        for number in range(1, count + 1)
    ]


def _names(nodes: Iterable[Json]) -> list[str]:
    return [node["metadata"]["name"] for node in nodes]


def _slice(node: str, pool: str, devices: Sequence[Json], *, of: int = 1, **fields: Json) -> Json:
    """Return a ResourceSlice of a pool with `of` ResourceSlices."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"slice-{pool}{'-counters' if 'sharedCounters' in fields else ''}"},
        "spec": {
            "driver": DRIVER,
            "pool": {"name": pool, "generation": 1, "resourceSliceCount": of},
            "nodeName": node,
            **({"devices": list(devices)} if devices else {}),
            **fields,
        },
    }


def _device(name: str, **attributes: str | int) -> Json:
    kinds = {str: "string", int: "int"}
    return {
        "name": name,
        "attributes": {key: {kinds[type(value)]: value} for key, value in attributes.items()},
    }


def _shared_device(number: int) -> Json:
    policy = {"default": "1", "validRange": {"min": "1", "step": str(1 + number % 3)}}
    return {
        **_device(f"device-{number}", kind=number % 20, model=f"model-{number % 7}"),
        "capacity": {"bandwidth": {"value": str(64 + number % 5), "requestPolicy": policy}},
        "allowMultipleAllocations": True,
    }


def _split_gpu(node: str) -> list[Json]:
    """Return a pool of two slices: counters of a GPU with eight memory slices, and its partitions."""
    partitions = []
    for size, width in (("whole", 8), ("half", 4), ("quarter", 2), ("eighth", 1)):
        for first in range(0, 8, width):
            counters = {f"memory-{place}": {"value": "1"} for place in range(first, first + width)}
            used = {"counterSet": "gpu", "counters": {**counters, "memory": {"value": f"{10 * width}Gi"}}}
            partitions.append({**_device(f"{size}-{first}", size=size), "consumesCounters": [used]})
    counters = {f"memory-{place}": {"value": "1"} for place in range(8)} | {"memory": {"value": "80Gi"}}
    shared_counters = [{"name": "gpu", "counters": counters}]
    return [
        _slice(node, node, (), of=2, sharedCounters=shared_counters),
        _slice(node, node, partitions, of=2),
    ]
