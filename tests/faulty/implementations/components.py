"""Clusters in which one component gets one thing wrong: it reads or writes something else than it should.

The components themselves are the built-in's; what stands between them and the API server is changed. The suite must
catch each in the requirement concerned (`tests/quality/test_wrong_components.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from unittest import mock

from dra_conform.conformance.features import FEATURES
from dra_conform.controlplane.running_scenarios import tell
from dra_conform.controlplane.simulation import running
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.components import CONTROLLER_MANAGER, KUBELET, SCHEDULER
from dra_conform.controlplane.simulation.keys import Key
from dra_conform.kube.profile import Profile

Json = Any
Objects = Mapping[str, Sequence[Json]]


class ComponentCluster:
    """As the built-in, but for what a subclass changes for its `component`."""

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
            answer = tell(objects, ask, profile, seed)
        return {
            **answer,
            "observations": [self.observed(observation) for observation in answer.get("observations", ())],
        }

    def begin(self) -> None:
        """Forget the story before."""

    def seen(self, one: Json, client: Client) -> Json | None:
        """An object as the component sees it, None for one that it does not see."""
        return one

    def known(self, kind: str, now: Mapping[Key, Json]) -> Mapping[Key, Json]:
        """The objects of a kind that the component takes to be there."""
        return now

    def created(self, one: Json, client: Client) -> Sequence[Json]:
        """The objects to create in place of one; the component hears of the last."""
        return (one,)

    def updated(self, one: Json, subresource: str, client: Client) -> Json | None:
        """What to write in place of an object, None for nothing."""
        return one

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
    """Asks the wrong component what it reads and writes."""

    def __init__(self, wrong: ComponentCluster, *rest: Any) -> None:
        super().__init__(*rest)
        self._wrong = wrong

    def get(self, key: Key) -> Json | None:
        found = super().get(key)
        return None if found is None else self._wrong.seen(found, self)

    def by_key(self, kind: str) -> Mapping[Key, Json]:
        seen = {key: self._wrong.seen(one, self) for key, one in super().by_key(kind).items()}
        return self._wrong.known(kind, {key: one for key, one in seen.items() if one is not None})

    def create(self, raw: Json) -> Json:
        made = None
        for one in self._wrong.created(raw, self):
            made = super().create(one)
        return made

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


def with_metadata(one: Json, **fields: Json) -> Json:
    """The object with some fields of its metadata; None takes one away."""
    metadata = {**one["metadata"], **fields}
    return {**one, "metadata": {name: value for name, value in metadata.items() if value is not None}}


def with_spec(one: Json, **fields: Json) -> Json:
    """The object with some fields of its spec; None takes one away."""
    spec = {**one["spec"], **fields}
    return {**one, "spec": {name: value for name, value in spec.items() if value is not None}}


def with_status(one: Json, **fields: Json) -> Json:
    """The object with some fields of its status; None takes one away."""
    status = {**(one.get("status") or {}), **fields}
    return {**one, "status": {name: value for name, value in status.items() if value is not None}}
