"""Print golden/dra/triples.yaml: three features at once, of which each alone decides.

Each feature has one way to rule a device out. A case has a device that each of its features rules out, and
one that none does: only that one is right, and without any of the features another one would come first. The
same without that device is refused, and without any of the features it would not be. Administrative access
is to devices in use; all devices are asked for beside the one, or where one is ruled out. `make triples`
writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

Json = Any
LIST, ADMIN, ALL = "prioritized-list", "admin-access", "allocation-mode-all"

HEAD = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made by `make triples` from tools/docs/triples.py.
document: DRA
area: triples
title: Three features at once, of which each alone would give another answer
given:
  - class: {name: any, selectors: []}
  - class: {name: first, selectors: ['device.attributes["dra.example.com"].kind == "first"']}
  - class: {name: second, selectors: ['device.attributes["dra.example.com"].kind == "second"']}
  - class: {name: spare, selectors: ['device.attributes["dra.example.com"].kind == "spare"']}
cases:"""


@dataclass(frozen=True)
class Ruling:
    """A feature's way to rule a device out: what is said of devices that pass and of the one that does not.

    `asked` is added to the request, `held` is what another claim holds of the device that is ruled out.
    """

    words: str
    device: str
    requirement: str
    passes: Json = field(default_factory=dict)
    fails: Json = field(default_factory=dict)
    asked: Json = field(default_factory=dict)


RULINGS = {
    "consumable-capacity": Ruling(
        "capacity",
        "full",
        "",
        {"shared": True, "capacity": {"bw": 10}},
        {"shared": True, "capacity": {"bw": 10}},
        {"capacity": {"bw": 4}},
    ),
    "partitionable-devices": Ruling(
        "counters",
        "large",
        "DRA/partitionable/allocatable-iff-enough-left",
        {"counters": {"card": {"memory": 2}}},
        {"counters": {"card": {"memory": 20}}},
    ),
    "compatibility-groups": Ruling(
        "groups",
        "other-group",
        "",
        {"counters": {"gpu-0": {"memory": 2}}, "groups": {"gpu-0": ["mig"]}},
        {"counters": {"gpu-1": {"memory": 2}}, "groups": {"gpu-1": ["mig"]}},
    ),
    "device-taints": Ruling(
        "taints",
        "tainted",
        "DRA/taint/noschedule-blocks-allocation",
        {},
        {"taints": [{"key": "broken", "effect": "NoSchedule"}]},
    ),
    "binding-conditions": Ruling(
        "binding conditions whose gate is off",
        "conditional",
        "API/binding/needs-its-gates",
        {},
        {"binding": ["Ready"], "failure": ["Broken"]},
    ),
    "constraints": Ruling(
        "constraints",
        "unmatched",
        "DRA/claim/constraints-limit-devices",
        {"attributes": {"numa": {"int": 1}}},
        {},
    ),
    "list-attributes": Ruling(
        "lists",
        "listed",
        "API/attribute/lists-in-selectors",
        {"attributes": {"models": {"strings": ["a", "c"]}}},
        {"attributes": {"models": {"strings": ["a", "b"]}}},
        {"selectors": ['!device.attributes["dra.example.com"].models.includes("b")']},
    ),
}
"""By feature. Constraints rule out what lacks the attribute, and binding conditions are off."""

LEFT_OUT = ("binding-conditions", "list-attributes")
"""What keeps a device from being one of all, so that nothing is refused."""
REQUIREMENTS = {
    LIST: "DRA/prioritized-list/first-satisfiable-wins",
    ADMIN: "DRA/admin-access/reaches-devices-in-use",
    ALL: "DRA/allocation-mode/all-on-a-node",
}
COUNTED = {"consumable-capacity", "partitionable-devices", "compatibility-groups"}
"""What 1.33 and 1.34 look for in the wrong slice or on the wrong device, as cases of each alone show."""
NO_MATTER = ("partitionable-devices",)
"""What administrative access does not mind. Whether groups refuse it is left open, so no case has both."""
NOT_EXEMPT = ("device-taints", "binding-conditions", "constraints", "list-attributes")
"""What rules out administrative access, too."""


def device(name: str, kind: str, features: Sequence[str], ruled_out: Sequence[str] = ()) -> Json:
    """A device that some of the features rule out."""
    made: dict[str, Json] = {"device": name, "attributes": {"kind": {"string": kind}}}
    for feature in features:
        ruling = RULINGS[feature]
        for key, value in (ruling.fails if feature in ruled_out else ruling.passes).items():
            made[key] = {**made[key], **value} if isinstance(value, dict) and key in made else value
    return made


def world(features: Sequence[str]) -> Iterator[Json]:
    """What the features need beside devices."""
    if "binding-conditions" in features:
        yield {"gate": {"DRADeviceBindingConditions": False}}
    sets = ["card"] if "partitionable-devices" in features else []
    sets += ["gpu-0", "gpu-1"] if "compatibility-groups" in features else []
    if sets:
        yield {"counters": [{"set": name, "counters": {"memory": 16}} for name in sets]}


