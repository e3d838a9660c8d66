"""Removal of the objects of scenarios, found by their labels."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun, Endpoint
from dra_conform.adapters.live.isolation_fields import RUN
from dra_conform.adapters.live.own_writes import OwnWrites
from dra_conform.adapters.live.resources import RESOURCES, Address, Resource
from dra_conform.adapters.live.scenario_names import PREFIX
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.conformance.implementation import CannotStart

Json = Any

_FREE_AFTER = 10.0
"""Seconds after which objects are let go that finalizers hold."""


class Cleaning:
    """Removes the objects with certain labels, in every namespace that has them."""

    def __init__(self, api: Api, served: ServedVersions) -> None:
        self._api = api
        self._served = served

    def remove(self, selector: str) -> None:
        """Begin to delete whatever has these labels; namespaces go on ending afterwards."""
        for namespace in self._found(RESOURCES["Namespace"], selector):
            self._empty(namespace["metadata"]["name"])
            self._delete(RESOURCES["Namespace"], namespace)
        for resource in RESOURCES.values():
            if not resource.namespaced and resource.kind != "Namespace" and self._served.has(resource.kind):
                for one in self._found(resource, selector):
                    self._delete(resource, one)

    def left(self, selector: str) -> list[str]:
        """What is still there, as `kind name`."""
        return [
            f"{resource.kind} {one['metadata']['name']}"
            for resource in RESOURCES.values()
            if not resource.namespaced and self._served.has(resource.kind)
            for one in self._found(resource, selector)
        ]

    def finish(self, selector: str, seconds: float = 120.0) -> list[str]:
        """Remove, and wait until it is gone; what is left when the time is over."""
        began = time.monotonic()
        self.remove(selector)
        while (left := self.left(selector)) and time.monotonic() - began < seconds:
            if time.monotonic() - began > _FREE_AFTER:
                self._free(selector)
            time.sleep(0.3)
        return left

    def _empty(self, namespace: str) -> None:
        """Pods end at once: nobody but this would end those on nodes without a machine."""
        for pod in self._found(RESOURCES["Pod"], "", namespace):
            self._delete(RESOURCES["Pod"], pod, now=True)

    def _free(self, selector: str) -> None:
        """Take away finalizers: of claims that nobody releases, and those that a story has put on."""
        for resource, one in self._everything(selector):
            if one["metadata"].get("finalizers"):
                with suppress(Unreachable, CannotRun):
                    self._api.patch(self._address(resource, one), {"metadata": {"finalizers": None}})

    def _everything(self, selector: str) -> Iterator[tuple[Resource, Json]]:
        namespaces = self._found(RESOURCES["Namespace"], selector)
        for resource in RESOURCES.values():
            if resource.kind == "Namespace" or not self._served.has(resource.kind):
                continue  # what is in a namespace keeps it, its own finalizer is that of its controller
            if resource.namespaced:
                for namespace in namespaces:
                    for one in self._found(resource, "", namespace["metadata"]["name"]):
                        yield resource, one
            else:
                for one in self._found(resource, selector):
                    yield resource, one

    def _found(self, resource: Resource, selector: str, namespace: str = "") -> list[Json]:
        path = resource.address(self._served.newest(resource.kind), namespace)
        answer = self._api.get(path, **({"labelSelector": selector} if selector else {}))
        if not answer.taken:
            raise Unreachable(f"cannot list {resource.plural}: {answer.message}")
        return [
            one
            for one in answer.body.get("items") or ()
            if (one["metadata"].get("namespace") or one["metadata"]["name"]).startswith(PREFIX)
        ]

    def _delete(self, resource: Resource, one: Json, *, now: bool = False) -> None:
        with suppress(Unreachable, CannotRun):  # what is left is seen at the end
            self._api.delete(self._address(resource, one), now=now)

    def _address(self, resource: Resource, one: Json) -> Address:
        metadata = one["metadata"]
        version = self._served.newest(resource.kind)
        return resource.address(version, metadata.get("namespace", ""), metadata["name"])


def clean_up(kubeconfig: Path, context: str, run: str) -> tuple[list[str], list[str]]:
    """What one run has left, or all runs where none is named: what was removed, and what is still there.

    Raises CannotStart where the cluster cannot be reached.
    """
    api = Api(Endpoint.of_kubeconfig(kubeconfig, context), OwnWrites(run))
    try:
        cleaning = Cleaning(api, ServedVersions(api))
        selector = f"{RUN}={run}" if run else RUN
        found = cleaning.left(selector)
        left = cleaning.finish(selector) if found else []
    except Unreachable as error:
        raise CannotStart(str(error)) from None
    finally:
        api.close()
    return [name for name in found if name not in left], left
