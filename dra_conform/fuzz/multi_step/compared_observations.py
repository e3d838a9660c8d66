"""Comparison of two replies to one scenario, action by action."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec

from dra_conform.conformance.cluster.answer import Done, Observation, Read, SteadyState
from dra_conform.conformance.cluster.invariants.table import violations
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.conformance.object_references import key_of
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.fuzz.multi_step.cluster_scenario import Action, ClusterScenario
from dra_conform.fuzz.multi_step.object_normalizer import ObjectNormalizer
from dra_conform.fuzz.multi_step.step_difference import (
    MISSING,
    Disagreement,
    StepDifference,
    StepDifferenceKind,
    disagreements,
)
from dra_conform.kube.json_values import Json

Found = tuple[StepDifferenceKind, tuple[Disagreement, ...]]

_COMPARED = (
    *("deviceClasses", "resourceSlices", "resourceClaims", "resourceClaimTemplates", "deviceTaintRules"),
    *("pods", "resourceQuotas"),
)
"""The compared collections of a state; clusters change namespaces and nodes on their own."""

_CHOSEN = ("status.allocation", "spec.nodeName")
"""The fields that differ if clusters choose different devices or nodes."""

_RESULTS = "status.allocation.devices.results"
_OF_DEVICES = (f"{_RESULTS}[", "status.nodeAllocatableResourceClaimStatuses[")
"""Fields that a device can have and another one can lack."""
_CHOICE = re.compile(rf"spec\.nodeName|{re.escape(_RESULTS)}(\[\d+\]\.(request|pool|device))?")
"""The chosen values in these fields; a list of another length has other devices."""


@dataclass(frozen=True, slots=True)
class UnsupportedScenario:
    """The reason why one of the two implementations does not support the scenario."""

    reason: str


def compare_scenarios(
    scenario: ClusterScenario, profiles: tuple[str, str], first: Reply, second: Reply
) -> UnsupportedScenario | Iterator[StepDifference]:
    """Yield violated invariants, then the differences in the order of the actions.

    The comparison ends with the first difference that leaves the clusters in different states.
    """
    replies = (first, second)
    for reply in replies:
        if reply.status in (Status.UNSUPPORTED, Status.UNDECLARED):
            return UnsupportedScenario(reply.detail)
    if any(reply.status is not Status.OK for reply in replies):
        mine, theirs = (f"{reply.status}: {reply.detail}" for reply in replies)
        sort = " ".join(":".join(side.split(":")[:2]) for side in (mine, theirs))
        disagreement = Disagreement(sort, mine, theirs)
        return iter([StepDifference(StepDifferenceKind.FAULT, 0, "run", "the scenario", (disagreement,))])
    observed = [reply.answer.observations for reply in replies if reply.answer]
    return chain(_violated(scenario, profiles, observed), _differences(scenario, *observed))


def _violated(
    scenario: ClusterScenario, profiles: tuple[str, str], observed: Sequence[Sequence[Observation]]
) -> Iterator[StepDifference]:
    for side, (profile, observations) in enumerate(zip(profiles, observed, strict=True)):
        for finding in violations(
            ObservedScenario.of(scenario.objects, scenario.ask, observations), scenario.profile(profile)
        ):
            messages = [MISSING, MISSING]
            messages[side] = finding.message
            disagreement = Disagreement(finding.rule, *messages)
            yield StepDifference(
                StepDifferenceKind.INVALID, finding.case_step, "settle", "the cluster", (disagreement,)
            )


def _differences(
    scenario: ClusterScenario, first: Sequence[Observation], second: Sequence[Observation]
) -> Iterator[StepDifference]:
    text = msgspec.json.encode([scenario.objects, scenario.actions]).decode()
    mine, theirs = (
        _NormalizedObservations(ObjectNormalizer(text), first),
        _NormalizedObservations(ObjectNormalizer(text), second),
    )
    for step, action in enumerate(scenario.actions):
        first_observation, second_observation = mine.observation(step), theirs.observation(step)
        kind_and_values = _compared(first_observation, second_observation)
        if kind_and_values:
            agreed = _agreed(first_observation[1], second_observation[1])
            difference = StepDifference(
                kind_and_values[0], step, str(action["do"]), kind_of(action), kind_and_values[1], agreed
            )
            yield difference
            if difference.diverges:
                return


def kind_of(action: Action) -> str:
    """Return the kind of the object of an action with its subresource, or `the cluster`."""
    about = action.get("of") or action.get("object") or {}
    kind = str(about.get("kind") or "the cluster")
    return f"{kind}/{action['subresource']}" if "subresource" in action else kind


class _NormalizedObservations:
    """Observations in a form that is comparable between clusters: the outcome, and its details."""

    def __init__(self, normalizer: ObjectNormalizer, observations: Sequence[Observation]) -> None:
        self._normalizer = normalizer
        self._observations = observations

    def observation(self, step: int) -> tuple[str, Json]:
        observed = self._observations[step]
        match observed:
            case AdmissionAnswer(outcome=Admission.ADMITTED):
                return "admitted", self._object(observed.object)
            case AdmissionAnswer():
                conflict = observed.reason == "Conflict"  # the causes of a conflict have no fixed wording
                errors = sorted(
                    {f"{error.type} at {error.path}" for error in observed.errors if not conflict}
                )
                return "rejected", {"reason": observed.reason, "errors": errors}
            case Read(object=None):
                return "missing", {}
            case Read(object=found):
                return "read", self._object(found)
            case SteadyState(objects=objects):
                return "settled", self._state(objects)
            case Done(outcome=outcome):
                return outcome, {}

    def _object(self, item: Mapping[str, Json] | None) -> Json:
        if item is None:
            return {}
        self._normalizer.learn([item])
        return self._normalizer.normalized(item)

    def _state(self, objects: Mapping[str, Sequence[Json]]) -> Json:
        self._normalizer.learn([*objects.get("resourceClaims", ()), *objects.get("pods", ())])
        return {
            name: {key_of(item): item for item in map(self._normalizer.normalized, objects.get(name, ()))}
            for name in _COMPARED
        }


def _compared(first: tuple[str, Json], second: tuple[str, Json]) -> Found | None:
    if first[0] != second[0]:
        disagreement = Disagreement("", *(_outcome_text(*side) for side in (first, second)))
        return StepDifferenceKind.OUTCOME, (disagreement,)
    match first[0]:
        case "settled":
            differing = tuple(_between_states(first[1], second[1]))
            kind = StepDifferenceKind.CHOICE if _is_choice(differing) else StepDifferenceKind.STATE
            return (kind, differing) if differing else None
        case "rejected":
            differing = tuple(_between_rejections(first[1], second[1]))
            return (StepDifferenceKind.REJECTION, differing) if differing else None
    differing = tuple(disagreements(first[1], second[1]))
    return (StepDifferenceKind.OBJECT, differing) if differing else None


def _agreed(first: Json, second: Json) -> tuple[str, ...]:
    sides = ({*errors.get("errors", ())} for errors in (first, second))
    return tuple(sorted(set[str].intersection(*sides)))


def _outcome_text(outcome: str, details: Json) -> str:
    if outcome != "rejected":
        return outcome
    errors = ", ".join(details["errors"][:4])
    return f"rejected as {details['reason']}{f' ({errors})' if errors else ''}"


def _between_rejections(first: Json, second: Json) -> Iterator[Disagreement]:
    if first["reason"] != second["reason"]:
        yield Disagreement("reason", _outcome_text("rejected", first), _outcome_text("rejected", second))
        return
    for error in sorted({*first["errors"], *second["errors"]}):
        sides = [error if error in side["errors"] else MISSING for side in (first, second)]
        if MISSING in sides:
            yield Disagreement(error, *sides)


def _is_choice(found: Sequence[Disagreement]) -> bool:
    """Whether the clusters chose different devices or nodes, and all other differences follow from that."""
    return all(map(_follows, found)) and any(_CHOICE.fullmatch(disagreement.path) for disagreement in found)


def _follows(disagreement: Disagreement) -> bool:
    """Whether a difference is the consequence of an earlier choice of other devices."""
    if disagreement.path.startswith(_OF_DEVICES):
        return True
    return disagreement.path.startswith(_CHOSEN) and MISSING not in (disagreement.first, disagreement.second)


def _between_states(first: Json, second: Json) -> Iterator[Disagreement]:
    for name in _COMPARED:
        for key in sorted({*first[name], *second[name]}):
            left, right = (side[name].get(key, MISSING) for side in (first, second))
            kind = next(side for side in (left, right) if side != MISSING)["kind"]
            if MISSING in (left, right):
                mine, theirs = (side if side == MISSING else "exists" for side in (left, right))
                yield Disagreement("", mine, theirs, f"{kind} {key}")
            else:
                yield from disagreements(left, right, f"{kind} {key}")
