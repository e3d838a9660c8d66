"""Find the first difference of two answers about attempts: a phase, claim, pod or queueing hint."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity

SPECIAL = "resource.kubernetes.io/extended-resource-claim"
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class PhaseDifference:
    """Difference of the first action with different answers, with both phases, None if a side has no phase.

    `before` are the built-in's phases of the action.
    """

    words: str
    ours: Json = None
    real: Json = None
    before: tuple[Json, ...] = ()


def attempts_difference(ours: Json, real: Json) -> str:
    """Describe the difference in a line without names. Share IDs, times and messages are not compared."""
    difference = first_difference(ours, real)
    return difference.words if difference else ""


def first_difference(ours: Json, real: Json) -> PhaseDifference | None:
    """Return the first difference of two answers."""
    if real["status"] != "ok":
        return PhaseDifference(
            f"Kubernetes answers {real['status']}: {_NUMBER.sub('N', real['message'])[:160]}"
        )
    both = zip(ours["observations"], real["observations"], strict=True)
    return next(
        (
            difference
            for our_action, real_action in both
            for difference in _of_action(our_action, real_action)
        ),
        None,
    )


def _of_action(ours: Json, real: Json) -> Iterator[PhaseDifference]:
    if sorted(ours.get("triedAgain", ())) != sorted(real.get("triedAgain", ())):
        ours_again, real_again = len(ours["triedAgain"]), len(real["triedAgain"])
        more = "more" if ours_again > real_again else "fewer or other pods"
        yield PhaseDifference(f"tried again: {more} than expected")
    for our_phase, real_phase in zip_longest(ours.get("phases", ()), real.get("phases", ())):
        if our_phase is None or real_phase is None:
            ended = (our_phase or real_phase)["phase"]
            outcomes = (
                "not reached" if our_phase is None else "reached",
                "not" if real_phase is None else "so",
            )
            yield PhaseDifference(f"{ended} {outcomes[0]}, expected {outcomes[1]}", our_phase, real_phase)
        elif result_of(our_phase) != result_of(real_phase):
            yield PhaseDifference(
                f"{result_of(our_phase)}, expected {result_of(real_phase)}", our_phase, real_phase
            )
        else:
            before = tuple(ours["phases"])
            yield from (
                PhaseDifference(stored, our_phase, real_phase, before)
                for stored in _stored(our_phase, real_phase)
            )


def result_of(phase: Json) -> str:
    """Return the result and the reason of a phase without the names of claims and nodes."""
    return f"{phase['phase']} {phase['code']}"


def _stored(ours: Json, real: Json) -> Iterator[str]:
    if "objects" not in ours:
        return
    our_claims, real_claims = (sorted(map(str, answer["inFlight"])) for answer in (ours, real))
    if our_claims != real_claims:
        yield f"after {result_of(ours)} {len(our_claims)} in flight, expected {len(real_claims)}"
    for kind, shown in (("resourceClaims", shown_claim), ("pods", shown_pod)):
        ours_by_name, real_by_name = (
            {_name(each): shown(each) for each in answer["objects"][kind]} for answer in (ours, real)
        )
        for name in ours_by_name.keys() | real_by_name.keys():
            if name not in ours_by_name or name not in real_by_name:
                where = "expected absent" if name in ours_by_name else "expected present"
                yield f"after {result_of(ours)} an object of {kind} {'exists' if name in ours_by_name else 'is missing'}, {where}"
            for field in ours_by_name.get(name, ()) if name in real_by_name else ():
                if ours_by_name[name][field] != real_by_name[name][field]:
                    yield f"after {result_of(ours)} different {field}"


def _name(written: Json) -> str:
    metadata = written["metadata"]
    if SPECIAL in (metadata.get("annotations") or {}):
        return f"the extended-resource claim of {metadata['ownerReferences'][0]['name']}"
    return str(metadata["name"])


def shown_claim(claim: Json) -> dict[str, Json]:
    """Return the fields of a claim that attempts may change."""
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


def _result(result: Json) -> str:
    consumed = sorted(
        (name, Quantity.parse(text)) for name, text in (result.get("consumedCapacity") or {}).items()
    )
    return f"{result['request']} {result['pool']}/{result['device']} {bool(result.get('shareID'))} {consumed}"


def shown_pod(pod: Json) -> dict[str, Json]:
    """Return the fields of a pod that attempts may change."""
    status = pod.get("status") or {}
    claim_status = status.get("extendedResourceClaimStatus") or {}
    mappings = claim_status.get("requestMappings") or ()
    return {
        "node": pod["spec"].get("nodeName") or "",
        "served requests": sorted(str(sorted(mapping.items())) for mapping in mappings),
        "records": bool(status.get("nodeAllocatableResourceClaimStatuses")),
    }
