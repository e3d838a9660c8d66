"""Removal of the objects of runs and scenarios, found by their labels."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint
from dra_conform.adapters.live.isolation_fields import RUN_LABEL
from dra_conform.adapters.live.own_writes import OwnWrites
from dra_conform.adapters.live.resources import RESOURCES, Address, Resource
from dra_conform.adapters.live.scenario_names import PREFIX
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.json_values import Json

_FINISH_SECONDS = 120.0
_FINALIZERS_AFTER = 10.0
"""Seconds until finalizers of remaining objects are removed."""


class Cleanup:
    """Removal of namespaces, with their objects, and cluster-scoped objects that match a label selector."""

    def __init__(self, api: Api, served: ServedVersions) -> None:
        self._api = api
        self._served = served

    def remove(self, selector: str) -> None:
        """Delete the objects that match a label selector; do not wait until namespaces are gone."""
        for namespace in self._found(RESOURCES["Namespace"], selector):
            self._empty(namespace["metadata"]["name"])
            self._delete(RESOURCES["Namespace"], namespace)
        for resource in RESOURCES.values():
            if not resource.namespaced and resource.kind != "Namespace" and self._served.has(resource.kind):
                for raw in self._found(resource, selector):
                    self._delete(resource, raw)

    def left(self, selector: str) -> list[str]:
        """Return the objects that still exist, as `kind name`."""
        return [
            f"{resource.kind} {raw['metadata']['name']}"
            for resource in RESOURCES.values()
            if not resource.namespaced and self._served.has(resource.kind)
            for raw in self._found(resource, selector)
        ]

    def finish(self, selector: str) -> list[str]:
        """Delete the objects and wait until they are gone; return what remains after two minutes."""
        began = time.monotonic()
        self.remove(selector)
        while (left := self.left(selector)) and time.monotonic() - began < _FINISH_SECONDS:
            if time.monotonic() - began > _FINALIZERS_AFTER:
                self._remove_finalizers(selector)
            time.sleep(0.3)
        return left

    def _empty(self, namespace: str) -> None:
        """Delete the pods of a namespace without grace period, because no kubelet ends them."""
        for pod in self._found(RESOURCES["Pod"], "", namespace):
            self._delete(RESOURCES["Pod"], pod, now=True)

    def _remove_finalizers(self, selector: str) -> None:
        """Remove all finalizers, so that remaining objects can be deleted."""
        for resource, raw in self._everything(selector):
            if raw["metadata"].get("finalizers"):
                with suppress(Unreachable, CannotRun):
                    self._api.patch(self._address(resource, raw), {"metadata": {"finalizers": None}})

    def _everything(self, selector: str) -> Iterator[tuple[Resource, Json]]:
        namespaces = self._found(RESOURCES["Namespace"], selector)
        for resource in RESOURCES.values():
            if resource.kind == "Namespace" or not self._served.has(resource.kind):
                continue  # A namespace ends when it is empty; its finalizer belongs to its controller.
            if resource.namespaced:
                for namespace in namespaces:
                    for raw in self._found(resource, "", namespace["metadata"]["name"]):
                        yield resource, raw
            else:
                for raw in self._found(resource, selector):
                    yield resource, raw

    def _found(self, resource: Resource, selector: str, namespace: str = "") -> list[Json]:
        path = resource.address(self._served.newest(resource.kind), namespace)
        answer = self._api.get(path, **({"labelSelector": selector} if selector else {}))
        if not answer.accepted:
            raise Unreachable(f"cannot list {resource.plural}: {answer.message}")
        return [
            raw
            for raw in answer.body.get("items") or ()
            if (raw["metadata"].get("namespace") or raw["metadata"]["name"]).startswith(PREFIX)
        ]

    def _delete(self, resource: Resource, raw: Json, *, now: bool = False) -> None:
        with suppress(Unreachable, CannotRun):  # `finish` reports objects that remain.
            self._api.delete(self._address(resource, raw), now=now)

    def _address(self, resource: Resource, raw: Json) -> Address:
        metadata = raw["metadata"]
        version = self._served.newest(resource.kind)
        return resource.address(version, metadata.get("namespace", ""), metadata["name"])


def clean_up(kubeconfig: Path, context: str, run: str) -> tuple[list[str], list[str]]:
    """Remove the objects of a run, or of all runs if `run` is empty; return the removed and the remaining
    objects.

    Raises CannotStart if the cluster cannot be reached.
    """
    api = Api(Endpoint.of_kubeconfig(kubeconfig, context), OwnWrites(run))
    try:
        cleanup = Cleanup(api, ServedVersions(api))
        selector = f"{RUN_LABEL}={run}" if run else RUN_LABEL
        existing = cleanup.left(selector)
        left = cleanup.finish(selector) if existing else []
    except Unreachable as error:
        raise CannotStart(str(error)) from None
    finally:
        api.close()
    return [name for name in existing if name not in left], left
