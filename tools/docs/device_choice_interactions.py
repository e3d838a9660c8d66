"""Print golden/dra/feature-interactions-of-three.yaml: device choices in which three features decide.

Each feature excludes a device in one way. A case has one device for each of its features, excluded by that
feature alone, and one device that no feature excludes: only that device can be allocated. An allocator that
ignores one of the features takes another device. The same case without that device cannot be allocated.
adminAccess is requested for devices that are in use. `allocationMode: All` is requested for spare devices, or
for all devices where one of them is excluded. `make feature-interactions` writes the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from golden_text import golden_text

Json = Any
LIST, ADMIN, ALL = "prioritized-list", "admin-access", "allocation-mode-all"

HEAD = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made by `make feature-interactions` from tools/docs/device_choice_interactions.py.
document: DRA
area: feature-interactions-of-three
title: Device choices in which each of three features excludes a device
given:
  - deviceClass: {name: any, selectors: []}
  - deviceClass: {name: first, selectors: ['device.attributes["dra.example.com"].kind == "first"']}
  - deviceClass: {name: second, selectors: ['device.attributes["dra.example.com"].kind == "second"']}
  - deviceClass: {name: spare, selectors: ['device.attributes["dra.example.com"].kind == "spare"']}
cases:"""


@dataclass(frozen=True)
class Exclusion:
    """How a feature excludes a device: the fields of the excluded device, and those of all other devices.

    `asked` has fields that are added to the request.
    """

    words: str
    device: str
    requirement: str
    passes: Json = field(default_factory=dict)
    fails: Json = field(default_factory=dict)
    asked: Json = field(default_factory=dict)


EXCLUSIONS = {
    "consumable-capacity": Exclusion(
        "capacity",
        "full",
        "",
        {"allowMultipleAllocations": True, "capacity": {"bw": 10}},
        {"allowMultipleAllocations": True, "capacity": {"bw": 10}},
        {"capacity": {"bw": 4}},
    ),
    "partitionable-devices": Exclusion(
        "counters",
        "large",
        "DRA/partitionable/allocatable-iff-enough-left",
        {"consumesCounters": {"card": {"memory": 2}}},
        {"consumesCounters": {"card": {"memory": 20}}},
    ),
    "compatibility-groups": Exclusion(
        "groups",
        "other-group",
        "",
        {"consumesCounters": {"gpu-0": {"memory": 2}}, "compatibilityGroups": {"gpu-0": ["mig"]}},
        {"consumesCounters": {"gpu-1": {"memory": 2}}, "compatibilityGroups": {"gpu-1": ["mig"]}},
    ),
    "device-taints": Exclusion(
        "taints",
        "tainted",
        "DRA/taint/noschedule-blocks-allocation",
        {},
        {"taints": [{"key": "broken", "effect": "NoSchedule"}]},
    ),
    "binding-conditions": Exclusion(
        "binding conditions",
        "conditional",
        "API/binding/needs-its-gates",
        {},
        {"bindingConditions": ["Ready"], "bindingFailureConditions": ["Broken"]},
    ),
    "constraints": Exclusion(
        "constraints",
        "unmatched",
        "DRA/claim/constraints-limit-devices",
        {"attributes": {"numa": {"int": 1}}},
        {},
    ),
    "list-attributes": Exclusion(
        "list attributes",
        "listed",
        "API/attribute/lists-in-selectors",
        {"attributes": {"models": {"strings": ["a", "c"]}}},
        {"attributes": {"models": {"strings": ["a", "b"]}}},
        {"selectors": ['!device.attributes["dra.example.com"].models.includes("b")']},
    ),
}
"""By feature. A constraint excludes a device without the attribute; the gate of binding conditions is off."""

LEFT_OUT = ("binding-conditions", "list-attributes")
"""Features that take a device out of `allocationMode: All`, so that the claim is still allocated."""
WORDS = {LIST: "firstAvailable", ADMIN: "adminAccess", ALL: "mode All"}
TERMS = {
    "consumable-capacity": "capacity",
    "partitionable-devices": "counters",
    "compatibility-groups": "compatibilityGroups",
    "device-taints": "taints",
    "binding-conditions": "bindingConditions",
    "constraints": "matchAttribute",
    "list-attributes": "list attributes",
}
"""The features in titles."""
FIELDS = ("compatibilityGroups", "bindingConditions", "matchAttribute")
"""Terms that keep their lower-case letter at the beginning of a title."""
REQUIREMENTS = {
    LIST: "DRA/prioritized-list/first-satisfiable-wins",
    ADMIN: "DRA/admin-access/reaches-devices-in-use",
    ALL: "DRA/allocation-mode/all-on-a-node",
}
COUNTED = {"consumable-capacity", "partitionable-devices", "compatibility-groups"}
"""Features that 1.33 and 1.34 read from the wrong slice or device, as cases of the single features show."""
NO_MATTER = ("partitionable-devices",)
"""Features that adminAccess ignores. The KEPs leave open whether groups reject it, so no case has both."""
NOT_EXEMPT = ("device-taints", "binding-conditions", "constraints", "list-attributes")
"""Features that exclude a device for adminAccess, too."""


