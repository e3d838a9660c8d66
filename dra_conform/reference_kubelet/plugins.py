"""Registration of DRA drivers, calls to them, and deletion of ResourceSlices of disconnected drivers."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dra_conform.adapters.driver.plugin_client import (
    CallFailed,
    PluginClient,
    get_info,
    notify,
    registration_sockets,
    service_of,
)
from dra_conform.kube.plugin_api import (
    HEALTH_SERVICES,
    PLUGIN_SERVICES,
    Claim,
    PrepareResponse,
    UnprepareResponse,
)
from dra_conform.kube.plugin_types import DRA_PLUGIN
from dra_conform.reference_driver.api_client import APIClient, APIError
from dra_conform.reference_kubelet.health import HealthReports
from dra_conform.reference_kubelet.metrics import GRPC_OPERATIONS, Metrics

T = TypeVar("T")

WIPE_SECONDS = 30.0
"""The time after which the ResourceSlices of a disconnected driver are deleted."""
RETRY_SECONDS, MAX_RETRY_SECONDS = 0.5, 122.0
"""The pause before a registration is tried again, which doubles with each failure."""
HEALTH_RETRY_SECONDS = 5.0
_SCAN_SECONDS = 0.2


class NotRegistered(Exception):  # noqa: N818 - it reads as what happened
    """No instance of a driver is registered."""


@dataclass(slots=True)
class Instance:
    """A registered instance of a driver."""

    driver: str
    endpoint: str
    service: str
    client: PluginClient
    connected: bool = False


@dataclass(slots=True)
class _Socket:
    """A registration socket: its inode, its registered instance, and the time of the next attempt."""

    inode: int
    instance: Instance | None = None
    due: float = 0.0
    pause: float = RETRY_SECONDS


class Plugins:
    """The drivers of a node. `start` starts to watch the registry folder."""

    def __init__(
        self, registry: Path, api: APIClient, node: str, health: HealthReports | None, metrics: Metrics
    ) -> None:
        self._registry = registry
        self._api = api
        self._node = node
        self._health = health
        self._metrics = metrics
        self._sockets: dict[Path, _Socket] = {}
        self._instances: list[Instance] = []
        self._reporting: dict[str, Instance] = {}
        self._away_since: dict[str, float] = {}
        self._lock = threading.RLock()

    def start(self) -> None:
        """Delete all ResourceSlices of the node, and register drivers from now on."""
        for target in (self._delete_all_slices, self._watch):
            threading.Thread(target=target, daemon=True).start()

    def require(self, driver: str) -> Instance:
        """Return the newest connected instance of a driver, else the newest one; raises NotRegistered."""
        with self._lock:
            instances = [instance for instance in self._instances if instance.driver == driver]
            if not instances:
                raise NotRegistered(f"DRA driver {driver} is not registered")
            return next((one for one in reversed(instances) if one.connected), instances[-1])

    def prepare(self, driver: str, claims: tuple[Claim, ...]) -> PrepareResponse:
        """Call NodePrepareResources; raises NotRegistered and CallFailed."""
        instance = self.require(driver)
        return self._call(instance, "prepare", lambda: instance.client.prepare(instance.service, claims))

    def unprepare(self, driver: str, claims: tuple[Claim, ...]) -> UnprepareResponse:
        """Call NodeUnprepareResources; raises NotRegistered and CallFailed."""
        instance = self.require(driver)
        return self._call(instance, "unprepare", lambda: instance.client.unprepare(instance.service, claims))

    def _call(self, instance: Instance, method: str, call: Callable[[], T]) -> T:
        code = "OK"
        try:
            return call()
        except CallFailed as failed:
            code = "".join(word.title() for word in failed.code.split("_"))
            raise
        finally:
            path = PLUGIN_SERVICES[instance.service][method].path
            self._metrics.count(
                GRPC_OPERATIONS, driver_name=instance.driver, method_name=path, grpc_status_code=code
            )

    # Registration

    def _watch(self) -> None:
        while True:
            for path in self._removed():
                self._deregister(path)
            for path, inode in self._present().items():
                socket = self._sockets.setdefault(path, _Socket(inode))
                if socket.instance is None and time.monotonic() >= socket.due:
                    self._try_to_register(path, socket)
            self._delete_slices_of_absent_drivers()
            time.sleep(_SCAN_SECONDS)

    def _present(self) -> dict[Path, int]:
        present: dict[Path, int] = {}
        for path in registration_sockets(self._registry):
            with suppress(FileNotFoundError):  # The driver removed it in the meantime.
                present[path] = path.lstat().st_ino
        return present

    def _removed(self) -> list[Path]:
        """Return the known sockets that were removed or replaced."""
        present = self._present()
        return [path for path, socket in self._sockets.items() if present.get(path) != socket.inode]

    def _deregister(self, path: Path) -> None:
        socket = self._sockets.pop(path)
        if socket.instance is not None:
            self._remove(socket.instance)

    def _remove(self, instance: Instance) -> None:
        with self._lock:
            self._instances.remove(instance)
        instance.client.close()
        self._set_connected(instance, connected=False)

    def _try_to_register(self, path: Path, socket: _Socket) -> None:
        try:
            socket.instance = self._register(path)
        except CallFailed as failed:
            logging.warning("%s: %s", path.name, failed)
        if socket.instance is None:
            socket.due = time.monotonic() + socket.pause
            socket.pause = min(2 * socket.pause, MAX_RETRY_SECONDS)

    def _register(self, path: Path) -> Instance | None:
        """Register a driver and notify it of the result; return None for a rejection. Raises CallFailed."""
        info = get_info(path)
        endpoint, service = info.endpoint or str(path), service_of(info)
        problem = ""
        if info.type != DRA_PLUGIN:
            problem = f"unknown plugin type {info.type!r}, expected {DRA_PLUGIN}"
        elif not service:
            problem = f"unknown services {', '.join(info.supported_versions)}"
        elif any((one.driver, one.endpoint) == (info.name, endpoint) for one in self._instances):
            problem = f"endpoint {endpoint} is already registered for DRA driver {info.name}"
        if problem:
            notify(path, registered=False, error=problem)
            return None
        instance = Instance(info.name, endpoint, service, PluginClient(Path(endpoint)))
        with self._lock:
            self._instances.append(instance)
        try:
            notify(path, registered=True)
        except CallFailed:
            self._remove(instance)
            raise
        instance.client.watch_connection(lambda connected: self._set_connected(instance, connected=connected))
        service = next((name for name in HEALTH_SERVICES if name in info.supported_versions), "")
        if service and self._health is not None:
            threading.Thread(
                target=self._watch_health, args=(instance, service, self._health), daemon=True
            ).start()
        return instance

    def _watch_health(self, instance: Instance, service: str, health: HealthReports) -> None:
        while instance in self._instances:
            try:
                for report in instance.client.health_reports(service):
                    if self._is_newest(instance):
                        self._reporting[instance.driver] = instance
                        health.add(instance.driver, report)
            except CallFailed as failed:
                if failed.code == "UNIMPLEMENTED":
                    return
            if self._reporting.get(instance.driver) is instance:
                health.forget(instance.driver)
            time.sleep(HEALTH_RETRY_SECONDS)

    def _is_newest(self, instance: Instance) -> bool:
        """Return whether an instance is the newest one of its driver."""
        with self._lock:
            return [one for one in self._instances if one.driver == instance.driver][-1:] == [instance]

    # ResourceSlices

    def _set_connected(self, instance: Instance, *, connected: bool) -> None:
        with self._lock:
            instance.connected = connected
            driver = instance.driver
            if any(one.connected for one in self._instances if one.driver == driver):
                self._away_since.pop(driver, None)
            else:
                self._away_since.setdefault(driver, time.monotonic())

    def _delete_all_slices(self) -> None:
        """Delete the ResourceSlices of all drivers, which must register again before they are usable."""
        pause = 1.0
        while True:
            try:
                return self._api.delete_slices(f"spec.nodeName={self._node}")
            except APIError as error:
                logging.warning("ResourceSlices are not deleted yet: %s", error)
            time.sleep(pause)
            pause = min(2 * pause, 300.0)

    def _delete_slices_of_absent_drivers(self) -> None:
        with self._lock:
            now = time.monotonic()
            due = [driver for driver, since in self._away_since.items() if now - since >= WIPE_SECONDS]
        for driver in due:
            try:
                self._api.delete_slices(f"spec.nodeName={self._node},spec.driver={driver}")
            except APIError as error:
                logging.warning("ResourceSlices of %s are not deleted yet: %s", driver, error)
                continue
            with self._lock:
                self._away_since.pop(driver, None)
