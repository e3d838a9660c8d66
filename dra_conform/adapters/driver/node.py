"""A node with a driver on it: folders, processes, and the registration of a kubelet."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from string import Template

from dra_conform.adapters.driver.cdi import CDIDevices, read_cdi
from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.plugin_client import (
    CallFailed,
    PluginClient,
    get_info,
    notify,
    registration_sockets,
    service_of,
    sockets_in,
)
from dra_conform.adapters.driver.temporary_folder import TemporaryFolder
from dra_conform.adapters.node_replies import end_of_log
from dra_conform.adapters.supervised_command import scrubbed, supervised
from dra_conform.kube.plugin_api import PluginInfo

KUBELET_ROOT = "/var/lib/kubelet"
"""The folder of a kubelet, which drivers with built-in folders use."""
MAX_FILE_BLOCKS = 2**18
"""The largest file that a driver can write, in blocks of 512 or 1024 bytes."""
MAX_SOCKET_PATH = 107
"""The longest path of a Unix socket, in bytes."""
END_SECONDS = 20.0
"""How long a driver may take to end after SIGTERM."""
OTHER_SOCKET = "other.example.com-reg.sock"
"""The registration socket of another plugin, which each node has."""
TERM_SECONDS = 1.5
"""The time between the start of a driver and SIGTERM: programs register before they handle signals."""
_POLL_SECONDS = 0.02


class DriverFailed(Exception):  # noqa: N818 - it reads as what happened
    """The driver does not start, register or end as required; the message has the end of its log."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A registered driver: its registration socket, its answer to `GetInfo`, and calls to it."""

    socket: Path
    info: PluginInfo
    seconds: float
    service: str
    client: PluginClient


@dataclass(slots=True)
class Instance:
    """A process of the driver. `ended` is its exit code or signal in words, empty while it runs."""

    supervisor: subprocess.Popen[bytes]
    control: int
    started: float
    registered: Registered | None = None
    ended: str = ""


