"""Publication of the devices in ResourceSlices, which are restored if other clients change them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence

from dra_conform.kube.json_values import Json
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_driver.prepared_claims import PreparedClaims, groups_in_use
from dra_conform.reference_driver.settings import DRIVER, DriverSettings

RETRY_SECONDS = 0.5
"""The pause after an error of the API server."""
DEVICES_IN_SLICE = 4
"""The maximum number of devices in a ResourceSlice, below the limit of the API."""
COUNTER_SET = "board"


class Publisher:
    """Publishes the ResourceSlices of the node and restores them after changes.

    A write happens only if something differs, so a restart of the driver writes nothing.
    """

    def __init__(self, settings: DriverSettings, api: APIClient) -> None:
        self._settings = settings
        self._api = api
        self._stopped = threading.Event()
        self._repairing = threading.Lock()

    def start(self) -> None:
        """Publish and restore ResourceSlices in a background thread."""
        for target in (self._repair_on_changes, self._repair_regularly):
            threading.Thread(target=target, daemon=True).start()

    def stop(self) -> None:
        """Stop all writes; the ResourceSlices remain, because another instance may serve the devices."""
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
        """Restore the ResourceSlices that differ, and return the resource version that was compared."""
        with self._repairing:
            slices, version = self._api.slices(self._selector)
            wanted = self._wanted(self._api.node(self._settings.node)["metadata"]["uid"])
            stored = {raw["metadata"]["name"]: raw for raw in slices}
            for name, raw in stored.items():
                if name not in wanted:
                    self._api.delete_slice(raw)
            newest = max((raw["spec"]["pool"]["generation"] for raw in slices), default=0)
            if all(name in stored and _same(stored[name], raw, newest) for name, raw in wanted.items()):
                return version
            for name, raw in wanted.items():
                raw["spec"]["pool"]["generation"] = newest + 1
                if name in stored:
                    raw["metadata"]["resourceVersion"] = stored[name]["metadata"]["resourceVersion"]
                    self._api.update_slice(raw)
                else:
                    self._api.create_slice(raw)
            return version

    @property
    def _selector(self) -> str:
        return f"spec.driver={DRIVER},spec.nodeName={self._settings.node}"

    def _wanted(self, node_uid: str) -> dict[str, Json]:
        """Return the ResourceSlices to publish by name, with compatibilityGroups if the API server keeps this
        field."""
        slices = self._slices(node_uid, self._groups())
        if self._settings.groups and not any(map(self._api.keeps_groups, slices.values())):
            return self._slices(node_uid, {})
        return slices

    def _groups(self) -> dict[str, str]:
        """Return the groups of all devices; devices in use keep the groups with which they were prepared."""
        prepared = PreparedClaims(self._settings.checkpoint, self._settings.cdi)
        names = self._settings.device_names() if self._settings.groups else ()
        with prepared.locked():
            in_use = groups_in_use(prepared.all())
        return {name: in_use.get(name, self._settings.group(name)) for name in names}

    def _slices(self, node_uid: str, groups: Mapping[str, str]) -> dict[str, Json]:
        """Return the ResourceSlices by name: those with devices, and one for counters if there are groups."""
        devices = [self._device(name, groups.get(name, "")) for name in self._settings.device_names()]
        parts: list[dict[str, Json]] = [
            {"devices": devices[begin : begin + DEVICES_IN_SLICE]}
            for begin in range(0, max(len(devices), 1), DEVICES_IN_SLICE)
        ]
        if self._settings.groups:
            counters = {"name": COUNTER_SET, "counters": {"slots": {"value": str(len(devices))}}}
            parts.append({"sharedCounters": [counters]})
        return dict(self._slice(node_uid, index, parts) for index in range(len(parts)))

    def _slice(self, node_uid: str, index: int, parts: Sequence[Mapping[str, Json]]) -> tuple[str, Json]:
        owner = {
            "apiVersion": "v1",
            "kind": "Node",
            "name": self._settings.node,
            "uid": node_uid,
            "controller": True,
        }
        name = f"{index:05}-{self._settings.node}-{DRIVER}"
        return name, {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": name, "ownerReferences": [owner]},
            "spec": {
                "driver": DRIVER,
                "nodeName": self._settings.node,
                "pool": {"name": self._settings.node, "generation": 1, "resourceSliceCount": len(parts)},
                **parts[index],
            },
        }

    def _device(self, name: str, group: str) -> Json:
        device: dict[str, Json] = {
            "name": name,
            "attributes": {"model": {"string": "imaginary"}},
            "capacity": {"memory": {"value": "16Gi"}},
        }
        if self._settings.shared:
            device["allowMultipleAllocations"] = True
            policy = {"default": "1Gi", "validRange": {"min": "1Gi", "step": "1Gi"}}
            device["capacity"]["memory"]["requestPolicy"] = policy
        if self._settings.groups:
            consumed = {"counterSet": COUNTER_SET, "counters": {"slots": {"value": "1"}}}
            device["consumesCounters"] = [{**consumed, **({"compatibilityGroups": [group]} if group else {})}]
        return device


def _same(stored: Json, wanted: Json, generation: int) -> bool:
    """Return whether a stored ResourceSlice has the expected contents, pool and owner."""
    pool = {**wanted["spec"]["pool"], "generation": generation}
    return bool(
        all((stored["spec"].get(part) or []) == (wanted["spec"].get(part) or []) for part in _CONTENTS)
        and stored["spec"]["pool"] == pool
        and stored["metadata"].get("ownerReferences") == wanted["metadata"]["ownerReferences"]
    )


_CONTENTS = ("devices", "sharedCounters")
