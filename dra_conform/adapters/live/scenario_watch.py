"""Watches of the pods, claims and events of a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from dra_conform.adapters.live.resources import EVENTS, RESOURCES, Resource
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.watched_collections import WatchedCollections
from dra_conform.kube.json_values import encode_json

Json = Any

ObjectStates = frozenset[tuple[str, bytes]]
"""The UIDs of objects, each with its state as JSON, without messages and times."""

_NEW_IN_EACH_ATTEMPT = re.compile(
    rb"\d{4}-\d\d-\d\dT[0-9:.]+Z"
    rb"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    rb'|-[bcdfghjklmnpqrstvwxz2456789]{5}(?=")'
)
"""Times, UIDs, and the suffixes that the API server adds to `generateName`."""

_CHANGED_BY_EVERY_WRITE = ("resourceVersion", "managedFields")


class ScenarioWatch:
    """Watches of the objects of a scenario, which have their names on the cluster."""

    def __init__(
        self, scenario: ScenarioNamespace, watched: WatchedCollections, paths: dict[str, list[str]]
    ) -> None:
        self._scenario = scenario
        self._watched = watched
        self._paths = paths

    @classmethod
    @contextmanager
    def open(cls, scenario: ScenarioNamespace) -> Iterator[ScenarioWatch]:
        """Start the watches in the namespaces of a scenario; raises Unreachable."""
        resources = [EVENTS, RESOURCES["Pod"]]
        resources += [RESOURCES["ResourceClaim"]] if scenario.served.has("ResourceClaim") else []
        paths = {resource.kind: _paths(resource, scenario) for resource in resources}
        with WatchedCollections.open(scenario.api, chain.from_iterable(paths.values()), _state) as watched:
            yield cls(scenario, watched, paths)

    @property
    def changes(self) -> int:
        """The number of changes so far; changed messages and times and repeated failures do not count."""
        return self._watched.changes

    def wait(self, seconds: float, seen: int) -> bool:
        """Wait some seconds for more than `seen` changes; return whether they were observed."""
        return self._watched.wait(seconds, seen)

    def object_states(self) -> ObjectStates:
        """Return the states of pods and claims, without messages and times of conditions."""
        return frozenset(
            (raw["metadata"]["uid"], _object_state(raw)) for raw in (*self.pods(), *self.claims())
        )

    def recurring_state(self) -> tuple[bytes, ...]:
        """Return the states of pods and claims without times, UIDs and random suffixes of names.

        It is equal again after a component has replaced a generated claim by a like one.
        """
        states = (_object_state(raw) for raw in (*self.pods(), *self.claims()))
        return tuple(sorted(_NEW_IN_EACH_ATTEMPT.sub(b"", state) for state in states))

    def pods(self) -> list[Json]:
        """Return the current pods."""
        return self._all("Pod")

    def claims(self) -> list[Json]:
        """Return the current ResourceClaims."""
        return self._all("ResourceClaim")

    def events(self) -> list[Json]:
        """Return the current events."""
        return self._all("Event")

    def is_current(self) -> bool:
        """Whether lists of pods and claims equal what the watches have reported."""
        return all(
            _versions(self._scenario.api.list(path).body.get("items") or ())
            == _versions(self._watched.all(path))
            for path in (*self._paths["Pod"], *self._paths.get("ResourceClaim", ()))
        )

    def _all(self, kind: str) -> list[Json]:
        """Return the objects of a kind, with apiVersion and kind, which items of lists do not have."""
        objects = (raw for path in self._paths.get(kind, ()) for raw in self._watched.all(path))
        return [{**self._header(kind), **raw} for raw in objects]

    def _header(self, kind: str) -> dict[str, str]:
        resource = RESOURCES.get(kind, EVENTS)
        version = _version(resource, self._scenario)
        return {"apiVersion": f"{resource.group}/{version}".removeprefix("/"), "kind": kind}


def _paths(resource: Resource, scenario: ScenarioNamespace) -> list[str]:
    version = _version(resource, scenario)
    namespaces = map(scenario.names.namespace, scenario.names.namespaces)
    return [str(resource.address(version, namespace)) for namespace in namespaces]


def _version(resource: Resource, scenario: ScenarioNamespace) -> str:
    return scenario.served.newest(resource.kind) if resource.kind in RESOURCES else "v1"


def _state(raw: Json) -> object:
    """Return the state of an object; for an event its object and reason, so a repetition is no change."""
    return (raw["regarding"]["uid"], raw.get("reason")) if "regarding" in raw else _object_state(raw)


def _object_state(raw: Json) -> bytes:
    metadata = {name: value for name, value in raw["metadata"].items() if name not in _CHANGED_BY_EVERY_WRITE}
    status = raw.get("status") or {}
    conditions = [
        {name: value for name, value in condition.items() if name in ("type", "status", "reason")}
        for condition in status.get("conditions") or ()
    ]
    return encode_json({**raw, "metadata": metadata, "status": {**status, "conditions": conditions}})


def _versions(objects: Iterable[Json]) -> frozenset[tuple[str, str]]:
    return frozenset((raw["metadata"]["uid"], raw["metadata"]["resourceVersion"]) for raw in objects)