def device(name: str, kind: str, features: Sequence[str], excluded_by: Sequence[str] = ()) -> Json:
    """Return a device with fields for `features`, excluded by those of `excluded_by`."""
    fields: dict[str, Json] = {"device": name, "attributes": {"kind": {"string": kind}}}
    for feature in features:
        excluding = EXCLUSIONS[feature]
        for key, value in (excluding.fails if feature in excluded_by else excluding.passes).items():
            fields[key] = {**fields[key], **value} if isinstance(value, dict) and key in fields else value
    return fields


def world(features: Sequence[str]) -> Iterator[Json]:
    """Yield the setup steps that the features need, without the steps of devices."""
    if "binding-conditions" in features:
        yield {"featureGates": {"DRADeviceBindingConditions": False}}
    sets = ["card"] if "partitionable-devices" in features else []
    sets += ["gpu-0", "gpu-1"] if "compatibility-groups" in features else []
    if sets:
        yield {"counterSets": [{"counterSet": name, "counters": {"memory": 16}} for name in sets]}


def held(features: Sequence[str], in_use: Sequence[str]) -> Iterator[Json]:
    """Yield allocated claims: of the full device, a device in another group, and the devices in use."""
    if "consumable-capacity" in features:
        full = {"device": "full", "consumedCapacity": {"bw": 8}, "shareID": "s1"}
        recorded = {"compatibilityGroups": {"gpu-0": ["mig"]}} if "compatibility-groups" in features else {}
        yield {"allocated": {"resourceClaim": "other", "results": [{**full, **recorded}]}}
    if "compatibility-groups" in features:
        peer = {"device": "peer", "compatibilityGroups": {"gpu-1": ["vgpu"]}}
        yield {"allocated": {"resourceClaim": "neighbour", "results": [peer]}}
    if in_use:
        results = [{"device": name} for name in in_use]
        yield {"allocated": {"resourceClaim": "user", "results": results}}


def case(triple: Sequence[str], *, fits: bool) -> Json:
    """Return the case of three features, with a device that no feature excludes if `fits`."""
    excluding = [feature for feature in triple if feature in EXCLUSIONS]
    kinds = dict.fromkeys(excluding, "first")
    if LIST in triple:
        kinds = dict(zip(excluding, ("first", "second"), strict=True))
    good = "second" if LIST in triple else "first"
    free = [feature for feature in excluding if ADMIN in triple and feature in NO_MATTER]
    devices = [
        device(EXCLUSIONS[feature].device, kinds[feature], excluding, [feature, *free])
        for feature in excluding
        if feature not in free
    ]
    devices += [device("right", good, excluding, free)] if fits or ALL in triple else []
    candidates = [candidate["device"] for candidate in devices]
    if "compatibility-groups" in triple:
        drawn = {"consumesCounters": {"gpu-1": {"memory": 2}}, "compatibilityGroups": {"gpu-1": ["vgpu"]}}
        devices.append({"device": "peer", "attributes": {"kind": {"string": "peer"}}, **drawn})
    if ALL in triple and fits:
        devices += [device(name, "spare", excluding) for name in ("spare-1", "spare-2")]
    extra = {key: value for feature in excluding for key, value in EXCLUSIONS[feature].asked.items()}
    setup = [*world(excluding), {"devices": devices}, *held(excluding, candidates if ADMIN in triple else ())]
    setup.append({"resourceClaim": {"name": "c", "requests": list(requests(triple, extra, fits=fits))}})
    if "constraints" in triple:
        constraint = {"resourceClaim": "c", "matchAttribute": "dra.example.com/numa"}
        setup.append({"constraint": constraint | ({"requests": ["r0"]} if ALL in triple else {})})
    return {
        "case": f"{'-'.join(map(short, triple))}-{'allocated' if fits else 'unallocated'}",
        "title": title(triple, fits=fits),
        "requirements": cited(triple),
        **profiles(triple, fits=fits),
        "given": setup,
        "when": {"allocate": {"resourceClaims": ["c"]}},
        "then": then(triple) if fits else [{"nothingAllocated" if ALL in triple else "unallocatable": True}],
    }


