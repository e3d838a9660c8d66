"""A node with a driver on it: folders, processes, and the registration of a kubelet."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import time
import uuid
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from pathlib import Path
from string import Template

from dra_conform.adapters.driver import driver_process
from dra_conform.adapters.driver.boot_id import BootId
from dra_conform.adapters.driver.cdi import CDIDevices, read_cdi
from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.driver_process import (
    KUBELET_ROOT,
    DriverFailed,
    DriverInstance,
    RegisteredDriver,
    spawn,
)
from dra_conform.adapters.driver.observed_strings import MAX_SERVICES, all_shortened, shortened
from dra_conform.adapters.driver.plugin_client import (
    CallFailed,
    PluginClient,
    get_info,
    is_listening,
    notify,
    registration_sockets,
    service_of,
    sockets_in,
)
from dra_conform.adapters.driver.temporary_folder import MAX_SOCKET_PATH, TemporaryFolder
from dra_conform.adapters.node_replies import end_of_log
from dra_conform.conformance.driver.answer import OWN, RegistrationInfo
from dra_conform.kube.plugin_api import PluginInfo

OTHER_CDI_FILE = "other.example.com-device.json"
"""The CDI spec of another vendor, which each node has."""
OTHER_CDI_DEVICE = "other.example.com/device=other"
"""The CDI device of that spec."""
OTHER_SOCKETS = ("{driver}.example-reg.sock", "other.example.com-reg.sock")
"""The registration socket of another plugin, which each node has: the first whose path is short enough.

