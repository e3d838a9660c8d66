"""The process of a driver: its start with a log of limited size, and its end with all child processes."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from dra_conform.adapters.driver.boot_id import BootId
from dra_conform.adapters.driver.plugin_client import CallFailed, PluginClient
from dra_conform.adapters.supervised_command import ended, kill, logged, scrubbed, supervised
from dra_conform.kube.plugin_api import HEALTH_SERVICES, HealthReport, PluginInfo

KUBELET_ROOT = "/var/lib/kubelet"
"""The folder of a kubelet, which drivers with built-in folders use."""
MAX_FILE_BLOCKS = 2**18
"""The largest file that a driver can write, in blocks of 512 or 1024 bytes."""
END_SECONDS = 20.0
"""How long a driver may take to end after SIGTERM."""
FIRST_REPORT_SECONDS = 10.0
"""How long the first report of a stream of health reports may take before the next action begins."""
TERM_SECONDS = 1.5
"""The time between the start of a driver and SIGTERM: programs register before they handle signals."""


class DriverFailed(Exception):  # noqa: N818 - it reads as what happened
    """The driver does not start, register or end as required; the message has the end of its log."""


@dataclass(frozen=True, slots=True)
class RegisteredDriver:
    """A registered driver: its registration socket, its answer to `GetInfo`, and calls to it.

    `reachable`: whether the endpoint is a socket in the folders of the node, or one that answers.
    """

    socket: Path
    info: PluginInfo
    seconds: float
    service: str
    client: PluginClient
    reachable: bool = True

    def health_service(self) -> str:
        """Return the first service that reports health, as a kubelet selects it; raises DriverFailed."""
        for name in self.info.supported_versions:
            if name in HEALTH_SERVICES:
                return name
        raise DriverFailed("the driver names no service that reports health")

    def keep_watching_health(self) -> None:
        """Watch the health of the devices until the driver or `disconnect` ends the stream.

        Return after the first report or a time limit. Raises DriverFailed.
        """
        reports, begun = self.client.health_reports(self.health_service()), threading.Event()
        threading.Thread(target=_discard, args=(reports, begun), daemon=True).start()
        begun.wait(FIRST_REPORT_SECONDS)


def _discard(reports: Iterator[HealthReport], begun: threading.Event) -> None:
    with suppress(CallFailed):
        for _ in reports:
            begun.set()
    begun.set()


@dataclass(slots=True)
class DriverInstance:
    """A process of the driver, with its supervisor. `exit` is its exit code or signal, once it is known."""

    supervisor: subprocess.Popen[bytes]
    control: int
    started: float
    registered: RegisteredDriver | None = None
    exit: str = ""
    _ending: threading.Lock = field(default_factory=threading.Lock)

    def ended(self) -> str:
        """Return how the process ended, empty while it runs."""
        if not self.exit and self.supervisor.poll() is not None:
            self.exit = ended(self.supervisor.returncode)
        return self.exit

    def stop(self, by: signal.Signals) -> bool:
        """End the process by a signal; return False if SIGTERM did not end it, so that it was killed.

        The connection stays open until the end, because a kubelet does not know that the driver ends.
        """
        ends = True
        if by is signal.SIGTERM and not self.ended():
            time.sleep(max(0.0, self.started + TERM_SECONDS - time.monotonic()))
            self.supervisor.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.supervisor.wait(END_SECONDS)
            ends = self.supervisor.poll() is not None
        self.disconnect()
        self.kill()
        return ends

    def disconnect(self) -> None:
        """Close the connection to the driver."""
        if self.registered is not None:
            self.registered.client.close()

    def kill(self) -> None:
        """Kill all processes of the instance; closing the control pipe makes its supervisor do this."""
        with self._ending:  # An interruption kills from another thread.
            if self.control < 0:
                return
            before = self.ended()
            kill(self.control, self.supervisor)
            self.control = -1
            self.exit = before or ended(-signal.SIGKILL)


def spawn(
    command: tuple[str, ...],
    environment: Mapping[str, str],
    log: Path,
    mounts: tuple[Path, Path] | None = None,
    boot_id: BootId | None = None,
) -> DriverInstance:
    """Start a driver that logs to a file; raises DriverFailed if its program cannot be run.

    `mounts` are the folders that the driver sees as that of the kubelet and as the CDI folders, in a mount
    namespace of its own. `boot_id` is what it sees as the boot ID of the machine.
    """
    started = logged(command, log, MAX_FILE_BLOCKS)
    if mounts is not None:
        started = ("unshare", "-m", "sh", "-c", _MOUNTS, "sh", *map(str, mounts), *started)
    if boot_id is not None:
        started = boot_id.seen_by(started)
    try:
        control, supervisor = supervised(started, 0, {**scrubbed(os.environ), **environment})
    except OSError as error:
        raise DriverFailed(f"cannot run {command[0]}: {error.strerror}") from None
    return DriverInstance(supervisor, control, time.monotonic())


_MOUNTS = (
    f"mkdir -p {KUBELET_ROOT} /etc/cdi && mount -t tmpfs dra-conform /run && mkdir -p /run/cdi && "
    f'mount --bind "$1" {KUBELET_ROOT} && mount --bind "$2" /etc/cdi && mount --bind "$2" /run/cdi && '
    'shift 2 && exec "$@"'
)
