"""Known differences of attempts between the built-in and Kubernetes, with their reasons.

A reason explains the first phase that differs. Later differences follow from it.
"""

from __future__ import annotations

from dra_conform.kube.json_values import Json
from tests.support.kube_parts.answered_request import AnsweredRequest
from tests.support.kube_parts.attempt_answers import PhaseDifference, first_difference

ANY_CLAIM = "PostFilter may deallocate several claims: Kubernetes chooses any, the built-in the first"
NOT_VALIDATED = (
    "the API server of the test accepts device statuses that the real one rejects, of devices that are not allocated"
    " to the claim"
)
OLDER_CLAIM = (
    "after a write whose answer was lost, the scheduler updates an older claim, which is a conflict and retried;"
    " the built-in reads the claim again before it writes"
)
BEGUN_ANEW = "a plugin that was stopped while it waited repeats PreBind when the pod continues, and writes its status again"
_FREED = "deallocation of ResourceClaim completed"
_NOT_ALLOCATED = "must be an allocated device in the claim"


def of_attempts(asked: AnsweredRequest) -> str:
    """Return the reason why the answers differ, empty if it is unknown."""
    difference = first_difference(asked.ours, asked.real)
    if difference is None or difference.ours is None or difference.real is None:
        return ""
    if _of_another_claim(difference.ours, difference.real):
        return ANY_CLAIM
    if _of_status_written_again(difference):
        return BEGUN_ANEW
    if _of_lost_answers(difference):
        return OLDER_CLAIM
    return NOT_VALIDATED if _of_reports(difference) else ""


def _of_another_claim(ours: Json, real: Json) -> bool:
    """Return whether both have deallocated a claim in PostFilter, but different ones."""
    if not all(answer["phase"] == "PostFilter" and _FREED in _reasons(answer) for answer in (ours, real)):
        return False
    mine, theirs = (_allocated(answer) for answer in (ours, real))
    return len(mine - theirs) == len(theirs - mine) == 1


def _of_status_written_again(difference: PhaseDifference) -> bool:
    """Return whether one side waits, and the other has the requested failure to write the pod's status."""
    message = _reasons(difference.real)
    wanted = "as the question wants it" in message and message.startswith("updating pod ")
    return wanted and (difference.ours["code"], difference.real["code"]) == ("Wait", "Error")


def _of_lost_answers(difference: PhaseDifference) -> bool:
    """Return whether a claim could not be released after PreBind lost the answer to a write of it."""
    lost = any(phase["phase"] == "PreBind" and "Timeout" in _reasons(phase) for phase in difference.before)
    return (
        lost
        and difference.words == "after Unreserve Success an object of resourceClaims exists, expected absent"
    )


def _of_reports(difference: PhaseDifference) -> bool:
    """Return whether the status was rejected only for device statuses of devices that are not allocated."""
    if difference.ours["phase"] not in ("PreBind", "PostFilter") or difference.ours["code"] != "Error":
        return False
    problems = _reasons(difference.ours).partition(" is invalid: ")[2]
    return bool(problems) and all(_NOT_ALLOCATED in problem for problem in problems.split("; "))


def _reasons(phase: Json) -> str:
    return "; ".join(phase.get("reasons", ()))


def _allocated(phase: Json) -> frozenset[str]:
    return frozenset(
        claim["metadata"]["name"]
        for claim in phase["objects"]["resourceClaims"]
        if (claim.get("status") or {}).get("allocation") is not None
    )
