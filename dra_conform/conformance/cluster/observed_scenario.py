"""A scenario under judgement: its actions with their observations, and the states of the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.cluster.answer import Observation, Read, Settled
from dra_conform.conformance.cluster.expectation import Fact
from dra_conform.conformance.cluster.other_observations import is_told_beside, told_beside
from dra_conform.conformance.cluster.references import found, key_of, reference
from dra_conform.conformance.steps.recorded_claims import entries_shown
from dra_conform.kube.field_paths import ABSENT, field_at

Json = Any

EACH = "[*]"
MAPPINGS = "status.extendedResourceClaimStatus.requestMappings"
"""Which request of the special claim serves which resource of which container."""
SERVED = f"{MAPPINGS}{EACH}"
"""The same without requests, each as `container: resource`."""
RECORDS = "status.nodeAllocatableResourceClaimStatuses"
"""What a pod records of its claims."""


@dataclass(frozen=True, slots=True)
class State:
    """The cluster at rest after act number `act`, or as it was given (-1)."""

    act: int
    objects: Mapping[str, Sequence[Json]]
    beside: Mapping[str, Sequence[Json] | None] = field(default_factory=dict)
    """What is told beside the objects, by the names of `Settled`; None where it is not told."""

    @property
    def claims(self) -> Mapping[str, Json]:
        """All ResourceClaims by `namespace/name`."""
        return {key_of(one): one for one in self.objects.get("resourceClaims", ())}

    @property
    def pods(self) -> Mapping[str, Json]:
        """All Pods by `namespace/name`."""
        return {key_of(one): one for one in self.objects.get("pods", ())}

    @property
    def shares(self) -> frozenset[str]:
        """The IDs of all shares that claims have."""
        return frozenset[str]().union(
            *(shares_of(seen(one, "status.allocation")) for one in self.claims.values())
        )

    def find(self, kind: str, name: str) -> Json | None:
        """The object that a case calls so, None where there is none."""
        return found(self.objects, reference(kind, name))

    def value(self, kind: str, name: str, path: str) -> Json:
        """A field of an object, or what is told of it beside the objects; UNTOLD where that is not known."""
        if is_told_beside(path):
            return told_beside(self.objects, self.beside, kind, name, path)
        return seen(self.find(kind, name), path)


@dataclass(frozen=True, slots=True)
class ObservedScenario:
    """The actions of a story, what was observed after each, and all states, the given one first."""

    actions: Sequence[Mapping[str, Json]]
    components: Mapping[str, Json]
    observations: Sequence[Observation]
    states: tuple[State, ...]

    @classmethod
    def of(
        cls, objects: Objects, ask: Mapping[str, Json], observations: Sequence[Observation]
    ) -> ObservedScenario:
        """Put the observations next to the story; there must be one for each action."""
        settled = (
            State(act, one.objects, one.beside)
            for act, one in enumerate(observations)
            if isinstance(one, Settled)
        )
        return cls(ask["actions"], ask.get("components", {}), observations, (State(-1, objects), *settled))

    @property
    def changes(self) -> Iterator[tuple[State, State]]:
        """Each state with the one before it."""
        return pairwise(self.states)

    @property
    def one_release(self) -> bool:
        """Whether all components are of the profile's release all the time."""
        return not any("release" in one for one in self.components.values()) and not any(
            action["do"] == "set-version" for action in self.actions
        )

    def switches(self, gate: str) -> bool:
        """Whether the story sets a gate in some component, for a time or from the beginning."""
        said = (*self.components.values(), *self.actions)
        return any(gate in (one.get("gates") or {}) for one in said)

    def earlier(self, act: int) -> tuple[State, ...]:
        """The states before the one that is known after an act."""
        return tuple(state for state in self.states if state.act < self.newest(act)[0].act)

    def newest(self, act: int) -> tuple[State, State]:
        """The state that is known after an act, and the one before it."""
        known = [state for state in self.states if state.act <= act]
        return known[-1], known[max(len(known) - 2, 0)]

    def value(self, fact: Fact, act: int, *, before: bool = False) -> Json:
        """What is observed of the field that a fact is about, or was in the state before."""
        if not fact.kind:
            read = self.observations[act]
            return seen(read.object if isinstance(read, Read) else None, fact.path)
        return self.newest(act)[before].value(fact.kind, fact.name, fact.path)


def seen(one: Json | None, path: str) -> Json:
    """A field of an object as cases say it: of reservations the names, and every pod has a phase.

    What a pod records of its claims is the same for all releases, and what its special claim serves has no
    order.
    """
    if one is None:
        return ABSENT
    value = field_at(one, path.removesuffix(EACH))
    if path == RECORDS:
        return ABSENT if value in (ABSENT, []) else entries_shown(one)
    if path in (MAPPINGS, SERVED) and isinstance(value, (list, tuple)):
        each = [f"{mapping.get('containerName')}: {mapping.get('resourceName')}" for mapping in value]
        return in_order(value) if path == MAPPINGS else sorted(each)
    if path == "status.reservedFor":
        return sorted(str(consumer.get("name")) for consumer in ([] if value is ABSENT else value))
    if path == "status.phase" and value is ABSENT:
        return "Pending"
    return value


def in_order(mappings: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """Mappings of a special claim, sorted."""
    return sorted(mappings, key=lambda one: sorted((name, str(value)) for name, value in one.items()))


def shares_of(allocation: Json) -> frozenset[str]:
    """The IDs of the shares in an allocation."""
    results = ABSENT if allocation is ABSENT else field_at(allocation, "devices.results")
    several = results if isinstance(results, (list, tuple)) else ()
    return frozenset(
        str(one["shareID"]) for one in several if isinstance(one, Mapping) and one.get("shareID")
    )


def has_new_shares(earlier: Iterable[State], allocation: Json) -> bool:
    """Whether an allocation has shares, and none that was there in an earlier state."""
    shares = shares_of(allocation)
    return bool(shares) and shares.isdisjoint(frozenset[str]().union(*(state.shares for state in earlier)))
