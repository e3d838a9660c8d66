"""Known differences between the simulated and a real control plane, with their reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dra_conform.fuzz.multi_step.comparison.step_difference import (
    MISSING,
    Disagreement,
    StoryDifference,
    StoryDifferenceKind,
)
from dra_conform.kube.quantity import NANO, Quantity, QuantityError

_WITHOUT_SUFFIX = 10**21 * NANO
_OF_OBJECTS = (StoryDifferenceKind.OBJECT, StoryDifferenceKind.STATE)
_TOO_MANY = "TooMany at "
_REQUEST = re.compile(r"((?:spec\.)?spec\.devices\.requests\[\d+\])\..*")
_NOT_IN_SCHEMA = "refused as HTTP 500"
_OF_SERVING = ("spec.nodeName", "status", "metadata.finalizers")
"""Where pods and claims differ of which some are served and others wait."""


@dataclass(frozen=True, slots=True)
class KnownStoryDifference:
    """A reason, and whether it explains a difference."""

    why: str
    explains: Callable[[StoryDifference], bool]


def _applied_without_schema(one: StoryDifference) -> bool:
    said = {str(side) for found in one.disagreements for side in (found.first, found.second)}
    return one.verb == "apply" and _NOT_IN_SCHEMA in said


def _generation_of_dropped(one: StoryDifference) -> bool:
    return one.about == "ResourceSlice" and {found.path for found in one.disagreements} == {
        "metadata.generation"
    }


def _generation_of_rule(one: StoryDifference) -> bool:
    return one.about.startswith("DeviceTaintRule") and {found.path for found in one.disagreements} == {
        "metadata.generation"
    }


def _pull_policy_of_no_image(one: StoryDifference) -> bool:
    no_image = any(
        error.startswith("Required at spec.") and error.endswith("].image") for error in one.agreed
    )
    return (
        _more_of_second(one)
        and no_image
        and one.about.startswith("Pod")
        and all(found.path.endswith("Forbidden at spec") for found in one.disagreements)
    )


def _in_too_long_list(one: StoryDifference) -> bool:
    lists = [error.removeprefix(_TOO_MANY) for error in one.agreed if error.startswith(_TOO_MANY)]
    return _more_of_second(one) and all(
        found.path.partition(" at ")[2].startswith(tuple(f"{name}[" for name in lists))
        for found in one.disagreements
    )


def _in_request_of_both_kinds(one: StoryDifference) -> bool:
    found = [_REQUEST.fullmatch(each.path.partition(" at ")[2]) for each in one.disagreements]
    return _more_of_second(one) and all(each and f"Invalid at {each[1]}" in one.agreed for each in found)


def _generated_later(one: StoryDifference) -> bool:
    """Of a pod that has no claim yet on one side, and of quotas, nothing else."""
    late = {
        found.of
        for found in one.disagreements
        if found.path == "status.resourceClaimStatuses" and found.second == MISSING
    }
    claims = tuple(f" of pod {pod.removeprefix('Pod ')}" for pod in late)
    abouts = {found.of for found in one.disagreements}
    quotas = {about for about in abouts if about.startswith("ResourceQuota ")}
    rest = abouts - late - quotas
    return bool(late and quotas) and all(about.endswith(claims) for about in rest)


def _others_served(one: StoryDifference) -> bool:
    """As many pods run on one side only as on the other, and all that differs is theirs."""
    placed = [each for each in one.disagreements if each.path == "spec.nodeName"]
    mine = {each.of for each in placed if each.second == MISSING}
    theirs = {each.of for each in placed if each.first == MISSING}
    made = tuple(f" of pod {pod.removeprefix('Pod ')}" for pod in mine | theirs)
    return (
        one.kind is StoryDifferenceKind.STATE
        and 0 < len(mine) == len(theirs)
        and all(_of_serving(each, mine | theirs) or each.of.endswith(made) for each in one.disagreements)
    )


def _of_serving(one: Disagreement, pods: set[str]) -> bool:
    if one.of.startswith("ResourceQuota "):
        return True
    return one.path.startswith(_OF_SERVING) and (one.of in pods or one.of.startswith("ResourceClaim "))


def _suffix_lost(one: StoryDifference) -> bool:
    amounts = [(_amount(found.first), _amount(found.second)) for found in one.disagreements]
    return one.kind in _OF_OBJECTS and all(
        first
        and second
        and first.nano % _WITHOUT_SUFFIX == 0
        and str(first) != str(second)
        and str(first.nano).rstrip("0") == str(second.nano).rstrip("0")
        for first, second in amounts
    )


def _amount(said: object) -> Quantity | None:
    try:
        return Quantity.parse(str(said))
    except QuantityError:
        return None


def _more_of_second(one: StoryDifference) -> bool:
    """Whether both refuse, and the second names further errors."""
    return one.kind is StoryDifferenceKind.REFUSAL and all(
        found.first == MISSING and " at " in found.path for found in one.disagreements
    )


KNOWN: tuple[KnownStoryDifference, ...] = (
    KnownStoryDifference(
        "an applied object with a field that the schema of the release does not have, or with an item twice,"
        " ends in an internal error; the built-in drops the field, or says what is wrong",
        _applied_without_schema,
    ),
    KnownStoryDifference(
        "the generation of a slice counts a change of a field that is then dropped",
        _generation_of_dropped,
    ),
    KnownStoryDifference(
        "a taint rule that is written without the time of its taint gets that of each write: real time goes"
        " on, that of the built-in stands still",
        _generation_of_rule,
    ),
    KnownStoryDifference(
        "a container that loses its image gets another pull policy by default, which may not change either;"
        " the built-in knows no pull policies",
        _pull_policy_of_no_image,
    ),
    KnownStoryDifference(
        "an amount that ends in 21 zeros or more is stored without them, 1000E as 1: there is no suffix for"
        " what is larger than E",
        _suffix_lost,
    ),
    KnownStoryDifference(
        "a claim that a quota has kept from being generated is tried again after pauses that double, up to a"
        " quarter of an hour, whatever the quota has by then; the built-in tries after each change",
        _generated_later,
    ),
    KnownStoryDifference(
        "nobody promises which of the pods that wait for what becomes free gets it: kube-scheduler takes the"
        " one that need not pause any more, and pauses double with each failure; the built-in goes by age",
        _others_served,
    ),
    KnownStoryDifference(
        "1.37: rules declared with the types hold in some lists that are too long; the built-in looks into"
        " none",
        _in_too_long_list,
    ),
    KnownStoryDifference(
        "1.37: rules declared with the types hold for `exactly` and `firstAvailable` where not both may be"
        " set; the built-in looks into neither",
        _in_request_of_both_kinds,
    ),
)


def unexplained(differences: Iterable[StoryDifference]) -> StoryDifference | None:
    """The first difference that is neither known nor a choice between answers that are both right."""
    ours = (one for one in differences if one.kind is not StoryDifferenceKind.CHOICE)
    return next((one for one in ours if not why_known(one)), None)


def why_known(difference: StoryDifference) -> str:
    """Why two implementations differ so, empty if it is not known."""
    return next((one.why for one in KNOWN if one.explains(difference)), "")
