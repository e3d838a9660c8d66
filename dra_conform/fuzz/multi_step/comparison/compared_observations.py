"""Comparison of two replies to one scenario, action by action."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import msgspec

from dra_conform.conformance.admit.answer import Admission, AdmissionAnswer
from dra_conform.conformance.cluster.answer import Done, Observation, Read, Settled
from dra_conform.conformance.cluster.invariants.table import broken
from dra_conform.conformance.cluster.observed_scenario import ObservedScenario
from dra_conform.conformance.cluster.references import key_of
from dra_conform.conformance.implementation import Reply, Status
from dra_conform.fuzz.multi_step.cluster_scenario import Action, RandomStory
from dra_conform.fuzz.multi_step.comparison.shared_words import SharedWords
from dra_conform.fuzz.multi_step.comparison.step_difference import (
    MISSING,
    Disagreement,
    StoryDifference,
    StoryDifferenceKind,
    disagreements,
)

Json = Any
Found = tuple[StoryDifferenceKind, tuple[Disagreement, ...]]

_COMPARED = (
    *("deviceClasses", "resourceSlices", "resourceClaims", "resourceClaimTemplates", "deviceTaintRules"),
    *("pods", "resourceQuotas"),
)
"""The collections of a state; namespaces and nodes have a life of their own."""

_CHOSEN = ("status.allocation", "spec.nodeName")
"""The fields in which clusters that choose otherwise differ."""

_RESULTS = "status.allocation.devices.results"
_CHOICE = re.compile(rf"spec\.nodeName|{re.escape(_RESULTS)}(\[\d+\]\.(request|pool|device))?")
"""Those of them that are chosen; a list of another length is one of other devices."""


@dataclass(frozen=True, slots=True)
class Untold:
    """One of the two cannot be told the story, and why."""

    reason: str


def compare_stories(
    story: RandomStory, profiles: tuple[str, str], first: Reply, second: Reply
) -> Untold | Iterator[StoryDifference]:
    """What breaks an invariant, then every difference in order.

    The last one is where the clusters are not in the same state any more.
    """
    replies = (first, second)
    for reply in replies:
        if reply.status in (Status.UNSUPPORTED, Status.UNDECLARED):
            return Untold(reply.detail)
    if any(reply.status is not Status.OK for reply in replies):
        mine, theirs = (f"{reply.status}: {reply.detail}" for reply in replies)
        sort = " ".join(":".join(side.split(":")[:2]) for side in (mine, theirs))
        said = Disagreement(sort, mine, theirs)
        return iter([StoryDifference(StoryDifferenceKind.FAULT, 0, "tell", "the story", (said,))])
    told = [reply.answer.observations for reply in replies if reply.answer]
    return chain(_broken(story, profiles, told), _differences(story, *told))


def _broken(
    story: RandomStory, profiles: tuple[str, str], told: Sequence[Sequence[Observation]]
) -> Iterator[StoryDifference]:
    for side, (profile, observations) in enumerate(zip(profiles, told, strict=True)):
        for finding in broken(
            ObservedScenario.of(story.objects, story.ask, observations), story.profile(profile)
        ):
            messages = [MISSING, MISSING]
            messages[side] = finding.message
            said = Disagreement(finding.rule, *messages)
            yield StoryDifference(StoryDifferenceKind.INVALID, finding.act, "settle", "the cluster", (said,))


def _differences(
    story: RandomStory, first: Sequence[Observation], second: Sequence[Observation]
) -> Iterator[StoryDifference]:
    asked = msgspec.json.encode([story.objects, story.actions]).decode()
    mine, theirs = _Words(SharedWords(asked), first), _Words(SharedWords(asked), second)
    for act, action in enumerate(story.actions):
        one, other = mine.observation(act), theirs.observation(act)
        found = _compared(one, other)
        if found:
            agreed = _agreed(one[1], other[1])
            difference = StoryDifference(found[0], act, str(action["do"]), kind_of(action), found[1], agreed)
            yield difference
            if difference.diverges:
                return


def kind_of(action: Action) -> str:
    """The kind that an action is about, with its subresource; what it is about where that is no object."""
    about = action.get("of") or action.get("object") or {}
    kind = str(about.get("kind") or "the cluster")
    return f"{kind}/{action['subresource']}" if "subresource" in action else kind


class _Words:
    """Observations in the words that two clusters share: outcome, then what is said beside it."""

    def __init__(self, words: SharedWords, observations: Sequence[Observation]) -> None:
        self._words = words
        self._observations = observations

    def observation(self, act: int) -> tuple[str, Json]:
        observed = self._observations[act]
        match observed:
            case AdmissionAnswer(outcome=Admission.ADMITTED):
                return "taken", self._object(observed.object)
            case AdmissionAnswer():
                conflict = observed.reason == "Conflict"  # of which the causes are prose
                errors = sorted({f"{one.type} at {one.path}" for one in observed.errors if not conflict})
                return "refused", {"reason": observed.reason, "errors": errors}
            case Read(object=None):
                return "missing", {}
            case Read(object=found):
                return "read", self._object(found)
            case Settled(objects=objects):
                return "settled", self._state(objects)
            case Done(outcome=outcome):
                return outcome, {}

    def _object(self, one: Mapping[str, Json] | None) -> Json:
        if one is None:
            return {}
        self._words.learn([one])
        return self._words.shared(one)

    def _state(self, objects: Mapping[str, Sequence[Json]]) -> Json:
        self._words.learn([*objects.get("resourceClaims", ()), *objects.get("pods", ())])
        return {
            name: {key_of(shared): shared for shared in map(self._words.shared, objects.get(name, ()))}
            for name in _COMPARED
        }


def _compared(first: tuple[str, Json], second: tuple[str, Json]) -> Found | None:
    if first[0] != second[0]:
        said = Disagreement("", *(_told(*one) for one in (first, second)))
        return StoryDifferenceKind.OUTCOME, (said,)
    match first[0]:
        case "settled":
            found = tuple(_between_states(first[1], second[1]))
            kind = StoryDifferenceKind.CHOICE if _is_choice(found) else StoryDifferenceKind.STATE
            return (kind, found) if found else None
        case "refused":
            found = tuple(_between_refusals(first[1], second[1]))
            return (StoryDifferenceKind.REFUSAL, found) if found else None
    found = tuple(disagreements(first[1], second[1]))
    return (StoryDifferenceKind.OBJECT, found) if found else None


def _agreed(first: Json, second: Json) -> tuple[str, ...]:
    sides = ({*one.get("errors", ())} for one in (first, second))
    return tuple(sorted(set[str].intersection(*sides)))


def _told(outcome: str, said: Json) -> str:
    if outcome != "refused":
        return outcome
    errors = ", ".join(said["errors"][:4])
    return f"refused as {said['reason']}{f' ({errors})' if errors else ''}"


def _between_refusals(first: Json, second: Json) -> Iterator[Disagreement]:
    if first["reason"] != second["reason"]:
        yield Disagreement("reason", _told("refused", first), _told("refused", second))
        return
    for error in sorted({*first["errors"], *second["errors"]}):
        told = [error if error in side["errors"] else MISSING for side in (first, second)]
        if MISSING in told:
            yield Disagreement(error, *told)


def _is_choice(found: Sequence[Disagreement]) -> bool:
    """Whether both have a device, or a node, but not the same, and all else follows of that."""
    return all(map(_follows, found)) and any(_CHOICE.fullmatch(one.path) for one in found)


def _follows(one: Disagreement) -> bool:
    """What a device, or an alternative, brings to its result may be missing from that of another one."""
    of_device = one.path.startswith(f"{_RESULTS}[")
    return one.path.startswith(_CHOSEN) and (of_device or MISSING not in (one.first, one.second))


def _between_states(first: Json, second: Json) -> Iterator[Disagreement]:
    for name in _COMPARED:
        for key in sorted({*first[name], *second[name]}):
            one, other = (side[name].get(key, MISSING) for side in (first, second))
            kind = next(side for side in (one, other) if side != MISSING)["kind"]
            if MISSING in (one, other):
                mine, theirs = (side if side == MISSING else "there it is" for side in (one, other))
                yield Disagreement("", mine, theirs, f"{kind} {key}")
            else:
                yield from disagreements(one, other, f"{kind} {key}")
