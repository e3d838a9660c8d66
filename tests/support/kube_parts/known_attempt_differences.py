"""Where attempts go otherwise in the built-in than in Kubernetes, and why it stays so.

A reason is about the first phase that differs: what comes after it differs because of it.
"""

from __future__ import annotations

from typing import Any

from tests.support.kube_parts.asked import Asked
from tests.support.kube_parts.attempt_answers import PhaseDifference, first_difference

Json = Any

ANY_CLAIM = "of several claims that PostFilter may free, Kubernetes takes any one, the built-in the first"
NOT_VALIDATED = (
    "the API server beside the plugins takes what the real one refuses: reports of devices that the claim does not"
    " have"
)
OLDER_CLAIM = (
    "after a write whose answer was lost the scheduler releases an older claim, which is a conflict and tried again;"
    " the built-in reads what it writes anew"
)
BEGUN_ANEW = "a plugin that was stopped while it waited begins PreBind anew when the pod goes on, and writes its status again"
_FREED = "deallocation of ResourceClaim completed"
_NOT_ALLOCATED = "must be an allocated device in the claim"


def of_attempts(one: Asked) -> str:
    """Why the answers to a question differ, empty if that is not known."""
    found = first_difference(one.ours, one.real)
    if found is None or found.ours is None or found.real is None:
        return ""
    if _of_another_claim(found.ours, found.real):
        return ANY_CLAIM
    if _of_status_written_again(found):
        return BEGUN_ANEW
    if _of_lost_answers(found):
        return OLDER_CLAIM
    return NOT_VALIDATED if _of_reports(found) else ""


def _of_another_claim(ours: Json, real: Json) -> bool:
    """Whether both have freed one claim in PostFilter, and not the same."""
    if not all(answer["phase"] == "PostFilter" and _FREED in _reasons(answer) for answer in (ours, real)):
        return False
    mine, theirs = (_allocated(answer) for answer in (ours, real))
    return len(mine - theirs) == len(theirs - mine) == 1


def _of_status_written_again(found: PhaseDifference) -> bool:
    """Whether one side waits on, and the other fails to write the status of the pod, as the question wants it."""
    said = _reasons(found.real)
    wanted = "as the question wants it" in said and said.startswith("updating pod ")
    return wanted and (found.ours["code"], found.real["code"]) == ("Wait", "Error")


def _of_lost_answers(found: PhaseDifference) -> bool:
    """Whether a claim is left that could not be released, after PreBind did not hear of a write of it."""
    lost = any(one["phase"] == "PreBind" and "Timeout" in _reasons(one) for one in found.before)
    return lost and found.said == "after Unreserve Success one of resourceClaims is there, really not"


def _of_reports(found: PhaseDifference) -> bool:
    """Whether the status of a claim was refused for no more than reports of devices that it does not have."""
    if found.ours["phase"] not in ("PreBind", "PostFilter") or found.ours["code"] != "Error":
        return False
    refused = _reasons(found.ours).partition(" is invalid: ")[2]
    return bool(refused) and all(_NOT_ALLOCATED in said for said in refused.split("; "))


def _reasons(phase: Json) -> str:
    return "; ".join(phase.get("reasons", ()))


def _allocated(phase: Json) -> frozenset[str]:
    return frozenset(
        claim["metadata"]["name"]
        for claim in phase["objects"]["resourceClaims"]
        if (claim.get("status") or {}).get("allocation") is not None
    )
