"""The API server that a driver under test and its scenario use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from dra_conform.adapters.light_api.api import Target
from dra_conform.adapters.light_api.http_server import LightServer
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile


class WorldError(Exception):
    """The API server rejects a write of the scenario, or does not answer."""


class CannotOpen(Exception):  # noqa: N818 - it reads as what happened
    """The API server does not implement the profile of the request."""


class World(Protocol):
    """The API server of one scenario. Objects are in the versions `v1` and `resource.k8s.io/v1`."""

    def write_kubeconfig(self, path: Path) -> None:
        """Write a kubeconfig for the driver."""
        ...

    def get(self, kind: str, name: str, namespace: str = "") -> Json | None:
        """Return an object, None if there is none."""
        ...

    def objects(self, kind: str) -> list[Json]:
        """Return all objects of a kind."""
        ...

    def create(self, raw: Json) -> Json:
        """Create an object and return it; raises WorldError."""
        ...

    def update(self, raw: Json, subresource: str = "") -> Json:
        """Replace an object or its subresource and return it; raises WorldError."""
        ...

    def delete(self, kind: str, name: str, namespace: str = "") -> None:
        """Delete an object if it exists, at once."""
        ...

    def stop_answering(self) -> None:
        """Make the API server unavailable to the driver."""
        ...

    def answer_again(self) -> None:
        """Make the API server available again."""
        ...

    def restart(self, gates: Mapping[str, bool]) -> None:
        """Restart the API server with other states of feature gates."""
        ...

    def close(self) -> None:
        """Release the API server and remove the remaining objects of the scenario."""
        ...


class Worlds(Protocol):
    """The API servers of a run; each scenario that is in progress has its own."""

    def open(self, profile: Profile) -> World:
        """Return an API server for one scenario; raises CannotOpen and WorldError."""
        ...

    def close(self) -> None:
        """Stop the processes that all scenarios share."""
        ...


class LightWorlds:
    """A new simulated API server for each scenario."""

    def open(self, profile: Profile) -> World:
        return LightWorld(profile)

    def close(self) -> None:
        """Do nothing, because each scenario closes its own API server."""


class LightWorld:
    """The simulated API server over HTTP, one for each scenario."""

    def __init__(self, profile: Profile) -> None:
        self._server = LightServer(profile)
        self._api = self._server.api

    def write_kubeconfig(self, path: Path) -> None:
        self._server.write_kubeconfig(path)

    def get(self, kind: str, name: str, namespace: str = "") -> Json | None:
        return self._api.get(_target(kind, namespace, name))

    def objects(self, kind: str) -> list[Json]:
        return self._api.list_objects(_target(kind), lambda _: True)[0]

    def create(self, raw: Json) -> Json:
        return self._written(self._api.create(_target_of(raw, ""), raw))

    def update(self, raw: Json, subresource: str = "") -> Json:
        return self._written(self._api.update(_target_of(raw, subresource), raw))

    def delete(self, kind: str, name: str, namespace: str = "") -> None:
        self._api.delete(_target(kind, namespace, name), None)

    def stop_answering(self) -> None:
        self._server.stop_answering()

    def answer_again(self) -> None:
        self._server.answer_again()

    def restart(self, gates: Mapping[str, bool]) -> None:
        self._server.restart(gates)

    def close(self) -> None:
        self._server.close()

    def _written(self, result: Json) -> Json:
        if result["outcome"] == "rejected":
            errors = "; ".join(f"{error['path']}: {error['detail']}" for error in result["errors"])
            raise WorldError(f"{result['reason']}: {result.get('message') or errors}")
        return result["object"]


def _target(kind: str, namespace: str = "", name: str = "", subresource: str = "") -> Target:
    core = kind in ("Namespace", "Node", "Pod")
    return Target(kind, "v1" if core else "resource.k8s.io/v1", namespace, name, subresource)


def _target_of(raw: Json, subresource: str) -> Target:
    metadata = raw["metadata"]
    return _target(raw["kind"], metadata.get("namespace", ""), metadata["name"], subresource)
