"""The shape of answers that have every field of an allocation, for `adapter check`.

An adapter that answers two small questions can still write a number for a quantity, `null` for a list, or an
empty object for a field that must be absent. Then it fails hundreds of cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.adapters.missing_parts import PARTS, World
from dra_conform.conformance.allocations.matching import read_allocation
from dra_conform.conformance.features import features_of
from dra_conform.conformance.implementation import Identity, Request
from dra_conform.kube.json_values import CheckedJson, Json
from dra_conform.kube.profile import KEP, Profile

_EXACTLY = {"deviceClassName": "any", "allocationMode": "ExactCount", "count": 1}
_OTHERS: Mapping[str, World] = {
    "a ResourceClaim without requests": World(requests=()),
    "a ResourceClaim with a prioritized list": World(
        requests=({"name": "r0", "firstAvailable": [{"name": "first", **_EXACTLY}]},)
    ),
    "an ordinary device with a capacity": World(device={"capacity": {"memory": {"value": "10Gi"}}}),
}


def shape_requests(identity: Identity) -> Iterator[tuple[str, Request]]:
    """Yield requests of `allocate` with their titles, without features that the implementation declines."""
    if "allocate" not in identity.operations:
        return
    worlds = {**{f"a result with {part}": world for part, (world, _) in PARTS.items()}, **_OTHERS}
    for number, (title, world) in enumerate(worlds.items()):
        objects = world.objects()
        if all(identity.features.get(feature) != "none" for feature in features_of(objects)):
            ask: Mapping[str, CheckedJson] = {"node": "node-1", "claims": ["default/c"]}
            request = Request(number, f"check/shape-{number}", "allocate", Profile.named(KEP), objects, ask)
            yield title, request


def shape_problems(allocations: Mapping[str, Json]) -> Iterator[str]:
    """Yield what is wrong with allocations by claim, each with its path."""
    for claim, allocation in allocations.items():
        where = f"/allocations/{claim.replace('/', '~1')}"
        try:
            read_allocation(allocation)
        except ValueError as error:
            yield f"{where}: {error}"
            continue
        if isinstance(allocation, Mapping):
            yield from (f"{where}/{problem}" for problem in _empty_fields(allocation))


def _empty_fields(allocation: Mapping[str, Json]) -> Iterator[str]:
    """Yield fields that are empty instead of absent, with a meaning that no author intends."""
    selector = allocation.get("nodeSelector")
    if isinstance(selector, Mapping) and not selector.get("nodeSelectorTerms"):
        yield "nodeSelector: has no term, so it selects no node; leave it out if every node has access"
    if allocation.get("allocationTimestamp") == "":
        yield "allocationTimestamp: is empty, expected it to be absent"
    devices = allocation.get("devices")
    results = devices.get("results") if isinstance(devices, Mapping) else None
    for index, result in enumerate(results if isinstance(results, (list, tuple)) else ()):
        for name in ("request", "driver", "pool", "device", "shareID"):
            if isinstance(result, Mapping) and result.get(name) == "":
                expected = "expected it to be absent" if name == "shareID" else "expected a name"
                yield f"devices/results/{index}/{name}: is empty, {expected}"
