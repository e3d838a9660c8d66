"""What is given without a feature: a case shows something of a feature if it comes out otherwise without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from dra_conform.conformance.allocate.answer import Outcome as Allocated
from dra_conform.conformance.allocate.judging import judge
from dra_conform.conformance.allocate.wire_form import read
from dra_conform.conformance.case import Case, Objects
from dra_conform.conformance.case_profiles import profile_of
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.json_writing import encode_json
from dra_conform.kube.profile import KEP
from tests.reference.textbook import Textbook

Json = Any
Strip = Callable[[Objects], Objects]
"""Takes something out of all that is given."""

_LISTS = ("ints", "strings", "bools", "versions")


def without(*fields: str) -> Strip:
    """Takes fields of these names out, wherever they stand."""
    return lambda objects: {name: _dropped(members, fields) for name, members in objects.items()}


def _dropped(value: Json, fields: tuple[str, ...]) -> Json:
    if isinstance(value, Mapping):
        return {name: _dropped(one, fields) for name, one in value.items() if name not in fields}
    if isinstance(value, (list, tuple)):
        return tuple(_dropped(item, fields) for item in value)
    return value


def _without_rules(objects: Objects) -> Objects:
    return {name: members for name, members in objects.items() if name != "deviceTaintRules"}


def _without_taints(objects: Objects) -> Objects:
    return without("taints")(_without_rules(objects))


def _first_only(objects: Objects) -> Objects:
    return _requests_as(objects, lambda request: request["firstAvailable"][:1])


def _later_only(objects: Objects) -> Objects:
    return _requests_as(objects, lambda request: request["firstAvailable"][1:] or request["firstAvailable"])


def _first_alone(objects: Objects) -> Objects:
    return _requests_as(objects, lambda request: request["firstAvailable"][0])


def _requests_as(objects: Objects, asked: Callable[[Json], Json]) -> Objects:
    """Requests with some of their subrequests, or with one that stands alone."""

    def changed(request: Json) -> Json:
        if "firstAvailable" not in request:
            return request
        one = asked(request)
        if isinstance(one, Mapping):
            alone = {name: value for name, value in one.items() if name != "name"}
            return {"name": request["name"], "exactly": alone}
        return {**request, "firstAvailable": one}

    def claim(one: Json) -> Json:
        devices = one["spec"].get("devices") or {}
        requests = [changed(request) for request in devices.get("requests") or ()]
        return {**one, "spec": {**one["spec"], "devices": {**devices, "requests": requests}}}

    return {**objects, "resourceClaims": tuple(map(claim, objects["resourceClaims"]))}


def _first_of_lists(objects: Objects) -> Objects:
    def single(value: Json) -> Json:
        if isinstance(value, Mapping):
            return {
                (name[:-1] if name in _LISTS else name): (one[0] if name in _LISTS and one else single(one))
                for name, one in value.items()
            }
        return tuple(map(single, value)) if isinstance(value, (list, tuple)) else value

    return {name: single(members) for name, members in objects.items()}


STRIPS: Mapping[str, tuple[Strip, ...]] = {
    "allocation-mode-all": (without("allocationMode"),),
    "prioritized-list": (_first_only, _later_only, _first_alone),
    "admin-access": (without("adminAccess"),),
    "consumable-capacity": (
        without("allowMultipleAllocations"),
        without("requestPolicy"),
        without("consumedCapacity"),
        without("capacity"),
    ),
    "partitionable-devices": (without("consumesCounters"),),
    "compatibility-groups": (without("compatibilityGroups"),),
    "device-taints": (_without_taints, without("tolerations")),
    "binding-conditions": (
        without("bindingConditions", "bindingFailureConditions"),
        without("bindsToNode"),
    ),
    "constraints": (without("constraints"), without("attributes")),
    "list-attributes": (_first_of_lists, without(*_LISTS)),
}
"""How each of the features that bear on each other is taken out; one way is enough to see it."""


Outcome = tuple[bool, bool]
"""Whether something is allocated, and whether that is what the case expects."""


def both_bear(case: Case, one: str, other: str) -> bool:
    """Whether two features bear on the outcome of a case together.

    Without one of them the case comes out otherwise; and each changes the outcome, with the other or without
    it: administrative access to a device in use that is tainted is refused with both, and without the taint
    it is the access that gives the device.
    """
    return any(_crossed(case, left, right) for left in STRIPS[one] for right in STRIPS[other])


def _crossed(case: Case, left: Strip, right: Strip) -> bool:
    plain, no_left, no_right, neither = (
        outcome(case, objects)
        for objects in (
            case.objects,
            left(case.objects),
            right(case.objects),
            left(right(case.objects)),
        )
    )
    left_bears = plain != no_left or no_right != neither
    right_bears = plain != no_right or no_left != neither
    return left_bears and right_bears and (plain != no_left or plain != no_right)


def outcome(case: Case, objects: Objects) -> Outcome:
    """What the textbook allocator makes of it; where it has no answer, nothing is allocated."""
    profile, _ = profile_of(case, KEP)
    try:
        asked = msgspec.json.decode(encode_json(objects))  # as implementations get them
        answer = read(Textbook().allocate(asked, case.ask, profile))
        judgement = judge(replace(case, objects=objects), profile, case.expected(KEP), answer, False)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return False, case.refuses
    return answer.outcome is Allocated.ALLOCATED, judgement.verdict is Verdict.PASS
