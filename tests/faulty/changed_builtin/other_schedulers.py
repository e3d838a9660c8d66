"""Allocators with a behaviour of other schedulers around a correct one: weights, counts, caches or assumptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from dra_conform.kube.json_values import Json, encode_json
from tests.faulty.changed_builtin.faulty_allocator import (
    FaultyAllocator,
    World,
    exact_requests_of,
    requests_of,
)

Ask = Callable[[World], Json]
"""Returns the correct allocator's answer to a request."""

_NOTHING: Json = {"outcome": "unallocatable"}


def _places(world: World) -> list[tuple[Json, int]]:
    return [(request, len(request["firstAvailable"])) for request in world.lists]


def _with_alternatives(world: World, chosen: Mapping[int, int]) -> World:
    """Return the request in which each prioritized list has only the chosen subrequest."""
    other = World(world.objects, world.ask, world.profile)
    for place, request in enumerate(other.lists):
        if place in chosen:
            request["firstAvailable"] = [request["firstAvailable"][chosen[place]]]
    return other


def _weighs_alternatives(weight: Callable[[tuple[int, ...]], Any]) -> Callable[[World, Ask], Json]:
    """Try combinations of subrequests in the order of a weight over all prioritized lists."""

    def decides(world: World, ask: Ask) -> Json:
        sizes = [range(size) for _, size in _places(world)]
        answer = _NOTHING
        for chosen in sorted(product(*sizes), key=weight):
            answer = ask(_with_alternatives(world, dict(enumerate(chosen))))
            if answer["outcome"] != "unallocatable":
                return answer
        return answer

    return decides


def _each_list_alone(world: World, ask: Ask) -> Json:
    """Choose the subrequest of each prioritized list as if it were the only request."""
    fixed = {}
    for place, (wanted, size) in enumerate(_places(world)):
        for number in range(size):
            alone = _with_alternatives(world, {place: number})
            for claim in alone.claims:
                claim["spec"]["devices"]["requests"] = [
                    request
                    for request in requests_of(claim)
                    if any(request is item for item in alone.lists[place : place + 1])
                ]
                claim["spec"]["devices"].pop("constraints", None)
                claim["spec"]["devices"].pop("config", None)
            if wanted and ask(alone)["outcome"] == "allocated":
                fixed[place] = number
                break
    return ask(_with_alternatives(world, fixed))


def _wanted(world: World) -> int:
    return sum(
        min(
            0
            if subrequest.get("adminAccess") or subrequest.get("allocationMode") == "All"
            else subrequest.get("count", 1)
            for subrequest in exact_requests_of(request)
        )
        for claim in world.claims
        for request in requests_of(claim)
    )


def _counts_devices(world: World, ask: Ask) -> Json:
    """Allocate nothing if more devices are requested than exist."""
    return ask(world) if _wanted(world) <= len(world.devices) else _NOTHING


def _counts_free_devices(world: World, ask: Ask) -> Json:
    """Count devices as a quota: each result of a claim uses one of the existing devices."""
    free = len(world.devices) - sum(not result.get("adminAccess") for result in world.existing_results)
    return ask(world) if _wanted(world) <= free else _NOTHING


def _leaves_out_what_fails(world: World, ask: Ask) -> Json:
    """Allocate the claims that fit, and omit the others from the answer."""
    answer = ask(world)
    while answer["outcome"] == "unallocatable" and len(world.ask["claims"]) > 1:
        world = World(world.objects, {**world.ask, "claims": world.ask["claims"][:-1]}, world.profile)
        answer = ask(world)
    return answer


def _text(*parts: Json) -> str:
    return b"\n".join(map(encode_json, parts)).decode()


