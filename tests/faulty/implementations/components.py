"""Clusters in which a component reads or writes wrong objects.

The components are the built-in's behind a changed client of the API server. Each must fail a case of the violated
requirement (`tests/quality/test_wrong_components.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from unittest import mock

from dra_conform.cluster_state.components import CONTROLLER_MANAGER, KUBELET, SCHEDULER
from dra_conform.cluster_state.object_keys import Key
from dra_conform.conformance.features import FEATURES
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation import running
from dra_conform.simulation.client import Client
from dra_conform.simulation.simulated_cluster import run_scenario

Objects = Mapping[str, Sequence[Json]]


class ComponentCluster:
    """Built-in cluster in which a subclass changes what its `component` reads and writes."""

    name = "wrong component"
    version = "1"
    operations = ("cluster",)
    features = MappingProxyType(dict.fromkeys(FEATURES, "full"))
    component = ""

    def cluster(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int
    ) -> dict[str, Json]:
        self.begin()
        with mock.patch.object(running, "Client", self._client):
            answer = run_scenario(objects, ask, profile, seed)
        return {
            **answer,
            "observations": [self.observed(observation) for observation in answer.get("observations", ())],
        }

    def begin(self) -> None:
        """Forget the previous scenario."""

    def seen(self, item: Json, client: Client) -> Json | None:
        """Return an object as the component sees it, None if it does not see it."""
        return item

    def known(self, kind: str, now: Mapping[Key, Json]) -> Mapping[Key, Json]:
        """Return the objects of a kind that the component sees."""
        return now

    def created(self, item: Json, client: Client) -> Sequence[Json]:
        """Return the objects to create instead of one. The component gets the last of them."""
        return (item,)

    def updated(self, item: Json, subresource: str, client: Client) -> Json | None:
        """Return the object to write instead of an object, None for no write."""
        return item

    def deletes(self, key: Key) -> bool:
        return True

    def observed(self, observation: Json) -> Json:
        return observation

    def _client(self, component: str, *rest: Any) -> Client:
        return (
            _ChangedClient(self, component, *rest)
            if component == self.component
            else Client(component, *rest)
        )


class _ChangedClient(Client):
    """Client that lets the faulty component change what it reads and writes."""

    def __init__(self, wrong: ComponentCluster, *rest: Any) -> None:
        super().__init__(*rest)
        self._wrong = wrong

    def get(self, key: Key) -> Json | None:
        stored = super().get(key)
        return None if stored is None else self._wrong.seen(stored, self)

    def by_key(self, kind: str) -> Mapping[Key, Json]:
        seen = {key: self._wrong.seen(item, self) for key, item in super().by_key(kind).items()}
        return self._wrong.known(kind, {key: item for key, item in seen.items() if item is not None})

    def create(self, raw: Json) -> Json:
        created = None
        for item in self._wrong.created(raw, self):
            created = super().create(item)
        return created

    def update(self, raw: Json, subresource: str = "") -> Json:
        written = self._wrong.updated(raw, subresource, self)
        return raw if written is None else super().update(written, subresource)

    def delete(self, key: Key) -> None:
        if self._wrong.deletes(key):
            super().delete(key)


class SchedulerCluster(ComponentCluster):
    component = SCHEDULER


class ControllerCluster(ComponentCluster):
    component = CONTROLLER_MANAGER


class KubeletCluster(ComponentCluster):
    component = KUBELET


def with_metadata(item: Json, **fields: Json) -> Json:
    """Return the object with other fields of its metadata. None removes a field."""
    metadata = {**item["metadata"], **fields}
    return {**item, "metadata": {name: value for name, value in metadata.items() if value is not None}}


def with_spec(item: Json, **fields: Json) -> Json:
    """Return the object with other fields of its spec. None removes a field."""
    spec = {**item["spec"], **fields}
    return {**item, "spec": {name: value for name, value in spec.items() if value is not None}}


def with_status(item: Json, **fields: Json) -> Json:
    """Return the object with other fields of its status. None removes a field."""
    status = {**(item.get("status") or {}), **fields}
    return {**item, "status": {name: value for name, value in status.items() if value is not None}}
