"""A judged scenario: its actions with their observations, and the states of the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from dra_conform.conformance.case import Objects
from dra_conform.conformance.cluster.answer import Observation, Read, SteadyState
from dra_conform.conformance.cluster.expectation import Fact
from dra_conform.conformance.cluster.other_observations import is_other_observation, other_observation, since
from dra_conform.conformance.object_references import find_object, key_of, reference
from dra_conform.conformance.observed_fields import observed_field
from dra_conform.conformance.served_fields import collections_without_empty_fields, without_empty_fields
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json


@dataclass(frozen=True, slots=True)
class State:
    """The steady state of the cluster after the step with index `step`, or the setup (-1)."""

    step: int
    objects: Mapping[str, Sequence[Json]]
    other_observations: Mapping[str, Sequence[Json] | None] = field(default_factory=dict)
    """Observations other than objects, by the names of `SteadyState`; None if not reported."""

    @classmethod
    def of(
        cls,
        step: int,
        objects: Objects,
        other_observations: Mapping[str, Sequence[Json] | None] | None = None,
    ) -> State:
        """Return the state with these objects, whose null and empty fields are left out."""
        return cls(step, collections_without_empty_fields(objects), other_observations or {})

    @property
    def claims(self) -> Mapping[str, Json]:
        """All ResourceClaims by `namespace/name`."""
        return {key_of(raw): raw for raw in self.objects.get("resourceClaims", ())}

    @property
    def pods(self) -> Mapping[str, Json]:
        """All Pods by `namespace/name`."""
        return {key_of(raw): raw for raw in self.objects.get("pods", ())}

    @property
    def shares(self) -> frozenset[str]:
        """The share IDs of all ResourceClaims."""
        return frozenset[str]().union(
            *(share_ids_of(observed_field(raw, "status.allocation")) for raw in self.claims.values())
        )

    def find(self, kind: str, name: str) -> Json | None:
        """Return the object with this name in the case, None if it does not exist."""
        return find_object(self.objects, reference(kind, name))

    def value(self, kind: str, name: str, path: str) -> Json:
        """Return a field of an object or another observation about it, NOT_REPORTED if it is missing."""
        if is_other_observation(path):
            return other_observation(self.objects, self.other_observations, kind, name, path)
        return observed_field(self.find(kind, name), path)


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
        steady_states = (
            State.of(step, observation.objects, observation.other_observations)
            for step, observation in enumerate(observations)
            if isinstance(observation, SteadyState)
        )
        return cls(
            ask["actions"], ask.get("components", {}), observations, (State.of(-1, objects), *steady_states)
        )

    @property
    def changes(self) -> Iterator[tuple[State, State]]:
        """Each state with its previous state."""
        return pairwise(self.states)

    @property
    def one_release(self) -> bool:
        """Whether all components always run the release of the profile."""
        return not any("release" in settings for settings in self.components.values()) and not any(
            action["do"] == "set-version" for action in self.actions
        )

    def switches(self, gate: str) -> bool:
        """Whether the scenario sets a gate in a component, in the setup or in a step."""
        settings = (*self.components.values(), *self.actions)
        return any(gate in (entry.get("gates") or {}) for entry in settings)

    def earlier(self, step: int) -> tuple[State, ...]:
        """Return all states that precede the state which `newest` returns for the step."""
        return tuple(state for state in self.states if state.step < self.newest(step)[0].step)

    def newest(self, step: int) -> tuple[State, State]:
        """Return the newest state after a step, and its previous state."""
        known = [state for state in self.states if state.step <= step]
        return known[-1], known[max(len(known) - 2, 0)]

    def value(self, fact: Fact, step: int, *, before: bool = False) -> Json:
        """Return the observed value of the field of a fact, or its value in the previous state."""
        if not fact.kind:
            observation = self.observations[step]
            served = observation.object if isinstance(observation, Read) else None
            return observed_field(without_empty_fields(served), fact.path)
        if before:
            return self.newest(step)[1].value(fact.kind, fact.name, fact.path)
        return value_after(self.newest(step)[0], self.earlier(step), fact.kind, fact.name, fact.path)


def value_after(newest: State, earlier: Sequence[State], kind: str, name: str, path: str) -> Json:
    """Return a value in the newest state, in comparison with earlier states if the path says so."""
    if not is_other_observation(path):
        return newest.value(kind, name, path)
    return since(path, newest.value(kind, name, path), [state.value(kind, name, path) for state in earlier])


def share_ids_of(allocation: Json) -> frozenset[str]:
    """Return the share IDs of an allocation."""
    results = ABSENT if allocation is ABSENT else field_at(allocation, "devices.results")
    entries = results if isinstance(results, (list, tuple)) else ()
    return frozenset(
        str(entry["shareID"]) for entry in entries if isinstance(entry, Mapping) and entry.get("shareID")
    )


def has_new_shares(earlier: Iterable[State], allocation: Json) -> bool:
    """Whether an allocation has share IDs, none of which exists in an earlier state."""
    shares = share_ids_of(allocation)
    return bool(shares) and shares.isdisjoint(frozenset[str]().union(*(state.shares for state in earlier)))