class _Remembering:
    """Cache of answers by a key of the request."""

    def __init__(self, key: Callable[[World], str]) -> None:
        self._key = key
        self._known: dict[str, Json] = {}

    def refusals(self, world: World, ask: Ask) -> Json:
        """Repeat a failed allocation."""
        key = self._key(world)
        if key in self._known:
            return self._known[key]
        answer = ask(world)
        if answer["outcome"] == "unallocatable":
            self._known[key] = answer
        return answer

    def assumed(self, world: World, ask: Ask) -> Json:
        """Keep devices allocated in later calls."""
        held = self._known.setdefault(self._key(world), [])
        claims = world.objects.get("resourceClaims") or []
        known = {claim["metadata"]["name"] for claim in claims}
        other = World(
            {
                **world.objects,
                "resourceClaims": [
                    *claims,
                    *(result for result in held if result["metadata"]["name"] not in known),
                ],
            },
            world.ask,
            world.profile,
        )
        answer = ask(other)
        if answer["outcome"] == "allocated":
            for place, allocation in enumerate(answer["allocations"].values()):
                held.append(
                    {
                        "metadata": {
                            "name": f"assumed-{len(held)}-{place}",
                            "namespace": "default",
                            "uid": f"assumed-{len(held)}",
                        },
                        "spec": {"devices": {}},
                        "status": {"allocation": allocation},
                    }
                )
        return answer


def _specs(world: World) -> list[Json]:
    return [claim["spec"] for claim in world.claims]


def _without(world: World, *kinds: str) -> Json:
    return {kind: found for kind, found in world.objects.items() if kind not in kinds}


def _where_alike(changed: Callable[[World], Json]) -> Callable[[World], str]:
    return lambda world: _text(changed(world), _specs(world), world.ask.get("node"), repr(world.profile))


def _bare_slices(world: World, *fields: str) -> list[Json]:
    """Return the slices without these fields of devices."""
    return [
        {
            **resource_slice,
            "spec": {
                **resource_slice["spec"],
                "devices": [
                    {k: v for k, v in device.items() if k not in fields}
                    for device in resource_slice["spec"].get("devices") or ()
                ],
            },
        }
        for resource_slice in world.slices
    ]


PORTED: tuple[FaultyAllocator, ...] = (
    FaultyAllocator("subrequests are weighed by the sum of their places", decides=_weighs_alternatives(lambda chosen: (sum(chosen), chosen))),
    FaultyAllocator("subrequests are weighed by the worst of them", decides=_weighs_alternatives(lambda chosen: (max(chosen, default=0), chosen))),
    FaultyAllocator("the last list is satisfied first", decides=_weighs_alternatives(lambda chosen: chosen[::-1])),
    FaultyAllocator("each list is decided as though alone", decides=_each_list_alone),
    FaultyAllocator("no more devices are allocated than exist", decides=_counts_devices),
    FaultyAllocator("each result takes a device from the quota", decides=_counts_free_devices),
    FaultyAllocator("claims that cannot be allocated are left out of the answer", decides=_leaves_out_what_fails),
    FaultyAllocator("a failed allocation is remembered although allocations change", decides=_Remembering(_where_alike(lambda world: _without(world, "resourceClaims"))).refusals),
    FaultyAllocator("a failed allocation is remembered although classes change", decides=_Remembering(_where_alike(lambda world: _without(world, "deviceClasses"))).refusals),
    FaultyAllocator("a failed allocation is remembered although taint rules change", decides=_Remembering(_where_alike(lambda world: _without(world, "deviceTaintRules"))).refusals),
    FaultyAllocator("a failed allocation is remembered although labels of nodes change", decides=_Remembering(_where_alike(lambda world: _without(world, "nodes"))).refusals),
    FaultyAllocator("a failed allocation is remembered although taints of devices change", decides=_Remembering(_where_alike(lambda world: {**world.objects, "resourceSlices": _bare_slices(world, "taints")})).refusals),
    FaultyAllocator("a failed allocation is remembered although capacities change", decides=_Remembering(_where_alike(lambda world: {**world.objects, "resourceSlices": _bare_slices(world, "capacity")})).refusals),
    FaultyAllocator("a failed allocation is remembered although attributes change", decides=_Remembering(_where_alike(lambda world: {**world.objects, "resourceSlices": _bare_slices(world, "attributes")})).refusals),
    FaultyAllocator("allocations of a call stay in later calls", decides=_Remembering(lambda world: _text(world.slices)).assumed),
)  # fmt: skip
