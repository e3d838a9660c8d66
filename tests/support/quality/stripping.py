"""Remove features from the setup of a case. A case shows a feature if its outcome is different without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec

from dra_conform.conformance.allocate.answer import Outcome as Allocated
from dra_conform.conformance.allocate.answer import read
from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.case import Case, Objects
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.profile import KEP
from tests.reference.textbook import Textbook

ALLOCATE = Allocate()

Strip = Callable[[Objects], Objects]
"""Removes a feature from all objects."""

_LISTS = ("ints", "strings", "bools", "versions")


def without(*fields: str) -> Strip:
    """Return a function that removes all fields of these names."""
    return lambda objects: {name: _dropped(members, fields) for name, members in objects.items()}


def _dropped(value: Json, fields: tuple[str, ...]) -> Json:
    if isinstance(value, Mapping):
        return {name: _dropped(inner, fields) for name, inner in value.items() if name not in fields}
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
    """Return the objects with requests replaced by some of their subrequests, or by a single one."""

    def changed(request: Json) -> Json:
        if "firstAvailable" not in request:
            return request
        replaced = asked(request)
        if isinstance(replaced, Mapping):
            alone = {name: value for name, value in replaced.items() if name != "name"}
            return {"name": request["name"], "exactly": alone}
        return {**request, "firstAvailable": replaced}

    def claim(written: Json) -> Json:
        devices = written["spec"].get("devices") or {}
        requests = [changed(request) for request in devices.get("requests") or ()]
        return {**written, "spec": {**written["spec"], "devices": {**devices, "requests": requests}}}

    return {**objects, "resourceClaims": tuple(map(claim, objects["resourceClaims"]))}


def _first_of_lists(objects: Objects) -> Objects:
    def single(value: Json) -> Json:
        if isinstance(value, Mapping):
            return {
                (name[:-1] if name in _LISTS else name): (
                    inner[0] if name in _LISTS and inner else single(inner)
                )
                for name, inner in value.items()
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
"""Functions that remove each feature. One of them is enough to show an interaction."""


Outcome = tuple[bool, bool]
"""Whether something is allocated, and whether the case expects the answer."""


def both_bear(case: Case, feature: str, other: str) -> bool:
    """Return whether two features interact in the outcome of a case.

    The outcome is different without one of them, and each changes the outcome with or without the other. Example:
    adminAccess for a tainted device in use cannot be allocated, but adminAccess without the taint can.
    """
    return any(_crossed(case, left, right) for left in STRIPS[feature] for right in STRIPS[other])


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
    """Return the outcome of the textbook allocator. Without an answer nothing is allocated."""
    profile, _ = profile_of(case, KEP)
    try:
        asked = msgspec.json.decode(encode_json(objects))  # Implementations get decoded JSON, too.
        answer = read(Textbook().allocate(asked, case.ask, profile))
        judgement = ALLOCATE.judge(
            replace(case, objects=objects), profile, case.expected(KEP), answer, strict=False
        )
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        return False, case.rejects
    return answer.outcome is Allocated.ALLOCATED, judgement.verdict is Verdict.PASS