def requests(triple: Sequence[str], asked: Json, *, fits: bool) -> Iterator[Json]:
    """Yield a request for one device and a request for all spare devices, or one request for all devices."""
    if LIST in triple:
        kinds = (("a", "first"), ("b", "second"))
        subrequests = [{"subrequest": name, "deviceClassName": kind, **asked} for name, kind in kinds]
        yield {"request": "r0", "firstAvailable": subrequests}
    else:
        admin_access = {"adminAccess": True} if ADMIN in triple else {}
        mode = {"allocationMode": "All"} if ALL in triple and not fits else {}
        yield {"request": "r0", "deviceClassName": "first", **mode, **admin_access, **asked}
    if ALL in triple and fits:
        yield {"request": "r1", "deviceClassName": "spare", "allocationMode": "All", **asked}


def then(triple: Sequence[str]) -> Json:
    """Return the steps that name the only devices that can be allocated."""
    results = [{"request": "r0/b" if LIST in triple else "r0", "device": "right"}]
    if ALL in triple:
        results += [{"request": "r1", "device": name} for name in ("spare-1", "spare-2")]
    return [{"allocatedExactly": {"resourceClaim": "c", "results": results}}]


def profiles(triple: Sequence[str], *, fits: bool) -> Json:
    """Return the profiles of a case.

    Releases take full devices out of `allocationMode: All`, and charge adminAccess with counters.
    """
    if ALL in triple and not fits and "consumable-capacity" in triple:
        return {"profiles": ["kep"]}
    if ADMIN in triple and fits and set(NO_MATTER) & set(triple):
        return {"profiles": ["kep"]}
    return {"profiles": ["kep", "since 1.35"]} if COUNTED & set(triple) else {}


def words(feature: str) -> str:
    return EXCLUSIONS[feature].words if feature in EXCLUSIONS else WORDS[feature]


def short(feature: str) -> str:
    """Return the short name of a feature in the id of a case."""
    return "list" if feature == LIST else words(feature).replace(" ", "-").lower()


def title(triple: Sequence[str], *, fits: bool) -> str:
    """Return the features that exclude devices, the kind of request if it matters, and the outcome."""
    terms = [TERMS[feature] for feature in triple if feature in EXCLUSIONS]
    joined = f"{', '.join(terms[:-1])} and {terms[-1]}"
    started = joined if joined.startswith(FIELDS) else f"{joined[0].upper()}{joined[1:]}"
    if LIST in triple:
        picked = f"firstAvailable picks the one device that {joined} permit"
        return picked if fits else f"firstAvailable fails if {joined} permit no device"
    if ALL in triple:
        permitted = f"allocationMode: All fits if {joined} exclude no device"
        return permitted if fits else f"allocationMode: All fails if {joined} exclude devices"
    if ADMIN in triple and set(NO_MATTER) & set(triple):
        [other] = [TERMS[feature] for feature in triple[1:] if feature not in NO_MATTER]
        permits = "permits" if other == "matchAttribute" else "permit"
        reached = f"adminAccess ignores counters and reaches the one device that {other} {permits}"
        return reached if fits else f"adminAccess ignores counters but fails if {other} {permits} no device"
    if ADMIN in triple:
        reached = f"adminAccess reaches a device in use that {joined} permit"
        return reached if fits else f"adminAccess fails if {joined} permit no device in use"
    return f"{started} permit allocation of one device" if fits else f"{started} together prevent allocation"


def cited(triple: Sequence[str]) -> list[str]:
    known = [
        EXCLUSIONS[feature].requirement if feature in EXCLUSIONS else REQUIREMENTS[feature]
        for feature in triple
    ]
    return list(dict.fromkeys([*filter(None, known), "DRA/claim/requests-select-from-class"]))


def triples() -> Iterator[tuple[str, ...]]:
    """Yield three features that exclude devices, or two with firstAvailable, mode All or adminAccess."""
    yield from combinations(EXCLUSIONS, 3)
    for first in (LIST, ALL):
        yield from ((first, *pair) for pair in combinations(EXCLUSIONS, 2))
    yield from ((ADMIN, *pair) for pair in combinations(NOT_EXEMPT, 2))
    yield from ((ADMIN, ignored, other) for ignored in NO_MATTER for other in NOT_EXEMPT)


def cases() -> Iterator[Json]:
    for triple in triples():
        for fits in (True, False):
            if ALL in triple and not fits and set(LEFT_OUT) < set(triple):
                continue
            yield case(triple, fits=fits)


if __name__ == "__main__":
    print(golden_text(HEAD, list(cases())), end="")