class Node:
    """A node with folders of its own, on which instances of a driver run.

    `kubeconfig` is the path of the kubeconfig for the driver; the file must be written before `start`.
    """

    def __init__(self, driver: DriverFile, name: str) -> None:
        self.driver = driver
        self.name = name
        self._folder = TemporaryFolder()
        self.root = self._folder.path
        kubelet = self.root / "k"
        self.registry, self.plugins, self.cdi = (
            kubelet / "plugins_registry",
            kubelet / "plugins",
            self.root / "cdi",
        )
        for folder in (self.registry, self.plugins / driver.name, self.cdi):
            folder.mkdir(parents=True)
        self._other_socket = self.registry / OTHER_SOCKET
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(self._other_socket))
        self.kubeconfig = self.root / "kubeconfig"
        self._log = self.root / "driver.log"
        self._instances: list[Instance] = []

    @property
    def newest(self) -> Instance:
        """The instance that was started last."""
        return self._instances[-1]

    @property
    def predecessor(self) -> Instance:
        """The instance before the newest."""
        return self._instances[-2]

    def start(self, *, rolling: bool = False, variants: Iterable[str] = ()) -> Instance:
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
        environment = {
            name: Template(text).safe_substitute(values) for name, text in {**self.driver.env, **more}.items()
        }
        command = tuple(Template(text).safe_substitute(values) for text in words)
        known = set(self.sockets()) if self.running() else set()
        instance = self._spawn(command, environment)
        self._instances.append(instance)
        self.register(instance, known)
        return instance

    def register(self, instance: Instance, ignored: Collection[Path] = ()) -> None:
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

    def running(self) -> bool:
        """Return whether an instance runs."""
        return any(not self.ended(instance) for instance in self._instances)

    def ended(self, instance: Instance) -> str:
        """Return how an instance ended, empty while it runs."""
        if not instance.ended and instance.supervisor.poll() is not None:
            instance.ended = _ended(instance.supervisor.returncode)
        return instance.ended

    def stop(self, instance: Instance, by: signal.Signals) -> None:
        """End an instance by a signal; raises DriverFailed if it is still running after SIGTERM."""
        if instance.registered is not None:
            instance.registered.client.close()
        if by is signal.SIGTERM and not self.ended(instance):
            time.sleep(max(0.0, instance.started + TERM_SECONDS - time.monotonic()))
            instance.supervisor.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                instance.supervisor.wait(END_SECONDS)
            runs_on = instance.supervisor.poll() is None
            self._kill(instance)
            if runs_on:
                raise DriverFailed(
                    f"the driver is still running {END_SECONDS:g} s after SIGTERM{self.log_tail()}"
                )
        self._kill(instance)

    def sockets(self) -> list[Path]:
        """Return the registration sockets of the driver."""
        return [path for path in registration_sockets(self.registry) if path != self._other_socket]

    def has_other_socket(self) -> bool:
        """Return whether the registration socket of another plugin still exists."""
        return self._other_socket.is_socket()

    def mounted_files(self, sources: Iterable[str]) -> dict[str, bool]:
        """Return which sources of mounts in the driver's folders exist, by their path below the folders."""
        paths = [self.outside(source) for source in sources]
        return {
            str(path.relative_to(self.plugins)): path.exists()
            for path in paths
            if path.is_relative_to(self.plugins)
        }

    def service_sockets(self) -> list[Path]:
        """Return the sockets in the folder for plugins."""
        return sockets_in(self.plugins)

    def cdi_devices(self) -> CDIDevices:
        """Return the CDI devices that a container runtime finds."""
        return read_cdi(self.cdi)

    def lose_cdi_files(self) -> None:
        """Empty the CDI folder, as a reboot of the node does."""
        shutil.rmtree(self.cdi, ignore_errors=True)
        self.cdi.mkdir(exist_ok=True)

    def lose_sockets(self) -> None:
        """Remove all sockets, as a reboot of the node does."""
        for path in (*self.sockets(), *self.service_sockets()):
            path.unlink(missing_ok=True)

    def set_cdi_writable(self, *, writable: bool) -> None:
        """Put a file in the place of the CDI folder, which root cannot write to either, or undo this."""
        away = self.cdi.with_name("cdi-away")
        if writable:
            self.cdi.unlink()
            away.rename(self.cdi)
        else:
            self.cdi.rename(away)
            self.cdi.touch()

    def state_file(self) -> Path:
        """Return the path of the driver's state file."""
        return Path(Template(self.driver.state).safe_substitute(PLUGINS=self.plugins))

    def log_tail(self) -> str:
        """Return the end of the driver's log for a message, empty if nothing is logged."""
        return end_of_log(self._log)

    def close(self) -> None:
        """End all processes and remove the folders."""
        for instance in self._instances:
            if instance.registered is not None:
                instance.registered.client.close()
            self._kill(instance)
        self._folder.close()

    def _registered(self, path: Path, info: PluginInfo, seconds: float) -> Registered:
        endpoint = self.outside(info.endpoint) if info.endpoint else path
        if len(str(endpoint).encode()) > MAX_SOCKET_PATH or "\0" in info.endpoint:
            shown = f"{info.endpoint[:MAX_SOCKET_PATH]!r}"
            raise DriverFailed(
                f"the endpoint is not the path of a socket of at most {MAX_SOCKET_PATH} bytes: {shown}"
            )
        return Registered(path, info, seconds, service_of(info), PluginClient(endpoint))

    def is_own(self, endpoint: str) -> bool:
        """Return whether an endpoint is a socket in the folders of this node; an empty one is."""
        return not endpoint or self.outside(endpoint).is_relative_to(self.root)

    def outside(self, path: str) -> Path:
        """Return the path on this machine for a path inside the mount namespace of the driver."""
        if self.driver.folders == "built-in" and path.startswith(f"{KUBELET_ROOT}/"):
            return self.registry.parent / path.removeprefix(f"{KUBELET_ROOT}/")
        return Path(path)

    def _spawn(self, command: tuple[str, ...], environment: Mapping[str, str]) -> Instance:
        logged = ("sh", "-c", _LOGGED, "sh", str(self._log), str(MAX_FILE_BLOCKS), *command)
        if self.driver.folders == "built-in":
            logged = (
                "unshare",
                "-m",
                "sh",
                "-c",
                _MOUNTS,
                "sh",
                str(self.registry.parent),
                str(self.cdi),
                *logged,
            )
        try:
            control, supervisor = supervised(logged, 0, {**scrubbed(os.environ), **environment})
        except OSError as error:
            raise DriverFailed(f"cannot run {command[0]}: {error.strerror}") from None
        return Instance(supervisor, control, time.monotonic())

    def _kill(self, instance: Instance) -> None:
        """Kill all processes of an instance; closing the control pipe makes its supervisor do this."""
        if instance.control >= 0:
            before = self.ended(instance)
            os.close(instance.control)
            instance.control = -1
            instance.supervisor.send_signal(signal.SIGCONT)  # The driver may have stopped its supervisor.
            with suppress(subprocess.TimeoutExpired):
                instance.supervisor.wait(END_SECONDS)
            instance.supervisor.kill()
            with instance.supervisor as supervisor:  # closes the pipes and waits
                supervisor.wait()
            instance.ended = before or _ended(-signal.SIGKILL)

    def _wait(self, done: Callable[[], bool], instance: Instance) -> bool:
        end = time.monotonic() + self.driver.start_seconds
        while time.monotonic() < end:
            if done():
                return True
            if self.ended(instance):
                raise DriverFailed(
                    f"the driver ended ({instance.ended}) before it registered{self.log_tail()}"
                )
            time.sleep(_POLL_SECONDS)
        return False


_LOGGED = 'log=$1 blocks=$2; shift 2; ulimit -f "$blocks"; exec "$@" >>"$log" 2>&1 </dev/null'
_MOUNTS = (
    f"mkdir -p {KUBELET_ROOT} /etc/cdi && mount -t tmpfs dra-conform /run && mkdir -p /run/cdi && "
    f'mount --bind "$1" {KUBELET_ROOT} && mount --bind "$2" /etc/cdi && mount --bind "$2" /run/cdi && '
    'shift 2 && exec "$@"'
)


def _ended(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