def held(features: Sequence[str], in_use: Sequence[str]) -> Iterator[Json]:
    """The claims that hold something: the full device, one of another group, and what is in use."""
    if "consumable-capacity" in features:
        full = {"device": "full", "consumed": {"bw": 8}, "share": "s1"}
        recorded = {"groups": {"gpu-0": ["mig"]}} if "compatibility-groups" in features else {}
        yield {"held": {"claim": "other", "devices": [{**full, **recorded}]}}
    if "compatibility-groups" in features:
        peer = {"device": "peer", "groups": {"gpu-1": ["vgpu"]}}
        yield {"held": {"claim": "neighbour", "devices": [peer]}}
    if in_use:
        yield {"held": {"claim": "user", "devices": [{"device": name} for name in in_use]}}


def case(triple: Sequence[str], *, fits: bool) -> Json:
    """The case of three features, with a device that none of them rules out or without."""
    ruling = [feature for feature in triple if feature in RULINGS]
    kinds = dict.fromkeys(ruling, "first")
    if LIST in triple:
        kinds = dict(zip(ruling, ("first", "second"), strict=True))
    good = "second" if LIST in triple else "first"
    free = [one for one in ruling if ADMIN in triple and one in NO_MATTER]
    devices = [
        device(RULINGS[one].device, kinds[one], ruling, [one, *free]) for one in ruling if one not in free
    ]
    devices += [device("right", good, ruling, free)] if fits or ALL in triple else []
    candidates = [one["device"] for one in devices]
    if "compatibility-groups" in triple:
        drawn = {"counters": {"gpu-1": {"memory": 2}}, "groups": {"gpu-1": ["vgpu"]}}
        devices.append({"device": "peer", "attributes": {"kind": {"string": "peer"}}, **drawn})
    if ALL in triple and fits:
        devices += [device(name, "spare", ruling) for name in ("spare-1", "spare-2")]
    asked = {key: value for one in ruling for key, value in RULINGS[one].asked.items()}
    given = [*world(ruling), {"devices": devices}, *held(ruling, candidates if ADMIN in triple else ())]
    given.append({"claim": {"name": "c", "requests": list(requests(triple, asked, fits=fits))}})
    if "constraints" in triple:
        constraint = {"claim": "c", "match": "dra.example.com/numa"}
        given.append({"constraint": constraint | ({"requests": ["r0"]} if ALL in triple else {})})
    return {
        "case": f"{'-and-'.join(triple)}-{'right' if fits else 'none'}",
        "title": title(triple, fits=fits),
        "requirements": cited(triple),
        **profiles(triple, fits=fits),
        "given": given,
        "when": {"allocate": {"claims": ["c"]}},
        "then": then(triple) if fits else [{"not-allocated" if ALL in triple else "nothing-fits": True}],
    }


def requests(triple: Sequence[str], asked: Json, *, fits: bool) -> Iterator[Json]:
    """The request for one device; where all are asked for, one for all spare ones beside it, or only that."""
    if LIST in triple:
        kinds = (("a", "first"), ("b", "second"))
        subrequests = [{"subrequest": name, "class": kind, **asked} for name, kind in kinds]
        yield {"request": "r0", "subrequests": subrequests}
    else:
        admin = {"admin": True} if ADMIN in triple else {}
        mode = {"mode": "All"} if ALL in triple and not fits else {}
        yield {"request": "r0", "class": "first", **mode, **admin, **asked}
    if ALL in triple and fits:
        yield {"request": "r1", "class": "spare", "mode": "All", **asked}


def then(triple: Sequence[str]) -> Json:
    """The only right devices."""
    results = [{"request": "r0/b" if LIST in triple else "r0", "device": "right"}]
    if ALL in triple:
        results += [{"request": "r1", "device": name} for name in ("spare-1", "spare-2")]
    return [{"gets": {"claim": "c", "results": results}}]


def profiles(triple: Sequence[str], *, fits: bool) -> Json:
    """In which profiles the case holds.

    Releases leave out of all what is full, and charge administrative access with counters.
    """
    if ALL in triple and not fits and "consumable-capacity" in triple:
        return {"profiles": ["kep"]}
    if ADMIN in triple and fits and set(NO_MATTER) & set(triple):
        return {"profiles": ["kep"]}
    return {"profiles": ["kep", "since 1.35"]} if COUNTED & set(triple) else {}


def words(feature: str) -> str:
    return RULINGS[feature].words if feature in RULINGS else feature.replace("-", " ")


def title(triple: Sequence[str], *, fits: bool) -> str:
    one, two, three = map(words, triple)
    if fits:
        return f"With {one}, {two} and {three} the only device that none of them rules out is allocated"
    return f"With {one}, {two} and {three} nothing is allocated where they rule out every device"


def cited(triple: Sequence[str]) -> list[str]:
    known = [RULINGS[one].requirement if one in RULINGS else REQUIREMENTS[one] for one in triple]
    return list(dict.fromkeys([*filter(None, known), "DRA/claim/requests-select-from-class"]))


def triples() -> Iterator[tuple[str, ...]]:
    """Three that rule out; two with a list, beside a request for all, and with administrative access."""
    yield from combinations(RULINGS, 3)
    for first in (LIST, ALL):
        yield from ((first, *pair) for pair in combinations(RULINGS, 2))
    yield from ((ADMIN, *pair) for pair in combinations(NOT_EXEMPT, 2))
    yield from ((ADMIN, one, other) for one in NO_MATTER for other in NOT_EXEMPT)


def main() -> None:
    print(HEAD)
    for triple in triples():
        for fits in (True, False):
            if ALL in triple and not fits and set(LEFT_OUT) < set(triple):
                continue
            print(f"  - {json.dumps(case(triple, fits=fits))}")


if __name__ == "__main__":
    main()
