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

from golden_text import golden_text

from dra_conform.kube.json_values import Json

LIST, ADMIN, ALL = "prioritized-list", "admin-access", "allocation-mode-all"

HEAD = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made by `make feature-interactions` from tools/docs/device_choice_interactions.py.
# A device with bindingConditions is excluded because DRADeviceBindingConditions is off.
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
CAUSES = {
    "consumable-capacity": "capacity",
    "partitionable-devices": "counters",
    "compatibility-groups": "compatibilityGroups",
    "device-taints": "taints",
    "binding-conditions": "a gate that is off",
    "constraints": "matchAttribute",
    "list-attributes": "list attributes",
}
"""What excludes a device, in titles. The gate that is off is that of bindingConditions."""
EXCLUDED = {
    "consumable-capacity": "has no capacity left",
    "partitionable-devices": "exceeds a counter",
    "compatibility-groups": "is incompatible",
    "device-taints": "is tainted",
    "binding-conditions": "needs a gate that is off",
    "constraints": "violates matchAttribute",
    "list-attributes": "has a non-matching list attribute",
}
"""What an excluded device is or does, in titles."""
ADJECTIVES = {"compatibility-groups": "compatible", "device-taints": "untainted"}
"""Features in titles, as an adjective of the allocated device."""
LEFT = {"consumable-capacity": "capacity", "partitionable-devices": "counters"}
"""Features in titles, as what is left on the allocated device."""
PROPERTIES = {"list-attributes": "a matching list attribute", "binding-conditions": "no bindingConditions"}
"""Features in titles, as another property of the allocated device."""
FIELDS = ("bindingConditions", "compatibilityGroups", "firstAvailable", "allocationMode", "adminAccess")
"""Terms that keep their lower-case letter at the beginning of a title."""
TITLE_LENGTH = 90
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
    """Return the kind of request if it matters, what excludes devices, and the outcome."""
    features = [feature for feature in triple if feature in EXCLUSIONS]
    if LIST in triple:
        candidates = list_titles(features, fits=fits)
    elif ALL in triple:
        candidates = all_titles(features, fits=fits)
    elif ADMIN in triple:
        candidates = admin_titles(features, fits=fits)
    elif fits:
        candidates = [f"{article} {chosen(features)} is allocated" for article in ("The only", "The")]
        candidates += [
            f"{article} device not excluded by {causes(features)} is allocated"
            for article in ("The only", "The")
        ]
        candidates.append(f"{causes(features)} exclude all but the allocated device")
        candidates.append(f"The device that {causes(features)} leave is allocated")
    else:
        candidates = [f"Allocation fails if each device {failing(features)}"]
        candidates += [
            f"Allocation fails if {causes(features)} exclude {all_of}"
            for all_of in ("every device", "all devices")
        ]
        candidates.append(f"Allocation fails if {causes(features)} leave no device")
    candidates += [text.replace("compatibilityGroups", "groups") for text in candidates]
    started = [text if text.startswith(FIELDS) else f"{text[0].upper()}{text[1:]}" for text in candidates]
    return next(text for text in started if len(text) <= TITLE_LENGTH)


def list_titles(features: Sequence[str], *, fits: bool) -> list[str]:
    requests = ("A firstAvailable request", "firstAvailable")
    if fits:
        devices = [f"the only {chosen(features)}", f"the {chosen(features)}"]
        devices.append(f"the only device not excluded by {causes(features)}")
        return [f"{request} gets {device}" for device in devices for request in requests]
    return [
        *(f"{request} fails if each device {failing(features)}" for request in requests),
        *(f"{request} fails if {causes(features)} exclude every device" for request in requests),
    ]


def all_titles(features: Sequence[str], *, fits: bool) -> list[str]:
    if fits:
        return [
            f"allocationMode: All succeeds if {causes(features)} exclude only other devices",
            f"allocationMode: All succeeds if {causes(features)} exclude only others",
        ]
    first, second = (EXCLUDED[feature] for feature in features)
    return [
        f"allocationMode: All fails if one device {first} and another {second}",
        f"allocationMode: All fails if one device {first} and one {second}",
        f"allocationMode: All fails if {causes(features)} each exclude one device",
    ]


def admin_titles(features: Sequence[str], *, fits: bool) -> list[str]:
    """Return titles of adminAccess, from the longest to the shortest. It ignores counters."""
    excluding = [feature for feature in features if feature not in NO_MATTER]
    reached = [f"{article} {chosen(excluding, in_use=True)}" for article in ("the only", "the")]
    if len(excluding) < len(features):
        return (
            [f"adminAccess ignores counters and gets {device}" for device in reached]
            if fits
            else [
                f"adminAccess ignores counters but fails if every {device} {failing(excluding)}"
                for device in ("device in use", "device")
            ]
        )
    if fits:
        reached.append(f"the only device in use not excluded by {causes(excluding)}")
        return [
            f"{who} gets {device}" for device in reached for who in ("An adminAccess request", "adminAccess")
        ]
    return [
        f"An adminAccess request fails if every device in use {failing(excluding)}",
        f"adminAccess fails if {causes(excluding)} exclude every device in use",
        f"adminAccess fails if {causes(excluding)} exclude every device",
    ]


def failing(features: Sequence[str]) -> str:
    """Return what each device is or does, such as `is incompatible or tainted`."""
    *others, last = (EXCLUDED[feature] for feature in features)
    text = f"{', '.join(others)} or {last}" if others else last
    return text.replace("is incompatible or is ", "is incompatible or ") if len(features) == 2 else text


def causes(features: Sequence[str]) -> str:
    return listed([CAUSES[feature] for feature in features])


def listed(words: Sequence[str]) -> str:
    """Return the words, the last joined by `and` and the others by commas."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def chosen(features: Sequence[str], *, in_use: bool = False) -> str:
    """Return the allocated device and what distinguishes it: `untainted device with capacity left`."""
    adjectives = [ADJECTIVES[feature] for feature in features if feature in ADJECTIVES]
    left = " and ".join(LEFT[feature] for feature in features if feature in LEFT)
    properties = [f"{left} left"] if left else []
    properties += [words for feature, words in PROPERTIES.items() if feature in features]
    parts = [*adjectives, "device", *(["in use"] if in_use else [])]
    parts += [f"with {listed(properties)}".replace("with no ", "without ")] if properties else []
    parts += ["that satisfies matchAttribute"] if "constraints" in features else []
    return " ".join(parts)


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