The name of a plugin can begin with the name of the driver.
"""
MAX_MOUNTED = 1000
"""The maximum number of mounted files that are remembered."""
_POLL_SECONDS = 0.02


class DriverNode:
    """A node with folders of its own, on which instances of a driver run.

    `kubeconfig` is the path of the kubeconfig for the driver; the file must be written before `start`.
    """

    def __init__(self, driver: DriverFile, name: str, *, reboots: bool = False) -> None:
        self.driver = driver
        self.name = name
        self._folder = TemporaryFolder()
        self.root = self._folder.path
        kubelet = self.root / "k"
        self.registry, self.plugins = kubelet / "plugins_registry", kubelet / "plugins"
        self.cdi, self._cdi_away = self.root / "cdi", self.root / "cdi-away"
        self._temporary = self.root / "tmp"
        for folder in (self.registry, self.plugins / driver.name, self.cdi, self._temporary):
            folder.mkdir(parents=True)
        others = [self.registry / name.format(driver=driver.name) for name in OTHER_SOCKETS]
        self._other_socket = next(path for path in others if len(str(path).encode()) <= MAX_SOCKET_PATH)
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(self._other_socket))
        self._write_other_cdi_file()
        self._mounted: set[str] = set()
        self.kubeconfig = self.root / "kubeconfig"
        self._log = self.root / "driver.log"
        self._instances: list[DriverInstance] = []
        self._interrupted = False
        self.boot_id = BootId(self.root / "boot_id") if reboots else None

    @property
    def newest(self) -> DriverInstance:
        """The instance that was started last."""
        return self._instances[-1]

    @property
    def predecessor(self) -> DriverInstance:
        """The instance before the newest."""
        return self._instances[-2]

    def start(self, *, rolling: bool = False, variants: Iterable[str] = ()) -> DriverInstance:
        """Start an instance in some variants of the driver file and register it; raises DriverFailed."""
        values = {
            "KUBECONFIG": str(self.kubeconfig),
            "NODE": self.name,
            "REGISTRY": str(self.registry),
            "PLUGINS": str(self.plugins),
            "CDI": str(self.cdi),
            "UID": str(uuid.uuid4()),
        }
        more = dict(self.driver.rolling.env) if rolling and self.driver.rolling else {}
        words = self.driver.command
        for variant in (self.driver.variants[name] for name in variants if name in self.driver.variants):
            more |= variant.env
            words = variant.command or words
        own = {"TMPDIR": str(self._temporary), **self.driver.env, **more}
        environment = {name: Template(text).safe_substitute(values) for name, text in own.items()}
        command = tuple(Template(text).safe_substitute(values) for text in words)
        known = set(self.sockets()) if self.running() else set()
        built_in = self.driver.folders == "built-in"
        mounts = (self.registry.parent, self.cdi) if built_in else None
        instance = spawn(command, environment, self._log, mounts, self.boot_id)
        self._instances.append(instance)
        if self._interrupted:
            self.interrupt()
            raise DriverFailed("the scenario was interrupted")
        self.register(instance, known)
        return instance

    def register(self, instance: DriverInstance, ignored: Collection[Path] = ()) -> None:
        """Wait for a registration socket that answers and register the driver; raises DriverFailed."""
        problem = "no registration socket exists"
        end = time.monotonic() + self.driver.start_seconds

        def registered() -> bool:
            nonlocal problem
            for path in self.sockets():
                if path in ignored:
                    continue
                if time.monotonic() > end:
                    return False
                try:
                    began = time.monotonic()
                    info = get_info(path)
                    seconds = time.monotonic() - began
                    notify(path, registered=True)
                except CallFailed as failed:
                    problem = f"{path.name}: {failed}"
                    continue
                instance.registered = self._registered(path, info, seconds)
                return True
            return False

        if not self._wait(registered, instance):
            raise DriverFailed(f"the driver does not register: {problem}{self.log_tail()}")

    def registration(self) -> RegistrationInfo | None:
        """Return the newest registration as an observation, None if the newest instance has none."""
        registered = self.newest.registered
        if registered is None:
            return None
        info = registered.info
        return RegistrationInfo(
            shortened(info.type),
            OWN if info.name == self.driver.name else shortened(info.name),
            OWN if registered.reachable else shortened(info.endpoint),
            all_shortened(info.supported_versions[:MAX_SERVICES]),
            round(registered.seconds, 3),
        )

    def running(self) -> bool:
        """Return whether an instance runs."""
        return any(not instance.ended() for instance in self._instances)

    def stop(self, instance: DriverInstance, by: signal.Signals) -> None:
        """End an instance by a signal; raises DriverFailed if it is still running after SIGTERM."""
        if not instance.stop(by):
            seconds = f"{driver_process.END_SECONDS:g} s"
            raise DriverFailed(f"the driver is still running {seconds} after SIGTERM{self.log_tail()}")

    def sockets(self) -> list[Path]:
        """Return the registration sockets of the driver."""
        return [path for path in registration_sockets(self.registry) if path != self._other_socket]

    def has_other_socket(self) -> bool:
        """Return whether the registration socket of another plugin still exists."""
        return self._other_socket.is_socket()

    def has_other_cdi_file(self) -> bool:
        """Return whether the CDI spec of another vendor still exists."""
        return any((folder / OTHER_CDI_FILE).is_file() for folder in (self.cdi, self._cdi_away))

    def mounted_files(self, sources: Iterable[str]) -> dict[str, bool]:
        """Return which sources of mounts in the driver's folders exist, by their path below the folders."""
        paths = [self.outside(source) for source in sources]
        files = {
            str(path.relative_to(self.plugins)): path.exists()
            for path in paths
            if path.is_relative_to(self.plugins)
        }
        self._mounted.update(islice(files, max(0, MAX_MOUNTED - len(self._mounted))))
        return files

    def left_files(self, sources: Iterable[str]) -> tuple[str, ...]:
        """Return the files that were mounted earlier, are no longer mounted, and still exist."""
        mounted = self.mounted_files(sources)
        return tuple(
            sorted(path for path in self._mounted - mounted.keys() if (self.plugins / path).is_file())
        )

    def service_sockets(self) -> list[Path]:
        """Return the sockets in the folder for plugins."""
        return sockets_in(self.plugins)

    def cdi_devices(self) -> CDIDevices:
        """Return the CDI devices that a container runtime finds."""
        return read_cdi(self.cdi)

    def reboot(self) -> None:
        """Lose all sockets and CDI files, and get another boot ID. No driver may run."""
        self.lose_cdi_files()
        for path in (*self.sockets(), *self.service_sockets()):
            path.unlink(missing_ok=True)
        if self.boot_id is not None:
            self.boot_id.renew()

    def lose_cdi_files(self) -> None:
        """Empty the CDI folder; a driver may have the folder itself mounted."""
        # A link is from the driver, and the files behind it are not those of the run.
        if self.cdi.is_symlink():
            self.cdi.unlink()
        self.cdi.mkdir(exist_ok=True)  # The driver may have removed it.
        for path in self.cdi.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        self._write_other_cdi_file()  # Its vendor writes it again.

    def set_cdi_writable(self, *, writable: bool) -> None:
        """Put a file in the place of the CDI folder, which root cannot write to either, or undo this."""
        if writable:
            self.cdi.unlink()
            self._cdi_away.rename(self.cdi)
        else:
            self.cdi.rename(self._cdi_away)
            self.cdi.touch()

    def _write_other_cdi_file(self) -> None:
        kind, name = OTHER_CDI_DEVICE.split("=")
        device = {"name": name, "containerEdits": {"env": ["OTHER=1"]}}
        spec = {"cdiVersion": "0.6.0", "kind": kind, "devices": [device]}
        (self.cdi / OTHER_CDI_FILE).write_text(json.dumps(spec), encoding="utf-8")

    def state_file(self) -> Path:
        """Return the path of the driver's state file."""
        return Path(Template(self.driver.state).safe_substitute(PLUGINS=self.plugins))

    def log_tail(self) -> str:
        """Return the end of the driver's log for a message, empty if nothing is logged."""
        return end_of_log(self._log)

    def interrupt(self) -> None:
        """End all processes, also those that are started later; called from another thread."""
        self._interrupted = True
        for instance in self._instances:
            instance.disconnect()
            instance.kill()

    def close(self) -> None:
        """End all processes and remove the folders."""
        self.interrupt()
        self._folder.close()

    def _registered(self, path: Path, info: PluginInfo, seconds: float) -> RegisteredDriver:
        endpoint = self.outside(info.endpoint) if info.endpoint else path
        if len(str(endpoint).encode()) > MAX_SOCKET_PATH or "\0" in info.endpoint:
            shown = f"{info.endpoint[:MAX_SOCKET_PATH]!r}"
            raise DriverFailed(
                f"the endpoint is not the path of a socket of at most {MAX_SOCKET_PATH} bytes: {shown}"
            )
        # What does not answer yet can only be known by its folder.
        reachable = endpoint.is_relative_to(self.root) or is_listening(endpoint)
        return RegisteredDriver(path, info, seconds, service_of(info), PluginClient(endpoint), reachable)

    def outside(self, path: str) -> Path:
        """Return the path on this machine for a path inside the mount namespace of the driver."""
        if self.driver.folders == "built-in" and path.startswith(f"{KUBELET_ROOT}/"):
            return self.registry.parent / path.removeprefix(f"{KUBELET_ROOT}/")
        return Path(path)

    def _wait(self, done: Callable[[], bool], instance: DriverInstance) -> bool:
        end = time.monotonic() + self.driver.start_seconds
        while time.monotonic() < end:
            if done():
                return True
            if instance.ended():
                raise DriverFailed(
                    f"the driver ended ({instance.ended()}) before it registered{self.log_tail()}"
                )
            time.sleep(_POLL_SECONDS)
        return False
