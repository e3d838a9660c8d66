"""Allocators that misread claims: requests, prioritized lists, constraints and configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    World,
    constraints_of,
    exact_requests_of,
    requests_of,
)


def in_asked(
    change: Callable[[Json], object], when: Callable[[Json], Any] = lambda one: True
) -> ChangesRequest:
    """Change the exact requests and subrequests for which `when` is true."""

    def change_request(world: World) -> None:
        for request in world.exact_requests:
            if when(request):
                change(request)

    return change_request


def in_later_requests(change: Callable[[Json], object]) -> ChangesRequest:
    """Change all requests of a claim except the first."""

    def change_request(world: World) -> None:
        for claim in world.claims:
            for request in requests_of(claim)[1:]:
                for subrequest in exact_requests_of(request):
                    change(subrequest)

    return change_request


def in_later_claims(change: Callable[[Json], object]) -> ChangesRequest:
    """Change the specs of all claims of a call except the first."""

    def change_request(world: World) -> None:
        for claim in world.claims[1:]:
            change(claim["spec"]["devices"])

    return change_request


def drop(*fields: str) -> Callable[[Json], None]:
    def change(request: Json) -> None:
        for field in fields:
            request.pop(field, None)

    return change


def _amounts(request: Json) -> Json:
    return (request.get("capacity") or {}).get("requests") or {}


def _times_count(request: Json) -> None:
    for name, amount in _amounts(request).items():
        number = str(amount).rstrip("KMGTPEikmunp")
        if number.isdecimal():
            _amounts(request)[name] = f"{int(number) * request.get('count', 1)}{str(amount)[len(number) :]}"


def _last_of_each_key(request: Json) -> None:
    request["tolerations"] = list(
        {toleration.get("key"): toleration for toleration in request["tolerations"]}.values()
    )


def _first_class(world: World) -> None:
    for claim in world.claims:
        asked = [subrequest for request in requests_of(claim) for subrequest in exact_requests_of(request)]
        for subrequest in asked:
            subrequest["deviceClassName"] = asked[0]["deviceClassName"]


def _selectors_of_all(world: World) -> None:
    for claim in world.claims:
        asked = [subrequest for request in requests_of(claim) for subrequest in exact_requests_of(request)]
        every = [selector for subrequest in asked for selector in subrequest.get("selectors") or ()]
        for subrequest in asked:
            subrequest["selectors"] = every


def _tolerations_of_all_claims(world: World) -> None:
    every = [
        toleration for request in world.exact_requests for toleration in request.get("tolerations") or ()
    ]
    for request in world.exact_requests:
        request["tolerations"] = every


def _by_attribute(world: World) -> None:
    for claim in world.claims:
        known = {
            str((constraint.get("matchAttribute"), constraint.get("distinctAttribute"))): constraint
            for constraint in constraints_of(claim)
        }
        claim["spec"]["devices"]["constraints"] = list(known.values())


def _constraints_without(wanted: Callable[[Json, Json], bool]) -> ChangesRequest:
    """Remove the constraints for which `wanted`, called with the claim, is false."""

    def change_request(world: World) -> None:
        for claim in world.claims:
            left = [constraint for constraint in constraints_of(claim) if wanted(constraint, claim)]
            claim["spec"]["devices"]["constraints"] = left

    return change_request


def _matches_too(claim: Json) -> bool:
    return any(constraint.get("matchAttribute") for constraint in constraints_of(claim))


def _alternatives_of_any(field: str) -> ChangesRequest:
    """Apply a name `request/subrequest` to the subrequest of that name in every request."""

    def change_request(world: World) -> None:
        for claim in world.claims:
            known: dict[str, list[str]] = {
                sub["name"]: []
                for request in requests_of(claim)
                for sub in request.get("firstAvailable") or ()
            }
            for request in requests_of(claim):
                for sub in request.get("firstAvailable") or ():
                    known[sub["name"]].append(f"{request['name']}/{sub['name']}")
            for entry in claim["spec"]["devices"].get(field) or ():
                names = [known.get(name.partition("/")[2], [name]) for name in entry.get("requests") or ()]
                entry["requests"] = list(dict.fromkeys(name for several in names for name in several))

    return change_request


def _sort_alternatives(world: World) -> None:
    for request in world.lists:
        request["firstAvailable"].sort(key=lambda sub: sub["name"])


def _unlimited(request: Json) -> None:
    for toleration in request["tolerations"]:
        if toleration.get("operator") == "Exists":
            toleration.pop("effect", None)


def _without_key(request: Json) -> None:
    request["tolerations"] = [toleration for toleration in request["tolerations"] if toleration.get("key")]


def _keyless_for_all(request: Json) -> None:
    for toleration in request["tolerations"]:
        if not toleration.get("key"):
            toleration.pop("effect", None)


def _first_alternative(devices: Json) -> None:
    for request in devices.get("requests") or ():
        if "firstAvailable" in request:
            request["firstAvailable"] = request["firstAvailable"][:1]


def _every_amount_once(world: World) -> None:
    seen: dict[str, Json] = {}
    for request in world.exact_requests:
        for name, amount in _amounts(request).items():
            _amounts(request)[name] = seen.setdefault(name, amount)


def _with_class_selectors(kept: int, holds: Callable[[Json], object]) -> ChangesRequest:
    """Give the requests with own selectors a DeviceClass that keeps only the first `kept` selectors."""

    def change_request(world: World) -> None:
        by_name = {device_class["metadata"]["name"]: device_class for device_class in world.classes}
        for request in world.exact_requests:
            device_class = by_name.get(request.get("deviceClassName", ""))
            if device_class is None or not request.get("selectors") or not holds(request):
                continue
            spec = device_class.get("spec") or {}
            name = f"{device_class['metadata']['name']}-{kept}"
            selectors = (spec.get("selectors") or [])[:kept]
            other = {"metadata": {"name": name}, "spec": {**spec, "selectors": selectors}}
            world.classes.append({**device_class, **other})
            request["deviceClassName"] = name

    return change_request


def _first_toleration(request: Json) -> None:
    request["tolerations"] = request["tolerations"][:1]


def _own_value_of_missing_attribute(world: World) -> None:
    """Give each device that lacks the attribute of a later distinctAttribute a value of its own."""
    later = [constraint for claim in world.claims for constraint in constraints_of(claim)[1:]]
    for name in {
        constraint["distinctAttribute"] for constraint in later if "distinctAttribute" in constraint
    }:
        for number, device in enumerate(world.devices):
            attributes = device.setdefault("attributes", {})
            if name not in attributes and name.partition("/")[2] not in attributes:
                attributes[name] = {"string": f"missing-{number}"}


OF_REQUESTS = (
    FaultyAllocator("requested capacity of later requests is not read", in_later_requests(drop("capacity"))),
    FaultyAllocator("selectors of later requests are not read", in_later_requests(drop("selectors"))),
    FaultyAllocator("counts of later requests are not read", in_later_requests(drop("count"))),
    FaultyAllocator("tolerations of later requests are not read", in_later_requests(drop("tolerations"))),
    FaultyAllocator("adminAccess of later requests is not read", in_later_requests(drop("adminAccess"))),
    FaultyAllocator("modes of later requests are not read", in_later_requests(drop("allocationMode"))),
    FaultyAllocator("constraints of later claims are not read", in_later_claims(drop("constraints"))),
    FaultyAllocator("configuration of later claims is not read", in_later_claims(drop("config"))),
    FaultyAllocator("lists of later claims have one subrequest", in_later_claims(_first_alternative)),
    FaultyAllocator("a requested capacity is divided among the devices of a count", in_asked(_times_count, lambda request: request.get("count", 1) > 1)),
    FaultyAllocator("a capacity is requested once in a call", _every_amount_once),
    FaultyAllocator("requested capacity together with a count is not read", in_asked(drop("capacity"), lambda request: request.get("count", 1) > 1)),
    FaultyAllocator("requested capacity of mode All is not read", in_asked(drop("capacity"), lambda request: request.get("allocationMode") == "All")),
    FaultyAllocator("requested capacity of adminAccess is not read", in_asked(drop("capacity"), lambda request: request.get("adminAccess"))),
    FaultyAllocator("selectors of mode All are not read", in_asked(drop("selectors"), lambda request: request.get("allocationMode") == "All")),
    FaultyAllocator("selectors together with a count are not read", in_asked(drop("selectors"), lambda request: request.get("count", 1) > 1)),
    FaultyAllocator("selectors together with requested capacity are not read", in_asked(drop("selectors"), _amounts)),
    FaultyAllocator("selectors of adminAccess are not read", in_asked(drop("selectors"), lambda request: request.get("adminAccess"))),
    FaultyAllocator("tolerations of mode All are not read", in_asked(drop("tolerations"), lambda request: request.get("allocationMode") == "All")),
    FaultyAllocator("tolerations together with a count are not read", in_asked(drop("tolerations"), lambda request: request.get("count", 1) > 1)),
    FaultyAllocator("tolerations of adminAccess are not read", in_asked(drop("tolerations"), lambda request: request.get("adminAccess"))),
    FaultyAllocator("tolerations together with requested capacity are not read", in_asked(drop("tolerations"), _amounts)),
    FaultyAllocator("tolerations of one key are the last of them", in_asked(_last_of_each_key, lambda request: request.get("tolerations"))),
    FaultyAllocator("Exists tolerates every effect", in_asked(_unlimited, lambda request: request.get("tolerations"))),
    FaultyAllocator("a toleration without key tolerates nothing", in_asked(_without_key, lambda request: request.get("tolerations"))),
    FaultyAllocator("a toleration without key tolerates every effect", in_asked(_keyless_for_all, lambda request: request.get("tolerations"))),
    FaultyAllocator("tolerations are those of all claims", _tolerations_of_all_claims),
    FaultyAllocator("the class of the first request is that of all", _first_class),
    FaultyAllocator("selectors of all requests hold for each", _selectors_of_all),
    FaultyAllocator("a later constraint on an attribute takes the place of the earlier", _by_attribute),
    FaultyAllocator("distinctAttribute is ignored together with matchAttribute", _constraints_without(lambda constraint, claim: constraint.get("matchAttribute") or not _matches_too(claim))),
    FaultyAllocator("a constraint on one request is ignored", _constraints_without(lambda constraint, claim: len(constraint.get("requests") or ()) != 1)),
    FaultyAllocator("a constraint in a claim of one request is ignored", _constraints_without(lambda constraint, claim: len(requests_of(claim)) > 1)),
    FaultyAllocator("a constraint together with requested capacity is ignored", _constraints_without(lambda constraint, claim: not any(_amounts(asked) for request in requests_of(claim) for asked in exact_requests_of(request)))),
    FaultyAllocator("constraints for a subrequest are for those of its name", _alternatives_of_any("constraints")),
    FaultyAllocator("configuration for a subrequest is for those of its name", _alternatives_of_any("config")),
    FaultyAllocator("subrequests are tried by name", _sort_alternatives),
    FaultyAllocator("a subrequest of all is one of one", in_asked(drop("allocationMode"), lambda request: "name" in request)),
    FaultyAllocator("subrequests with selectors have one selector of their class", _with_class_selectors(1, lambda request: "name" in request)),
    FaultyAllocator("adminAccess with selectors has no selectors of its class", _with_class_selectors(0, lambda request: request.get("adminAccess"))),
    FaultyAllocator("subrequests have one toleration", in_asked(_first_toleration, lambda request: "name" in request and request.get("tolerations"))),
    FaultyAllocator("the attribute of a later distinctAttribute may be missing", _own_value_of_missing_attribute),
)  # fmt: skip
