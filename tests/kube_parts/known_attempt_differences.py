"""Where attempts go otherwise in the built-in than in Kubernetes, and why it stays so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.kube_parts.asked import Asked

Json = Any

ANY_CLAIM = "of several claims that PostFilter may free, Kubernetes takes any one, the built-in the first"
OLDER_CLAIM = (
    "after a write whose answer was lost the scheduler writes an older claim, which is a conflict; the built-in"
    " reads what it writes anew"
)
NOT_VALIDATED = (
    "the API server beside the plugins takes what the real one refuses: what a special claim takes of a node"
    " cannot be recorded"
)
TWO_REFUSALS = (
    "a node where one claim cannot be used and the others take too much is refused for either first"
)
BY_RESERVATION = (
    "a claim of mapped devices is shared if it is reserved for another pod, for the built-in if one runs"
)
NOTHING_TO_WAIT_FOR = "a pod waits on for the devices of a claim that somebody has deallocated"


def of_attempts(one: Asked) -> str:
    """Why the answers to a question differ, empty if that is not known."""
    actions, ours = one.ask["actions"], one.ours["observations"]
    for action, observed in zip(actions, ours, strict=True):
        if _freed(observed) and _allocated(one, action["pod"]) > 1:
            return ANY_CLAIM
    for each in _phases(ours):
        if "no mapping found in pod reference" in _reasons(each):
            return NOT_VALIDATED
    for each, other in zip(_phases(ours), _phases(one.real["observations"]), strict=False):
        if each["code"] != other["code"]:
            if "not available on the node" in _reasons(each):
                return TWO_REFUSALS
            shared = ("cannot be shared across pods", "already used by another pod")
            if any(words in _reasons(each) + _reasons(other) for words in shared):
                return BY_RESERVATION
            break
    if any(each["code"] == "Wait" for each in _phases(ours)) and _deallocations(actions):
        return NOTHING_TO_WAIT_FOR
    return OLDER_CLAIM if _lost(actions) else ""


def _phases(observations: Json) -> Iterator[Json]:
    for one in observations:
        yield from one.get("phases", ())


def _reasons(phase: Json) -> str:
    return "; ".join(phase.get("reasons", ()))


def _freed(observed: Json) -> bool:
    """Whether PostFilter has freed a claim."""
    return any(
        "deallocation" in reason
        for phase in observed.get("phases", ())
        if phase["phase"] == "PostFilter"
        for reason in phase.get("reasons", ())
    )


def _lost(actions: Json) -> bool:
    """Whether more than one write of claims fails, and the answer of one is lost."""
    failing = [one for one in actions if one["do"] == "fail" and one["kind"] == "ResourceClaim"]
    return sum(one["times"] for one in failing) > 1 and any(one["reason"] == "Timeout" for one in failing)


def _deallocations(actions: Json) -> bool:
    return any("status.allocation" in one.get("fields", {}) for one in actions)


def _allocated(one: Asked, pod: str) -> int:
    """How many claims of a pod are allocated when the question begins."""
    [found] = [each for each in one.objects["pods"] if each["metadata"]["name"] == pod.partition("/")[2]]
    made = {
        each["name"]: each.get("resourceClaimName")
        for each in found["status"].get("resourceClaimStatuses", ())
    }
    entries = found["spec"].get("resourceClaims", ())
    names = {each.get("resourceClaimName") or made.get(each["name"]) for each in entries}
    claims = one.objects["resourceClaims"]
    return sum("status" in each and each["metadata"]["name"] in names for each in claims)
