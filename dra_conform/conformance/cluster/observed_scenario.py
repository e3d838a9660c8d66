"""A scenario under judgement: its actions with their observations, and the states of the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.conformance.cluster.answer import Observation, Read, SteadyState
from dra_conform.conformance.cluster.expectation import Fact
from dra_conform.conformance.cluster.other_observations import is_other_observation, other_observation
from dra_conform.conformance.cluster.references import found, key_of, reference
from dra_conform.conformance.steps.recorded_claims import entries_shown
from dra_conform.kube.field_paths import ABSENT, field_at

Json = Any

EACH = "[*]"
MAPPINGS = "status.extendedResourceClaimStatus.requestMappings"
"""The request of the extended-resource claim for each extended resource of each container."""
MAPPED_RESOURCES = f"{MAPPINGS}{EACH}"
"""The same without requests, each as `container: resource`."""
RECORDS = "status.nodeAllocatableResourceClaimStatuses"
"""The node resource usage of ResourceClaims that a pod records."""


@dataclass(frozen=True, slots=True)
class State:
    """The steady state of the cluster after step number `act`, or the setup (-1)."""

    act: int
    objects: Mapping[str, Sequence[Json]]
    other_observations: Mapping[str, Sequence[Json] | None] = field(default_factory=dict)
    """Observations other than objects, by the names of `SteadyState`; None if not reported."""

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
        """The share IDs of all ResourceClaims."""
        return frozenset[str]().union(
            *(shares_of(seen(one, "status.allocation")) for one in self.claims.values())
        )

    def find(self, kind: str, name: str) -> Json | None:
        """Return the object with this name in the case, None if it does not exist."""
        return found(self.objects, reference(kind, name))

    def value(self, kind: str, name: str, path: str) -> Json:
        """Return a field of an object or another observation about it, NOT_REPORTED if it is missing."""
        if is_other_observation(path):
            return other_observation(self.objects, self.other_observations, kind, name, path)
        return seen(self.find(kind, name), path)


@dataclass(frozen=True, slots=True)
class ObservedScenario:
    """The actions of a scenario, the observation of each, and all states, beginning with the setup."""

    actions: Sequence[Mapping[str, Json]]
    components: Mapping[str, Json]
    observations: Sequence[Observation]
    states: tuple[State, ...]

    @classmethod
    def of(
        cls, objects: Objects, ask: Mapping[str, Json], observations: Sequence[Observation]
    ) -> ObservedScenario:
        """Combine a scenario with its observations, one for each action."""
        settled = (
            State(act, one.objects, one.other_observations)
            for act, one in enumerate(observations)
            if isinstance(one, SteadyState)
        )
        return cls(ask["actions"], ask.get("components", {}), observations, (State(-1, objects), *settled))

    @property
    def changes(self) -> Iterator[tuple[State, State]]:
        """Each state with its previous state."""
        return pairwise(self.states)

    @property
    def one_release(self) -> bool:
        """Whether all components always run the release of the profile."""
        return not any("release" in one for one in self.components.values()) and not any(
            action["do"] == "set-version" for action in self.actions
        )

    def switches(self, gate: str) -> bool:
        """Whether the scenario sets a gate in a component, in the setup or in a step."""
        said = (*self.components.values(), *self.actions)
        return any(gate in (one.get("gates") or {}) for one in said)

    def earlier(self, act: int) -> tuple[State, ...]:
        """Return the states before the newest state after a step."""
        return tuple(state for state in self.states if state.act < self.newest(act)[0].act)

    def newest(self, act: int) -> tuple[State, State]:
        """Return the newest state after a step, and its previous state."""
        known = [state for state in self.states if state.act <= act]
        return known[-1], known[max(len(known) - 2, 0)]

    def value(self, fact: Fact, act: int, *, before: bool = False) -> Json:
        """Return the observed value of the field of a fact, or its value in the previous state."""
        if not fact.kind:
            read = self.observations[act]
            return seen(read.object if isinstance(read, Read) else None, fact.path)
        return self.newest(act)[before].value(fact.kind, fact.name, fact.path)


def seen(one: Json | None, path: str) -> Json:
    """Return a field of an object in the form of cases: reservations by name, and a phase of each pod.

    Recorded node resource usage has one form for all releases, and request mappings are sorted.
    """
    if one is None:
        return ABSENT
    value = field_at(one, path.removesuffix(EACH))
    if path == RECORDS:
        return ABSENT if value in (ABSENT, []) else entries_shown(one)
    if path in (MAPPINGS, MAPPED_RESOURCES) and isinstance(value, (list, tuple)):
        each = [f"{mapping.get('containerName')}: {mapping.get('resourceName')}" for mapping in value]
        return in_order(value) if path == MAPPINGS else sorted(each)
    if path == "status.reservedFor":
        return sorted(str(consumer.get("name")) for consumer in ([] if value is ABSENT else value))
    if path == "status.phase" and value is ABSENT:
        return "Pending"
    return value


def in_order(mappings: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """Return the request mappings of an extended-resource claim, sorted."""
    return sorted(mappings, key=lambda one: sorted((name, str(value)) for name, value in one.items()))


def shares_of(allocation: Json) -> frozenset[str]:
    """Return the share IDs of an allocation."""
    results = ABSENT if allocation is ABSENT else field_at(allocation, "devices.results")
    several = results if isinstance(results, (list, tuple)) else ()
    return frozenset(
        str(one["shareID"]) for one in several if isinstance(one, Mapping) and one.get("shareID")
    )


def has_new_shares(earlier: Iterable[State], allocation: Json) -> bool:
    """Whether an allocation has share IDs, and none of an earlier state."""
    shares = shares_of(allocation)
    return bool(shares) and shares.isdisjoint(frozenset[str]().union(*(state.shares for state in earlier)))
