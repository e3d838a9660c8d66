"""What two answers on attempts differ in: the first phase, claim, pod or hint."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from dra_conform.kube.quantity import Quantity

Json = Any

SPECIAL = "resource.kubernetes.io/extended-resource-claim"
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class PhaseDifference:
    """What the first action that went otherwise differs in; the phases, None where there is none on one side.

    `before` are the built-in's phases of the action.
    """

    said: str
    ours: Json = None
    real: Json = None
    before: tuple[Json, ...] = ()


def attempts_difference(ours: Json, real: Json) -> str:
    """In a line without the names of the question; share IDs, times and texts for people are not compared."""
    found = first_difference(ours, real)
    return found.said if found else ""


def first_difference(ours: Json, real: Json) -> PhaseDifference | None:
    """Where two answers begin to differ."""
    if real["status"] != "ok":
        return PhaseDifference(f"really {real['status']}: {_NUMBER.sub('N', real['message'])[:160]}")
    both = zip(ours["observations"], real["observations"], strict=True)
    return next((found for one, other in both for found in _of_action(one, other)), None)


def _of_action(ours: Json, real: Json) -> Iterator[PhaseDifference]:
    if sorted(ours.get("triedAgain", ())) != sorted(real.get("triedAgain", ())):
        ours_again, real_again = len(ours["triedAgain"]), len(real["triedAgain"])
        more = "more" if ours_again > real_again else "fewer or others"
        yield PhaseDifference(f"tried again: {more} than really")
    for one, other in zip_longest(ours.get("phases", ()), real.get("phases", ())):
        if one is None or other is None:
            ended = (one or other)["phase"]
            words = "not reached" if one is None else "reached", "not" if other is None else "so"
            yield PhaseDifference(f"{ended} {words[0]}, really {words[1]}", one, other)
        elif said(one) != said(other):
            yield PhaseDifference(f"{said(one)}, really {said(other)}", one, other)
        else:
            before = tuple(ours["phases"])
            yield from (PhaseDifference(stored, one, other, before) for stored in _stored(one, other))


def said(phase: Json) -> str:
    """How a phase ended, with the reason that it gives, the names of claims and nodes apart."""
    return f"{phase['phase']} {phase['code']}"


def _stored(ours: Json, real: Json) -> Iterator[str]:
    if "objects" not in ours:
        return
    mine, theirs = (sorted(map(str, answer["inFlight"])) for answer in (ours, real))
    if mine != theirs:
        yield f"after {said(ours)} {len(mine)} in flight, really {len(theirs)}"
    for kind, shown in (("resourceClaims", shown_claim), ("pods", shown_pod)):
        one, other = ({_name(each): shown(each) for each in told["objects"][kind]} for told in (ours, real))
        for name in one.keys() | other.keys():
            if name not in one or name not in other:
                where = "really not" if name in one else "really so"
                yield f"after {said(ours)} one of {kind} {'is there' if name in one else 'is gone'}, {where}"
            for field in one.get(name, ()) if name in other else ():
                if one[name][field] != other[name][field]:
                    yield f"after {said(ours)} other {field}"


def _name(one: Json) -> str:
    metadata = one["metadata"]
    if SPECIAL in (metadata.get("annotations") or {}):
        return f"the special claim of {metadata['ownerReferences'][0]['name']}"
    return str(metadata["name"])


def shown_claim(claim: Json) -> dict[str, Json]:
    """What attempts may change of a claim."""
    status = claim.get("status") or {}
    allocation = status.get("allocation") or {}
    results = (allocation.get("devices") or {}).get("results") or ()
    return {
        "devices": sorted(_result(result) for result in results),
        "allocated": "allocation" in status and status["allocation"] is not None,
        "node selector": allocation.get("nodeSelector"),
        "reservations": sorted(consumer["name"] for consumer in status.get("reservedFor") or ()),
        "deletion": claim["metadata"].get("deletionTimestamp") is not None,
        "finalizers": sorted(claim["metadata"].get("finalizers") or ()),
    }


def _result(one: Json) -> str:
    consumed = sorted(
        (name, Quantity.parse(text)) for name, text in (one.get("consumedCapacity") or {}).items()
    )
    return f"{one['request']} {one['pool']}/{one['device']} {bool(one.get('shareID'))} {consumed}"


def shown_pod(pod: Json) -> dict[str, Json]:
    """What attempts may change of a pod."""
    status = pod.get("status") or {}
    special = status.get("extendedResourceClaimStatus") or {}
    served = special.get("requestMappings") or ()
    return {
        "node": pod["spec"].get("nodeName") or "",
        "served requests": sorted(str(sorted(one.items())) for one in served),
        "records": bool(status.get("nodeAllocatableResourceClaimStatuses")),
    }
