"""Publishing of the devices in a ResourceSlice, and its repair if others change it."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_driver.settings import DRIVER, Settings

Json = Any

RETRY_SECONDS = 0.5
"""How long to wait after an error of the API server."""


class Publisher:
    """Keeps the ResourceSlices of the node as they should be: one slice with all devices.

    A write happens only if something differs, so a restart of the driver writes nothing.
    """

    def __init__(self, settings: Settings, api: APIClient) -> None:
        self._settings = settings
        self._api = api
        self._stopped = threading.Event()
        self._repairing = threading.Lock()

    def start(self) -> None:
        """Publish and repair in the background."""
        for target in (self._repair_on_changes, self._repair_regularly):
            threading.Thread(target=target, daemon=True).start()

    def stop(self) -> None:
        """Write nothing more. The slices stay, because another instance may serve the devices."""
        self._stopped.set()

    def _repair_on_changes(self) -> None:
        while not self._stopped.is_set():
            try:
                version = self._repair()
                for _ in self._api.watch_slices(self._selector, version):
                    if self._stopped.is_set():
                        return
                    break  # A list is cheap; it also sees changes that came together.
            except APIError as error:
                logging.warning("ResourceSlices: %s", error)
                time.sleep(RETRY_SECONDS)

    def _repair_regularly(self) -> None:
        while not self._stopped.wait(self._settings.resync_seconds):
            try:
                self._repair()
            except APIError as error:
                logging.warning("ResourceSlices: %s", error)

    def _repair(self) -> str:
        """Compare the slices with what they should be, and return the resource version of the comparison."""
        with self._repairing:
            slices, version = self._api.slices(self._selector)
            wanted = self._wanted(self._api.node(self._settings.node)["metadata"]["uid"])
            own = [raw for raw in slices if raw["metadata"]["name"] == wanted["metadata"]["name"]]
            generations = [raw["spec"]["pool"]["generation"] for raw in slices]
            for raw in slices:
                if raw not in own:
                    self._api.delete_slice(raw)
            if not own:
                wanted["spec"]["pool"]["generation"] = max(generations, default=0) + 1
                self._api.create_slice(wanted)
            elif not _same(own[0], wanted):
                wanted["spec"]["pool"]["generation"] = max(generations) + 1
                wanted["metadata"]["resourceVersion"] = own[0]["metadata"]["resourceVersion"]
                self._api.update_slice(wanted)
            return version

    @property
    def _selector(self) -> str:
        return f"spec.driver={DRIVER},spec.nodeName={self._settings.node}"

    def _wanted(self, node_uid: str) -> Json:
        owner = {
            "apiVersion": "v1",
            "kind": "Node",
            "name": self._settings.node,
            "uid": node_uid,
            "controller": True,
        }
        return {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": f"{self._settings.node}-{DRIVER}", "ownerReferences": [owner]},
            "spec": {
                "driver": DRIVER,
                "nodeName": self._settings.node,
                "pool": {"name": self._settings.node, "generation": 1, "resourceSliceCount": 1},
                "devices": [self._device(name) for name in self._settings.device_names()],
            },
        }

    def _device(self, name: str) -> Json:
        device: dict[str, Json] = {
            "name": name,
            "attributes": {"model": {"string": "imaginary"}},
            "capacity": {"memory": {"value": "16Gi"}},
        }
        if self._settings.shared:
            device["allowMultipleAllocations"] = True
            policy = {"default": "1Gi", "validRange": {"min": "1Gi", "step": "1Gi"}}
            device["capacity"]["memory"]["requestPolicy"] = policy
        return device


def _same(stored: Json, wanted: Json) -> bool:
    """Return whether a stored slice has the devices, the pool and the owner that it should have."""
    pool = stored["spec"]["pool"]
    return bool(
        stored["spec"].get("devices") == wanted["spec"]["devices"]
        and pool["name"] == wanted["spec"]["pool"]["name"]
        and pool["resourceSliceCount"] == 1
        and stored["metadata"].get("ownerReferences") == wanted["metadata"]["ownerReferences"]
    )
