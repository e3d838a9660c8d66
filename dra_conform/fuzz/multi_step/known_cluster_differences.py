"""Known differences between the simulated and a real control plane, with their reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dra_conform.fuzz.multi_step.step_difference import (
    MISSING,
    Disagreement,
    StepDifference,
    StepDifferenceKind,
)

_TOO_MANY = "TooMany at "
_REQUEST = re.compile(r"((?:spec\.)?spec\.devices\.requests\[\d+\])\..*")
_GENERATED = re.compile(r"ResourceClaim .+ of pod (.+)")
_NOT_IN_SCHEMA = "rejected as HTTP 500"
_OF_ALLOCATION = ("spec.nodeName", "status", "metadata.finalizers")
"""Fields that differ if clusters allocate devices to different pods."""


@dataclass(frozen=True, slots=True)
class KnownClusterDifference:
    """A known difference: its reason, and a function that recognizes it."""

    reason: str
    explains: Callable[[StepDifference], bool]


def _applied_without_schema(difference: StepDifference) -> bool:
    values = {
        str(side)
        for disagreement in difference.disagreements
        for side in (disagreement.first, disagreement.second)
    }
    return difference.verb == "apply" and _NOT_IN_SCHEMA in values


def _generation_of_dropped(difference: StepDifference) -> bool:
    return difference.about == "ResourceSlice" and {
        disagreement.path for disagreement in difference.disagreements
    } == {"metadata.generation"}


def _generation_of_rule(difference: StepDifference) -> bool:
    return difference.about.startswith("DeviceTaintRule") and {
        disagreement.path for disagreement in difference.disagreements
    } == {"metadata.generation"}


def _pull_policy_of_no_image(difference: StepDifference) -> bool:
    no_image = any(
        error.startswith("Required at spec.") and error.endswith("].image") for error in difference.agreed
    )
    return (
        _more_of_second(difference)
        and no_image
        and difference.about.startswith("Pod")
        and all(disagreement.path.endswith("Forbidden at spec") for disagreement in difference.disagreements)
    )


def _in_too_long_list(difference: StepDifference) -> bool:
    lists = [error.removeprefix(_TOO_MANY) for error in difference.agreed if error.startswith(_TOO_MANY)]
    return _more_of_second(difference) and all(
        disagreement.path.partition(" at ")[2].startswith(tuple(f"{name}[" for name in lists))
        for disagreement in difference.disagreements
    )


def _in_request_of_both_kinds(difference: StepDifference) -> bool:
    requests = [_REQUEST.fullmatch(each.path.partition(" at ")[2]) for each in difference.disagreements]
    return _more_of_second(difference) and all(
        each and f"Invalid at {each[1]}" in difference.agreed for each in requests
    )


def _generated_later(difference: StepDifference) -> bool:
    """Whether only quotas and one pod differ, because one cluster has not created the pod's claim yet."""
    late = {
        disagreement.of
        for disagreement in difference.disagreements
        if disagreement.path == "status.resourceClaimStatuses" and disagreement.second == MISSING
    }
    claims = tuple(f" of pod {pod.removeprefix('Pod ')}" for pod in late)
    abouts = {disagreement.of for disagreement in difference.disagreements}
    quotas = {about for about in abouts if about.startswith("ResourceQuota ")}
    rest = abouts - late - quotas
    return bool(late and quotas) and all(about.endswith(claims) for about in rest)


def _other_pods_allocated(difference: StepDifference) -> bool:
    """Whether the clusters differ only in which pods run, and run the same number of pods."""
    placed = [each for each in difference.disagreements if each.path == "spec.nodeName"]
    mine = {each.of for each in placed if each.second == MISSING}
    theirs = {each.of for each in placed if each.first == MISSING}
    of_pods = tuple(f" of pod {pod.removeprefix('Pod ')}" for pod in mine | theirs)
    return (
        difference.kind is StepDifferenceKind.STATE
        and 0 < len(mine) == len(theirs)
        and all(
            _follows_from_allocation(each, mine | theirs) or each.of.endswith(of_pods)
            for each in difference.disagreements
        )
    )


def _generated_for_others(difference: StepDifference) -> bool:
    """Whether the clusters differ only in the pods for which they have generated equally many claims."""
    claims = [each for each in difference.disagreements if not each.path and _GENERATED.fullmatch(each.of)]
    pods = {_GENERATED.sub(r"Pod \1", each.of) for each in claims}
    rest = [each for each in difference.disagreements if each not in claims]
    return 0 < len(claims) == 2 * sum(each.first == MISSING for each in claims) and all(
        each.of in pods and each.path == "status.resourceClaimStatuses" for each in rest
    )


def _follows_from_allocation(disagreement: Disagreement, pods: set[str]) -> bool:
    if disagreement.of.startswith("ResourceQuota "):
        return True
    return disagreement.path.startswith(_OF_ALLOCATION) and (
        disagreement.of in pods or disagreement.of.startswith("ResourceClaim ")
    )


def _more_of_second(difference: StepDifference) -> bool:
    """Whether both clusters reject the write, and the second one reports additional errors."""
    return difference.kind is StepDifferenceKind.REJECTION and all(
        disagreement.first == MISSING and " at " in disagreement.path
        for disagreement in difference.disagreements
    )


KNOWN: tuple[KnownClusterDifference, ...] = (
    KnownClusterDifference(
        "server-side apply of a field that the schema of the release lacks, or of a duplicate item, ends in"
        " an internal error; the built-in drops the field, or reports the error",
        _applied_without_schema,
    ),
    KnownClusterDifference(
        "metadata.generation of a ResourceSlice counts a change of a field that is dropped",
        _generation_of_dropped,
    ),
    KnownClusterDifference(
        "a DeviceTaintRule without timeAdded gets the time of each write; real time advances, simulated time"
        " does not",
        _generation_of_rule,
    ),
    KnownClusterDifference(
        "a container without its image gets another default imagePullPolicy, which is immutable; the built-in"
        " does not simulate pull policies",
        _pull_policy_of_no_image,
    ),
    KnownClusterDifference(
        "the generation of a claim that a quota rejected is retried with exponential backoff of up to 15"
        " minutes, even if the quota allows it earlier; the built-in retries after each change",
        _generated_later,
    ),
    KnownClusterDifference(
        "no document says which Pending pod gets a released device: kube-scheduler takes a pod whose"
        " exponential backoff has ended, the built-in takes the oldest pod",
        _other_pods_allocated,
    ),
    KnownClusterDifference(
        "no document says for which of several pods a ResourceClaim is generated first, if a quota does not"
        " allow all of them",
        _generated_for_others,
    ),
    KnownClusterDifference(
        "1.37: declarative validation also checks items of some lists that are too long; the built-in does"
        " not",
        _in_too_long_list,
    ),
    KnownClusterDifference(
        "1.37: declarative validation checks `exactly` and `firstAvailable` even if both are set; the"
        " built-in checks neither",
        _in_request_of_both_kinds,
    ),
)


def unexplained(differences: Iterable[StepDifference]) -> StepDifference | None:
    """Return the first difference that is neither known nor a choice between valid answers."""
    ours = (difference for difference in differences if difference.kind is not StepDifferenceKind.CHOICE)
    return next((difference for difference in ours if not why_known(difference)), None)


def why_known(difference: StepDifference) -> str:
    """Return the known reason of a difference, or an empty string."""
    return next((known.reason for known in KNOWN if known.explains(difference)), "")
